// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/base/outcome.h"
#include "model/scenario.h"

namespace watershed {

// What a run tells of the server, of the time from trigger to complete event, and of the recovery after an overload.

/// "server", "latency" and "recovery".
void add_server(nlohmann::ordered_json& json, const Scenario& scenario, const Outcome& outcome);
void print_server(std::ostream& out, const Scenario& scenario, const Outcome& outcome);

/// When a place was fullest and how long it took to be empty: "at 100 ms, empty 98.72 ms later".
std::string recovery_text(Time fullest, Time drained);

// What a run tells of each switch and each link.

/// Share of the run's time that the link was sending, at its nominal rate.
double utilisation(const Outcome::Link& link, BitRate rate, Time simulated);

/// "switches" and "links", and "module_links" if they are wanted.
void add_network(nlohmann::ordered_json& json, const Scenario& scenario, const Outcome& outcome, bool module_links);

/// A table of the switches and one of the links, for people.
void print_network(std::ostream& out, const Scenario& scenario, const Outcome& outcome, bool module_links);

// What a run tells of the streams that share the switch, the camera among them.

/// What of a scenario surprises its users, a sentence each: higher classes that lose because lower ones fill the
/// memory.
std::vector<std::string> warnings_of(const Incast& scenario);

/// Adds `streams`, if there are any beside the camera.
void add_streams(nlohmann::ordered_json& json, const Outcome& outcome);
void print_streams(std::ostream& out, const Outcome& outcome);

// Who loses, where frames are lost: by ties, and how unlike the senders.

/// Adds `decided_by_ties`, of all streams together, and `fairness`.
void add_fairness(nlohmann::ordered_json& json, const Outcome& outcome);
void print_fairness(std::ostream& out, const Outcome& outcome);

}  // namespace watershed
