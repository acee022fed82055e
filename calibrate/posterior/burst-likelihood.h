// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <set>

#include "calibrate/closed-form/queue-model.h"
#include "calibrate/posterior/nuisance-model.h"

/// What one burst loses: the generative model of the fit. calibrate/README.md states it on a page.
namespace watershed {

/// How likely the most that was in use is, as a counter of the switch tells it. Of a burst that lost nothing it is what
/// the burst sent less what the uplinks drained meanwhile: it tells the service rate, and of several payloads what a
/// frame costs the memory, but of the depth only that it is no less. Of a burst that lost frames it is the depth, to a
/// frame.
class PeakLikelihood {
  public:
    PeakLikelihood() = default;
    PeakLikelihood(const QueueModel& model, const Burst& burst);

    bool read() const { return cost_ > 0; }
    /// Density, per unit of the counter, for a burst that lost nothing and needed room for `needed` frames.
    /// @param sigma  standard deviation of that @param room  frames that the whole switch holds
    double lossless(double needed, double sigma, double room) const;
    /// The same for a burst that lost frames.
    double lossy(double room) const;
    /// The same for one whose outcome has nothing to do with the switch.
    double stray() const;

    /// Frames that were in use, about.
    double frames() const { return amount_ / cost_; }
    /// Variance of that by what the counter cannot resolve.
    double variance() const { return (resolution_ * resolution_ / (cost_ * cost_)) / 3; }

  private:
    double amount_ = 0, resolution_ = 0;
    double cost_ = 0;       ///< units of the counter that a frame takes
    double open_ = 0;       ///< frames that a full memory may hold less at most
    double fragments_ = 0;  ///< of the burst
};

/// The probability of a loss map for one kind of memory.
///
/// A burst overflows by as many frames as the closed form says, plus what disturbs it. Of these frames a whole number
/// is lost, none if it is negative. Of the others each is lost with probability `loss`. A stray burst loses anything.
class BurstLikelihood {
  public:
    /// @param mixes  those that have constants, in their order; by default all that the bursts have
    BurstLikelihood(const QueueModel& model, const std::vector<Burst>& bursts, std::vector<BurstMix> mixes);
    BurstLikelihood(const QueueModel& model, const std::vector<Burst>& bursts)
        : BurstLikelihood(model, bursts, mixes_of(bursts)) {}
    static std::vector<BurstMix> mixes_of(const std::vector<Burst>& bursts) {
        std::set<BurstMix> mixes;
        for (const Burst& burst : bursts) mixes.emplace(burst.ports, burst.uplinks, burst.payload);
        return {mixes.begin(), mixes.end()};
    }

    /// @param least  where it is less, any number below that will do
    double log_likelihood(const BurstParameters& parameters, double least = -HUGE_VAL) const;
    /// Of one burst: the probability of what it lost.
    double likelihood(std::size_t row, const BurstParameters& parameters) const {
        return likelihood(rows_[row], parameters, std::log1p(-parameters.loss));
    }

