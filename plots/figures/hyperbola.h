// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "plots/figures/inputs.h"

namespace watershed {

// How to draw a watershed between the separations where it is known. For one queue the longest burst without loss is
// M = 1 + (B - N) / (N - r), with r proportional to the separation, so 1 / (M - 1) is a straight line that meets zero
// at the asymptote.

struct PlotPoint {
    double x = 0, y = 0;
};

/// The separation in us beyond which no length loses: from the straight line through the points next to it, as wide as
/// the rounding of M to whole events leaves it, and within the last separation with a longest burst and the first
/// without, where both are there. Nothing if the points do not determine it.
std::optional<Bounds> asymptote_of(const std::vector<BoundaryPoint>& points);

/// The points joined by arcs of hyperbolas, by steps where M grows by single events, straight where it is 1 or less,
/// and continued towards the asymptote if one is given.
/// @param points ascending in x, y in events
std::vector<PlotPoint> joined_by_hyperbolas(const std::vector<PlotPoint>& points, std::optional<double> asymptote);

/// Fewer points that look the same where a column of pixels holds many: of each of `columns` equal parts of the x range
/// the first, the lowest, the highest and the last point remain, in their order. A short series stays as it is.
/// @param points ascending in x
std::vector<PlotPoint> envelope(const std::vector<PlotPoint>& points, std::size_t columns);

}  // namespace watershed
