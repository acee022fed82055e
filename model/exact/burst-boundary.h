// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/outcome.h"
#include "model/exact/engine.h"
#include "model/exact/uniform-camera.h"
#include "model/network/network.h"

namespace watershed {

/// Memory that an ever longer burst from a synchronous camera needs in the switch, by arithmetic. An uplink that is
/// given more than it carries never pauses, so that until event m it sends what fits into the time since event 1, and
/// what it holds only grows; any other is silent again before the next event.
class BurstArithmetic {
  public:
    /// @return std::nullopt if the camera's frames must be followed
    /// @param separation  of the burst's triggers
    static std::optional<BurstArithmetic> of(const SynchronousCamera& camera, Time separation);

    /// The frames that the fullest pool of memory holds once event m (from 1) has arrived whole, if nothing was lost
    /// until then. It never falls with m.
    std::int64_t occupancy(std::int64_t event) const;

    /// The longest burst of at most `limit` events that loses nothing with `room` frames in each pool; nothing if that
    /// is `limit`.
    std::optional<std::int64_t> lossless(std::int64_t room, std::int64_t limit) const;
    /// The longest burst whose times and frames surely fit into the numbers used here: 7 10^13 events where that is not
    /// extreme.
    std::int64_t most_events() const;
    /// No uplink is given more than it carries: from event 2 on nothing grows.
    bool steady() const;

  private:
    struct Load {
        std::int64_t modules;
        bool overloaded;
        std::int64_t remaining;  ///< otherwise: frames of the event before, when the next arrives
    };

    SynchronousCamera::Pools pools_ = SynchronousCamera::Pools::All;
    // In the largest unit that makes them whole numbers.
    Wide interval_ = 0;  ///< time from one event's arrival to the next
    Wide slot_ = 0;      ///< time of a frame on an uplink
    Wide latency_ = 0;
    std::vector<Load> loads_;
};

/// Number of events after which a burst's pattern of arrivals at the switch repeats, shifted in time; 0: never.
std::int64_t events_per_repetition(const NetworkScenario& scenario);

/// Outcome that is certain for an ever longer burst whose arrivals repeat.
struct Fate {
    bool loses = false;
    std::int64_t steady_from = 0;  ///< if it does not lose: the event from which on nothing new can happen
};

/// Compares what one event brings with what drains until the next.
/// If no uplink is given more than it carries, a queue that began empty has seen its worst after one whole
/// repetition: the work waiting at t is the largest excess of arrivals over service in any interval that ends at t
/// (Loynes 1962), and no longer interval has more excess than its last repetition.
Fate fate_of(const NetworkScenario& scenario, std::int64_t repetition);

/// Whether a burst through several switches, of which the first events are known, must go on as it began: some event
/// arrived in time and order as the first one did and found, like it, every switch empty and idle.
bool repeats_itself(const NetworkScenario& scenario, const Outcome& outcome);

/// Peak use of a shared memory up to each event of one run, which answers for every depth. Until its first loss a
/// memory holds what an endless one would, so that a smaller one loses its first frame where the occupancy first
/// passes it. For synchronous cameras BurstArithmetic knows the same without a run; so does the rule m N - floor((m -
/// 1) r) <= B, which the fit evaluates at every depth and rate and which needs no simulation.
class DepthProfile {
  public:
    /// Whether the switch refuses a frame for want of room in its one memory, and for nothing else.
    static bool permits(const NetworkScenario& scenario);

    /// Runs the scenario, a burst that permits() it, with the memory it has.
    /// @return nothing if frames of different events overtook each other, so that each length needs a run of its own
    static std::optional<DepthProfile> of(Engine& engine, const NetworkScenario& scenario);

    /// The longest burst that loses nothing with this depth, in the unit of the scenario's and no larger than that;
    /// nothing if that is the whole one that was run.
    std::optional<std::int64_t> lossless(std::int64_t depth) const;

  private:
    /// Event from which on `amount` has been in use.
    struct Need {
        std::int64_t event;
        std::int64_t amount;
    };
    std::vector<Need> needs_;  ///< ascending in both
};

}  // namespace watershed