    const std::vector<BurstMix>& mixes() const { return mixes_; }
    /// A token bucket is not just more depth: it counts bytes on the link, or lies ahead of each input's memory.
    bool tells_bucket() const { return tells_bucket_ || model_.pools() == QueueModel::Pools::Input; }
    bool counted() const { return counted_; }
    /// Counters of the memory were read: they do not see what goes ahead of it.
    bool has_peaks() const { return has_peaks_; }
    /// How many frames more of a mix a memory of another depth holds, or one whose feature has another value.
    double frames_more(int mix, const BurstParameters& before, const BurstParameters& after) const {
        const Row& row = rows_[row_of_mix_[static_cast<std::size_t>(mix)]];
        return double(model_.memories(row.burst)) * (room(row, after.depth, after) - room(row, before.depth, before));
    }
    /// Uplinks of a mix.
    double uplinks(int mix) const { return rows_[row_of_mix_[static_cast<std::size_t>(mix)]].uplinks; }
    /// What a byte of a token bucket is worth in units of depth, for frames of the largest payload.
    double depth_per_bucket() const { return depth_per_bucket_; }
    /// What waits of others lets a burst go first, which looks like a larger depth and a higher rate.
    struct Likeness {
        double depth = 0, rate = 0;  ///< relative, for as much of others as comes of the burst
    };
    /// @param free_depth, free_rate  which of the two may differ
    Likeness likeness_of_others(const BurstParameters& at, bool free_depth, bool free_rate) const;
    /// How much of it there is: others that fill as much memory as the burst does leave nothing of it.
    double likeness_share(const BurstParameters& parameters) const {
        return 1 - density_of_others(rows_.front(), parameters);
    }
    /// Units of depth that the largest frame takes.
    double most_cost() const { return most_cost_; }
    std::size_t size() const { return rows_.size(); }
    /// About how wide the distribution of overflows is, frames, at least a half.
    double width(const BurstParameters& parameters) const;

    /// The probability that a burst, no stray one, loses at most so many frames.
    double at_most(std::size_t row, std::int64_t frames, const BurstParameters& parameters) const;
    /// The probability that a burst is a stray one, by what it lost.
    double stray_share(std::size_t row, const BurstParameters& parameters) const {
        const Both both = probabilities(rows_[row], parameters, std::log1p(-parameters.loss));
        return parameters.stray * both.stray /
               std::max(1e-300, (1 - parameters.stray) * both.usual + parameters.stray * both.stray);
    }
    /// The same of one that had no part in finding these points, by what they foretell of it together.
    double stray_share(std::size_t row, const std::vector<BurstParameters>& points) const;
    const Burst& burst(std::size_t row) const { return rows_[row].burst; }
    std::vector<Burst> bursts() const { return transformed_values(rows_, &Row::burst); }
    /// Frames that all memories hold of a burst which fills them.
    double held(std::size_t row, const BurstParameters& parameters) const {
        return double(model_.memories(rows_[row].burst)) * room(rows_[row], parameters);
    }
    /// Frames by which a burst overflows without noise; lost are as many, rounded to the nearest.
    double overflow(std::size_t row, const BurstParameters& parameters) const {
        return spread(rows_[row], parameters).middle;
    }
    const PeakLikelihood& peak(std::size_t row) const { return rows_[row].peak; }
    /// Standard deviation of that, frames.
    double deviation(std::size_t row, const BurstParameters& parameters) const {
        return spread(rows_[row], parameters).deviation();
    }

    /// What this thread's likelihoods have cost so far, in evaluations of a plain row: the same on every machine.
    static double work();

