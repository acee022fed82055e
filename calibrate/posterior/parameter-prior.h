// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/posterior/burst-likelihood.h"
#include "calibrate/posterior/model-fit.h"

namespace watershed {

/// Log odds that a memory has one feature more.
double log_odds_of_feature();

/// The features that these bursts could show in a memory of this kind, were they there. Descriptors need two payloads,
/// a resume level needs numbers of lost frames, a dynamic threshold bursts towards different numbers of uplinks, uneven
/// uplinks more than one of them.
std::vector<Feature> visible_features(const QueueModel& plain, const std::vector<Burst>& bursts);

/// What is held possible of a feature's value before the first burst, and how a point of the sampler stands for it: by
/// a number between 0 and 1, equal parts of which are as likely.
class FeaturePrior {
  public:
    /// @param bursts  one at least
    FeaturePrior(const QueueModel& model, const std::vector<Burst>& bursts);

    /// @param depth  of the memory: what is likely of descriptors is the memory for each of them
    double value(double share, double depth) const {
        const double value = unrounded(share, depth);
        return feature_ == Feature::Descriptors ? std::max(1.0, std::floor(value)) : value;
    }
    double unrounded(double share, double depth) const {
        const double at = low_ + share * (high_ - low_);
        switch (feature_) {
            case Feature::Descriptors: return depth * unit_ / std::exp(at);
            case Feature::DynamicThreshold: return std::exp(at);
            default: return at;
        }
    }
    double share(double value, double depth) const {
        const double at = feature_ == Feature::Descriptors        ? std::log(depth * unit_ / value)
                          : feature_ == Feature::DynamicThreshold ? std::log(value)
                                                                  : value;
        return (at - low_) / (high_ - low_);
    }

    /// About what a frame more or less in a queue is of the value, in a memory of so many frames; 0 where it does not
    /// change what a queue holds.
    double step(double value, double frames) const {
        switch (feature_) {
            case Feature::Descriptors: return 1;
            case Feature::DynamicThreshold: return std::pow(1 + uplinks_ * value, 2) / frames;
            default: return 0;
        }
    }
    /// Logarithm of the share that a unit of the value is, but for a factor.
    double log_slope(double value) const {
        return feature_ == Feature::Descriptors || feature_ == Feature::DynamicThreshold ? -std::log(value) : 0;
    }

    /// The part of its depth that a memory with this value holds of most lossy bursts. The depth of a point is what
    /// such a burst fills: under a dynamic threshold a map tells that better than the whole memory.
    double part_filled(double share) const {
        if (feature_ != Feature::DynamicThreshold) return 1;
        const double all = uplinks_ * value(share, 1);
        return all / (1 + all);
    }

  private:
    Feature feature_ = Feature::None;
    double low_ = 0, high_ = 1;  ///< of the value, or of its logarithm
    double unit_ = 1;            ///< bytes of a unit of depth
    double uplinks_ = 1;         ///< that most lossy bursts congest
};

/// Logarithms between which each depth is as likely. What no burst could fill is possible, too, where it is not known
/// better: where losses may have another cause, the memory may be deeper than any burst.
KnownRange log_depths_of(const SearchBox& box);

/// What is held possible before the first burst, of all that a map does not say. A point has the logarithms of depth
/// and rate, as far as these are not given, and a number between 0 and 1 for everything else, equal parts of which are
/// as likely. The depth of a point is what a burst fills: the memory and the token bucket ahead of it, which a map
/// tells better than either.
class ParameterPrior {
  public:
    /// @param box  where depth and rate may lie
    ParameterPrior(const BurstLikelihood& law, const QueueModel& model, const SearchBox& box,
                   const FitOptions& options);

    std::size_t dimensions() const { return coordinates_.size(); }
    /// Depth and rate, as far as they are not given.
    std::size_t leading() const { return leading_; }
    /// These and what may stand for more or less of them.
    std::size_t correlated() const { return correlated_; }
    bool has_depth() const { return has_depth_; }
    bool has_rate() const { return has_rate_; }

