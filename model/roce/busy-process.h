// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cmath>

#include "model/base/quantities.h"
#include "model/base/random.h"

namespace watershed {

/// A consumer that is busy at times: exponential times of both kinds, the process in equilibrium from the beginning.
class BusyProcess {
  public:
    /// @param fraction of the time, 0 to below 1
    BusyProcess(Ratio fraction, Time mean, std::uint64_t seed, int consumer)
        : seed_(seed),
          consumer_(static_cast<std::uint64_t>(consumer)),
          busy_mean_(static_cast<double>(mean.count())),
          idle_mean_(fraction.numerator == 0
                         ? 0
                         : busy_mean_ * static_cast<double>(fraction.denominator - fraction.numerator) /
                               static_cast<double>(fraction.numerator)),
          changes_(fraction.numerator > 0),
          busy_(changes_ && uniform_up_to(bits(), fraction.denominator - 1) < fraction.numerator) {}

    bool is_busy() const { return busy_; }
    /// It is busy at times at all.
    bool changes() const { return changes_; }
    /// How long it stays as it is; at least a picosecond. Call it once, then change().
    Time stay() { return Time{1 + std::llround(-std::log(uniform()) * (busy_ ? busy_mean_ : idle_mean_))}; }
    void change() { busy_ = !busy_; }

  private:
    std::uint64_t bits() { return random_bits(seed_, Stream::DistributionBusy, consumer_, drawn_++); }
    /// In (0, 1].
    double uniform() { return static_cast<double>((bits() >> 11) + 1) * 0x1p-53; }

    std::uint64_t seed_, consumer_, drawn_ = 0;
    double busy_mean_, idle_mean_;
    bool changes_, busy_;
};

}  // namespace watershed
