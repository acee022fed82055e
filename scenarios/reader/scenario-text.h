// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

namespace watershed {

/// A scenario file that says what `file` says without some keys and tables, and with --set.
/// @param left_out   names of keys and tables, dotted
/// @param overrides  "KEY=VALUE", as --set gives them
/// @throws InputError if the file cannot be read
std::string scenario_text(const std::string& file, const std::vector<std::string>& left_out,
                          const std::vector<std::string>& overrides);

}  // namespace watershed