    void read(const std::vector<double>& point, BurstParameters& parameters) const;
    /// Of depth and rate; minus infinity beyond the box.
    double log_density(const std::vector<double>& point) const;
    /// Depth and rate as the prior has them, for two numbers between 0 and 1.
    double log_depth(double share) const { return log_depths_.low + share * (log_depths_.high - log_depths_.low); }
    double log_rate(double share) const;
    /// Of the logarithm of a rate within the box.
    double log_density_of_rate(double log_rate) const {
        const double at = std::clamp((log_rate - log_rate_low_) / (log_rate_high_ - log_rate_low_), 0.0, 1.0) *
                          double(rate_log_density_.size() - 1);
        const auto below = std::min(static_cast<std::size_t>(at), rate_log_density_.size() - 2);
        return rate_log_density_[below] +
               (at - double(below)) * (rate_log_density_[below + 1] - rate_log_density_[below]);
    }
    /// Precision of the logarithm of a rate that is known to be about the nominal one, if this one is; else 0.
    double precision_of_rate(double log_rate) const {
        // Of a value as likely anywhere between.
        return is_near(log_rate) ? 12 / std::pow(near_high_ - near_low_, 2) : 0;
    }
    /// Depth and the feature's value a little more or less, perhaps another time at which frames leave, and constants
    /// so that bursts lose what they lost. @return log of the volume that it makes of one; not a number where that
    /// cannot be
    double slide(std::vector<double>& point, const BurstLikelihood& law, double deeper, double value_more,
                 bool toggle) const;
    /// More or less traffic of others in smaller or larger batches, which varies as much, and depth and rate with which
    /// bursts lose as much. @return log of the volume that it makes of one; not a number where that cannot be
    double trade_traffic(std::vector<double>& point, const BurstLikelihood& law,
                         const BurstLikelihood::Likeness& likeness, double factor) const;
    enum class What {
        Depth,
        Rate,
        Noise,
        Loss,
        Bucket,
        Traffic,
        TrafficBatch,
        TrafficMemory,
        Further,
        Feature,
        Order,
        Stray,
        Excess,
        LeavesAtOnce,
        Constant
    };
    /// A part of what a coordinate beside depth and rate may be, and whether it says all: that there is none.
    struct MixtureComponent {
        double low = 0, high = 1;
        bool says_all = false;
    };
    MixtureComponent part(std::size_t coordinate, double share) const;
    /// Where a point has this, if it is not given.
    std::optional<std::size_t> coordinate(What what) const {
        const auto found = std::find(coordinates_.begin(), coordinates_.end(), what);
        return found == coordinates_.end() ? std::nullopt
                                           : std::make_optional(static_cast<std::size_t>(found - coordinates_.begin()));
    }
    /// The number there that stands for a loss, or a bucket, that is not none.
    double loss_share(double loss) const;
    double bucket_share(double bytes) const;
    /// Bytes for a number there.
    double bucket(double share) const;
    /// Where a point has a further law's number, if it has; the number for a value that is not nothing.
    std::optional<std::size_t> coordinate_of_law(std::size_t law) const {
        const auto found = std::find(laws_.begin(), laws_.end(), law);
        return found == laws_.end() ? std::nullopt
                                    : std::make_optional(first_law_ + static_cast<std::size_t>(found - laws_.begin()));
    }
    static double law_share(std::size_t law, double value) {
        const NuisanceModel& one = nuisance_models()[law];
        return one.none + (1 - one.none) * one.share(value);
    }
    /// Of further laws, those that these bursts could tell.
    const std::vector<std::size_t>& laws() const { return laws_; }
    /// Leaves out the others. @param laws  some of these, in their order
    void keep(const std::vector<std::size_t>& laws);
    /// What it costs that there is one.
    static double log_odds_of_law(std::size_t law) {
        const double none = nuisance_models()[law].none;
        return std::log((1 - none) / none);
    }
    /// What the number between 0 and 1 says that stands for the memory's feature, of a memory of this depth.
    const FeaturePrior& feature() const { return feature_; }
    /// The number there that stands for an order of asking.
    static double order_share(AskingOrder order);
    /// Units of depth that a byte on the link fills, of others whose frames are about as large as this part of the
    /// logarithm of what frames may be.
    double traffic_memory(double share) const;
    /// Depth that the bucket adds.
    double ahead(const BurstParameters& parameters) const { return parameters.bucket * ahead_of_byte_; }
    bool has_constants() const { return !given_.constant.empty(); }
    /// Log probability that nothing disturbs any of the bursts.
    double log_undisturbed(std::size_t bursts) const;
    BurstParameters given() const { return given_; }

  private:
    double bucket_of(const std::vector<double>& point) const {
        return bucket_ ? bucket(point[*bucket_]) : given_.bucket;
    }
    double part_filled(const std::vector<double>& point) const {
        return feature_at_ ? feature_.part_filled(point[*feature_at_]) : 1;
    }
    bool is_near(double log_rate) const { return log_rate >= near_low_ && log_rate <= near_high_; }
    void set_noise(BurstParameters& parameters, double share) const;

    std::vector<What> coordinates_;
    std::size_t leading_ = 0, correlated_ = 0;
    std::size_t constants_ = 0;      ///< their first coordinate
    std::size_t first_law_ = 0;      ///< the same of further laws
    std::vector<std::size_t> laws_;  ///< in the order of their coordinates
    bool has_depth_ = false, has_rate_ = false;
    BurstParameters given_;
    FitOptions options_;
    QueueModel model_;
    double ahead_of_byte_ = 0;
    std::optional<std::size_t> bucket_;      ///< its coordinate
    std::optional<std::size_t> feature_at_;  ///< the same of the feature's value
    FeaturePrior feature_;
    bool counted_ = false;
    KnownRange log_depths_;
    double log_rate_low_ = 0, log_rate_high_ = 0;
    double near_low_ = 0, near_high_ = -1;  ///< logarithms of rates about the nominal one; empty where there is none
    std::vector<double> rate_log_density_, rate_shares_;  ///< at equal steps of its logarithm
};

}  // namespace watershed
