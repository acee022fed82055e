// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/report/fit-report.h"

#include "calibrate/fit/rate-doubt.h"
#include "calibrate/fit/report-text.h"
#include "calibrate/report/fit-report-parts.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

using nlohmann::json;

json curve_of(const Curve& curve) {
    json points = json::array();
    for (const CurvePoint& point : curve.points)
        points.push_back({{"separation_us", in_microseconds(point.separation)},
                          {"events", point.events},
                          {"events_low", point.events_low},
                          {"events_high", point.events_high}});
    return points;
}

json asymptote_of(const Curve& curve) { return curve.asymptote ? json(in_microseconds(*curve.asymptote)) : json(); }

/// The lines of the mixes that the largest row is not of.
json other_mixes_of(const Fit& fit) {
    json others = json::array();
    const std::vector<Burst> mixes = mixes_of(fit);
    for (auto like = std::next(mixes.begin()); like != mixes.end(); ++like) {
        const Curve curve = fitted_curve(fit, *like);
        others.push_back({{"ports", like->ports},
                          {"payload_bytes", like->payload},
                          {"congested_uplinks", like->uplinks},
                          {"curve", curve_of(curve)},
                          {"asymptote_us", asymptote_of(curve)}});
    }
    return others;
}

/// The outline of the slices, counter-clockwise: the lowest rates by rising depth, and the highest on the way back.
json polygon_of(const Fit& fit) {
    json vertices = json::array();
    const std::vector<DepthSlice>& slices = fit.best().region.slices;
    const double bits = bits_per_frame(fit);
    const auto add = [&](std::int64_t depth, double rate) { vertices.push_back({depth, rate / bits}); };
    for (const DepthSlice& slice : slices) {
        add(slice.first, slice.rate_low);
        if (slice.last > slice.first) add(slice.last, slice.rate_low);
    }
    for (auto slice = slices.rbegin(); slice != slices.rend(); ++slice) {
        if (slice->last > slice->first) add(slice->last, slice->rate_high);
        add(slice->first, slice->rate_high);
    }
    const std::string note = region_note(fit);
    return {{"depth_unit", unit_of(fit.best().model)},
            {"vertices", vertices},
            {"note", note.empty() ? json() : json(note)}};
}

/// The least service rate, or the most, with which a burst ends as it was measured, at two of the region's depths as
/// far apart as it has such a limit.
json limits_of(const Fit& fit, Burst burst) {
    const ModelFit& best = fit.best();
    if (best.scatter || !fit.counts_used) burst.counted = false;
    json least = json::array(), most = json::array();
    constexpr int kDepths = 9;
    for (int i = 0; i < kDepths; ++i) {
        const std::int64_t depth =
            best.region.depth_low + (best.region.depth_high - best.region.depth_low) / (kDepths - 1) * i;
        const auto range = drain_range(best.model, burst, best.model.room(burst, depth));
        if (!range || burst.drain() <= 0) continue;
        const double frames_per_s = 1 / (burst.drain() * bits_per_frame(fit));
        if (range->least > 0) least.push_back({depth, double(range->least) * frames_per_s});
        if (range->most != kNoLimit) most.push_back({depth, double(range->most + 1) * frames_per_s});
    }
    json limits = json::array();
    for (const json& line : {least, most})
        if (line.size() > 1) limits.push_back({line.front(), line.back()});
    return limits;
}

json half_planes_of(const Fit& fit) {
    json sides = json::array();
    const ModelFit& best = fit.best();
    for (const int row : best.region.binding) {
        const auto burst = boost::find_if(fit.bursts, [&](const Burst& b) { return b.row == row; });
        sides.push_back({{"row", row},
                         {"line", burst->line},
                         {"lossless", !burst->lossy},
                         {"ports", burst->ports},
                         {"payload_bytes", burst->payload},
                         {"separation_us", in_microseconds(burst->separation)},
                         {"events", burst->events},
                         {"frames_lost", burst->lost},
                         {"limits", limits_of(fit, *burst)}});
    }
    return sides;
}

}  // namespace

