// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/balance-prior.h"

#include <algorithm>
#include <cmath>

namespace watershed {
namespace {

/// Descriptors for less than the smallest frame are wasted; those for more than the largest usual frame waste memory,
/// and are rare.
constexpr double kSmallest = 64, kUsual = 1536, kLargest = 16'384, kUsually = 0.8;
const double kUsualRange = std::log(kUsual / kSmallest), kLargeRange = std::log(kLargest / kUsual);

}  // namespace

double BalancePrior::density(double bytes) {
    if (bytes < kSmallest || bytes > kLargest) return 0;
    return bytes < kUsual ? kUsually / kUsualRange : (1 - kUsually) / kLargeRange;
}

double BalancePrior::below(double bytes) {
    const double usual = std::log(std::clamp(bytes, kSmallest, kUsual) / kSmallest) / kUsualRange;
    const double large = std::log(std::clamp(bytes, kUsual, kLargest) / kUsual) / kLargeRange;
    return kUsually * usual + (1 - kUsually) * large;
}

}  // namespace watershed
