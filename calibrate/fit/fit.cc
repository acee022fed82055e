// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/fit.h"

#include "calibrate/fit/fit-steps.h"
#include "calibrate/posterior/threads.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// Larger maps that some model explains without exception are taken at their word.
constexpr std::size_t kMostForDoubt = 400;

/// Bursts are what the switch alone makes of them, beyond doubt; or they limit one side only.
/// @param explained  by some model, every count, or every flag where there are no counts
bool taken_at_their_word(const FitInput& map, bool explained) {
    if (map.options.depth_prior || map.options.rate_prior || map.feature_given()) return false;
    return (explained && map.bursts.size() > kMostForDoubt) || (map.one_sided() && !map.counted && !map.peaks);
}

/// Sorts the bursts, so that the order of a map's rows changes no number.
void put_in_order(std::vector<Burst>& bursts) {
    const auto key = [](const Burst& burst) {
        return std::make_tuple(burst.ports, burst.uplinks, burst.payload, burst.separation, burst.events, burst.sent,
                               burst.lost, burst.row);
    };
    boost::sort(bursts, [&](const Burst& a, const Burst& b) { return key(a) < key(b); });
}

void fill(Fit& fit) {
    FitInput map(fit.bursts, fit.options, fit.map.separation_step);
    if (!fit.shifts.empty()) map.rounding = fit.map.separation_step;
    fit.models = candidates(fit.bursts, fit.conditions, fit.options);
    // The closed form lets all triggers take the same time.
    map.to_the_frame = map.counted && !map.peaks && !map.feature_given() && explain_counts(fit.models, map) &&
                       boost::algorithm::none_of(
                           fit.models, [&](const ModelFit& one) { return map.held_up(one.rate.value.value_or(0)); });
    const bool explained = map.to_the_frame || (explain(fit.models, map, map.flags) && !map.counted && !map.peaks);
    fit.counts_used = map.to_the_frame;
    if (!taken_at_their_word(map, explained)) {
        fit.counts_used = map.counted;
        infer(fit.models, map);
    }
    if (!map.to_the_frame) {
        std::vector<ModelFit> featured = kinds_with_features(fit, map);
        if (map.feature_given()) fit.models.clear();
        for (ModelFit& one : featured) fit.models.push_back(std::move(one));
    }
    if (fit.models.empty())
        throw InputError(
            "--fix kind=" + *fit.options.kind +
            ": these bursts cannot show such a memory: descriptors need two payloads, a resume level numbers of "
            "lost frames, a dynamic threshold several numbers of congested uplinks, uneven uplinks two, reserves "
            "several numbers of ports (or three of uplinks) that lose; cells need a scenario's switch.buffer.cell");
    for (ModelFit& one : fit.models) acquit_explained(one, map);
    choose_model(fit.models, fit.conditions, map.to_the_frame);
    fit.suspects = take_suspects(fit.models.front(), map);
    mix(fit.models, fit.bursts.back(), map.to_the_frame && !map.no_noise());
    widen_hard_limits(fit.models.front(), map);
    if (!fit.options.service_rate && !map.no_noise())
        fit.rounding = allow_for_rounding(fit.models.front(), map.sample, fit.map.separation_step, !fit.shifts.empty());
    if (fit.options.draws > 0) fit.joint = joint_draws(fit.models, map);
    judge(fit, map);
    fit.status = status_of(fit, map);
    discard_unidentified_depths(fit.models, map, fit.counts_used);
}

/// Sets Fit::handover, the usual time over which the frames of a trigger come, and Burst::held_up, the time beyond it.
/// Frames that come one after the other find more room, because others leave meanwhile. The likelihood's depth includes
/// this room for the usual time. With a given depth, `handover` stays 0 and all of the time counts.
void compare_handovers(Fit& fit) {
    std::vector<Time> handovers;
    for (const Burst& burst : fit.bursts)
        if (burst.handover) handovers.push_back(*burst.handover);
    if (handovers.empty()) return;
    if (!fit.options.depth && !fit.options.depth_bounds) fit.handover = median(std::move(handovers));
    for (Burst& burst : fit.bursts)
        if (burst.handover) burst.held_up = *burst.handover - fit.handover;
}

/// Returns what a fit leaves unexplained: frames by which counts scatter, and bursts; infinity of a misfit.
double unexplained(const Fit& fit) {
    return fit.status == FitStatus::Misfit ? HUGE_VAL
                                           : double(fit.best().violating.size()) + fit.best().scatter.value_or(0);
}

/// Fits bursts that are not explained once more, with separations within their rounding that explain all of them.
void fill_with_rounding(Fit& fit) {
    Fit shifted = fit;
    fill(fit);
    const Time step = fit.map.separation_step;
    constexpr double kLittle = 0.5;
    const FitOptions& known = fit.options;
    if (step == Time{0} || known.service_rate || (known.noise && known.noise->none()) || unexplained(fit) <= kLittle)
        return;
    shifted.shifts = shifts_within_rounding(fit.best(), fit.bursts, step);
    if (shifted.shifts.empty()) return;
    for (Burst& burst : shifted.bursts) burst.spacing += shifted.shifts.at(burst.separation);
    fill(shifted);
    if (shifted.best().violating.empty() && unexplained(shifted) < unexplained(fit)) fit = std::move(shifted);
}

