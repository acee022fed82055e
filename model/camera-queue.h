// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>

#include "model/batch-queue.h"
#include "model/scenario.h"

namespace watershed {

/// A scenario as a batch queue, if it is one: Poisson triggers, a synchronous camera of one frame per fragment, completely shared
/// memory, uplinks chosen by module. Its probability that an event is incomplete is the scenario's.
///
/// Uplinks that carry equally many modules move in step; a memory that they share is then one of frames side by side. If some carry
/// one module more, or the memory is no multiple, the scenario lies between two queues: all uplinks as the least and as the most
/// loaded. With a memory of its own for each uplink the most loaded decides. Memories by input fill like one of modules times their
/// size up to the first incomplete event of a busy period; what follows is taken to be alike. A switch's latency keeps each frame in
/// memory for so long; what is more than a frame's time on its link matters only within a cluster, and lies between the two
/// queues as well. Times here are not rounded to picoseconds.
struct CameraQueue {
    /// The two queues between which the scenario lies.
    struct Queues {
        BatchQueue luckiest;
        BatchQueue unluckiest;
    };
    std::optional<Queues> queues;
    std::string obstacle;   ///< if there are none: why, beginning with the key

    /// @throws std::invalid_argument as SwitchMemory does
    static CameraQueue of(const Scenario& scenario);
};

/// As that of one queue, for both. @pre there are queues
Bracket log_loss_probability(const CameraQueue& camera, double precision = 0.01);

/// Events per second that the camera takes of triggers of pattern poisson, dead time included.
double accepted_rate(const Trigger& trigger);

}  // namespace watershed
