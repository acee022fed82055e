// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/posterior/burst-likelihood.h"
#include "calibrate/posterior/feature-prior.h"
#include "calibrate/posterior/log-density.h"
#include "calibrate/posterior/model-fit.h"

namespace watershed {

/// Returns the range of the logarithm of the depth, in which the prior is uniform. It includes depths that no burst can
/// fill, because all losses may have another cause; a given depth limits it.
KnownRange log_depths_of(const SearchBox& box);

/// Prior of all parameters, as a function of the sampler's coordinates. The leading coordinates of a point are the
/// logarithms of depth and rate, unless these are given. Each other coordinate is a prior quantile between 0 and 1. The
/// depth of a point is the depth that a burst fills: memory and token bucket.
class ParameterPrior {
  public:
    /// @param box  search range of depth and rate
    ParameterPrior(const BurstLikelihood& likelihood, const QueueModel& model, const SearchBox& box,
                   const FitOptions& options);

    std::size_t dimensions() const { return coordinates_.size(); }
    /// Returns the number of leading coordinates, 0 to 2: depth and rate, unless given.
    std::size_t leading() const { return leading_; }
    /// Returns the number of coordinates up to those that trade off against depth and rate.
    std::size_t correlated() const { return correlated_; }
    bool has_depth() const { return has_depth_; }
    bool has_rate() const { return has_rate_; }

    /// Sets `parameters` to those of a point.
    void read(const std::vector<double>& point, BurstParameters& parameters) const;
    /// Returns the log density of depth and rate; -infinity outside of the box.
    double log_density(const std::vector<double>& point) const;
    /// Returns the logarithm of the depth (or rate, bit/s) for a prior quantile.
    double log_depth(double share) const {
        return depths_.empty() ? log_depths_.low + share * (log_depths_.high - log_depths_.low)
                               : depths_.quantile(share);
    }
    double log_rate(double share) const { return rates_.quantile(share); }
    /// Returns the log prior density of ln(depth) as the user chose it; 0 where it is even.
    double log_preference_of_depth(double log_depth) const { return depths_.empty() ? 0 : depths_.at(log_depth); }
    /// Returns the log prior density of ln(rate).
    double log_density_of_rate(double log_rate) const { return rates_.at(log_rate); }
    /// Returns the prior precision (inverse variance) of ln(rate) near the nominal rate; 0 elsewhere.
    double precision_of_rate(double log_rate) const {
        // Variance of a uniform distribution: width^2 / 12.
        return is_near(log_rate) ? 12 / std::pow(near_high_ - near_low_, 2) : 0;
    }
    /// Moves depth and feature by small steps and changes BurstParameters::constant so that the losses stay the same.
    /// @param depth_change  in the unit of the depth
    /// @param value_change  change of the feature's value
    /// @param toggle        true: also inverts BurstParameters::leaves_at_once
    /// @return log of the volume factor; NaN if impossible
    double slide(std::vector<double>& point, const BurstLikelihood& likelihood, double depth_change,
                 double value_change, bool toggle) const;
    /// Multiplies cross-traffic by `factor`, and changes its batch size, depth and rate so that losses stay about the
    /// same.
    /// @return log of the volume factor; NaN if impossible
    double trade_traffic(std::vector<double>& point, const BurstLikelihood& likelihood,
                         const BurstLikelihood::Likeness& likeness, double factor) const;
    enum class Parameter {
        Depth,
        Rate,
        Noise,
        Loss,
        Bucket,
        Traffic,
        TrafficBatch,
        TrafficMemory,
        Nuisance,
        Feature,
        Order,
        LossAhead,
        Stray,
        Excess,
        LeavesAtOnce,
        Constant
    };
    /// Component of the mixture prior of a coordinate.
    struct MixtureComponent {
        double low = 0, high = 1;  ///< range of quantiles
        bool is_atom = false;      ///< true: an atom, all quantiles mean the same value
    };
    /// Returns the component that contains the quantile `share` of a coordinate.
    MixtureComponent component_of(std::size_t coordinate, double share) const;
    /// Returns the coordinate of a parameter; std::nullopt if it is given.
    std::optional<std::size_t> coordinate(Parameter parameter) const {
        const auto found = std::find(coordinates_.begin(), coordinates_.end(), parameter);
        return found == coordinates_.end() ? std::nullopt
                                           : std::make_optional(std::size_t(found - coordinates_.begin()));
    }
    /// Returns the prior quantile of a loss, or of a bucket in bytes. @pre the value is above 0
    double loss_share(double loss) const;
    double bucket_share(double bytes) const;
    /// Returns the bucket in bytes for a quantile.
    double bucket(double share) const;
    /// Returns the coordinate of a nuisance model; std::nullopt if it is not used.
    std::optional<std::size_t> coordinate_of_nuisance(std::size_t nuisance) const {
        const auto found = std::find(nuisances_.begin(), nuisances_.end(), nuisance);
        return found == nuisances_.end()
                   ? std::nullopt
                   : std::make_optional(first_nuisance_ + std::size_t(found - nuisances_.begin()));
    }
    /// Returns the prior quantile of a nuisance model's value other than 0.
    static double nuisance_share(std::size_t nuisance, double value) {
        const NuisanceModel& one = nuisance_models()[nuisance];
        return one.none + (1 - one.none) * one.share(value);
    }
    /// Returns the nuisance models that the bursts could identify.
    const std::vector<std::size_t>& nuisances() const { return nuisances_; }
    /// Keeps only these nuisance models, and the place of random loss.
    /// @param nuisances  some of nuisances(), in order
    /// @param loss       true if frames may be lost at random
    void keep(const std::vector<std::size_t>& nuisances, bool loss);
    /// Returns the prior log odds of a nuisance model.
    static double log_odds_of_nuisance(std::size_t nuisance) {
        const double none = nuisance_models()[nuisance].none;
        return std::log((1 - none) / none);
    }
    /// Returns the prior of the feature.
    const FeaturePrior& feature() const { return feature_; }
    /// Returns the quantile of an asking order.
    static double order_share(AskingOrder order);
    /// Returns the units of depth per byte of cross-traffic for a prior quantile of the size of its frames.
    double traffic_memory(double share) const;
    /// Returns the depth that the token bucket adds, in units of depth.
    double bucket_depth(const BurstParameters& parameters) const { return parameters.bucket * depth_per_bucket_; }
    /// Returns true if BurstParameters::constant is inferred.
    bool has_constants() const { return !given_.constant.empty(); }
    /// Returns the log prior probability that nothing disturbs any burst.
    double log_undisturbed(std::size_t bursts) const;
    /// Returns the parameters that are given, with defaults for all others.
    BurstParameters given() const { return given_; }