/// Subtracts from the depths the frames that leave during the usual handover of a trigger. Without a fitted rate the
/// scenario's counts, and no lower limit is hard but a peak.
void take_off_handover(Fit& fit) {
    if (fit.handover == Time{0}) return;
    for (ModelFit& one : fit.models) {
        const Burst burst = seen_by(one.model, {largest_row(fit.bursts)}).front();
        const double per_rate = double(fit.handover.count()) / bit_picoseconds(burst.wire) * burst.uplinks /
                                double(one.model.memories(burst)) * double(one.model.cost(burst));
        for (JointDraws::Draw& draw : fit.joint.draws)
            if (&fit.models[draw.kind] == &one) draw.depth -= per_rate * draw.sample.parameters.rate;
        std::optional<double> rate = one.rate.value;
        if (!rate && fit.conditions.nominal_rate) rate = double(fit.conditions.nominal_rate->count);
        double in_use = 0;
        for (const Burst& each : seen_by(one.model, fit.bursts))
            in_use =
                std::max(in_use, double(std::max<std::int64_t>(1, least_room(one.model, each)) * one.model.cost(each)));
        const auto take_off = [&](std::optional<double>& depth, double at, auto&& whole) {
            if (depth) depth = std::max(std::min(*depth, in_use), whole(*depth - per_rate * at));
        };
        const auto up = [](double depth) { return std::ceil(depth); };
        const auto down = [](double depth) { return std::floor(depth); };
        take_off(one.depth.value, rate.value_or(0), [](double depth) { return std::round(depth); });
        for (Interval* const interval : {&one.depth.interval68, &one.depth.interval95}) {
            take_off(interval->low, rate.value_or(HUGE_VAL), down);
            take_off(interval->high, rate.value_or(0), up);
        }
        take_off(one.depth.hard.low, one.rate.hard.high.value_or(HUGE_VAL), down);
        take_off(one.depth.hard.high, one.rate.hard.low.value_or(0), up);
    }
}

}  // namespace

std::vector<RowSetAside> set_aside_unusable(std::vector<Burst>& bursts) {
    std::vector<RowSetAside> aside;
    std::vector<Burst> kept;
    for (const Burst& burst : bursts) {
        if (burst.lateness && burst.events > 1 && *burst.lateness * 2 > burst.spacing)
            aside.push_back({burst.row, burst.line,
                             "a trigger came " + to_text(*burst.lateness) + " late, with " + to_text(burst.separation) +
                                 " between triggers"});
        else if (burst.outcome == Burst::Outcome::Untold)
            aside.push_back({burst.row, burst.line,
                             "nobody counted what arrived, and no peak tells whether the memory was full: the same "
                             "separation with fewer events, and with more, would tell"});
        else
            kept.push_back(burst);
    }
    bursts.swap(kept);
    return aside;
}

Fit fit_loss_map(const LossMap& map, const Conditions& conditions, const FitOptions& options) {
    if (options.jobs > 0) limit_threads(options.jobs);
    const Threads threads;
    Fit fit;
    fit.conditions = conditions;
    fit.options = options;
    if (options.rate_about_nominal && !options.nominal_rate) fit.options.nominal_rate = conditions.nominal_rate;
    fit.map = map;
    fit.bursts = bursts_of(map, conditions, options.counts);
    if (options.noise && !options.noise->relative && !any_loss_counted(fit.bursts))
        throw InputError(map.source +
                         ": noise: found a number of frames, expected a part of a burst's length such as \"2 %\": no "
                         "numbers of lost frames are used");
    put_in_order(fit.bursts);
    fit.set_aside = set_aside_unusable(fit.bursts);
    boost::sort(fit.set_aside, [](const RowSetAside& a, const RowSetAside& b) { return a.row < b.row; });
    if (fit.bursts.empty())
        throw InputError(map.source + ": every burst was set aside, expected at least one that tells: " +
                         fit.set_aside.front().reason);
    compare_handovers(fit);
    fill_with_rounding(fit);
    take_off_handover(fit);
    fit.bursts = seen_by(fit.best().model, fit.bursts);
    return fit;
}

PartialFit fit_so_far(const LossMap& map, const Conditions& conditions, const FitOptions& options) {
    PartialFit result;
    if (map.rows.empty()) return result;
    result.bursts = bursts_of(map, conditions, options.counts);
    std::vector<Burst> in_time = result.bursts;
    result.set_aside = set_aside_unusable(in_time);
    if (!in_time.empty()) result.fit = fit_loss_map(map, conditions, options);
    return result;
}

}  // namespace watershed
