// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <vector>

#include "plots/figures/hyperbola.h"

namespace watershed {

/// Fewer points that look the same where a column of pixels holds many: of each of `columns` equal parts of the x range
/// the first, the lowest, the highest and the last point remain, in their order. A short series stays as it is.
/// @param points ascending in x
std::vector<PlotPoint> envelope(const std::vector<PlotPoint>& points, std::size_t columns);

}  // namespace watershed
