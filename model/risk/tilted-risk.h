// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <stdexcept>
#include <vector>

#include "model/exact/engine.h"
#include "model/network/network.h"
#include "model/risk/batch-queue.h"

/// The chance that an event is incomplete, where that is rare: importance sampling of busy cycles.
///
/// A cycle begins with an event that finds the switch empty; what happens then owes nothing to the past. The
/// probability is the mean number of incomplete events of a cycle over the mean number of events of one. For the first,
/// triggers come faster, by exponential tilting, until an event is incomplete or the cycle is over, and then at their
/// own rate until it is; each cycle counts by how much more likely its triggers were at that rate. Cramer's root is the
/// tilt with which a deep queue fills as it most likely does (Parekh and Walrand, 1989). Any engine and memory will do:
/// the likelihood is the triggers' alone.
namespace watershed {

/// A busy cycle does not end: the switch is hardly ever empty.
struct LongCycle : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Busy cycles of the camera under triggers that come more often, each with its weight.
class TiltedCycles {
  public:
    /// @throws UnsupportedScenario if triggers are not poisson, or no uplink is ever given more than it carries, so
    /// that nothing
    ///         builds up
    /// @param most_events  that a cycle may take, all tries together
    explicit TiltedCycles(const NetworkScenario& scenario, std::int64_t most_events = 100'000'000);

    /// The natural logarithm of what a cycle counts: its incomplete events times its likelihood; minus infinity if it
    /// has none.
    /// @throws UnsupportedScenario if frames of different events overtake one another
    /// @throws LongCycle if the cycle takes more events than it may
    double log_contribution(Engine& engine, std::uint64_t cycle) const;
    /// The events of a cycle at the triggers' own rate.
    std::int64_t length(Engine& engine, std::uint64_t cycle) const;

    /// The triggers' rate while they come faster, over their own.
    double tilt() const { return tilt_; }
    /// The events that were simulated so far.
    std::int64_t simulated() const { return simulated_; }

  private:
    /// Runs a scenario with these triggers. @param spent  events of this cycle so far
    Outcome run(Engine& engine, NetworkScenario& scenario, const std::vector<Time>& triggers,
                std::int64_t& spent) const;

    NetworkScenario scenario_;
    std::int64_t most_events_;
    mutable std::int64_t simulated_ = 0;
    double mean_wait_;  ///< picoseconds, from the end of the dead time to a trigger
    double dead_time_;
    double tilt_;
    std::size_t usual_;  ///< events to try first
};

/// The natural logarithm of the probability, and its interval of 95 %, from independent cycles.
/// The interval is the normal one of a ratio of two means, on the logarithmic scale.
Enclosure log_loss_probability(const std::vector<double>& log_contributions, const std::vector<std::int64_t>& lengths);

}  // namespace watershed