  private:
    /// A burst, and what of its law does not change.
    struct Row {
        Burst burst;
        bool repeats = false;  ///< a burst like the row before that lost as many
        int mix = -1;          ///< none: it has no constant
        double cost = 1;       ///< units of depth that a frame takes
        double drain = 0;      ///< frames that an uplink of 1 bit/s drains
        double more_room = 0;  ///< frames for each bit/s, that leave one memory while a trigger is held up
        double gaps = 0;       ///< events - 1
        double fragments = 0;
        double uplinks = 1;
        UplinkLoads loads;    ///< unless the feature says what they are
        double per_byte = 0;  ///< frames that a byte is on the link
        double log_fragments = 1;
        double excess_most = 0;
        double lost = 0;
        double place = 0;  ///< among the rows, from -1/2 for the first to 1/2 for the last
        PeakLikelihood peak;
        double cost_of_all = 1;  ///< units of depth that a frame in each memory takes
    };
    /// The distribution of a burst's overflow.
    struct Spread {
        double middle = 0;  ///< lost frames are this, rounded to the nearest
        double size = 0;    ///< frames by which it grows with ln(burst length)
        NoiseModel noise;
        bool counts = true;  ///< the closed form knows how many frames are lost
        /// Probability of at most so many.
        double below(double frames_lost) const { return noise.below(frames_lost + 0.5 - middle, size); }
        double deviation() const { return noise.deviation(size); }
    };
    Spread spread(const Row& row, const BurstParameters& parameters) const;
    /// The memory with the value of its feature.
    QueueModel with_feature(const BurstParameters& parameters) const {
        QueueModel model = model_;
        model.value = parameters.feature;
        model.order = parameters.order;
        return model;
    }
    /// Frames in one memory.
    double room(const Row& row, const BurstParameters& parameters) const {
        return std::max(0.0, room(row, depth_at(row, parameters), parameters) + row.more_room * parameters.rate);
    }
    double room(const Row& row, double depth, const BurstParameters& parameters) const {
        if (model_.feature == Feature::DynamicThreshold)
            return held_below_threshold(parameters.feature, row.uplinks, depth / row.cost) / row.uplinks;
        const double room = std::floor(depth / row.cost);
        return model_.feature == Feature::Descriptors ? std::min(room, std::floor(parameters.feature)) : room;
    }
    /// What uneven uplinks or a resume level make of a shared memory's overflow.
    void overflow_by_feature(Spread& spread, const Row& row, const BurstParameters& parameters, double drained,
                             double room) const;
    /// Of what a burst lost, were it no stray one, and were it one.
    struct Both {
        double usual = 0;
        double stray = 0;
    };
    /// @param log_kept  of the share of frames that are not lost at random
    double likelihood(const Row& row, const BurstParameters& parameters, double log_kept) const;
    Both probabilities(const Row& row, const BurstParameters& parameters, double log_kept) const;
    Both of_losses(const Row& row, const Spread& law, const BurstParameters& parameters, double log_kept) const;
    /// What further laws make of it.
    static DisturbedBurst disturbed(const Row& row, const BurstParameters& parameters) {
        DisturbedBurst burst{row.burst, row.place};
        for (std::size_t i = 0; i < parameters.further.size(); ++i)
            if (parameters.further[i] != 0) nuisance_models()[i].disturb(burst, parameters.further[i]);
        return burst;
    }
    /// That this burst finds.
    static double depth_at(const Row& row, const BurstParameters& parameters) {
        return parameters.depth * disturbed(row, parameters).depth_factor;
    }
    /// Frames that the uplinks drain at once, ahead of their rate.
    double ahead(const Row& row, const BurstParameters& parameters) const;
    /// Room in frames that a burst needs to lose nothing.
    double needed(const Row& row, const BurstParameters& parameters) const;
    /// What others do to it, who take a share of the uplinks.
    void share_with_others(Spread& spread, const Row& row, const BurstParameters& parameters, double drained,
                           double room) const;
    /// Memory that others fill, for one that as much of the burst fills; of an input's memory none.
    double density_of_others(const Row& row, const BurstParameters& parameters) const {
        return model_.pools() == QueueModel::Pools::Input ? 0 : parameters.traffic_memory / (row.cost * row.per_byte);
    }
    /// Frames that modules send between first and last event, for one that the uplinks send meanwhile.
    static double load(const Row& row, double sent) { return std::max(1.0, row.gaps * double(row.burst.ports) / sent); }
    /// Of exactly so many frames, without random loss. @param at_most, fewer  of at most so many, and of fewer
    double probability_of(const Row& row, const Spread& spread, const BurstParameters& parameters, double lost,
                          double at_most, double fewer) const;

    QueueModel model_;
    std::vector<Row> rows_;
    std::vector<BurstMix> mixes_;
    bool tells_bucket_ = false;
    bool counted_ = false;
    bool has_peaks_ = false;
    double usual_fragments_ = 1;  ///< of a burst
    double most_cost_ = 1, most_wire_ = 0, depth_per_bucket_ = 0;
    std::vector<std::size_t> row_of_mix_;  ///< one of it
};

}  // namespace watershed
