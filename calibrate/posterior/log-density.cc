// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/log-density.h"

#include <cmath>

namespace watershed {

LogDensity::LogDensity(double low, double high, const std::vector<double>& densities) : low_(low), high_(high) {
    const double step = (high - low) / kSteps;
    double total = 0;
    for (std::size_t i = 0; i < densities.size(); ++i) {
        logs_.push_back(std::log(densities[i]));
        shares_.push_back(i == 0 ? 0 : total += (densities[i - 1] + densities[i]) / 2);
    }
    for (double& share : shares_) share /= total;
    for (double& log : logs_) log -= std::log(total * step);
}

LogDensity::LogDensity(const ChosenPrior& prior) {
    const KnownRange range = prior.log_range();
    std::vector<double> densities;
    for (int i = 0; i <= kSteps; ++i)
        densities.push_back(std::exp(prior.log_density(range.low + (range.high - range.low) * i / kSteps)));
    *this = {range.low, range.high, densities};
}

double LogDensity::quantile(double share) const {
    const auto above =
        std::clamp<std::ptrdiff_t>(std::lower_bound(shares_.begin(), shares_.end(), share) - shares_.begin(), 1,
                                   std::ptrdiff_t(shares_.size()) - 1);
    const double before = shares_[std::size_t(above) - 1], after = shares_[std::size_t(above)];
    const double at = double(above - 1) + (after > before ? (share - before) / (after - before) : 0);
    return low_ + (high_ - low_) * at / kSteps;
}

}  // namespace watershed
