// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/exact/engine.h"
#include "model/scenario.h"

namespace watershed {

/// Length in events up to which bursts are simulated if no formula gives the watershed.
inline constexpr std::int64_t kLongestSimulated = 5'000;

/// Watershed of a camera: longest lossless burst against the separation of the events, from the shortest separation
/// that modules can send to the shortest one at which bursts of any length lose nothing.
struct WatershedCurve {
    /// Separation in microseconds, and the longest lossless burst in events; std::nullopt if no length loses frames.
    std::vector<std::pair<double, std::optional<std::int64_t>>> points;
    std::string why_none{};  ///< reason why there are no points; else empty

    /// Returns [[separation_us, events or null], ...].
    nlohmann::ordered_json json() const;
    nlohmann::ordered_json why_none_json() const;
};
/// Returns the watershed of a whole network with any number of tiers, by find_boundary(). Points near the end that need
/// too long bursts are left out; if all points do, the curve is empty.
/// @param apparatus  scenario with the trigger pattern "burst"
WatershedCurve watershed_curve(const Scenario& apparatus, Engine& engine);

/// Returns the length in events of a burst that the exact engine runs in a second or two. Longer bursts are not tried
/// if there is no proof that bursts of any length lose nothing.
std::int64_t affordable_burst(const NetworkScenario& scenario);

}  // namespace watershed
