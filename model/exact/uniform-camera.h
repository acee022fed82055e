// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>

#include "model/base/obstacle.h"
#include "model/base/outcome.h"
#include "model/exact/synchronous-camera.h"

namespace watershed {

/// A camera whose modules send one frame of one size each, at times of their own, and a plain switch: each queue may
/// hold so many frames, or alpha times what is free.
struct UniformCamera {
    using Pools = SynchronousCamera::Pools;

    FrameSizes frame;
    Pools pools;               ///< who has a memory of `room` frames
    bool by_input;             ///< whose queues a threshold is of; else by output
    std::int64_t room;         ///< frames
    std::int64_t descriptors;  ///< frames, too
    /// A queue of q frames may grow while q `of_queue` and h `of_held` come to less than `threshold`, h frames being in
    /// memory: a dynamic threshold without division.
    std::int64_t of_queue, of_held, threshold;
    TimeGrid grid;

    /// Nothing if the scenario is not such a case, or has several switches. @param why  the first key that is in the
    /// way
    /// @throws std::invalid_argument as SwitchMemory does
    static std::optional<UniformCamera> of(const Incast& scenario, Obstacle* why = nullptr);
};

/// Follows its frames one by one. The outcome equals the general path's in every member.
/// @param camera   of this scenario
/// @param observer of whose members only `progress` and `incomplete` are told
Outcome run_uniform(const UniformCamera& camera, const Incast& scenario, const Observer* observer);

}  // namespace watershed
