// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/rough-likelihood.h"

#include <algorithm>
#include <cmath>

#include "calibrate/posterior/log-products.h"

namespace watershed {

RoughLikelihood::RoughLikelihood(const QueueModel& model, const std::vector<Burst>& bursts, bool counts)
    : model_(model), bursts_(bursts), counts_(counts) {
    // Frames from a half to 2000, or 0.2 % to 13 % of those that were sent; lengths from 0.2 % to 13 %.
    for (double frames = 0.5; counts && frames < 4000; frames *= 4) nuisances_.push_back({frames, false, 0, 0, 0});
    for (double share = 0.002; share < 0.2; share *= counts ? 4 : 2) nuisances_.push_back({share, true, 0, 0, 0});
}

void RoughLikelihood::add(double depth, double rate, std::vector<double>& sums) const {
    constexpr double kStray = 0.001;  // share of bursts that are not what their row says
    Products products(sums);
    for (const Burst& burst : bursts_) {
        double beyond;
        if (counts_) {
            beyond = overflow(model_, burst, depth, rate);
        } else {
            const double threshold = threshold_events(model_, burst, depth, rate);
            beyond = std::isinf(threshold) ? -HUGE_VAL : std::log(static_cast<double>(burst.events) / threshold);
        }
        const bool number = counts_ && burst.lossy && burst.counted;
        const double unknown = number ? count_uncertainty(model_, burst, depth, rate) : 0;
        for (std::size_t i = 0; i < nuisances_.size(); ++i) {
            const double noise = counts_ && nuisances_[i].relative
                                     ? nuisances_[i].noise * static_cast<double>(burst.fragments())
                                     : nuisances_[i].noise;
            const double width = unknown > 0 ? std::hypot(noise, unknown) : noise;
            if (number) {
                const double off = (beyond - static_cast<double>(burst.lost)) / width;
                products.multiply(i, 1 / (width * (1 + off * off)));
            } else {
                const double lossy = 0.5 + std::atan(beyond / width) / M_PI;
                products.multiply(i, std::max(kStray, burst.lossy ? lossy : 1 - lossy));
            }
        }
    }
    products.finish();
}

}  // namespace watershed
