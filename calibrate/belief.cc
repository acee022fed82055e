// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/belief.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace watershed {
namespace {

constexpr int kRates = 25;
constexpr int kDepthsPerRate = 40;
/// Frames by which a number of lost frames may miss the closed form without a contradiction.
constexpr std::int64_t kCountTolerance = 1;

struct DepthRange {
    std::int64_t low = 0;
    std::int64_t high = 0;
    bool empty() const { return low > high; }
};

/// The least depth of the range with which at most `most` frames of the burst are lost, or one more than its end: deeper memories never lose more.
std::int64_t least_depth(const QueueModel& model, const Burst& burst, double rate, const DepthRange& range, std::int64_t most) {
    const auto drained = static_cast<std::int64_t>(burst.drain() * rate * (1 + 1e-12));
    std::int64_t low = range.low, high = range.high + 1;
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2, room = model.room(burst, middle);
        if (room >= 1 && frames_lost(model, burst, room, drained) <= most)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/// The depths with which this burst ends as it was measured.
DepthRange explains(const QueueModel& model, const Burst& burst, double rate, const DepthRange& range) {
    if (!burst.lossy) return {least_depth(model, burst, rate, range, 0), range.high};
    if (!burst.counted) return {range.low, least_depth(model, burst, rate, range, 0) - 1};
    const std::int64_t tolerance = kCountTolerance + excess_loss(model, burst);
    const std::int64_t fewest = std::max<std::int64_t>(1, burst.lost - tolerance);
    return {least_depth(model, burst, rate, range, burst.lost + kCountTolerance), least_depth(model, burst, rate, range, fewest - 1) - 1};
}

/// Of the bursts of one kind at one separation the longest lossless and the shortest lossy one: the others follow from these.
std::vector<Burst> decisive(const std::vector<Burst>& bursts) {
    std::map<std::tuple<std::int64_t, int, std::int64_t, Time, bool>, const Burst*> chosen;
    for (const Burst& burst : bursts) {
        const Burst*& best = chosen[{burst.ports, burst.uplinks, burst.payload, burst.spacing, burst.lossy}];
        if (!best || (burst.lossy ? burst.events < best->events : burst.events > best->events)) best = &burst;
    }
    std::vector<Burst> result;
    for (const auto& [kind, burst] : chosen) result.push_back(*burst);
    return result;
}

/// Rate by rate the depths that explain all bursts, with the prior's weight.
std::vector<SupportPoint> assumed(const Prior& prior, const QueueModel& model, const std::vector<Burst>& bursts) {
    const bool normal = prior.rate_spread < 0.5;
    std::vector<SupportPoint> points;
    for (int i = 0; i < kRates; ++i) {
        const double sigmas = -2 + 4.0 * i / (kRates - 1), rate = prior.rate * std::exp(sigmas * prior.rate_spread);
        DepthRange range{std::max<std::int64_t>(1, std::llround(prior.depth_low)), std::llround(prior.depth_high)};
        for (auto burst = bursts.begin(); burst != bursts.end() && !range.empty(); ++burst) range = explains(model, *burst, rate, range);
        if (range.empty()) continue;
        const double low = static_cast<double>(range.low), factors = std::log((static_cast<double>(range.high) + 1) / low);
        for (int j = 0; j < kDepthsPerRate; ++j)
            points.push_back({std::floor(low * std::exp(factors * (j + 0.5) / kDepthsPerRate)), rate, factors * (normal ? std::exp(-sigmas * sigmas / 2) : 1)});
    }
    return points;
}

bool will_count(const std::optional<Fit>& fit, const Prior& prior) {
    if (!fit || fit->options.counts == CountUse::Flag) return prior.counts && (!fit || fit->options.counts != CountUse::Flag);
    const bool any_lossy = std::any_of(fit->bursts.begin(), fit->bursts.end(), [](const Burst& burst) { return burst.lossy; });
    return any_lossy ? std::any_of(fit->bursts.begin(), fit->bursts.end(), [](const Burst& burst) { return burst.lossy && burst.counted; }) : prior.counts;
}

}  // namespace

Prior prior_of(const Scenario& scenario, const Conditions& conditions) {
    Prior prior;
    LossMap one{conditions.scenario, {}};
    LossMapRow row;
    row.ports = scenario.front_end.modules;
    row.payload = scenario.frame.payload;
    row.events = row.frames_sent = row.frames_received = 1;
    one.rows.push_back(row);
    prior.like = bursts_of(one, conditions, CountUse::Flag).front();
    prior.slot = prior.like.spacing;
    prior.model = {conditions.sharing, conditions.unit == MemorySize::Unit::Byte ? MemorySize::Unit::Byte : MemorySize::Unit::Frame};
    constexpr double kTimesDeeper = 100, kRateSpread = 0.02;
    prior.depth_low = static_cast<double>(prior.model.cost(prior.like) * (conditions.sharing == Buffer::Sharing::Shared ? prior.like.ports : 1));
    prior.depth_high = kTimesDeeper * std::max(prior.depth_low, static_cast<double>(scenario.network_switch.buffer.size.amount));
    prior.rate = static_cast<double>(scenario.network_switch.uplink_rate.count);
    prior.rate_spread = kRateSpread;
    return prior;
}

Prior prior_of(const Fit& fit) {
    Prior prior;
    prior.model = fit.best().model;
    prior.like = *std::min_element(fit.bursts.begin(), fit.bursts.end(), [](const Burst& a, const Burst& b) { return a.row < b.row; });
    prior.slot = Time{static_cast<std::int64_t>(std::ceil(8e12 * static_cast<double>(prior.like.wire) / static_cast<double>(fit.conditions.link_rate.count)))};
    const SearchBox box = search_box(prior.model, fit.bursts);
    constexpr double kTimesDeeper = 100, kRateFactor = 10;
    prior.depth_low = static_cast<double>(prior.model.cost(prior.like));
    prior.depth_high = kTimesDeeper * static_cast<double>(box.depth_high);
    prior.rate = box.rate_high / kRateFactor;
    prior.rate_spread = std::log(kRateFactor) / 2;   // from a hundredth of what the closest triggers could need up to all of it
    prior.counts = fit.options.counts != CountUse::Flag;
    return prior;
}

Belief belief_of(const std::optional<Fit>& fit, const Prior& prior) {
    Belief belief;
    belief.model = fit ? fit->best().model : prior.model;
    belief.counts = will_count(fit, prior);
    if (fit) {
        const ModelFit& best = fit->best();
        belief.measured = best.depth.value && best.rate.value;
        if (const auto& known = fit->options.noise) (known->relative ? belief.threshold_scale : belief.count_noise) = known->low;
        if (best.noise && best.noise->value) (best.noise->relative ? belief.threshold_scale : belief.count_noise) = *best.noise->value;
        if (belief.measured) belief.points = best.support;
    }
    if (belief.points.empty()) belief.points = assumed(prior, belief.model, fit ? decisive(fit->bursts) : std::vector<Burst>());
    // A map that contradicts all that was thought possible, and bounds nothing itself.
    if (belief.points.empty()) belief.points = fit->best().support;
    if (belief.points.empty()) belief.points = assumed(prior, belief.model, {});
    double total = 0;
    for (const SupportPoint& point : belief.points) total += point.weight;
    for (SupportPoint& point : belief.points) point.weight /= total;
    return belief;
}

}  // namespace watershed
