// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/scenario.h"
#include "scenarios/text/key-value.h"

namespace watershed {

/// One key of a scenario file. The reader, the table in the help and the manual all come from the list of these.
struct ScenarioKey {
    std::string name;           ///< dotted, "switch.buffer.size"
    std::string kind;           ///< expected value in words, with an example
    std::string default_value;  ///< default as in a scenario; empty if there is none
    std::string meaning;
    /// Stores the value. @throws std::invalid_argument that says what was found and what was expected
    std::function<void(Scenario&, const KeyValue&)> set{};
    std::string limits{};  ///< limits of the value beside its kind: "1 to 65535", "576 B to 65535 B", "more than 0";
                           ///< empty if there are none
    std::vector<std::string> choices{};  ///< all possible values, if they are a list
    std::string like{};                  ///< corresponding key of [switch], for a key of another switch, or of the
                                         ///< modules of one kind, for a key of a group; else empty
};

/// Number of equal groups that a table [group.NAME] describes.
struct GroupCopies {
    int number = 1;
};

/// Every key of a scenario file.
const std::vector<ScenarioKey>& scenario_keys();

/// Returns the keys of the camera, in the order of the manual. Keys of streams, nodes and groups set the scenario's
/// last one.
std::vector<ScenarioKey> camera_keys();

/// @param place_of  where a key was given, or empty
/// @throws InputError where keys of [server] do not fit together
void check_server(const Server& server, const std::function<std::string(const std::string&)>& place_of);

/// The pattern of a stream that there is not.
constexpr const char* kNoStream = "none";

/// The name in a key of a table that users name: "left" of "node.left.to"; empty if the key is in another table.
/// @param table  "node.", "traffic.", "group." or "failure."
std::string named_in(const std::string& table, const std::string& key);

/// The key as the list has it: "node.left.to" is "node.NAME.to" there.
std::string listed_name(const std::string& name);

/// The key of this name, or null.
const ScenarioKey* find_key(const std::string& name);

/// Whether keys begin with `prefix` ("" or "switch.").
bool is_table(const std::string& prefix);

/// The keys and tables that may stand in that table.
std::vector<std::string> siblings(const std::string& prefix);

/// "one of "shared", "per-input""
std::string one_of(const std::vector<std::string>& choices);

/// @throws InputError that says which keys may stand there, and which was likely meant
[[noreturn]] void unknown_key(const std::string& place, const std::string& name);

}  // namespace watershed
