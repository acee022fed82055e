// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <set>

#include "calibrate/closed-form/queue-model.h"
#include "calibrate/posterior/nuisance-model.h"

/// Generative model of the fit: the number of frames that one burst loses. calibrate/README.md states it.
namespace watershed {

/// Likelihood of a memory's peak counter. Without loss the peak is the frames sent less those drained meanwhile: it
/// determines the service rate and, with several payloads, the cost of a frame; for the depth it is a lower limit. With
/// loss the peak is the depth, to a frame.
class PeakLikelihood {
  public:
    PeakLikelihood() = default;
    PeakLikelihood(const QueueModel& model, const Burst& burst);

    /// Returns true if the counter was read for this burst; all other functions require this.
    bool read() const { return cost_ > 0; }
    /// Returns the density of the peak, per unit of the counter, for a burst that lost nothing.
    /// @param needed  frames of room that the burst needs, with standard deviation `sigma`
    /// @param room    frames that the whole switch holds
    double lossless(double needed, double sigma, double room) const;
    /// Returns the density of the peak, per unit of the counter, for a burst that lost frames.
    double lossy(double room) const;
    /// Returns the density of the peak, per unit of the counter, for a stray burst.
    double stray() const;

    /// Returns the peak in frames, approximately.
    double frames() const { return amount_ / cost_; }
    /// Returns the variance of frames() that the counter's resolution causes.
    double variance() const { return (resolution_ * resolution_ / (cost_ * cost_)) / 3; }

  private:
    double amount_ = 0, resolution_ = 0;  ///< peak and its uncertainty, in counter units
    double cost_ = 0;                     ///< counter units per frame; 0: not read
    double open_ = 0;                     ///< frames by which a full memory may fall short
    double fragments_ = 0;                ///< frames of the burst
};

/// Likelihood of a loss map for one kind of memory. The overflow of a burst is the closed form's number of frames plus
/// disturbances, rounded to a whole number of at least 0. Each of the remaining frames is lost at random with
/// probability `loss`. A stray burst may lose any number of frames.
class BurstLikelihood {
  public:
    /// @param mixes  mixes with an element of BurstParameters::constant, in the order of its elements; default: all
    ///               mixes of the bursts
    BurstLikelihood(const QueueModel& model, const std::vector<Burst>& bursts, std::vector<BurstMix> mixes);
    BurstLikelihood(const QueueModel& model, const std::vector<Burst>& bursts)
        : BurstLikelihood(model, bursts, mixes_of(bursts)) {}
    /// Returns the distinct mixes of the bursts, ascending.
    static std::vector<BurstMix> mixes_of(const std::vector<Burst>& bursts) {
        std::set<BurstMix> mixes;
        for (const Burst& burst : bursts) mixes.emplace(burst.ports, burst.uplinks, burst.payload);
        return {mixes.begin(), mixes.end()};
    }

    /// Returns the log likelihood of all bursts.
    /// @param least  a result below `least` need not be exact, which saves time
    double log_likelihood(const BurstParameters& parameters, double least = -HUGE_VAL) const;
    /// Returns the probability of one burst's outcome.
    double likelihood(std::size_t row, const BurstParameters& parameters) const {
        return likelihood(rows_[row], parameters, std::log1p(-parameters.loss));
    }

