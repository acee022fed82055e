// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <boost/container/flat_map.hpp>

#include "calibrate/posterior/annealed-sampler.h"
#include "calibrate/posterior/parameter-prior.h"

namespace watershed {

// Likelihood modes of a map, and proposal densities for its posterior.

/// Cause of scatter about a mode.
enum class Scatter { Frames, Length, Traffic, Further };

/// Likelihood mode for one cause of scatter; noise and loss are approximate.
struct LikelihoodMode {
    Scatter scatter = Scatter::Length;
    std::size_t law = 0;  ///< index of the nuisance model, if one is searched
    BurstParameters at;
    double log_likelihood = -HUGE_VAL;  ///< including the prior of the rate and of a nuisance model
    double feature = 0;                 ///< quantile of the feature
};

/// Searches one mode per cause of scatter that the map may identify. A feature is searched with one cause and without
/// nuisance models.
/// @param hints  likely depths and rates
std::vector<LikelihoodMode> find_likelihood_modes(const BurstLikelihood& law, const ParameterPrior& prior,
                                                  const QueueModel& model,
                                                  const std::vector<BurstParameters>& hints = {});

/// Returns the nuisance models that explain as much as all else. Without a trend in time the order of rows then changes
/// no number.
std::vector<std::size_t> identifiable_laws(const std::vector<LikelihoodMode>& places);

/// Returns depths and rates with which two bursts lose exactly what they lost, for some pairs and some fractions of
/// random loss.
std::vector<BurstParameters> exact_pairs(const BurstLikelihood& law, const QueueModel& model);

/// Returns depths and rates from peaks alone: rates of lossless bursts with depths of lossy ones, or with depths beyond
/// the largest peak.
std::vector<BurstParameters> places_of_peaks(const QueueModel& model, const std::vector<Burst>& bursts);

/// Initial proposal: depth and rate around the likelihood modes with heavy tails, as wide as the noise of a point makes
/// their posterior, or with small probability anywhere; other parameters from the prior.
class InitialProposal {
  public:
    /// @param places  modes; those of nuisance models that the prior does not have are ignored
    InitialProposal(const BurstLikelihood& law, const ParameterPrior& prior, const QueueModel& model,
                    const std::vector<LikelihoodMode>& places);

    /// Mode of the largest likelihood; noise and loss are approximate.
    const BurstParameters& likeliest() const { return best().at; }
    double log_likelihood() const { return best().log_likelihood; }

    Point draw(RandomBits& random) const;
    /// @param parameters  parameters of the point
    double log_density(const Point& point, const BurstParameters& parameters) const;

  private:
    /// Lower triangle of the scale matrix of depth and rate.
    struct Scale {
        double a = 0, b = 0, c = 0;
        double log_determinant = 0;
    };
    /// Mode with the width of the posterior for each level of scatter.
    struct Centre : LikelihoodMode {
        double depth_or_rate = 0, rate = 0;  ///< logarithms; depth of what a burst fills
        std::vector<Scale> scales;
    };
    /// Coordinate near a known value: truncated Cauchy, or with small probability uniform.
    struct Near {
        std::size_t coordinate = 0;
        double at = 0, width = 0;
        double draw(RandomBits& random) const;
        double log_density(double share) const;
    };
    Scale scale_at(const BurstLikelihood& law, const QueueModel& model, const BurstParameters& parameters) const;
    const Centre& centre_of(const BurstParameters& parameters) const;
    const Scale& scale_of(const Centre& centre, const BurstParameters& parameters) const;
    const Centre& best() const;
    Centre centre_at(const LikelihoodMode& place, const QueueModel& model) const;
    void stay_near_the_likeliest();
    void stay_near_the_feature();
    template <class Off>
    double width_of(const Off& off) const;

    const BurstLikelihood& law_;
    const ParameterPrior& prior_;
    std::vector<Centre> centres_;  ///< one if losses are not counted or a feature is searched
    std::vector<Near> near_;
};

/// Adaptive proposal from posterior samples: the sets of causes as often as in the samples; for each set Student's t
/// with the covariance of samples with equal causes apart from constants. Depths far from most others have a shape of
/// their own.
class AdaptiveProposal {
  public:
    /// @param samples  may be empty
    AdaptiveProposal(const ParameterPrior& prior, const std::vector<Point>& samples);
    bool empty() const { return shapes_.empty(); }
    /// @pre not empty()
    Point draw(RandomBits& random) const;
    double log_density(const Point& point) const;

  private:
    /// Points in equal components of their priors.
    struct Shape {
        double samples = 0;
        std::vector<std::size_t> order;  ///< coordinates, those of single values first
        std::size_t known = 0;           ///< number of coordinates of single values
        std::vector<ParameterPrior::MixtureComponent> parts;
        std::vector<double> mean, lower, z;  ///< in this order: mean, Cholesky factor, deviates of single values
        double log_constant = 0;
    };
    /// Finds gaps in the depths, downwards and upwards from the median.
    void part_depths(const std::vector<Point>& samples);
    char side(const Point& point) const {
        return point[0] < lowest_ ? kSides[0] : point[0] > highest_ ? kSides[2] : kSides[1];
    }
    std::string components_of(const Point& point, std::size_t coordinates) const;
    ParameterPrior::MixtureComponent part(std::size_t coordinate, double at) const {
        return coordinate < prior_.leading() ? ParameterPrior::MixtureComponent{} : prior_.part(coordinate, at);
    }
    /// Returns the coordinate; a quantile as log odds within its component.
    double straightened(std::size_t coordinate, double at) const;
    /// @param mean, covariance  of samples with equal causes
    /// @param at                a sample of this shape
    Shape shape_of(const std::vector<double>& mean, const std::vector<double>& covariance, const Point& at) const;

    double log_density(const Shape& shape, const Point& point) const;

    const ParameterPrior& prior_;
    boost::container::flat_map<std::string, Shape> shapes_;  ///< by side and components
    std::vector<double> until_;                              ///< cumulative numbers of samples
    static constexpr char kSides[] = "<=>";
    double lowest_ = -HUGE_VAL, highest_ = HUGE_VAL;
};

}  // namespace watershed
