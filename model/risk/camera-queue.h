// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/base/unsupported-key.h"
#include "model/network/network.h"
#include "model/risk/batch-queue.h"

namespace watershed {

/// A scenario as a batch queue, if it is one: Poisson triggers, a synchronous camera whose frames are of one size,
/// uplinks chosen by module, and memory that is shared completely, by input, by output, or by a plain dynamic
/// threshold.
///
/// The fullest uplink's queue is the scenario, with the same probability that an event is incomplete, in these cases:
/// one uplink; a memory of its own for each uplink, where the fullest one loses whenever another does; uplinks that
/// carry equally many modules, turn by turn, and share a multiple of their number, for then they move in step; memories
/// by input of one frame; each with a latency of at most the time between two events of a link.
///
/// Elsewhere the camera is such a queue only as long as nothing was lost since the switch was empty. By input, what was
/// lost leaves modules with unlike numbers of frames; uplinks out of step fill one memory unlike. Two facts bound
/// these. Frames leave a lossy switch no later than one with memory without limit, so that an event is incomplete only
/// if it finds so much work there that its frames do not fit beside it; of an uplink with n modules that is at most
/// n/most of the fullest one's. And up to the first loss of a busy cycle the two are the same. Times here are not
/// rounded to picoseconds.
struct CameraQueue {
    struct Queues {
        BatchQueue upper_bound_queue;  ///< queue of the fullest uplink, with as little room as it ever has
        std::vector<BatchQueue>
            lower_bound_queue;  ///< each is nowhere longer than the camera's and has its first loss no earlier
        bool exact = true;      ///< the camera's probability is that of `upper_bound_queue`
    };
    std::optional<Queues> queues;
    UnsupportedKey obstacle;  ///< first key in the way, if there are none

    /// @throws std::invalid_argument as SwitchMemory does
    static CameraQueue of(const NetworkScenario& scenario);
};

/// Returns the natural logarithm of the probability that an event is incomplete, between certain bounds.
/// @pre there are queues
Enclosure log_loss_probability(const CameraQueue& camera, double precision = 0.01);

/// Returns the first key of the triggers that chains and bounds do not know: they are random, at one rate, with a dead
/// time.
UnsupportedKey not_poisson(const Senders& senders);

/// Returns the events per second that the camera takes of triggers of pattern poisson, dead time included.
double accepted_rate(const Trigger& trigger);

/// A scenario of one or several switches as batch queues: one of each switch that is unlike those before. All see the
/// same triggers.
struct EquivalentQueues {
    std::vector<CameraQueue> cameras;
    UnsupportedKey obstacle;  ///< first key in the way, if there are none
    bool nested = true;       ///< whether the first switch loses frames of an event whenever another does

    /// @throws std::invalid_argument as SwitchMemory does
    static EquivalentQueues of(const NetworkScenario& scenario);

    /// Returns whether the bounds are those of the grid alone.
    bool exact() const;
    /// Returns the natural logarithm of the probability that an event is incomplete, between certain bounds.
    /// @pre there are cameras
    Enclosure log_loss(double precision = 0.01) const;
    /// Tells people what the logarithm is and what its bounds rest on.
    std::string remark() const;
};

}  // namespace watershed
