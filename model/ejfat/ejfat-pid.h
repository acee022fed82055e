// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <deque>

#include "model/ejfat/ejfat.h"

namespace watershed {

/// The controller in a node, as E2SAR has it: with e the set point less the share of the queue that is full,
///     u = kp e + ki sum(e dt) + kd (e - e') / (t - t'),
/// where the sum runs over the last `samples` reports, dt is the time since the report before each, and e' at t' is the
/// oldest of them.
class EjfatPid {
  public:
    explicit EjfatPid(const EjfatControl& options);

    /// @param fill  share of the queue that is full, at `now`
    /// @return what is to be added to the node's weight
    double step(double fill, Time now);

  private:
    struct Sample {
        double seconds;
        double error;
        double integral;  ///< error times the time since the sample before
    };

    double set_point_, kp_, ki_, kd_;
    std::size_t samples_;
    std::deque<Sample> last_;
};

}  // namespace watershed
