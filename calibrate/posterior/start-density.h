// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "calibrate/posterior/annealed-sampler.h"
#include "calibrate/posterior/hidden-prior.h"

namespace watershed {

/// Where the sampling of a posterior begins: depth and rate about the likeliest ones, as wide as the noise of each point makes their posterior and with
/// heavy tails, or now and then anywhere; all else as in the prior.
class StartDensity {
  public:
    /// @param hints  where depth and rate may be likely, among other places
    StartDensity(const BurstLaw& law, const HiddenPrior& prior, const QueueModel& model, const std::vector<Hidden>& hints = {});

    /// As far as a search found; of noise and loss it knows roughly.
    const Hidden& likeliest() const { return best().at; }
    double log_likelihood() const { return best().log_likelihood; }

    Point draw(RandomBits& random) const;
    /// @param hidden what the point stands for
    double log_density(const Point& point, const Hidden& hidden) const;

  private:
    /// Of depth and rate, by what noise there is: the lower triangle of the scale matrix, [0] of depth or else of rate.
    struct Scale {
        double a = 0, b = 0, c = 0;
        double log_determinant = 0;
    };
    /// A likely place with noise of one kind, and about how wide the posterior is for each size of it.
    struct Centre {
        Hidden at;
        double log_likelihood = -HUGE_VAL;
        double depth_or_rate = 0, rate = 0;   ///< logarithms
        std::vector<Scale> scales;
    };
    Scale scale_at(const BurstLaw& law, const QueueModel& model, const Hidden& hidden) const;
    const Centre& centre_of(const Hidden& hidden) const { return hidden.noise_length > 0 || by_frames_.scales.empty() ? by_length_ : by_frames_; }
    const Scale& scale_of(const Centre& centre, const Hidden& hidden) const;
    const Centre& best() const { return by_length_.log_likelihood > by_frames_.log_likelihood ? by_length_ : by_frames_; }
    static std::vector<Hidden> pairs(const BurstLaw& law, const QueueModel& model);
    void seek(Centre& centre, bool by_length, const BurstLaw& law, const QueueModel& model, const std::vector<Hidden>& places) const;

    const BurstLaw& law_;
    const HiddenPrior& prior_;
    Centre by_frames_, by_length_;   ///< the first only where frames are counted
    double loss_ = 0, loss_width_ = 0;   ///< about where in its coordinate the loss lies, if there is any
};

}  // namespace watershed
