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
            if (kinds[j].model.sharing == kinds[i].model.sharing && kinds[j].model.feature == kinds[i].model.feature &&
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

void leave_open_what_no_peak_tells(std::vector<ModelFit>& kinds, const std::vector<Burst>& bursts) {
    for (ModelFit& one : kinds)
        for (const ModelFit& other : kinds)
            if (other.model.per_packet == one.model.per_packet && counters_alike(other.model, one.model, bursts)) {
                one.log_evidence = other.log_evidence;
                break;
            }
}

}  // namespace watershed
