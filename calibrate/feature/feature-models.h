// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "calibrate/feature/feature-question.h"
#include "calibrate/feature/feature-scale.h"

namespace watershed {

/// Where a model may be: depth in its own unit, bit/s of one uplink.
struct Place {
    double depth = 0;
    double rate = 0;
};

/// The memories that a question is about, one for each value of its feature, and the bursts that a search among them
/// looks at.
class FeatureModels {
  public:
    explicit FeatureModels(const FeatureQuestion& question);

    const FeatureQuestion& question() const { return question_; }
    const FeatureScale& scale() const { return scale_; }
    /// Some of the bursts: fewer where each is counted in several orders of asking, more where they are but lossy or
    /// lossless.
    const std::vector<Burst>& sample() const { return sample_; }

    /// @param value of the feature itself, not on its scale
    QueueModel with(double value, AskingOrder order) const;

    /// Where a model with the feature is, when the plain memory would be at `plain`. The same place, but for a dynamic
    /// threshold whose depth is not known: its depth is the one with which it leaves most lossy bursts what the plain
    /// memory leaves them, so that alpha alone decides on the others.
    Place place(const QueueModel& model, Place plain) const;

    /// Standard deviation, in frames, of the sample's numbers of lost frames about a model there, from their median:
    /// some bursts that nothing explains do not raise it. At least that of a number rounded down, 1/sqrt(12). What the
    /// closed form leaves open is not scatter.
    double scatter_at(const QueueModel& model, const Place& place) const;

  private:
    FeatureQuestion question_;
    std::vector<Burst> sample_;
    Burst typical_;  ///< one of those that congest as many uplinks as most lossy bursts do
    FeatureScale scale_;
};

}  // namespace watershed
