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
    /// Draws constants anew, as the other coordinates lead to expect them. @return log of their density before, less
    /// after
    double redraw_constants(const Point& before, Point& point, RandomBits& random) const;
    /// @param parameters what the point stands for
    double log_density(const Point& point, const BurstParameters& parameters) const;

  private:
    /// Of depth and rate, by what noise there is: the lower triangle of the scale matrix, [0] of depth or else of rate.
    struct Scale {
        double a = 0, b = 0, c = 0;
        double log_determinant = 0;
    };
    /// What a mix of bursts overflows more than the closed form says, if there are bursts that tell it.
    struct Constant {
        double frames = 0;
        double drain = 0;  ///< frames that the uplinks drain more where their rate is higher by 1 bit/s
        bool told = false;
    };
    /// A likely place, and about how wide the posterior is for each size of its scatter.
    struct Centre : LikelyPlace {
        double depth_or_rate = 0, rate = 0;  ///< logarithms; the depth is what a burst fills
        std::vector<Scale> scales;
        std::vector<Constant> constants;  ///< by mix
    };
    /// A coordinate that lies about a number of its own: Cauchy's distribution, cut to where the coordinate lies, or
    /// now and then anywhere.
    struct Near {
        std::size_t coordinate = 0;
        double at = 0, width = 0;
        double none = 0;  ///< below this it stands for nothing, which is likely, too
        double draw(RandomBits& random) const;
        double log_density(double share) const;
    };
    Scale scale_at(const BurstLaw& law, const QueueModel& model, const BurstParameters& parameters) const;
    const Centre& centre_of(const BurstParameters& parameters) const;
    const Scale& scale_of(const Centre& centre, const BurstParameters& parameters) const;
    const Centre& best() const;
    Centre centre_at(const LikelyPlace& place, const QueueModel& model) const;
    /// Of the bursts of each mix, at the centre.
    std::vector<Constant> constants_at(const BurstParameters& parameters) const;
    /// What these are where depth, rate and what goes ahead of it are others.
    std::vector<Near> near_constants(const Centre& centre, const BurstParameters& parameters) const;
    Point with_constants(Point point, RandomBits& random) const;
    double log_density_of_constants(const Point& point) const;
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
