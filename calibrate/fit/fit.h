// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/posterior/model-fit.h"

/// Depth, service rate and kind of a switch memory from a loss map.
namespace watershed {

/// Residual of one burst in standard deviations; positive: it kept more frames than expected.
struct Residual {
    int row = 0;
    double value = 0;
};

/// Whether neighbours in some order miss to the same side (Wald and Wolfowitz); repeats of a setting count once.
struct RunsTest {
    std::string order;  ///< "separation", "events" or "row"
    std::size_t residuals = 0, runs = 0;
    double p_value = 1;
};

struct Goodness {
    std::vector<Residual> residuals;  ///< where the outcome was open
    std::vector<RunsTest> runs;
    double deviance = 0;  ///< at the estimate
    int replicas = 0;     ///< maps simulated; 0 where too few bursts scatter to tell
    double p_value = 1;   ///< share of simulated maps that look at least as unusual as the measured one
    std::string unusual;  ///< in what the measured map is most unusual
};

/// A row of the map that was left out, and why.
struct RowSetAside {
    int row = 0, line = 0;
    std::string reason;
};

/// Which frames a queue drops, where it is known which are missing: those that come while it is full, those that have
/// waited longest, or single ones while frames wait too long.
enum class Drops { New, Oldest, Waiting };

struct Fit {
    FitStatus status = FitStatus::Separated;
    Conditions conditions;
    FitOptions options;
    LossMap map;                ///< as it was read
    std::vector<Burst> bursts;  ///< those used, as the chosen model sees them
    std::vector<RowSetAside> set_aside;
    Time handover{0};  ///< of a trigger; what leaves meanwhile is no depth
    bool counts_used = false;
    std::vector<ModelFit> models;     ///< the chosen one first, then by falling probability
    Goodness check;                   ///< of the chosen model
    std::optional<double> goodness;   ///< its p-value; nothing where too few bursts tell
    std::string unusual;              ///< in what the map is most unusual
    std::string misfit;               ///< why no kind of memory explains the map; empty where one does
    bool losses_begin_early = false;  ///< of a misfit: long before the memory is full
    bool policed = false;             ///< frames are lost, and those that arrive come without delay
    /// Fraction of the depth that delays frames, if not all: a token bucket lets the rest pass at once.
    std::optional<double> queued{};
    /// Least and largest delay of last frames of lossy bursts, if they differ as those of one full queue do not.
    std::optional<std::pair<Time, Time>> delays{};
    Drops drops = Drops::New;
    const ModelFit& best() const { return models.front(); }
};

/// Takes out the bursts whose latest trigger came late by more than half a separation: they were not the bursts the row
/// describes; and those of which nothing tells whether they lost frames.
std::vector<RowSetAside> set_aside_unusable(std::vector<Burst>& bursts);

/// @throws InputError if nothing is left to fit
Fit fit_loss_map(const LossMap& map, const Conditions& conditions, const FitOptions& options);

/// The fit of a map that is still being measured.
struct PartialFit {
    std::optional<Fit> fit;     ///< nothing where no row can be used yet
    std::vector<Burst> bursts;  ///< of all rows, those set aside among them
    std::vector<RowSetAside> set_aside;
};

/// A campaign goes on where its first bursts came late: then there is no fit, and that is no error.
PartialFit fit_so_far(const LossMap& map, const Conditions& conditions, const FitOptions& options);

// Whether a fit deserves trust: what single bursts do to it, what is left over, and what it cannot tell; and the
// fitted watershed: how long a burst may be at each separation.

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

/// Depths by the contradicting bursts alone, and by the others.
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
