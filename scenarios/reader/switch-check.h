// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/base/quantities.h"

namespace watershed {

struct Switch;

/// A switch of a scenario, and the table that describes it.
struct SwitchTable {
    std::string name;  ///< "switch", "aggregation" or "node.NAME"
    Switch& settings;
    int number = 0;  ///< in the network
    int inputs = 0;
    std::set<std::string>
        known{};  ///< keys that came from a switch model, or for a node from [switch]; by their names in [switch]
    std::set<std::string> unknown{};  ///< keys that the model says are unknown

    /// A key of [switch], or a message about it, for this table.
    std::string named(std::string text) const;
};

/// The keys that were given, each with where it stands: "FILE:LINE" or "--set".
using Places = std::map<std::string, std::string>;

/// Whether this key of a switch has a meaning beside its others.
bool has_use(const std::string& key, const Switch& network_switch);

/// Checks what the keys of a switch mean together, once all are read. Of the keys that the scenario did not give for
/// this switch itself, those without a use are forgotten.
/// @throws InputError with place, key, what was found and what was expected
void check_switch(const SwitchTable& table, const std::string& file, const Places& given);

struct Scenario;

/// Reads the payloads of fragments and checks that they fit into frames.
/// @throws InputError with place, key, what was found and what was expected
void check_frame(Scenario& scenario, const std::string& file, const Places& given);

/// Checks what the keys of [trigger] mean together, once all are read, and reads the files that they name.
/// @throws InputError with place, key, what was found and what was expected
void check_trigger(Scenario& scenario, const std::string& file, const Places& given);

/// For pattern "line-rate-plus-burst": two ports and one output, all of one speed unless the scenario says otherwise.
/// @throws as check_trigger()
void check_line_rate_plus_burst(Scenario& scenario, const std::string& file, const Places& given);

/// For those who simulate the scenario's own triggers; a risk needs no end. @throws InputError if they have none
void expect_end_of_triggers(const Scenario& scenario, const std::string& file);

/// For those who simulate it among other things: where triggers have no end, they are 100,000.
Scenario with_an_end(Scenario scenario);

struct PayloadShare;
struct RatePoint;

/// The payloads of fragments in a CSV table with the columns payload_bytes and weight, both whole numbers of 1 or more.
/// @throws InputError naming file, line and column
std::vector<PayloadShare> read_payloads(const std::string& file);

/// The trigger rates in a CSV table with the columns time_s and rate_hz: two rows or more, ascending, the first at 0.
/// @param largest_step  rows further apart are refused as a gap, if given
/// @throws InputError naming file, line and column
std::vector<RatePoint> read_rate_profile(const std::string& file, const std::optional<Time>& largest_step);

/// The trigger times in a text file: one a line, with units, ascending; `#` begins a comment. @throws InputError
std::vector<Time> read_trigger_times(const std::string& file);

/// The file that a key names, relative to the scenario's unless --set names it.
/// @param name  as the key has it @param file  of the scenario
std::string named_file(const std::string& name, const std::string& key, const std::string& file, const Places& given);

}  // namespace watershed