  private:
    double bucket_of(const std::vector<double>& point) const {
        return bucket_ ? bucket(point[*bucket_]) : given_.bucket;
    }
    double fraction_filled(const std::vector<double>& point) const {
        return feature_at_ ? feature_.fraction_filled(point[*feature_at_]) : 1;
    }
    bool is_near(double log_rate) const { return log_rate >= near_low_ && log_rate <= near_high_; }
    void set_noise(BurstParameters& parameters, double share) const;

    std::vector<Parameter> coordinates_;
    std::size_t leading_ = 0, correlated_ = 0;
    std::size_t constants_ = 0;           ///< first coordinate of the constants
    std::size_t first_nuisance_ = 0;      ///< first coordinate of the nuisance models
    std::vector<std::size_t> nuisances_;  ///< nuisance models in the order of their coordinates
    bool has_depth_ = false, has_rate_ = false;
    BurstParameters given_;
    FitOptions options_;
    QueueModel model_;
    double depth_per_bucket_ = 0;            ///< depth that a byte of the bucket adds, in units of depth
    std::optional<std::size_t> bucket_;      ///< coordinate of the bucket
    std::optional<std::size_t> feature_at_;  ///< coordinate of the feature
    FeaturePrior feature_;
    bool counted_ = false;
    KnownRange log_depths_;
    double near_low_ = 0, near_high_ = -1;  ///< range of log rates near the nominal rate; empty without one
    LogDensity depths_, rates_;             ///< depths_ is empty where the logarithm is uniform
};

}  // namespace watershed
