// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/contradictions.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "calibrate/fit/posterior-summary.h"

namespace watershed {
namespace {

/// Exceptions whose burst length is this close to the watershed, as a logarithm, may be noise.
constexpr double kNoise = 0.1;
/// Or within so many standard deviations of the noise that was fitted.
constexpr double kNoiseSigmas = 4;
/// And exceptions may be noise whose count misses by this share of the burst: near the asymptote few frames are many
/// events.
constexpr double kCountNoise = 0.01;
/// Noise is no explanation where the exceptions are a larger share of the map, or where fewer than kFewestBursts others
/// are left.
constexpr double kMostExceptions = 0.3;
/// Rows that a contradictory map may cost are put back one by one up to this number.
constexpr std::size_t kMostPutBack = 100, kMostPutBackOfLarge = 2, kManyRows = 5000;

}  // namespace

std::vector<Burst> without(const std::vector<Burst>& bursts, const std::vector<int>& rows) {
    std::vector<bool> out;
    for (const int row : rows) {
        out.resize(std::max(out.size(), static_cast<std::size_t>(row) + 1), false);
        out[static_cast<std::size_t>(row)] = true;
    }
    std::vector<Burst> kept;
    kept.reserve(bursts.size());
    for (const Burst& burst : bursts)
        if (static_cast<std::size_t>(burst.row) >= out.size() || !out[static_cast<std::size_t>(burst.row)])
            kept.push_back(burst);
    return kept;
}

LeastContradiction Contradictions::remove(ModelFit& one) const {
    const SearchBox box = map_.box(one.model);
    const LeastContradiction least = least_contradiction(one.model, seen_by(one.model, map_.flags), box.depth_low,
                                                         box.depth_high, box.rate_low, box.rate_high);
    one.violating = least.rows;
    one.region = map_.region(one.model, without(map_.flags, one.violating));
    for (std::size_t i = 0, trials = 0; one.region.feasible() && i < one.violating.size() &&
                                        trials < (map_.flags.size() > kManyRows ? kMostPutBackOfLarge : kMostPutBack);
         ++trials) {
        std::vector<int> fewer = one.violating;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        FeasibleRegion region = map_.region(one.model, without(map_.flags, fewer), true);
        if (region.feasible()) {
            one.violating.swap(fewer);
            one.region = std::move(region);
        } else {
            ++i;
        }
    }
    std::sort(one.violating.begin(), one.violating.end());
    return least;
}

bool Contradictions::scattered(const ModelFit& one) const {
    const std::size_t left = map_.flags.size() - one.violating.size();
    return !map_.no_noise() && left >= kFewestBursts && map_.lossy > 0 &&
           map_.lossy < static_cast<std::ptrdiff_t>(map_.flags.size()) &&
           static_cast<double>(one.violating.size()) <= kMostExceptions * static_cast<double>(map_.flags.size());
}

std::vector<int> Contradictions::beyond_noise(const ModelFit& one, bool counts_used) const {
    double reach = map_.options.noise ? 0 : kNoise;
    if (one.noise && one.noise->relative && one.noise->value)
        reach = std::max(reach, kNoiseSigmas * *one.noise->interval95.high);
    const std::set<int> exceptions(one.violating.begin(), one.violating.end());
    const SupportPoint at = one.likeliest.value_or(SupportPoint{*one.depth.value, *one.rate.value});
    const bool at_random = likely_loss(one);
    std::vector<int> beyond;
    for (const Burst& burst : seen_by(one.model, map_.flags)) {
        if (exceptions.count(burst.row) == 0) continue;
        const auto drained = static_cast<std::int64_t>(burst.drain() * at.rate);
        const std::int64_t lost =
            frames_lost(one.model, burst, one.model.room(burst, static_cast<std::int64_t>(at.depth)), drained);
        if ((lost > 0) == burst.lossy) continue;  // only its number contradicts
        if (burst.lossy && at_random && !std::binary_search(one.strays.begin(), one.strays.end(), burst.row)) continue;
        if (counts_used &&
            static_cast<double>(std::abs(burst.lost - lost)) <= kCountNoise * static_cast<double>(burst.fragments()))
            continue;
        const auto longest = longest_lossless(one.model, burst, burst.spacing, at.depth, at.rate);
        if (!longest || *longest <= 0 ||
            std::abs(std::log(static_cast<double>(burst.events) / static_cast<double>(*longest))) > reach)
            beyond.push_back(burst.row);
    }
    return beyond;
}

bool Contradictions::noisy(const ModelFit& one, bool counts_used) const {
    return scattered(one) && one.depth.value && one.rate.value && beyond_noise(one, counts_used).empty();
}

}  // namespace watershed
