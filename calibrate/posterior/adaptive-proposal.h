// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <boost/container/flat_map.hpp>

#include "calibrate/posterior/annealed-sampler.h"
#include "calibrate/posterior/parameter-prior.h"

namespace watershed {

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
