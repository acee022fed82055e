// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "calibrate/closed-form/queue-model.h"

namespace watershed {

/// Log odds that a memory has one feature more.
double log_odds_of_feature();

/// The features that these bursts could show in a memory of this kind, were they there. Descriptors need two payloads,
/// a resume level needs numbers of lost frames, a dynamic threshold bursts towards different numbers of uplinks, uneven
/// uplinks more than one of them.
std::vector<Feature> visible_features(const QueueModel& plain, const std::vector<Burst>& bursts);

/// What is held possible of a feature's value before the first burst, and how a point of the sampler stands for it: by
/// a number between 0 and 1, equal parts of which are as likely.
class FeaturePrior {
  public:
    /// @param bursts  one at least
    FeaturePrior(const QueueModel& model, const std::vector<Burst>& bursts);

    /// @param depth  of the memory: what is likely of descriptors is the memory for each of them
    double value(double share, double depth) const;
    double unrounded(double share, double depth) const;
    double share(double value, double depth) const;

    /// About what a frame more or less in a queue is of the value, in a memory of so many frames; 0 where it does not
    /// change what a queue holds.
    double step(double value, double frames) const;
    /// Logarithm of the share that a unit of the value is, but for a factor.
    double log_slope(double value) const;

    /// The part of its depth that a memory with this value holds of most lossy bursts. The depth of a point is what
    /// such a burst fills: under a dynamic threshold a map tells that better than the whole memory.
    double part_filled(double share) const;

  private:
    Feature feature_ = Feature::None;
    double low_ = 0, high_ = 1;  ///< of the value, or of its logarithm
    double unit_ = 1;            ///< bytes of a unit of depth
    double uplinks_ = 1;         ///< that most lossy bursts congest
};

}  // namespace watershed
