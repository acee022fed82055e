// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace watershed {

/// Members that a document must have: a kind of value, and the members of this kind: "ways[].switch burst?.events",
/// where [] is each element, and what ? follows may be missing or null. Kinds: any, text, number, number? (or null),
/// flag, list, some (a list or object that is not empty), object, texts, pair (an array of two or more).
using RequiredMembers = std::vector<std::pair<const char*, const char*>>;

/// @param command  "watershed explore --json" @throws InputError that names the first member that is not so, and the
/// file
void check_result(const nlohmann::ordered_json& document, const std::string& file, const std::string& command,
                  const RequiredMembers& members);
/// The only file of a figure. @throws InputError as above, or if there are several
nlohmann::ordered_json read_result(const std::vector<std::string>& files, const std::string& command,
                                   const RequiredMembers& members);

/// Whether a document names this program as the one that wrote it.
bool is_from_program(const nlohmann::ordered_json& document);

// @throws InputError as check_result()
void check_explored(const nlohmann::ordered_json& document, const std::string& file);
void check_designs(const nlohmann::ordered_json& document, const std::string& file);

}  // namespace watershed
