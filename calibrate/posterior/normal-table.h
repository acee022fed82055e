// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "calibrate/posterior/statistics.h"

namespace watershed {

/// The normal distribution function, to 1e-7 of itself or 1e-10: a table is ten times as fast, and of bursts far from
/// what is expected strays decide.
class NormalTable {
  public:
    NormalTable() {
        for (int i = 0; i <= kSteps + 1; ++i) {
            const double at = kFar * (2.0 * i / kSteps - 1);
            below_.push_back(watershed::below(at));
            density_.push_back(std::exp(-at * at / 2) / std::sqrt(2 * M_PI) * kStep);
        }
    }
    double below(double sigmas) const {
        if (sigmas <= -kFar) return 0;
        if (sigmas >= kFar) return 1;
        const double at = (sigmas / kFar + 1) * (kSteps / 2), whole = std::floor(at), part = at - whole;
        const auto i = static_cast<std::size_t>(whole);
        // Cubic between two points of which the slopes are known (Hermite).
        const double rise = below_[i + 1] - below_[i], a = density_[i] - rise, b = rise - density_[i + 1];
        return below_[i] + part * rise + part * (1 - part) * ((1 - part) * a + part * b);
    }

  private:
    static constexpr double kFar = 8;
    static constexpr int kSteps = 1600;
    static constexpr double kStep = 2 * kFar / kSteps;
    std::vector<double> below_, density_;
};
inline const NormalTable kNormalTable;

/// Probability that a standard normal variable lies below, by the table.
inline double normal_below(double sigmas) { return kNormalTable.below(sigmas); }

/// The same between two limits, precise in both tails.
inline double normal_between(double low, double high) {
    return low > 0 ? normal_below(-low) - normal_below(-high) : normal_below(high) - normal_below(low);
}

}  // namespace watershed
