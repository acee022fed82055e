// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/alike-kinds.h"

#include <algorithm>
#include <cmath>

#include "calibrate/closed-form/peak.h"

namespace watershed {
namespace {

/// Frames take as much of the counters that were read.
bool counters_alike(const QueueModel& one, const QueueModel& other, const std::vector<Burst>& bursts) {
    return std::all_of(bursts.begin(), bursts.end(), [&](const Burst& burst) {
        return !burst.peak || counter_cost(one, burst) == counter_cost(other, burst);
    });
}

}  // namespace

std::vector<std::optional<std::size_t>> alike_kinds(const std::vector<ModelFit>& kinds,
                                                    const std::vector<Burst>& bursts) {
    std::vector<std::optional<std::size_t>> like(kinds.size());
    const std::int64_t size = bursts.front().buffer, wire = bursts.front().wire;
    if (std::any_of(bursts.begin(), bursts.end(),
                    [&](const Burst& burst) { return burst.buffer != size || burst.wire != wire; }))
        return like;
    for (std::size_t i = 0; i < kinds.size(); ++i)
        for (std::size_t j = 0; j < i && !like[i]; ++j)
            if (kinds[j].model.sharing == kinds[i].model.sharing &&
                kinds[j].model.per_packet == kinds[i].model.per_packet &&
                counters_alike(kinds[j].model, kinds[i].model, bursts))
                like[i] = j;
    return like;
}

ParameterPosterior in_unit_of(const QueueModel& model, const QueueModel& other, const Burst& any,
                              ParameterPosterior posterior) {
    const auto from = static_cast<double>(other.cost(any)), to = static_cast<double>(model.cost(any));
    constexpr double kGolden = 0.6180339887498949;  // evenly spread over a frame
    double part = 0.5;
    for (BurstParameters& one : posterior.samples) {
        one.depth = (std::floor(one.depth / from) + part) * to;
        part = std::fmod(part + kGolden, 1);
    }
    return posterior;
}

ModelFit in_unit_of(const ModelFit& plain, const ModelFit& plain_of_fit, const Burst& any, ModelFit fit) {
    const std::int64_t from = fit.model.cost(any), to = plain.model.cost(any);
    const double ratio = static_cast<double>(to) / static_cast<double>(from);
    fit.model.unit = plain.model.unit, fit.model.cell = plain.model.cell, fit.model.header = plain.model.header;
    fit.log_prior += plain.log_prior - plain_of_fit.log_prior;
    // A frame's place is as many units; depths up to the next place hold no more.
    const auto lowest = [&](std::int64_t depth) { return depth / from * to; };
    const auto highest = [&](std::int64_t depth) { return (depth / from + 1) * to - 1; };
    for (DepthSlice& slice : fit.region.slices) slice.first = lowest(slice.first), slice.last = highest(slice.last);
    fit.region.depth_low = lowest(fit.region.depth_low), fit.region.depth_high = highest(fit.region.depth_high);
    fit.region.polygon.scale_x(ratio);
    Interval& hard = fit.depth.hard;
    for (std::optional<double>* const limit :
         {&fit.depth.value, &hard.low, &fit.depth.interval68.low, &fit.depth.interval68.high, &fit.depth.interval95.low,
          &fit.depth.interval95.high})
        if (*limit) **limit *= ratio;
    if (hard.high) *hard.high = static_cast<double>(highest(static_cast<std::int64_t>(*hard.high)));
    for (SupportPoint& point : fit.support) point.depth *= ratio;
    if (fit.likeliest) fit.likeliest->depth *= ratio;
    if (fit.counts) fit.counts->depth *= ratio, fit.counts->depth_sigma *= ratio;
    return fit;
}

void leave_open_what_no_peak_tells(std::vector<ModelFit>& kinds, const std::vector<Burst>& bursts) {
    for (ModelFit& one : kinds)
        for (const ModelFit& other : kinds)
            if (other.model.per_packet == one.model.per_packet && counters_alike(other.model, one.model, bursts)) {
                one.log_evidence = other.log_evidence;
                break;
            }
}

}  // namespace watershed
