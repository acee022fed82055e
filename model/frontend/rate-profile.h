// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "model/frontend/senders.h"

namespace watershed {

/// A trigger rate that changes with time, linear between its rows, as the number of triggers to be expected until a
/// time. Its inverse turns evenly spaced numbers into regular triggers, and sums of exponential waits into those of a
/// Poisson process of that rate (Cinlar's inversion).
class RateProfile {
  public:
    /// @throws std::invalid_argument unless there are two rows or more, in ascending order and the first at 0
    explicit RateProfile(const std::vector<RatePoint>& rows);

    /// Triggers expected before this time; no more come after the last row.
    double expected(Time time) const;
    /// When so many are expected for the first time, to the picosecond; nothing if that is never.
    std::optional<Time> when(double triggers) const;
    Time end() const { return end_; }

  private:
    struct Piece {
        Time begin;
        double before;  ///< triggers expected until then
        double rate;    ///< per second, at its beginning
        double slope;   ///< per second, each second
    };

    std::vector<Piece> pieces_;
    double all_ = 0;
    Time end_{0};
};

}  // namespace watershed
