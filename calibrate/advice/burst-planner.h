// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <set>

#include "calibrate/advice/advise.h"
#include "calibrate/posterior/nuisance-model.h"

/// Plan of further bursts: posterior of the measured ones, and the expected information of each further one.
namespace watershed {

// Posterior mixture over kinds of memory during a campaign.

/// One kind of memory of a mixture, with its disturbances.
struct MixtureKind {
    QueueModel model;
    double probability = 1;  ///< posterior probability of the kind
    NoiseModel noise{};
    double loss = 0;          ///< fraction of frames lost at random
    bool loss_ahead = false;  ///< they are lost ahead of the memory
    bool is_noisy() const { return !noise.none() || loss > 0; }
};

/// Sample of depth, rate and feature, in the units of its kind.
struct PosteriorPoint : SupportPoint {
    std::size_t kind = 0;  ///< index into PosteriorMixture::kinds
};

/// Mixture of kinds of memory with samples of depth and rate.
struct PosteriorMixture {
    std::vector<MixtureKind> kinds{1};   ///< the reported kind first
    std::vector<PosteriorPoint> points;  ///< samples of total weight 1
    bool counts = true;                  ///< true if the numbers of lost frames will be measured
    std::optional<PeakReading> peak{};   ///< peak counter that will be read; only unit and resolution are used
    bool measured = false;               ///< true if the bursts alone bound depth and rate; false: with the prior
    /// Wire bytes of the first row's frames, which stand for all frames at a receiver that takes equally long for any
    /// size.
    std::int64_t wire = 0;

    /// Returns the burst with the wire bytes that the model of a kind uses.
    Burst seen(Burst burst, const MixtureKind& kind) const {
        return wire > 0 ? seen_by(kind.model, std::move(burst), wire) : burst;
    }
    /// Returns the model of a sample, with the sample's value of the feature.
    QueueModel model_at(const PosteriorPoint& point) const {
        QueueModel model = kinds[point.kind].model;
        if (model.feature != Feature::None) model.value = point.value;
        return model;
    }
};

/// Largest number of measurements of one setting, and of tries to explain a map that no kind of memory explains.
constexpr int kMostMeasured = 4;
constexpr std::size_t kMostTries = 5;
/// Least posterior probability of a kind of memory that counts.
constexpr double kLeastProbable = 0.001;

/// Returns the posterior of all kinds whose depth and rate the bursts bound. If they bound no kind, the result is the
/// prior of the reported kind, restricted to depths and rates that explain every burst.
/// @param fit  std::nullopt before the first burst
PosteriorMixture posterior_mixture_of(const std::optional<Fit>& fit, const Prior& prior);

/// Expected information of one burst about a target quantity.
struct Information {
    double probability_of_loss = 0;
    double bits = 0;         ///< total information, bits
    double count_bits = 0;   ///< contribution of the number of lost frames, bits
    double peak_bits = 0;    ///< additional contribution of the peak counter, bits
    double frames_lost = 0;  ///< expected number of lost frames, if any are lost
};

/// Returns the expected number of frames that a burst loses in the switch of a sample.
double expected_loss(const PosteriorMixture& mixture, const PosteriorPoint& point, const Burst& burst);

/// Expected information gain of bursts at one separation.
/// The outcome "lossy or not" contributes its mutual information with the target: its entropy minus its mean entropy
/// once the target is known (Lindley, Annals of Mathematical Statistics 27, 1956). The number of lost frames
/// contributes the log of the factor by which a regression on it narrows the target, down to the wanted precision, and
/// the mutual information with the kind of memory if kinds have different targets.
class InformationGain {
  public:
    /// @param like        ports, payload and framing of the bursts
    /// @param spacing     time between successive events on a module's link: the separation, or its slot if longer
    /// @param target      value of the target at each sample, above 0
    /// @param resolution  standard deviation of the log target that is precise enough
    InformationGain(const PosteriorMixture& mixture, const Burst& like, Time separation, Time spacing,
                    const std::vector<double>& target, double resolution);

