// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "calibrate/closed-form/half-plane.h"
#include "calibrate/closed-form/queue-model.h"

/// What one burst says of depth and service rate, as lines in their plane.
namespace watershed {

/// Half-planes in (depth, service rate in bit/s of one uplink) that contain every pair which explains the burst, as far
/// as they hold over the whole of `known`. `all` says whether nothing was left out for that reason. The constants are
/// in frames. With one uplink and depth in frames they are exact (whole depths).
struct BurstBounds {
    std::vector<HalfPlane> sides;
    bool all = true;
    double slack = 0;  ///< frames by which the exact condition may cut deeper than the half-planes do
};
BurstBounds burst_bounds(const QueueModel& model, const Burst& burst, const ConvexPolygon& known);

}  // namespace watershed
