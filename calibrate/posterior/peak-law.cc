// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/peak-law.h"

#include <algorithm>

#include "calibrate/posterior/statistics.h"

namespace watershed {
namespace {

/// Probability that a normal number, or one without scatter, is at most so much.
double at_most(double value, double middle, double sigma) {
    return sigma > 0 ? below((value - middle) / sigma) : value >= middle ? 1 : 0;
}

}  // namespace

PeakLaw::PeakLaw(const QueueModel& model, const Burst& burst) {
    if (!burst.peak) return;
    amount_ = double(burst.peak->amount);
    resolution_ = double(burst.peak->resolution);
    cost_ = double(counter_cost(model, burst));
    fragments_ = double(burst.fragments());
    // The frame in service may not count any more, and memories of inputs do not all fill to the last frame.
    open_ = double(model.memories(burst));
}

double PeakLaw::lossless(double needed, double sigma, double room) const {
    constexpr double kRounding = 0.5;  // frames; only whole ones leave
    const double reach = resolution_ / cost_ + kRounding, fits = at_most(room + kRounding, needed, sigma);
    if (fits <= 0) return 0;
    const double low = frames() - reach, high = std::min(frames() + reach, room + kRounding);
    if (high <= low) return 0;
    return (at_most(high, needed, sigma) - at_most(low, needed, sigma)) / fits / (2 * reach * cost_);
}

double PeakLaw::lossy(double room) const {
    const double low = (room - open_) * cost_ - resolution_, high = room * cost_ + resolution_;
    return amount_ >= low && amount_ <= high ? 1 / (high - low) : 0;
}

double PeakLaw::stray() const { return 1 / (fragments_ * cost_ + resolution_); }

std::vector<BurstParameters> places_of_peaks(const QueueModel& model, const std::vector<Burst>& bursts) {
    constexpr std::size_t kMostRates = 12, kMostDepths = 6;
    constexpr double kBeyond[] = {1.01, 1.3, 3};
    struct Rate {
        double rate = 0, drained = 0;
        double per_rate = 0;  ///< frames that all uplinks drain at 1 bit/s
        double per_byte = 0;  ///< frames that a byte on each link is
        double bucket = 0;    ///< bytes
    };
    std::vector<Rate> rates;
    std::vector<double> depths;
    double largest = 0;
    for (const Burst& burst : bursts) {
        if (!burst.peak) continue;
        const double frames = PeakLaw(model, burst).frames(),
                     depth = (frames / double(model.memories(burst)) + 0.5) * double(model.cost(burst));
        largest = std::max(largest, depth);
        if (burst.lossy) depths.push_back(depth);
        const double drained = double(burst.fragments() - burst.lost) - frames + 0.5,
                     per_rate = burst.uplinks * burst.drain();
        if (per_rate > 0 && drained > 0 && (burst.counted || !burst.lossy))
            rates.push_back({drained / per_rate, drained, per_rate, burst.uplinks / double(burst.wire), 0});
    }
    std::sort(rates.begin(), rates.end(), [](const Rate& a, const Rate& b) { return a.drained > b.drained; });
    if (rates.size() > kMostRates) rates.resize(kMostRates);
    // With the burst that drains most, another tells what goes ahead of the rate, too.
    for (std::size_t i = 1, n = rates.size(); i < n; ++i) {
        const Rate most = rates.front(), other = rates[i];
        constexpr double kApart = 1.2;
        if (most.per_rate < kApart * other.per_rate || most.drained <= other.drained) continue;
        Rate both = most;
        both.rate = (most.drained - other.drained) / (most.per_rate - other.per_rate);
        both.bucket = (most.drained - both.rate * most.per_rate) / most.per_byte;
        if (both.bucket > 0) rates.push_back(both);
    }
    if (depths.empty())
        for (const double factor : kBeyond) depths.push_back(largest * factor);
    std::sort(depths.begin(), depths.end());
    std::vector<BurstParameters> places;
    for (std::size_t i = 0; i < depths.size(); i += (depths.size() + kMostDepths - 1) / kMostDepths)
        for (const Rate& rate : rates) {
            places.push_back({depths[i], rate.rate});
            places.back().bucket = rate.bucket;
        }
    return places;
}

}  // namespace watershed
