// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

#include "model/ping/ping.h"
#include "model/scenario.h"
#include "scenarios/run/simulators.h"
#include "scenarios/run/system-run.h"

namespace watershed {

using PingSimulator = std::function<PingResult(const Ping&)>;
using PingRun = SystemRun<PingResult>;

PingRun run_ping(const Scenario& scenario, const Simulators& simulators);

nlohmann::ordered_json to_json(const PingRun& run);
void print(std::ostream& out, const PingRun& run);

}  // namespace watershed
