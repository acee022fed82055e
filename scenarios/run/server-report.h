// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/base/outcome.h"
#include "model/scenario.h"

/// What a run tells of the server, of the time from trigger to complete event, and of the recovery after an overload.
namespace watershed {

/// "server", "latency" and "recovery".
void add_server(nlohmann::ordered_json& json, const Scenario& scenario, const Outcome& outcome);
void print_server(std::ostream& out, const Scenario& scenario, const Outcome& outcome);

/// When a place was fullest and how long it took to be empty: "at 100 ms, empty 98.72 ms later".
std::string recovery_text(Time fullest, Time drained);

}  // namespace watershed
