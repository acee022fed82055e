// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

/// The parts of the report, one for each kind of result: the question as a heading, the answer in words, what it rests
/// on in tables, and figures. Each leaves out nothing that its file tells.
/// @throws InputError for a file that is not what the program writes
namespace watershed {

/// Returns the page of a file that holds JSON. @param file  where the result came from
std::string page_of_result(const nlohmann::ordered_json& result, const std::string& file);

/// Returns the page of a table of this program: a loss map, a boundary, sizes. @throws InputError for other tables
std::string page_of_table(const std::string& file);

/// Returns the page of a text for people: paragraphs with blank lines between them, headings behind #, and lists behind
/// -.
std::string page_of_text(const std::string& text);

std::string fit_page(const nlohmann::ordered_json& result, const std::string& file);
std::string next_page(const nlohmann::ordered_json& result, const std::string& file);
/// A table for each system and basis, below how many numbers agree.
std::string validation_page(const nlohmann::ordered_json& result);
/// The recommendation and its reasons, the ways, why other switches are out, and figures.
std::string explored_page(const nlohmann::ordered_json& result, const std::string& file);
/// @throws InputError if it is not what `watershed validate --json` writes
void check_comparison(const nlohmann::ordered_json& result, const std::string& file);

}  // namespace watershed
