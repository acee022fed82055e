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

/// Runs test of residuals in some order (Wald and Wolfowitz, Annals of Mathematical Statistics 11, 1940): do neighbours
/// have the same sign too often? Repeats of a setting count once.
struct RunsTest {
    std::string order;  ///< "separation", "events" or "row"
    std::size_t residuals = 0, runs = 0;
    double p_value = 1;
};

/// Goodness of fit, by the predictive check.
struct Goodness {
    std::vector<Residual> residuals;  ///< residuals of bursts whose outcome the model leaves open
    std::vector<RunsTest> runs;
    double deviance = 0;  ///< sum of the squared residuals
    int replicas = 0;     ///< number of simulated maps; 0 if too few bursts scatter for a check
    double p_value = 1;   ///< p-value: each value is as frequent where the law is kept
    std::string unusual;  ///< name of the statistic in which the measured map is most unusual
    std::optional<double>
        alike_repeats;  ///< chance that scatter leaves repeats as alike as these; without repeats none
};

/// Row of the map that is not used, with the reason.
struct RowSetAside {
    int row = 0, line = 0;
    std::string reason;
};

/// Row without which, and others like it, a plain memory explains all counts: the frames that the burst should have
/// lost.
struct Suspect {
    int row = 0;
    std::int64_t fewest = 0, most = 0;
};

/// Draws of the posterior over all kinds of memory, of each as many as it is probable.
struct JointDraws {
    struct Draw {
        std::size_t kind = 0;  ///< index of Fit::models
        double depth = 0;      ///< memory and token bucket in the kind's unit, as it is reported
        ParameterSample sample;
        std::vector<double> log_likelihoods;  ///< log likelihoods of `rows`; their sum is that of the sample
    };
    std::vector<int> rows;  ///< rows of the map that the sampler used, ascending
    std::vector<Draw> draws;
};

/// Drop policy of a queue, inferred from the order of missing frames.
enum class Drops {
    New,     ///< drops frames that come while it is full
    Oldest,  ///< drops the frames that have waited longest
    Waiting  ///< drops single frames while frames wait too long (CoDel)
};

struct Fit {
    FitStatus status = FitStatus::Separated;
    Conditions conditions;
    FitOptions options;
    LossMap map;                ///< map as read
    std::vector<Burst> bursts;  ///< bursts of the fit, with the wire bytes that the chosen model counts
    std::vector<RowSetAside> set_aside;
    Time handover{0};          ///< usual handover of a trigger; frames that leave in this time do not count as depth
    bool counts_used = false;  ///< true if numbers of lost frames are used
    std::vector<ModelFit> models;     ///< the chosen model first, the others by falling probability
    Goodness check;                   ///< predictive check of the chosen model
    std::optional<double> goodness;   ///< p-value of `check`; std::nullopt if too few bursts scatter
    std::string unusual;              ///< name of the statistic in which the map is most unusual
    std::string misfit;               ///< reason why no kind of memory explains the map; empty if one does
    std::vector<Suspect> suspects;    ///< rows without which the chosen kind explains all others to the frame
    std::string outdone;              ///< outdone_row() of a map whose bursts all lost frames
    bool losses_begin_early = false;  ///< true if a misfit has losses long before the memory is full
    bool policed = false;             ///< true if frames are lost, but frames that arrive are not delayed
    /// Fraction of the depth that delays frames, if not all: a token bucket lets the rest pass at once.
    std::optional<double> queued{};
    /// Least and largest delay of last frames of lossy bursts, if they differ as those of one full queue do not.
    std::optional<std::pair<Time, Time>> delays{};
    Drops drops = Drops::New;
    JointDraws joint;  ///< empty unless draws are kept, and if the bursts limit the depth on one side only
    /// Relative error of the rate by which separations are rounded, if the intervals allow for it.
    std::optional<double> rounding{};
    std::map<Time, Time> shifts{};  ///< by separation, what its rounding took if counts tell; else empty
    const ModelFit& best() const { return models.front(); }
};

