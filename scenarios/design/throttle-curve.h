// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "scenarios/design/throttle.h"

namespace watershed {

/// From a quarter of the scenario's trigger rate to four times that, evenly on a logarithmic axis.
std::vector<Frequency> usual_rates(Frequency scenarios);

/// Against the rate of random triggers, of those that the scenario's own dead time lets pass: the part that each rule
/// refuses beyond that ("refused", by kind), and the part whose events the memory leaves incomplete without a rule
/// ("without", as `risk` writes it; null where no method knows it).
/// @param jobs  processes
nlohmann::ordered_json throttle_curve(const Incast& scenario, const std::vector<LosslessRule>& rules,
                                      const std::vector<Frequency>& rates, Engine& engine, int jobs);

/// "bounds" where it is calculated, else "interval95".
void add_interval(nlohmann::ordered_json& json, const RefusedShare& share);

}  // namespace watershed
