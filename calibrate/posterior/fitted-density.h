// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "calibrate/posterior/annealed-sampler.h"
#include "calibrate/posterior/parameter-prior.h"

namespace watershed {

/// A density like that of samples of a posterior: which causes are there together as often as in these, and for each
/// such set all that is left open is Student's, with the correlations of samples that have the same causes but for
/// constants: how depth, rate and constants replace each other does not depend on which constants there are. Depths far
/// from most others have a shape of their own.
class FittedDensity {
  public:
    /// @param samples  none for no density
    FittedDensity(const ParameterPrior& prior, const std::vector<Point>& samples);
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
        std::vector<ParameterPrior::Part> parts;
        std::vector<double> mean, lower, z;  ///< in this order; the triangle of the covariance; of what is known
        double log_constant = 0;
    };
    /// Depths between which and the others there is a gap, from most of them downwards and upwards.
    void part_depths(const std::vector<Point>& samples);
    char side(const Point& point) const {
        return point[0] < lowest_ ? kSides[0] : point[0] > highest_ ? kSides[2] : kSides[1];
    }
    std::string parts_of(const Point& point, std::size_t coordinates) const;
    ParameterPrior::Part part(std::size_t coordinate, double at) const {
        return coordinate < prior_.leading() ? ParameterPrior::Part{} : prior_.part(coordinate, at);
    }
    /// The coordinate, beside depth and rate as log odds within its part; of a part that says all, which it is.
    double straightened(std::size_t coordinate, double at) const;
    /// @param mean, covariance  of samples with the same causes @param at  a sample of this shape
    Shape shape_of(const std::vector<double>& mean, const std::vector<double>& covariance, const Point& at) const;

    double log_density(const Shape& shape, const Point& point) const;

    const ParameterPrior& prior_;
    std::map<std::string, Shape> shapes_;  ///< by side and parts
    static constexpr char kSides[] = "<=>";
    double lowest_ = -HUGE_VAL, highest_ = HUGE_VAL;
    double samples_ = 0;
};

}  // namespace watershed
