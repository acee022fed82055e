// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/estimate.h"

#include <algorithm>
#include <cmath>

namespace watershed {
namespace {

constexpr double kTail68 = 0.16;
constexpr double kTail95 = 0.025;
/// Of the range of rates, until a quantile is as exact as a double.
constexpr int kHalvings = 50;

/// Weight of a slice: its depths times its rates; a known rate has no width to count.
double mass(const DepthSlice& slice) {
    const double width = slice.rate_high - slice.rate_low;
    return slice.weight * (width > 0 ? width : 1);
}

/// The depth below which a share of the feasible region lies; a whole number.
double depth_quantile(const FeasibleRegion& region, double share) {
    double total = 0, sum = 0;
    for (const DepthSlice& slice : region.slices) total += mass(slice);
    for (const DepthSlice& slice : region.slices) {
        const double part = mass(slice);
        if (sum + part >= share * total) {
            const double inside = std::floor(static_cast<double>(slice.first) + slice.weight * (share * total - sum) / part);
            return std::clamp(inside, static_cast<double>(slice.first), static_cast<double>(region.depth_high));
        }
        sum += part;
    }
    return static_cast<double>(region.depth_high);
}

double rate_quantile(const FeasibleRegion& region, double share) {
    double total = 0, low = region.rate_low, high = region.rate_high;
    for (const DepthSlice& slice : region.slices) total += mass(slice);
    for (int i = 0; i < kHalvings && low < high; ++i) {
        const double middle = (low + high) / 2;
        double below = 0;
        for (const DepthSlice& slice : region.slices) {
            const double width = slice.rate_high - slice.rate_low;
            below += mass(slice) * (width > 0 ? std::clamp((middle - slice.rate_low) / width, 0.0, 1.0) : (slice.rate_low <= middle ? 1 : 0));
        }
        (below < share * total ? low : high) = middle;
    }
    return (low + high) / 2;
}

template <class Quantile>
Estimate estimate_of(Quantile quantile, double hard_low, double hard_high, bool open) {
    Estimate estimate;
    estimate.hard.low = hard_low;
    if (open) {
        // The mass above depends on where the search ends, so only the limit is a result.
        estimate.interval68.low = estimate.interval95.low = hard_low;
        return estimate;
    }
    estimate.hard.high = hard_high;
    estimate.value = quantile(0.5);
    estimate.interval68 = {quantile(kTail68), quantile(1 - kTail68)};
    estimate.interval95 = {quantile(kTail95), quantile(1 - kTail95)};
    return estimate;
}

}  // namespace

void estimate_from_region(ModelFit& fit) {
    const FeasibleRegion& region = fit.region;
    if (!region.feasible()) return;
    fit.depth = estimate_of([&](double share) { return depth_quantile(region, share); }, static_cast<double>(region.depth_low),
                            static_cast<double>(region.depth_high), region.depth_open);
    fit.rate = estimate_of([&](double share) { return rate_quantile(region, share); }, region.rate_low, region.rate_high, region.rate_open);
    constexpr std::size_t kSlices = 100;
    const std::size_t step = region.slices.size() / kSlices + 1;
    for (std::size_t i = 0; i < region.slices.size(); i += step) {
        const DepthSlice& slice = region.slices[i];
        for (const double share : {1.0 / 6, 0.5, 5.0 / 6})
            fit.support.push_back({static_cast<double>(slice.first + (slice.last - slice.first) / 2), slice.rate_low + share * (slice.rate_high - slice.rate_low), mass(slice)});
    }
    fit.correlation = correlation_of(fit.support);
}

void estimate_from_counts(ModelFit& fit) {
    const CountFit& counts = *fit.counts;
    const auto normal = [](double value, double sigma) {
        constexpr double kSigmas95 = 1.95996;
        Estimate estimate;
        estimate.value = value;
        estimate.interval68 = {value - sigma, value + sigma};
        estimate.interval95 = {value - kSigmas95 * sigma, value + kSigmas95 * sigma};
        return estimate;
    };
    fit.depth = normal(counts.depth, counts.depth_sigma);
    fit.rate = normal(counts.rate, counts.rate_sigma);
    fit.correlation = counts.correlation;
    if (fit.region.feasible()) {
        const FeasibleRegion& region = fit.region;
        fit.depth.hard.low = static_cast<double>(region.depth_low);
        fit.rate.hard.low = region.rate_low;
        if (!region.depth_open) fit.depth.hard.high = static_cast<double>(region.depth_high);
        if (!region.rate_open) fit.rate.hard.high = region.rate_high;
    }
    const double tilt = std::sqrt(1 - counts.correlation * counts.correlation);
    for (int i = -8; i <= 8; ++i)
        for (int j = -8; j <= 8; ++j) {
            const double u = i / 3.0, v = j / 3.0;
            fit.support.push_back({counts.depth + u * counts.depth_sigma, counts.rate + (counts.correlation * u + tilt * v) * counts.rate_sigma,
                                   std::exp(-(u * u + v * v) / 2)});
        }
}

}  // namespace watershed