    /// Returns the expected information of a burst of `events` events.
    Information expected(std::int64_t events) const;
    /// Returns a quantile of the longest lossless burst in events; std::nullopt if no length loses frames there.
    std::optional<std::int64_t> longest_lossless_quantile(double share) const;

  private:
    /// Returns the probability that a burst loses frames in the switch of a sample.
    double loss_probability(std::size_t point, std::int64_t events) const;
    void group_kinds();
    /// Returns the information of the peak counter beyond `count_bits`.
    /// @param lossy        weight of each sample times its probability of loss
    /// @param probability  sum of `lossy`
    double bits_of_peak(const Burst& burst, const std::vector<double>& lossy, double probability,
                        double count_bits) const;
    /// Returns the information of the number of lost frames. @param mean_lost  receives its mean if frames are lost
    double bits_of_count(const Burst& burst, const std::vector<double>& lossy, double probability,
                         double& mean_lost) const;

    const PosteriorMixture& mixture_;
    Burst burst_;
    std::vector<double> target_;  ///< logarithm of each sample's target
    double resolution_;
    std::vector<std::size_t> intervals_;    ///< index of the target's interval, for each sample
    std::vector<double> interval_weights_;  ///< weight of each interval of the target
    std::vector<std::size_t> groups_;       ///< index of the group of kinds with similar targets, for each kind
    std::size_t group_count_ = 1;
    std::vector<std::int64_t> longest_;    ///< longest lossless burst of each sample, events
    std::vector<std::size_t> by_longest_;  ///< indices of the samples, by ascending longest lossless burst
};

/// Returns `like` with other ports and payload; std::nullopt if its fragments are not single frames.
std::optional<Burst> with_mix(const Burst& like, std::int64_t ports, std::int64_t payload,
                              const Conditions& conditions);

/// Planner of the next bursts of a campaign.
class BurstPlanner {
  public:
    /// @pre the arguments outlive the planner
    BurstPlanner(const std::optional<Fit>& fit, const Prior& prior, const AdviceOptions& options);

    const PosteriorMixture& mixture() const { return mixture_; }
    /// Returns ports, payload and framing of the usual burst.
    const Burst& usual() const { return prior_.usual; }
    /// Returns the estimate of the target over all kinds of memory; std::nullopt if it is bounded on one side only.
    /// Depths of different kinds are compared in frames of the first row's payload, for the whole memory or the
    /// memory of one input or output. Intervals of depth and rate are at least as wide as the fit states them.
    std::optional<TargetEstimate> estimate() const { return estimate_of(options_.target); }
    std::optional<TargetEstimate> estimate_of(AdviceTarget target) const;
    /// Returns true if no burst of any length loses frames at the separation of AdviceTarget::Watershed.
    bool no_watershed() const;

    /// Returns the best burst of each separation, most bits per second first. Bursts have other ports or payloads if
    /// these distinguish kinds of different depth.
    std::vector<AdvisedPoint> best() const;
    /// Returns a burst with its expected information.
    AdvisedPoint evaluate_burst(const InformationGain& gain, const Burst& like, Time separation,
                                std::int64_t events) const;
    AdvisedPoint evaluate_burst(const Burst& burst, const std::string& reason) const;
    /// Returns the shortest time between events on a module's link.
    Time slot_of(const Burst& like) const;
    /// Returns the information gain about the target of bursts at one separation.
    InformationGain information_gain_at(const Burst& like, Time separation) const;
    /// Returns the separations that are worth a burst, for slow, median and fast switches of the mixture: from the
    /// shortest possible one to the one from which on the watershed is too steep.
    std::vector<Time> separations(const Burst& like) const;
    /// Returns two bursts that bracket the possible watersheds, the shorter first; std::nullopt if they cannot be set.
    std::optional<std::pair<AdvisedPoint, AdvisedPoint>> pair_at(const Burst& like, Time separation) const;
    /// Returns the number of measurements of a setting.
    int times_measured(const BurstSetting& setting) const;
    /// Returns the remaining kinds of another depth as text, "shared-frames or per-input-frames"; empty if none remain.
    std::string rivals_text() const;
    std::string target_name() const;