    const std::vector<BurstMix>& mixes() const { return mixes_; }
    /// Returns true if the map can distinguish a token bucket from depth. A bucket counts bytes on the link and belongs
    /// to an uplink: units of depth per byte must vary, each input must have a memory, or peak counters must have been
    /// read.
    bool identifies_bucket() const { return identifies_bucket_ || model_.pools() == QueueModel::Pools::Input; }
    /// Returns true if lost frames were counted or peak counters were read.
    bool counted() const { return counted_; }
    /// Returns true if peak counters were read.
    bool has_peaks() const { return has_peaks_; }
    /// Returns the change in capacity, in frames of mix `mix`, when the parameters change from `before` to `after`.
    double frames_more(int mix, const BurstParameters& before, const BurstParameters& after) const {
        const Row& row = rows_[row_of_mix_[std::size_t(mix)]];
        return double(model_.memories(row.burst)) * (room(row, after.depth, after) - room(row, before.depth, before));
    }
    /// Returns the number of uplinks of a mix.
    double uplinks(int mix) const { return rows_[row_of_mix_[std::size_t(mix)]].uplinks; }
    /// Returns the increase of depth, in units of depth, that has the effect of one more byte in the token bucket, for
    /// frames of the largest payload.
    double depth_per_bucket() const { return depth_per_bucket_; }
    /// Shift of depth and rate that changes losses as cross-traffic does: frames of a burst overtake cross-traffic that
    /// waits, so that fewer are lost.
    struct Likeness {
        double depth = 0, rate = 0;  ///< relative change per unit of the ratio of cross-traffic to burst traffic
    };
    /// Returns the shift that mimics cross-traffic best (weighted least squares), at the parameters `at`.
    /// @param free_depth, free_rate  true if the parameter may shift
    Likeness likeness_of_others(const BurstParameters& at, bool free_depth, bool free_rate) const;
    /// Returns the fraction of the shift that applies, at most 1: 0 if cross-traffic fills as much memory per byte as
    /// the burst does.
    double likeness_share(const BurstParameters& parameters) const {
        return 1 - density_of_others(rows_.front(), parameters);
    }
    /// Returns the cost of the largest frame in units of depth.
    double most_cost() const { return most_cost_; }
    /// Returns the number of bursts.
    std::size_t size() const { return rows_.size(); }
    /// Returns the approximate standard deviation of a typical burst's overflow in frames, at least 0.5.
    double width(const BurstParameters& parameters) const;

    /// Returns the probability that a burst that is no stray loses at most `frames` frames.
    double at_most(std::size_t row, std::int64_t frames, const BurstParameters& parameters) const;
    /// Returns the probability that a burst is a stray, given its outcome.
    double stray_share(std::size_t row, const BurstParameters& parameters) const {
        const Both both = probabilities(rows_[row], parameters, std::log1p(-parameters.loss));
        return parameters.stray * both.stray /
               std::max(1e-300, (1 - parameters.stray) * both.usual + parameters.stray * both.stray);
    }
    /// Returns the probability that a burst outside of the fit is a stray, given its outcome, averaged over the
    /// posterior samples `points`.
    double stray_share(std::size_t row, const std::vector<BurstParameters>& points) const;
    const Burst& burst(std::size_t row) const { return rows_[row].burst; }
    std::vector<Burst> bursts() const { return transformed_values(rows_, &Row::burst); }
    /// Returns the frames of a burst that all memories together hold.
    double held(std::size_t row, const BurstParameters& parameters) const {
        return double(model_.memories(rows_[row].burst)) * room(rows_[row], parameters);
    }
    /// Returns the frames by which a burst overflows without noise; the number lost is this, rounded.
    double overflow(std::size_t row, const BurstParameters& parameters) const {
        return spread(rows_[row], parameters).middle;
    }
    const PeakLikelihood& peak(std::size_t row) const { return rows_[row].peak; }
    /// Returns the standard deviation of the overflow in frames.
    double deviation(std::size_t row, const BurstParameters& parameters) const {
        return spread(rows_[row], parameters).deviation();
    }

    /// Returns the work of this thread's likelihoods so far, in likelihoods of one burst without a feature. It is
    /// counted, not timed: every machine gets the same value.
    static double work();

