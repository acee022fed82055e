// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/base/outcome.h"
#include "model/base/unsupported-key.h"
#include "model/exact/synchronous-camera.h"

namespace watershed {

/// A camera whose modules send one frame of one size each, at times of their own, through plain switches.
struct UniformCamera {
    using Pools = SynchronousCamera::Pools;

    /// Of a switch: each queue may hold so many frames, or alpha times what is free.
    struct Memory {
        Pools pools;               ///< who has a memory of `room` frames
        bool by_input;             ///< whose queues a threshold is of; else by output
        std::int64_t room;         ///< frames
        std::int64_t descriptors;  ///< frames, too
        /// A queue of q frames may grow while q `of_queue` and h `of_held` come to less than `threshold`, h frames
        /// being in memory: a dynamic threshold without division.
        std::int64_t of_queue, of_held, threshold;
    };

    FrameSizes frame;
    std::vector<Memory> memories;  ///< in the order of Network
    TimeGrid grid;

    /// Nothing if the scenario is not such a case. @param why  the first key that is in the way, as of [switch]
    /// @throws std::invalid_argument as SwitchMemory and Network do
    static std::optional<UniformCamera> of(const NetworkScenario& scenario, UnsupportedKey* why = nullptr);
};

/// Follows its frames one by one. The outcome equals the general path's in every member.
/// @param camera   of this scenario
/// @param observer of whose members only `progress` and `incomplete` are told
Outcome run_uniform(const UniformCamera& camera, const NetworkScenario& scenario, const Observer* observer);

}  // namespace watershed
