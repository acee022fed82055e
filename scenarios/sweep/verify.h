// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <vector>

#include "model/exact/engine.h"
#include "model/network/incast.h"
#include "model/scenario.h"

namespace watershed {

/// A burst and the frames that one engine says it loses.
struct Claimed {
    Time separation{0};
    std::int64_t events = 0;
    std::int64_t lost = 0;
    std::int64_t from_boundary = 0;  ///< points of the list between it and the boundary
};

/// `count` of these: those nearest the boundary first, and among equals by lot.
std::vector<Claimed> nearest_boundary(std::vector<Claimed> points, std::int64_t count, std::uint64_t seed);

/// Runs each burst in this engine.
/// @throws std::runtime_error at the first that does not lose what was claimed: names it and both counts
void verify(Engine& engine, Scenario scenario, const std::vector<Claimed>& points);

}  // namespace watershed
