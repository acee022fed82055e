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

/// What a scenario that was read without complaint comes to: `key = value`, one a line, in the order of the keys.
/// Comments, order and spelling of tables are gone; overrides have won; after the name of a switch come the values that
/// the catalogue has for it.
/// @param leave_out a table that does not count, as in "trigger"
std::string scenario_values(const std::string& file, const std::vector<std::string>& overrides,
                            const std::string& leave_out = {});

}  // namespace watershed
