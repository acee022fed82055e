// SPDX-License-Identifier: GPL-2.0-only
#include "model/risk/borel-law.h"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace watershed {

BorelLaw::BorelLaw(double load) : load_(load), equal_{0} {
    if (!(load >= 0) || load >= 1) throw std::invalid_argument("a link that gets more than it can carry never pauses");
    constexpr std::size_t kMost = 1'000'000;  // reached only within a thousandth of the link's capacity
    constexpr double kNothing = 1e-300;
    do {
        const auto j = static_cast<double>(equal_.size());
        equal_.push_back(std::exp(log_equal(j)));
    } while (equal_.back() > kNothing && equal_.size() < kMost);
    // From the far end, so that only like-sized positive numbers are added.
    above_.resize(equal_.size());
    excess_.resize(equal_.size());
    for (std::size_t j = equal_.size() - 1; j-- > 0;) {
        above_[j] = above_[j + 1] + equal_[j + 1];
        excess_[j] = excess_[j + 1] + above_[j];
    }
}

double BorelLaw::log_equal(double j) const {
    if (load_ == 0) return j == 1 ? 0 : -std::numeric_limits<double>::infinity();
    return -load_ * j + (j - 1) * std::log(load_ * j) - std::lgamma(j + 1);
}

}  // namespace watershed