  private:
    std::vector<double> targets_for(AdviceTarget target) const;
    double target_of(AdviceTarget target, const PosteriorPoint& point) const;
    std::vector<std::size_t> find_rivals() const;
    /// Returns the best bursts of mixes that tell some kinds apart, as indices of the mixture.
    std::vector<AdvisedPoint> best(const std::vector<std::size_t>& rivals) const;
    std::vector<Burst> mixes(const std::vector<std::size_t>& rivals) const;
    std::string reason_for(const Burst& like, const Information& information) const;
    std::set<std::int64_t> lengths(const InformationGain& gain) const;
    bool known_already(const BurstSetting& setting) const;

    const std::optional<Fit>& fit_;
    const Prior& prior_;
    const AdviceOptions& options_;
    PosteriorMixture mixture_;
    Burst first_;                  ///< first row, whose payload is the unit in which depths are compared
    std::vector<double> targets_;  ///< value of the target at each sample
    /// Standard deviation of the log target that is precise enough: less than the wanted one where the fit states wider
    /// intervals than the samples have, for what more samples or bursts would tell.
    double resolution_ = 0;
    /// Indices of the reported kind, and of kinds whose target differs from it by more than precision and spreads.
    std::vector<std::size_t> rivals_;
    std::map<BurstSetting, int> measured_;  ///< number of measurements of each setting
};

// Checks of a fit by bursts whose outcome the others predict.

/// Checks of a fit, done and to be done.
struct Checks {
    CheckCount count;
    std::vector<AdvisedPoint> left;  ///< checks that remain to be measured
};

/// Returns checks of a fit, of two sorts. Repeats of the bursts that limit depth and rate would show noise; they are
/// left out if the fit has noise or strays. A pair of bursts at one separation, a lossless and a lossy one, would show
/// a wrong model; it passes if its outcomes are those that the rows of all other separations predict.
Checks checks_of(const Fit& fit, const Prior& prior, const AdviceOptions& options, const BurstPlanner& planner);

/// Returns a further pair, at another separation; empty if none can be set.
std::vector<AdvisedPoint> new_pair_of(const Fit& fit, const Prior& prior, const AdviceOptions& options,
                                      const BurstPlanner& planner);

/// Returns the bursts of a fit with the wire bytes that were sent; the fit's are as its model sees them.
std::vector<Burst> as_sent(const Fit& fit);

/// Returns how the last rows of a map compare with what the rows before them foretold. Rows of one setting of ports,
/// payload and separation that follow each other are foretold together; repeats tell nothing of the law.
PredictionScore foretold_again(const Fit& fit, const Prior& prior);

/// Returns which law is missing where no known kind of memory explains some bursts.
std::string missing_law(const Fit& fit, const std::vector<Burst>& odd);

/// Returns the fit without the bursts of one separation, by importance sampling.
/// @param bursts  bursts as sent, not as seen by the model
/// @return std::nullopt for small maps, which the caller fits anew, and if too few samples are effective
std::optional<Fit> fit_without(const Fit& fit, const std::vector<Burst>& bursts, Time separation);

/// Probability below which an outcome is unexpected.
constexpr double kUnlikely = 0.05;

/// Predicted outcome of a burst.
struct PredictedLoss {
    double probability_of_loss = 0;
    double fewest = 0, most = 0;  ///< plausible range of the number of lost frames
    bool by_number = false;       ///< true: only the number can decide, because random loss makes any burst lossy
    /// Returns true if only one outcome is plausible.
    bool certain() const;
    /// Returns true if the burst ended as predicted. @pre certain()
    bool agrees(const Burst& burst) const;

  private:
    bool certain_by_flag() const;
};
/// Returns the predicted outcome of a burst.
PredictedLoss predict_loss(const PosteriorMixture& mixture, const Burst& burst);

}  // namespace watershed
