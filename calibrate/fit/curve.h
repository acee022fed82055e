// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "calibrate/fit/fit.h"

/// The fitted watershed: how long a burst may be at each separation.
namespace watershed {

/// Nothing stands for a burst of any length.
struct CurvePoint {
    Time separation{0};
    std::optional<std::int64_t> events;      ///< at the estimate
    std::optional<std::int64_t> events_low;  ///< 95 % band
    std::optional<std::int64_t> events_high;
};

struct Curve {
    std::vector<CurvePoint> points;  ///< empty where the fit gives a limit only
    std::optional<Time> asymptote;   ///< from this separation on bursts of any length are lossless, if one event is
};

/// A burst of each mix of ports, payload and congested uplinks: of that of the map's first row, then of those with most
/// bursts, six in all at most.
std::vector<Burst> mixes_of(const Fit& fit);

/// For the mix of this burst.
Curve fitted_curve(const Fit& fit, const Burst& like);

}  // namespace watershed
