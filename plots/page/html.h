// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

/// Pieces of the page that `watershed report` writes.
namespace watershed {

std::string escaped(const std::string& text);

/// A number in printf's format; a dash for null.
std::string number(const nlohmann::ordered_json& value, const char* format, double scale = 1);

/// @throws InputError if the file cannot be read
std::string contents(const std::string& file);

/// A figure's SVG without what only a file of its own needs.
/// @param text  of the file
/// @throws InputError if it is none, or has a script in it
std::string svg_element(const std::string& text, const std::string& file);

std::string figure(const std::string& svg, const std::string& caption);

}  // namespace watershed
