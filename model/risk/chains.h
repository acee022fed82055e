// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "model/network/incast.h"
#include "model/risk/camera-queue.h"

namespace watershed {

/// A scenario of one or several switches as batch queues: one of each switch that is unlike those before. All see the
/// same triggers.
struct Chains {
    std::vector<CameraQueue> cameras;
    Obstacle obstacle;   ///< if there are none
    bool nested = true;  ///< whether the first switch loses frames of an event whenever another does

    /// @throws std::invalid_argument as SwitchMemory does
    static Chains of(const Incast& scenario);

    /// Whether the bounds are those of the grid alone.
    bool exact() const;
    /// The natural logarithm of the probability that an event is incomplete, between certain bounds. @pre there are
    /// cameras
    Bracket log_loss(double precision = 0.01) const;
    /// What the log is and what its bounds rest on, for people.
    std::string remark() const;
};

}  // namespace watershed
