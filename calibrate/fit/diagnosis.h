// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibrate/fit/fit.h"

/// Whether a fit deserves trust: what single bursts do to it, what is left over, and what it cannot tell; and the
/// fitted watershed: how long a burst may be at each separation.
namespace watershed {

/// The hard limits of the depth, were this burst not there.
struct LeaveOneOut {
    int row = 0;
    Interval depth;
};

/// A burst that the fitted model does not explain.
struct Violation {
    int row = 0;
    double margin_frames = 0;  ///< frames that the model loses beyond those measured; negative: fewer
};

/// One way to count the bytes of a frame, and the service rate it makes of the fitted frames per second.
struct FramingCheck {
    std::string convention;
    std::int64_t overhead_bytes = 0;  ///< bytes beyond the payload
    double bits_per_s = 0;
    double off_nominal = 0;  ///< relative
    bool fits = false;       ///< the nominal rate lies in the 95 % interval, or within 0.1 %
};

/// Models that this map cannot tell apart, and what would.
struct Indistinguishable {
    std::vector<std::string> models;
    std::string separated_by;
};

/// What the bursts that contradict the others say by themselves.
struct Contradiction {
    Interval depth_of_rest, depth_of_exceptions;
};

struct Diagnosis {
    std::uint64_t seed = 1;
    double sensitivity = 0;  ///< d ln depth / d ln rate along the watershed, at the shortest separation
    std::vector<LeaveOneOut> leave_one_out;
    std::vector<Violation> violations;
    std::optional<Contradiction> contradiction;  ///< where the map is inconsistent
    Goodness goodness;
    double nominal_rate = 0;  ///< bit/s that the framing check compares with; 0: no plausible one
    std::vector<FramingCheck> framing;
    std::vector<Indistinguishable> indistinguishable;
};

/// Deterministic for one seed.
Diagnosis diagnose(const Fit& fit, std::uint64_t seed);

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

/// A burst of each mix of ports, payload and congested uplinks: of that of the map's largest row, then of those with
/// most bursts, six in all at most.
std::vector<Burst> mixes_of(const Fit& fit);

/// For the mix of this burst.
Curve fitted_curve(const Fit& fit, const Burst& like);

}  // namespace watershed
