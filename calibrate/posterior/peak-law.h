// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "calibrate/closed-form/queue-model.h"
#include "calibrate/posterior/burst-parameters.h"

/// How likely the most that was in use is, as a counter of the switch tells it. Of a burst that lost nothing it is what
/// the burst sent less what the uplinks drained meanwhile: it tells the service rate, and of several payloads what a
/// frame costs the memory, but of the depth only that it is no less. Of a burst that lost frames it is the depth, to a
/// frame.
namespace watershed {

class PeakLaw {
  public:
    PeakLaw() = default;
    PeakLaw(const QueueModel& model, const Burst& burst);

    bool read() const { return cost_ > 0; }
    /// Density, per unit of the counter, for a burst that lost nothing and needed room for `needed` frames.
    /// @param sigma  standard deviation of that @param room  frames that the whole switch holds
    double lossless(double needed, double sigma, double room) const;
    /// The same for a burst that lost frames.
    double lossy(double room) const;
    /// The same for one whose outcome has nothing to do with the switch.
    double stray() const;

    /// Frames that were in use, about.
    double frames() const { return amount_ / cost_; }
    /// Variance of that by what the counter cannot resolve.
    double variance() const { return (resolution_ * resolution_ / (cost_ * cost_)) / 3; }

  private:
    double amount_ = 0, resolution_ = 0;
    double cost_ = 0;       ///< units of the counter that a frame takes
    double open_ = 0;       ///< frames that a full memory may hold less at most
    double fragments_ = 0;  ///< of the burst
};

/// Depth and rate where the peaks alone say what they are: rates of single lossless bursts with depths of lossy ones,
/// or with some beyond the largest peak.
std::vector<BurstParameters> places_of_peaks(const QueueModel& model, const std::vector<Burst>& bursts);

}  // namespace watershed
