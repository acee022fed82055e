// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <utility>
#include <vector>

#include "calibrate/annealed-sampler.h"
#include "calibrate/hidden-prior.h"

namespace watershed {

/// Where the sampling of a posterior begins: depth and rate about the likeliest ones, as wide as the noise of each point makes their posterior and with
/// heavy tails, or now and then anywhere; all else as in the prior.
class StartDensity {
  public:
    StartDensity(const BurstLaw& law, const HiddenPrior& prior, const QueueModel& model);

    /// As far as a search found; of noise and loss it knows roughly.
    const Hidden& likeliest() const { return likeliest_; }
    double log_likelihood() const { return log_likelihood_; }

    Point draw(RandomBits& random) const;
    /// @param hidden what the point stands for
    double log_density(const Point& point, const Hidden& hidden) const;

  private:
    /// Of depth and rate, by what noise there is: the lower triangle of the scale matrix, [0] of depth or else of rate.
    struct Scale {
        double a = 0, b = 0, c = 0;
        double log_determinant = 0;
    };
    Scale scale_at(const BurstLaw& law, const QueueModel& model, const Hidden& hidden) const;
    const Scale& scale_of(const Hidden& hidden) const;
    static std::vector<Hidden> pairs(const BurstLaw& law, const QueueModel& model);
    void seek(const BurstLaw& law, const QueueModel& model);

    const BurstLaw& law_;
    const HiddenPrior& prior_;
    Hidden likeliest_;
    double log_likelihood_ = 0;
    double centre_[2]{};
    double loss_ = 0, loss_width_ = 0;   ///< about where in its coordinate the loss lies, if there is any
    std::vector<Scale> by_frames_, by_length_;
};

}  // namespace watershed