  private:
    /// A burst with precomputed terms of its likelihood.
    struct Row {
        Burst burst;
        bool repeats = false;      ///< burst and outcome equal those of the row before
        int mix = -1;              ///< index of the mix that has a constant; -1: none
        double cost = 1;           ///< units of depth per frame
        double drain = 0;          ///< frames drained by an uplink of 1 bit/s
        double more_room = 0;      ///< frames per bit/s that leave one memory while a trigger is delayed
        double gaps = 0;           ///< events - 1
        double fragments = 0;      ///< frames of the burst
        double uplinks = 1;        ///< number of uplinks
        UplinkLoads loads;         ///< loads for a model without uneven uplinks
        double per_byte = 0;       ///< frames per byte on the link
        double log_fragments = 1;  ///< 1 + ln(fragments)
        double excess_most = 0;    ///< frames by which memories by input may lose more than the closed form
        double lost = 0;           ///< lost frames; 0 if not counted
        double place = 0;          ///< position of its row in the map, from -1/2 to 1/2
        PeakLikelihood peak;
        double cost_of_all = 1;  ///< units of depth of one frame in each memory
    };
    /// Distribution of a burst's overflow.
    struct Spread {
        double middle = 0;  ///< mean overflow in frames; the number lost is this, rounded
        double size = 0;    ///< growth in frames per unit of ln(burst length)
        NoiseModel noise;
        bool counts = true;  ///< true if the closed form gives the number of lost frames
        /// Returns the probability of losing at most `frames_lost` frames.
        double below(double frames_lost) const { return noise.below(frames_lost + 0.5 - middle, size); }
        double deviation() const { return noise.deviation(size); }
    };
    Spread spread(const Row& row, const BurstParameters& parameters) const;
    /// Returns the model with the feature's value and the asking order of `parameters`.
    QueueModel with_feature(const BurstParameters& parameters) const {
        QueueModel model = model_;
        model.value = parameters.feature;
        model.order = parameters.order;
        return model;
    }
    /// Returns the frames that fit into one memory.
    double room(const Row& row, const BurstParameters& parameters) const {
        return std::max(0.0, room(row, depth_at(row, parameters), parameters) + row.more_room * parameters.rate);
    }
    double room(const Row& row, double depth, const BurstParameters& parameters) const {
        if (model_.feature == Feature::DynamicThreshold)
            return held_below_threshold(parameters.feature, row.uplinks, depth / row.cost) / row.uplinks;
        if (model_.has_reserve()) return with_feature(parameters).room_as_real(row.burst, depth);
        const double room = std::floor(depth / row.cost);
        return model_.feature == Feature::Descriptors ? std::min(room, std::floor(parameters.feature)) : room;
    }
    /// Corrects the overflow of a shared memory for uneven uplinks, empty reserves or a resume level.
    /// @param drained  frames that one uplink drains during the burst
    /// @param room     frames that fit into the memory
    void overflow_by_feature(Spread& spread, const Row& row, const BurstParameters& parameters, double drained,
                             double room) const;
    /// Probabilities of a burst's outcome under two hypotheses.
    struct Both {
        double usual = 0;  ///< if the burst is no stray
        double stray = 0;  ///< if it is one
    };
    /// @param log_kept  log of the fraction of frames that are not lost at random
    double likelihood(const Row& row, const BurstParameters& parameters, double log_kept) const;
    Both probabilities(const Row& row, const BurstParameters& parameters, double log_kept) const;
    Both of_losses(const Row& row, const Spread& overflow, const BurstParameters& parameters, double log_kept) const;
    /// Applies the nuisance models to a burst.
    static DisturbedBurst disturbed(const Row& row, const BurstParameters& parameters) {
        DisturbedBurst burst{row.burst, row.place};
        for (std::size_t i = 0; i < parameters.nuisances.size(); ++i)
            if (parameters.nuisances[i] != 0) nuisance_models()[i].disturb(burst, parameters.nuisances[i]);
        return burst;
    }
    /// Returns the depth that this burst finds.
    static double depth_at(const Row& row, const BurstParameters& parameters) {
        return parameters.depth * disturbed(row, parameters).depth_factor;
    }
    /// Returns the frames that each uplink drains at once, ahead of its rate: token bucket, frame in transmission, and
    /// the constant of the mix.
    double ahead(const Row& row, const BurstParameters& parameters) const;
    /// Returns the room in frames that a burst needs to lose nothing.
    double needed(const Row& row, const BurstParameters& parameters) const;
    /// Adds the effect of cross-traffic on the uplinks.
    void share_with_others(Spread& spread, const Row& row, const BurstParameters& parameters, double drained,
                           double room) const;
    /// Returns the memory that cross-traffic fills relative to the burst, per byte; 0 for memories by input.
    double density_of_others(const Row& row, const BurstParameters& parameters) const {
        return model_.pools() == QueueModel::Pools::Input ? 0 : parameters.traffic_memory / (row.cost * row.per_byte);
    }
    /// Returns the load: frames sent by the modules per frame sent by the uplinks, between first and last event.
    static double load(const Row& row, double sent) { return std::max(1.0, row.gaps * double(row.burst.ports) / sent); }
    /// Returns the probability of losing exactly `lost` frames, without random loss.
    /// @param at_most, fewer  probabilities of at most `lost`, and of fewer
    double probability_of(const Row& row, const Spread& spread, const BurstParameters& parameters, double lost,
                          double at_most, double fewer) const;

    QueueModel model_;
    std::vector<Row> rows_;
    std::vector<BurstMix> mixes_;
    bool identifies_bucket_ = false;
    bool counted_ = false;
    bool has_peaks_ = false;
    double usual_fragments_ = 1;  ///< median number of frames of a burst
    double most_cost_ = 1, most_wire_ = 0, depth_per_bucket_ = 0;
    std::vector<std::size_t> row_of_mix_;  ///< a row of each mix
};

}  // namespace watershed
