// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

namespace watershed {

/// What a scenario that was read without complaint comes to: `key = value`, one a line, in the order of the keys.
/// Comments, order and spelling of tables are gone; overrides have won; after the name of a switch come the values that
/// the catalogue has for it.
/// @param leave_out a table that does not count, as in "trigger"
std::string scenario_values(const std::string& file, const std::vector<std::string>& overrides,
                            const std::string& leave_out = {});

}  // namespace watershed
