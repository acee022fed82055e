// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

namespace watershed {

/// All members of a result that a page has not told of, in words made of their names: a list of values, and a table for
/// each list of objects. Nothing is left out but empty lists and what is null.
/// @param told  names of members that need no second telling; "program" and "command" stand at the foot of the page
std::string other_values(const nlohmann::ordered_json& result, const std::set<std::string>& told = {});

/// A table for a list of objects whose members are columns; what is an object there has its members as columns.
std::string table_of(const nlohmann::ordered_json& list);

/// A member's name in words, without its unit: "simulated_s" is "simulated".
std::string name_in_words(const std::string& name);
/// A value with the unit that the end of its name tells: 5.7552e-05 of "simulated_s" is "57.55 µs".
std::string value_in_words(const std::string& name, const nlohmann::ordered_json& value);

/// "buffer-full" of the place "switch": "its memory was full (tail drop)".
std::string loss_in_words(const std::string& reason);

/// Numbers of modules, rows or events: "1, 4 to 7, 9"; with more than `most` parts the rest is counted.
std::string numbers_in_words(const std::vector<std::int64_t>& numbers, std::size_t most = 40);

}  // namespace watershed