/// Removes bursts that cannot be used and returns their rows: bursts whose latest trigger came late by more than half a
/// separation, which are not the bursts that the row describes, and bursts without any evidence of their loss.
std::vector<RowSetAside> set_aside_unusable(std::vector<Burst>& bursts);

/// Returns the fit of a map. @throws InputError if no row can be used
Fit fit_loss_map(const LossMap& map, const Conditions& conditions, const FitOptions& options);

/// Fit of a map that is still being measured.
struct PartialFit {
    std::optional<Fit> fit;     ///< std::nullopt if no row can be used yet
    std::vector<Burst> bursts;  ///< bursts of all rows, including those set aside
    std::vector<RowSetAside> set_aside;
};

/// Returns the fit of a growing map. A map without any usable row is no error: a campaign may begin with late bursts.
PartialFit fit_so_far(const LossMap& map, const Conditions& conditions, const FitOptions& options);

// Diagnosis of a fit: influence of single bursts, residuals, and models that it cannot distinguish. Fitted watershed:
// the longest lossless burst at each separation.

/// Hard limits of the depth without one burst.
struct LeaveOneOut {
    int row = 0;
    Interval depth;
};

/// Burst that the fitted model does not explain.
struct Violation {
    int row = 0;
    double margin_frames = 0;  ///< frames lost in the model minus frames lost in the measurement
};

/// Check of a framing convention: a way to count the bytes of a frame, and the service rate that it implies.
struct FramingCheck {
    std::string convention;
    std::int64_t overhead_bytes = 0;  ///< bytes beyond the payload
    double bits_per_s = 0;            ///< service rate from the fitted frames per second
    double off_nominal = 0;           ///< relative deviation from the nominal rate
    bool fits = false;                ///< true if the nominal rate lies in the 95 % interval, or within 0.1 %
};

/// Models that a map cannot distinguish.
struct Indistinguishable {
    std::vector<std::string> models;
    std::string separated_by;  ///< bursts that would distinguish them
};

/// Depths from the contradicting bursts alone, and from the others.
struct Contradiction {
    Interval depth_of_rest, depth_of_exceptions;
};

struct Diagnosis {
    std::uint64_t seed = 1;
    double sensitivity = 0;  ///< d ln depth / d ln rate along the watershed, at the shortest separation
    std::vector<LeaveOneOut> leave_one_out;
    std::vector<Violation> violations;
    std::optional<Contradiction> contradiction;  ///< std::nullopt if the map is consistent
    Goodness goodness;
    double nominal_rate = 0;  ///< nominal rate of the framing check, bit/s; 0 if none is plausible
    std::vector<FramingCheck> framing;
    std::vector<Indistinguishable> indistinguishable;
};

/// Returns the diagnosis of a fit; deterministic for one seed.
Diagnosis diagnose(const Fit& fit, std::uint64_t seed);

/// Longest lossless burst at one separation, in events; std::nullopt if no length loses frames.
struct CurvePoint {
    Time separation{0};
    std::optional<std::int64_t> events;       ///< at the estimate
    std::optional<std::int64_t> events_low;   ///< lower end of the 95 % band
    std::optional<std::int64_t> events_high;  ///< upper end of the 95 % band
};

/// Fitted watershed.
struct Curve {
    std::vector<CurvePoint> points;  ///< empty if the fit gives a limit only
    std::optional<Time> asymptote;   ///< least separation at which bursts of any length are lossless, if one event is
};

/// Returns one burst for each of at most six mixes of ports, payload and congested uplinks: first the mix of the map's
/// largest row, then those with most bursts.
std::vector<Burst> mixes_of(const Fit& fit);

/// Returns the fitted watershed for the mix of a burst.
Curve fitted_curve(const Fit& fit, const Burst& like);

}  // namespace watershed