json to_json(const Fit& fit) {
    const ModelFit& best = fit.best();
    const Curve curve = fitted_curve(fit, largest_row(fit.bursts));
    const double bits = bits_per_frame(fit);
    const auto known = [&](const Estimate& estimate, double scale) {
        return in_known_digits(scaled(estimate, scale), best.error_of_ends);
    };
    const Estimate depth = known(depth_of(fit, best), 1), rate = known(rate_of(fit), 1),
                   frames_per_s = known(rate_of(fit), 1 / bits);
    const std::string beside = loss_beside(best);
    json models = json::array(), quantities = json::array();
    const std::vector<double> priors = priors_of(fit);
    for (const ModelFit& one : fit.models)
        models.push_back({{"name", one.model.name()},
                          {"words", one.model.words()},
                          {"feasible", one.feasible},
                          {"probability", one.probability},
                          {"prior", priors[models.size()]},
                          {"depth",
                           {{"unit", unit_of(one.model)},
                            {"estimate", in_known_digits(one.depth, one.error_of_ends).value},
                            {"hard", depth_of(fit, one).hard}}},
                          {"depth_text", depth_text(one, told_depth(fit, one), &one == &best)},
                          {"probability_text", share_text(one)},
                          {"log_evidence", std::isfinite(one.log_evidence) ? json(one.log_evidence) : json()},
                          {"log_evidence_error", one.error_of_log_evidence},
                          {"log_evidence_text", evidence_text(one)},
                          {"feature", feature_of(one)},
                          {"violating_rows", one.violating}});
    const std::vector<ReportedNumber> all = quantities_of(fit);
    for (const ReportedNumber& one : all) {
        quantities.push_back(estimate_json(one.unit, one.value));
        quantities.back()["name"] = one.name;
    }
    json told_depth = estimate_json(unit_of(best.model), depth), flags = json::array(), suspects = json::array();
    told_depth["fixed"] = fit.options.depth.has_value();
    told_depth["provided_that"] = beside.empty() ? json() : json(beside);
    if (best.model.unit == MemorySize::Unit::Cell)
        told_depth["bytes"] = estimate_json("bytes", known(depth_of(fit, best), double(best.model.cell)));
    for (const Suspect& one : fit.suspects)
        suspects.push_back({{"row", one.row}, {"fewest", one.fewest}, {"most", one.most}});
    for (const Burst& burst : without_counts(fit))
        flags.push_back(
            {{"row", burst.row}, {"line", burst.line}, {"frames_sent", burst.sent}, {"expected", burst.fragments()}});
    return {{"program", Provenance::program()},
            {"command", Provenance::command()},
            {"headline", headline_of(fit)},
            {"answer", answer_of(fit, all)},
            {"standing", standing_of(fit)},
            {"quantities", quantities},
            {"notes", {{"basis", basis_of(fit)}, {"data", data_of(fit, all.front().value)}}},
            {"map", fit.map.source},
            {"scenario", fit.conditions.scenario.empty() ? json() : json(fit.conditions.scenario)},
            {"status", to_text(fit.status)},
            {"model", best.model.name()},
            {"queue", fit.drops == Drops::Waiting  ? "drops-waiting"
                      : fit.policed                ? "policer"
                      : fit.delays                 ? "several"
                      : fit.drops == Drops::Oldest ? "drops-oldest"
                      : fit.queued                 ? "queue-and-bucket"
                                                   : "queue"},
            {"queued", fit.queued},
            {"plain_memory", !contradicted(fit) && beside.empty() && fit.drops == Drops::New},
            {"depth", told_depth},
            {"service_rate",
             {{"frames_per_s", frames_per_s.value},
              {"bits_per_s", rate.value},
              {"hard", frames_per_s.hard},
              {"interval68", frames_per_s.interval68},
              {"interval95", frames_per_s.interval95},
              {"interval95_bits_per_s", rate.interval95},
              {"fixed", fit.options.service_rate.has_value()}}},
            {"sampling_error", best.error_of_ends},
            {"priors_given", fit.options.priors},
            {"effective_samples", best.samples == 0 ? json()
                                                    : json{{"samples", best.samples},
                                                           {"depth", best.effective.depth},
                                                           {"service_rate", best.effective.rate}}},
            {"rate_off_nominal", rate_off_nominal(fit)},
            {"cell", best.model.unit == MemorySize::Unit::Cell
                         ? json{{"bytes", best.model.cell}, {"header_bytes", best.model.header}}
                         : json()},
            {"feature", feature_of(best)},
            {"disturbances", to_json(best.disturbances)},
            {"goodness", fit.goodness},
            {"unusual", !fit.misfit.empty()   ? json(fit.misfit)
                        : fit.unusual.empty() ? json()
                                              : json(fit.unusual)},
            {"correlation", best.correlation},
            {"peaks", json_of_peaks(fit)},
            {"models", models},
            {"binding_rows", best.region.binding},
            {"violating_rows", best.violating},
            {"suspects", suspects},
            {"rows_set_aside", fit.set_aside},
            {"rows_without_counts", flags},
            {"rows_used", fit.bursts.size()},
            {"counts_used", fit.counts_used},
            {"scatter_frames", best.scatter},
            {"ports", largest_row(fit.bursts).ports},
            {"handover_us", in_microseconds(fit.handover)},
            {"payload_bytes", largest_row(fit.bursts).payload},
            {"congested_uplinks", largest_row(fit.bursts).uplinks},
            {"uplinks", fit.conditions.uplinks},
            {"framing",
             {{"wire_overhead_bytes", fit.conditions.frame.wire_overhead.count},
              {"buffer_overhead_bytes", fit.conditions.frame.buffer_overhead.count},
              {"link_rate_bits_per_s", fit.conditions.link_rate.count}}},
            {"polygon", polygon_of(fit)},
            {"posterior", marginals_of(fit, bits)},
            {"half_planes", half_planes_of(fit)},
            {"curve", curve_of(curve)},
            {"asymptote_us", asymptote_of(curve)},
            {"other_mixes", other_mixes_of(fit)}};
}

}  // namespace watershed
