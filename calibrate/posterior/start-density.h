// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "calibrate/posterior/annealed-sampler.h"
#include "calibrate/posterior/parameter-prior.h"

namespace watershed {

/// Where the sampling of a posterior begins: depth and rate about the likeliest ones, as wide as the noise of each
/// point makes their posterior and with heavy tails, or now and then anywhere; all else as in the prior.
class StartDensity {
  public:
    /// @param hints  where depth and rate may be likely, among other places
    StartDensity(const BurstLaw& law, const ParameterPrior& prior, const QueueModel& model,
                 const std::vector<BurstParameters>& hints = {});

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
    /// What makes bursts scatter about a likely place.
    enum class Scatter { Frames, Length, Traffic, Further };
    /// A likely place with scatter of one kind, and about how wide the posterior is for each size of it.
    struct Centre {
        Scatter scatter = Scatter::Length;
        std::size_t law = 0;  ///< which of the further ones
        BurstParameters at;
        double log_likelihood = -HUGE_VAL;
        double depth_or_rate = 0, rate = 0;  ///< logarithms; the depth is what a burst fills
        double feature = 0;                  ///< the number between 0 and 1 that stands for it
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
    /// @param further  the law that is sought, if one is
    /// @tparam N  of what is sought: depth, rate, scatter, loss, one thing more, and the value of a feature
    template <std::size_t N>
    Centre seek(Scatter scatter, std::size_t further, const BurstLaw& law, const QueueModel& model,
                const std::vector<BurstParameters>& places) const;
    void stay_near_the_likeliest();
    /// The depth that the largest frames tell, and how many of the smallest it holds, if the rate is right.
    std::pair<double, double> memory_and_descriptors(BurstParameters parameters, const BurstLaw& law) const;
    /// So that numbers of lost frames come out too large as often as too small.
    void centre_depth(BurstParameters& parameters, const BurstLaw& law) const;
    void stay_near_the_feature();
    template <class Off>
    double width_of(const Off& off) const;

    const BurstLaw& law_;
    const ParameterPrior& prior_;
    std::vector<Centre> centres_;  ///< without frames that are counted only one of the length
    std::vector<Near> near_;
};

/// Depth and rate with which two bursts lose exactly what they lost, for some pairs, and for some shares that may be
/// lost at random.
std::vector<BurstParameters> exact_pairs(const BurstLaw& law, const QueueModel& model);

}  // namespace watershed
