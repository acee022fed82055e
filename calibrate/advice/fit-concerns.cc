// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/advice/fit-concerns.h"

#include "calibrate/fit/fit-steps.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

/// p-values below which a goodness of fit, and the strongest trend, are a concern.
constexpr double kLeastGoodness = 0.01, kStrongTrend = 1e-3;

/// Length of a diagnostic burst, far from the watershed.
struct DiagnosticLength {
    double of_watershed;  ///< relative to the longest lossless burst
    const char* reason;   ///< conclusion that the burst allows
};
/// Half of the factor between neighbours: a burst nearer to one than to others stands for it, as does a longer one that
/// lost nothing.
const double kNearest = std::sqrt(2);
constexpr DiagnosticLength kDiagnosticLengths[] = {
    {0.5, "a memory half full loses nothing: frames lost here are lost at random, or dropped early"},
    {2, "so far beyond the watershed each further event loses equally many frames, in a memory without further limits"},
    {0.25, "compare with half the watershed: random loss takes half as many frames"},
    {4, "compare with twice the watershed: the difference is the number lost per event"},
};

/// Returns how many of the last rows repeat a setting of a row before them.
std::size_t repeats_among_last(std::vector<Burst> bursts, std::size_t rows) {
    boost::sort(bursts, [](const Burst& a, const Burst& b) { return a.row < b.row; });
    std::set<BurstSetting> seen;
    std::size_t repeats = 0;
    for (std::size_t i = 0; i < bursts.size(); ++i)
        repeats += !seen.insert(setting_of(bursts[i])).second && i + rows >= bursts.size();
    return repeats;
}

}  // namespace

std::string FitConcerns::text() const {
    if (misfit) return "no kind of memory explains the bursts";
    if (goodness && *goodness < kLeastGoodness)
        return "only " + text_line("%.2g %%", 100 * *goodness) +
               " of maps of the fitted switch look as unusual as this one" + (unusual.empty() ? "" : ", by " + unusual);
    if (trend) return "residuals keep their sign too long in the order of " + trend->order;
    return "";
}

FitConcerns fit_concerns(const Fit& fit) {
    FitConcerns concerns;
    concerns.misfit = fit.status == FitStatus::Misfit;
    const Diagnosis diagnosis = diagnose(fit, 1);
    const Goodness& goodness = diagnosis.goodness;
    concerns.residuals = goodness.residuals;
    if (goodness.replicas > 0) {
        concerns.goodness = goodness.p_value, concerns.unusual = goodness.unusual;
        for (const RunsTest& one : goodness.runs)
            if (one.p_value < kStrongTrend && (!concerns.trend || one.p_value < concerns.trend->p_value))
                concerns.trend = one;
    }
    if (fit.goodness) concerns.goodness = fit.goodness, concerns.unusual = fit.unusual;
    return concerns;
}

