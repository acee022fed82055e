// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "calibrate/closed-form/feasible-region.h"
#include "calibrate/posterior/noise-law.h"

/// Posterior of depth and service rate on a grid that finds its own place: deterministic, and any likelihood will do.
namespace watershed {

/// One (depth, rate) of a distribution.
struct SupportPoint {
    double depth = 0;
    double rate = 0;
    double weight = 0;
    double value = 0;  ///< of the model's feature, where it has one
};

/// What is integrated over beside depth and rate.
struct Nuisance {
    double noise = 0;  ///< of ln(burst length) where `relative`, else of the number of frames lost
    bool relative = true;
    double background = 0;  ///< probability of a loss without congestion
    double dispersion = 0;  ///< of repeats: 0 is binomial
    double log_prior = 0;
    NoiseLaw law() const { return NoiseLaw::of(noise, relative); }
};

/// Those that a posterior found to weigh more than next to nothing.
std::vector<Nuisance> likely(const std::vector<Nuisance>& nuisances, const std::vector<double>& weights);

/// Weights of all nuisances from those of some, in the same order; the others weigh nothing.
std::vector<double> weights_of_all(const std::vector<Nuisance>& all, const std::vector<Nuisance>& some,
                                   const std::vector<double>& weights);

class Likelihood {
  public:
    virtual ~Likelihood() = default;
    /// Adds log likelihoods to `sums`, one for each of the nuisances that were given.
    virtual void add(double depth, double rate, std::vector<double>& sums) const = 0;
    virtual const std::vector<Nuisance>& nuisances() const = 0;
    /// Logarithm of a prior beside that of `grid_posterior`, to any factor that does not change with depth and rate.
    virtual double log_prior(double /*depth*/, double /*rate*/) const { return 0; }
};

struct GridPosterior {
    std::vector<SupportPoint> points;      ///< weights sum to 1
    std::vector<double> nuisance_weights;  ///< the same, of the likelihood's nuisances
    double log_evidence = 0;
};

/// Points along each axis while the place is sought, and in the end.
struct GridSteps {
    int seek = 8;
    int last = 25;
};

/// Depth is taken as equally likely per factor within the box, the rate as equally likely per bit/s.
/// @param depth, rate   where to begin, inside the box
/// @param depth_scale, rate_scale  rough relative widths to begin with
GridPosterior grid_posterior(const Likelihood& likelihood, const SearchBox& box, double depth, double rate,
                             double depth_scale, double rate_scale, GridSteps steps = {});

/// Standard deviations of depth and rate, relative to their means.
struct RelativeWidths {
    double depth = 0;
    double rate = 0;
};
RelativeWidths widths_of(const std::vector<SupportPoint>& points);

/// Pearson's, of depth and rate.
double correlation_of(const std::vector<SupportPoint>& points);

}  // namespace watershed
