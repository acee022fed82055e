// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "calibrate/posterior/annealed-sampler.h"
#include "calibrate/posterior/start-search.h"

namespace watershed {

/// Where the sampling of a posterior begins: depth and rate about the likeliest ones, as wide as the noise of each
/// point makes their posterior and with heavy tails, or now and then anywhere; all else as in the prior.
class StartDensity {
  public:
    /// @param places  of laws that the prior does not have they are passed over
    StartDensity(const BurstLaw& law, const ParameterPrior& prior, const QueueModel& model,
                 const std::vector<LikelyPlace>& places);

    /// As far as a search found; of noise and loss it knows roughly.
    const BurstParameters& likeliest() const { return best().at; }
    double log_likelihood() const { return best().log_likelihood; }

    Point draw(RandomBits& random) const;
    /// @param parameters what the point stands for
    double log_density(const Point& point, const BurstParameters& parameters) const;

  private:
    /// Of depth and rate, by what noise there is: the lower triangle of the scale matrix, [0] of depth or else of rate.
    struct Scale {
        double a = 0, b = 0, c = 0;
        double log_determinant = 0;
    };
    /// A likely place, and about how wide the posterior is for each size of its scatter.
    struct Centre : LikelyPlace {
        double depth_or_rate = 0, rate = 0;  ///< logarithms; the depth is what a burst fills
        std::vector<Scale> scales;
    };
    /// A coordinate that lies about a number of its own: Cauchy's distribution, cut to where the coordinate lies, or
    /// now and then anywhere.
    struct Near {
        std::size_t coordinate = 0;
        double at = 0, width = 0;
        double draw(RandomBits& random) const;
        double log_density(double share) const;
    };
    Scale scale_at(const BurstLaw& law, const QueueModel& model, const BurstParameters& parameters) const;
    const Centre& centre_of(const BurstParameters& parameters) const;
    const Scale& scale_of(const Centre& centre, const BurstParameters& parameters) const;
    const Centre& best() const;
    Centre centre_at(const LikelyPlace& place, const QueueModel& model) const;
    void stay_near_the_likeliest();
    void stay_near_the_feature();
    template <class Off>
    double width_of(const Off& off) const;

    const BurstLaw& law_;
    const ParameterPrior& prior_;
    std::vector<Centre> centres_;  ///< one where losses are not counted, or a feature is sought
    std::vector<Near> near_;
};

}  // namespace watershed