DiagnosticBursts diagnostic_bursts(const BurstPlanner& planner, const Fit& fit, const FitConcerns& concerns,
                                   const AdviceOptions& options) {
    DiagnosticBursts found;
    std::vector<AdvisedPoint>& points = found.points;
    const Burst& like = planner.usual();
    const Time separation = planner.separations(like).front();
    const InformationGain gain = planner.information_gain_at(like, separation);
    std::set<std::int64_t> lengths;
    if (const auto longest = gain.longest_lossless_quantile(0.5))
        for (const DiagnosticLength& length : kDiagnosticLengths) {
            const std::int64_t events = options.generator.nearest(
                std::max<std::int64_t>(1, std::llround(length.of_watershed * double(*longest))));
            if (!lengths.insert(events).second) continue;
            if (boost::algorithm::any_of(fit.bursts, [&](const Burst& one) {
                    const double ratio = double(one.events) / double(events);
                    return one.separation == separation && one.ports == like.ports && one.payload == like.payload &&
                           ((ratio > 1 / kNearest && ratio < kNearest) || (ratio >= 1 && !one.lossy));
                }))
                continue;
            points.push_back(planner.evaluate_burst(gain, like, separation, events));
            points.back().reason = length.reason;
        }
    constexpr std::size_t kLatest = 10;
    const std::size_t repeats = repeats_among_last(fit.bursts, kLatest);
    found.all_tried = points.empty() && repeats + lengths.size() >= kMostTries;
    const auto repeat = [&](int row, const std::string& why) {
        const auto burst = boost::find_if(fit.bursts, [&](const Burst& one) { return one.row == row; });
        if (burst == fit.bursts.end() || planner.times_measured(setting_of(*burst)) >= kMostMeasured) return;
        points.push_back(planner.evaluate_burst(*burst, "repeat of row " + std::to_string(row) + why));
    };
    std::vector<Residual> worst = concerns.residuals;
    boost::stable_sort(worst,
                       [](const Residual& a, const Residual& b) { return std::abs(a.value) > std::abs(b.value); });
    constexpr std::size_t kWorst = 2;
    for (std::size_t i = 0; i < std::min(kWorst, worst.size()); ++i)
        repeat(worst[i].row, ", which misses the model most: noise, or a wrong model");
    if (concerns.trend && concerns.trend->order == "row") repeat(1, ": whether switch or apparatus have drifted since");
    boost::stable_sort(points, [&](const AdvisedPoint& a, const AdvisedPoint& b) {
        return planner.times_measured(a) < planner.times_measured(b);
    });
    if (points.size() > options.points) points.resize(options.points);
    return found;
}

std::vector<AdvisedPoint> bursts_on_rate(const BurstPlanner& planner, const Fit& fit, const AdviceOptions& options,
                                         bool separations_only) {
    std::vector<AdvisedPoint> points;
    const ModelFit& best = fit.best();
    if (!best.depth.value || !best.rate.value) return points;
    const Conditions& known = fit.conditions;
    const double rate =
        known.nominal_rate && !known.scenario.empty() ? double(known.nominal_rate->count) : *best.rate.value;
    constexpr std::int64_t kAnyLength = 2;
    std::set<BurstSetting> tried;
    for (const Burst& one : fit.bursts) tried.insert(setting_of(one, one.separation, kAnyLength));
    const auto add = [&](const Burst& like, double share, const char* reason) {
        const double asymptote = double(best.model.fullest(like)) * bit_picoseconds(like.wire) / rate;
        const Time separation =
            options.generator.at_least(std::max(planner.slot_of(like), Time{std::int64_t(share * asymptote)}));
        const auto longest =
            longest_lossless(best.model, like, std::max(separation, planner.slot_of(like)), *best.depth.value, rate);
        if (!longest || !tried.insert(setting_of(like, separation, kAnyLength)).second) return;
        constexpr std::int64_t kBeyond = 2;  // watersheds
        points.push_back(planner.evaluate_burst(planner.information_gain_at(like, separation), like, separation,
                                                options.generator.at_least(kBeyond * *longest + 1)));
        points.back().reason = reason;
    };
    const Burst& usual = planner.usual();
    for (const double share : {0.6, 0.8, 0.4}) add(usual, share, "another separation tells the rate from the depth");
    if (separations_only) return points;
    const auto other = [](const std::optional<std::vector<std::int64_t>>& settable, std::int64_t than) {
        if (!settable) return (than + 1) / 2;
        const auto found = boost::find_if(*settable, [&](std::int64_t one) { return one != than; });
        return found == settable->end() ? than : *found;
    };
    if (const auto like = with_mix(usual, other(options.ports, usual.ports), usual.payload, known))
        add(*like, 0, "fewer ports tell of flow control, and of links that are loaded unevenly");
    if (const auto like = with_mix(usual, usual.ports, other(options.payloads, usual.payload), known))
        add(*like, 0, "another payload tells of a receiver, which takes so many frames a second");
    return points;
}

}  // namespace watershed
