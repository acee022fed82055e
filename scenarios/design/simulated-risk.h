// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>

#include "scenarios/design/risk.h"

/// Risks that are counted in simulations, in pieces whose number does not depend on that of processes.
namespace watershed {

/// Fewest busy cycles of importance sampling that tell something.
inline constexpr std::int64_t kFewestCycles = 300;

/// Returns the number of events that a direct simulation takes. @throws InputError if so few come in a simulated time
std::int64_t events_of(const RiskEffort& effort, const NetworkScenario& scenario);

/// Returns the risk of random triggers by counting.
Risk by_simulation(const NetworkScenario& scenario, std::int64_t events, int jobs, Engine& engine);

/// Returns the risk of triggers at a fixed rate, with bursts on top, or of several groups: exactly where all repeats,
/// or by counting.
Risk by_runs(const NetworkScenario& scenario, std::int64_t events, int jobs, Engine& engine);

/// Returns the risk by as many busy cycles as the work allows; std::nullopt if these are too few.
std::optional<Risk> affordable_sampling(const NetworkScenario& scenario, const RiskEffort& effort, Engine& engine);

/// Returns the risk by importance sampling. @throws CyclesTooLong if its busy cycles do not end
Risk by_sampling(const NetworkScenario& scenario, const RiskEffort& effort, Engine& engine);

/// Returns true if importance sampling covers the scenario, however long its cycles are.
bool can_be_tilted(const NetworkScenario& scenario, Engine& engine);

/// Returns the risk by the smallest useful number of busy cycles, with ten times the work; std::nullopt if not covered.
std::optional<Risk> longer_sampling(const NetworkScenario& scenario, const RiskEffort& effort, Engine& engine);

}  // namespace watershed
