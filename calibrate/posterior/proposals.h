// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <boost/container/flat_map.hpp>

#include "calibrate/posterior/annealed-sampler.h"
#include "calibrate/posterior/parameter-prior.h"

namespace watershed {

// Where the likelihood of a map is large: what the sampling of a posterior begins with.

/// What makes bursts scatter about a likely place.
enum class Scatter { Frames, Length, Traffic, Further };

/// A likely place with scatter of one kind; of noise and loss it knows roughly.
struct LikelihoodMode {
    Scatter scatter = Scatter::Length;
    std::size_t law = 0;  ///< which of the further ones, where one of these is sought
    BurstParameters at;
    double log_likelihood = -HUGE_VAL;  ///< with what the rate and a further law cost
    double feature = 0;                 ///< the number between 0 and 1 that stands for it
};

/// One for each kind of scatter that the map may tell. A feature is sought with one kind of scatter, since either leads
/// to it, and without further laws.
/// @param hints  where depth and rate may be likely, among other places
std::vector<LikelihoodMode> find_likelihood_modes(const BurstLikelihood& law, const ParameterPrior& prior,
                                                  const QueueModel& model,
                                                  const std::vector<BurstParameters>& hints = {});

/// Of these places, the further laws that explain as much as all else. Without a trend in time, say, the
/// order of the rows then changes no number.
std::vector<std::size_t> identifiable_laws(const std::vector<LikelihoodMode>& places);

/// Depth and rate with which two bursts lose exactly what they lost, for some pairs, and for some shares that may be
/// lost at random.
std::vector<BurstParameters> exact_pairs(const BurstLikelihood& law, const QueueModel& model);

/// Depth and rate where the peaks alone say what they are: rates of single lossless bursts with depths of lossy ones,
/// or with some beyond the largest peak.
std::vector<BurstParameters> places_of_peaks(const QueueModel& model, const std::vector<Burst>& bursts);

/// Where the sampling of a posterior begins: depth and rate about the likeliest ones, as wide as the noise of each
/// point makes their posterior and with heavy tails, or now and then anywhere; all else as in the prior.
class InitialProposal {
  public:
    /// @param places  of laws that the prior does not have they are passed over
    InitialProposal(const BurstLikelihood& law, const ParameterPrior& prior, const QueueModel& model,
                    const std::vector<LikelihoodMode>& places);

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
    struct Centre : LikelihoodMode {
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
    std::vector<Centre> centres_;  ///< one where losses are not counted, or a feature is sought
    std::vector<Near> near_;
};

/// A density like that of samples of a posterior: which causes are there together as often as in these, and for each
/// such set all that is left open is Student's, with the correlations of samples that have the same causes but for
/// constants: how depth, rate and constants replace each other does not depend on which constants there are. Depths far
/// from most others have a shape of their own.
class AdaptiveProposal {
  public:
    /// @param samples  none for no density
    AdaptiveProposal(const ParameterPrior& prior, const std::vector<Point>& samples);
    bool empty() const { return shapes_.empty(); }
    /// There must be samples.
    Point draw(RandomBits& random) const;
    double log_density(const Point& point) const;

  private:
    /// Of points whose coordinates lie in the same parts of their priors.
    struct Shape {
        double samples = 0;
        std::vector<std::size_t> order;  ///< of the coordinates: first those of which the parts say all
        std::size_t known = 0;           ///< how many these are
        std::vector<ParameterPrior::MixtureComponent> parts;
        std::vector<double> mean, lower, z;  ///< in this order; the triangle of the covariance; of what is known
        double log_constant = 0;
    };
    /// Depths between which and the others there is a gap, from most of them downwards and upwards.
    void part_depths(const std::vector<Point>& samples);
    char side(const Point& point) const {
        return point[0] < lowest_ ? kSides[0] : point[0] > highest_ ? kSides[2] : kSides[1];
    }
    std::string components_of(const Point& point, std::size_t coordinates) const;
    ParameterPrior::MixtureComponent part(std::size_t coordinate, double at) const {
        return coordinate < prior_.leading() ? ParameterPrior::MixtureComponent{} : prior_.part(coordinate, at);
    }
    /// The coordinate, beside depth and rate as log odds within its part; of a part that says all, which it is.
    double straightened(std::size_t coordinate, double at) const;
    /// @param mean, covariance  of samples with the same causes @param at  a sample of this shape
    Shape shape_of(const std::vector<double>& mean, const std::vector<double>& covariance, const Point& at) const;

    double log_density(const Shape& shape, const Point& point) const;

    const ParameterPrior& prior_;
    boost::container::flat_map<std::string, Shape> shapes_;  ///< by side and parts
    std::vector<double> until_;                              ///< samples of each and those before
    static constexpr char kSides[] = "<=>";
    double lowest_ = -HUGE_VAL, highest_ = HUGE_VAL;
};

}  // namespace watershed
