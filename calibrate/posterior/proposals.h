// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <boost/container/flat_map.hpp>

#include "calibrate/posterior/annealed-sampler.h"
#include "calibrate/posterior/parameter-prior.h"

namespace watershed {

// Likelihood modes of a map, and proposal densities for its posterior.

/// Cause of scatter that the search of a mode assumes: noise of the overflow in frames, noise of ln(burst length),
/// cross-traffic, or a nuisance model.
enum class Scatter { Frames, Length, Traffic, Nuisance };

/// Mode of the likelihood for one cause of scatter. Its noise and loss are approximate.
struct LikelihoodMode {
    Scatter scatter = Scatter::Length;
    std::size_t nuisance = 0;  ///< index of the nuisance model, if one is searched
    BurstParameters at;
    double log_likelihood = -HUGE_VAL;  ///< including the prior of the rate and of a nuisance model
    double feature = 0;                 ///< prior quantile of the feature's value
};

/// Searches one mode per cause of scatter that the map may identify. A feature is searched with one cause and without
/// nuisance models.
/// @param hints  likely depths and rates
std::vector<LikelihoodMode> find_likelihood_modes(const BurstLikelihood& likelihood, const ParameterPrior& prior,
                                                  const QueueModel& model,
                                                  const std::vector<BurstParameters>& hints = {});

/// Returns the nuisance models whose mode is at least as likely as every mode without a nuisance model. Others are not
/// used: if a map has no trend in time, the order of its rows changes no result.
std::vector<std::size_t> identifiable_nuisances(const std::vector<LikelihoodMode>& modes);

/// Returns depths and rates with which two bursts lose exactly what they lost, for some pairs and some fractions of
/// random loss.
std::vector<BurstParameters> starts_from_pairs(const BurstLikelihood& likelihood, const QueueModel& model);

/// Returns depths, rates and token buckets with which three bursts lose exactly what they lost, for some triples; none
/// where the bursts cannot tell a bucket from depth.
std::vector<BurstParameters> starts_from_triples(const BurstLikelihood& likelihood, const QueueModel& model);

/// Returns depths and rates from peaks alone: rates of lossless bursts with depths of lossy ones, or with depths beyond
/// the largest peak.
std::vector<BurstParameters> starts_from_peaks(const QueueModel& model, const std::vector<Burst>& bursts);

/// Initial proposal density. Depth and rate follow Student's t about the likelihood modes, as wide as their posterior
/// with the noise of a point, or with small probability the prior. Other parameters follow the prior.
class InitialProposal {
  public:
    /// @param modes  modes of nuisance models that the prior lacks are ignored
    InitialProposal(const BurstLikelihood& likelihood, const ParameterPrior& prior, const QueueModel& model,
                    const std::vector<LikelihoodMode>& modes);

    /// Returns the mode of the largest likelihood; noise and loss are approximate.
    const BurstParameters& likeliest() const { return best().at; }
    double log_likelihood() const { return best().log_likelihood; }

    Point draw(RandomBits& random) const;
    /// Returns the normalised log density. @param parameters  parameters of the point
    double log_density(const Point& point, const BurstParameters& parameters) const;

  private:
    /// Lower triangle of the scale matrix of depth and rate.
    struct Scale {
        double a = 0, b = 0, c = 0;
        double log_determinant = 0;
    };
    /// Mode with the width of the posterior for several levels of scatter.
    struct Centre : LikelihoodMode {
        double depth_or_rate = 0, rate = 0;  ///< first leading coordinate; ln(rate)
        std::vector<Scale> scales;           ///< by ascending scatter
    };
    /// Density of a coordinate near likely values: truncated Cauchy or, with small probability, uniform.
    struct Near {
        std::size_t coordinate = 0;
        double at = 0, width = 0;
        std::vector<double> others{};  ///< further likely values, of equal width
        double draw(RandomBits& random) const;
        double log_density(double share) const;
    };
    Scale scale_at(const BurstLikelihood& likelihood, const QueueModel& model, const BurstParameters& parameters) const;
    const Centre& centre_of(const BurstParameters& parameters) const;
    const Scale& scale_of(const Centre& centre, const BurstParameters& parameters) const;
    const Centre& best() const;
    Centre centre_at(const LikelihoodMode& mode, const QueueModel& model) const;
    void stay_near_the_likeliest();
    void stay_near_the_feature();
    /// Returns the shares at which the likelihood of a feature's value has a peak about as high as the best mode, all
    /// else equal: a resume level loses whole events, so that levels far apart may explain the same numbers.
    std::vector<double> as_likely(const std::function<BurstParameters(double)>& with_share) const;
    template <class Off>
    double width_of(const Off& off) const;

    const BurstLikelihood& likelihood_;
    const ParameterPrior& prior_;
    std::vector<Centre> centres_;  ///< modes; a single one if losses are not counted or the model has a feature
    std::vector<Near> near_;
};

/// Adaptive proposal density from posterior samples. Samples whose coordinates lie in the same components of their
/// mixture priors form a set; the proposal draws each set as often as the samples have it. Within a set it draws
/// Student's t with the covariance of samples that agree in all components but those of LeavesAtOnce and the constants.
/// Depths far from most others form sets of their own.
class AdaptiveProposal {
  public:
    /// @param samples  may be empty
    AdaptiveProposal(const ParameterPrior& prior, const std::vector<Point>& samples);
    bool empty() const { return shapes_.empty(); }
    /// @pre not empty()
    Point draw(RandomBits& random) const;
    double log_density(const Point& point) const;

  private:
    /// Density of one set: the points in the same components of their priors.
    struct Shape {
        double samples = 0;                                        ///< number of samples
        std::vector<std::size_t> order;                            ///< coordinates, atoms first
        std::size_t known = 0;                                     ///< number of coordinates that are atoms
        std::vector<ParameterPrior::MixtureComponent> components;  ///< component of each coordinate
        std::vector<double> mean, lower, z;  ///< mean, Cholesky factor and deviates of atoms, by `order`
        double log_constant = 0;
    };
    /// Sets `lowest_` and `highest_` at the first wide gaps of the depths below and above their median.
    void part_depths(const std::vector<Point>& samples);
    char side(const Point& point) const {
        return point[0] < lowest_ ? kSides[0] : point[0] > highest_ ? kSides[2] : kSides[1];
    }
    /// Returns a text that is equal for points of one set. @param coordinates  number of coordinates that count
    std::string components_of(const Point& point, std::size_t coordinates) const;
    ParameterPrior::MixtureComponent component_of(std::size_t coordinate, double at) const {
        return coordinate < prior_.leading() ? ParameterPrior::MixtureComponent{} : prior_.component_of(coordinate, at);
    }
    /// Returns a leading coordinate as it is, any other one as log odds of its quantile within the component.
    double straightened(std::size_t coordinate, double at) const;
    /// @param mean, covariance  moments of samples with equal components
    /// @param at                a sample of this shape
    Shape shape_of(const std::vector<double>& mean, const std::vector<double>& covariance, const Point& at) const;

    double log_density(const Shape& shape, const Point& point) const;

    const ParameterPrior& prior_;
    boost::container::flat_map<std::string, Shape> shapes_;  ///< by side and components
    std::vector<double> until_;                              ///< cumulative numbers of samples
    static constexpr char kSides[] = "<=>";                  ///< depth below, within or above the range of most depths
    double lowest_ = -HUGE_VAL, highest_ = HUGE_VAL;         ///< range of most depths, as first coordinate of a point
};

}  // namespace watershed
