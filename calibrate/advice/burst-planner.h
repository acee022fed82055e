// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <set>

#include "calibrate/advice/advise.h"
#include "calibrate/posterior/nuisance-model.h"

/// Plan of further bursts: what the measured ones leave open, and how much each further one is expected to tell.
namespace watershed {

// Posterior mixture over kinds of memory during a campaign.

/// Kind of memory of a mixture, with its disturbances.
struct MixtureKind {
    QueueModel model;
    double probability = 1;
    NoiseModel noise{};
    double loss = 0;  ///< fraction of frames lost at random
    bool noisy() const { return !noise.none() || loss > 0; }
};

/// Sample of depth, rate and feature, in the units of its kind.
struct PosteriorPoint : SupportPoint {
    std::size_t kind = 0;
};

/// Mixture of kinds of memory with samples of depth and rate.
struct PosteriorMixture {
    std::vector<MixtureKind> kinds{1};   ///< the reported kind first
    std::vector<PosteriorPoint> points;  ///< samples of total weight 1
    bool counts = true;                  ///< true if lost frames will be counted
    std::optional<PeakReading> peak{};   ///< peak counter that will be read; only unit and resolution are used
    bool measured = false;               ///< true if measured; else partly assumed
    std::int64_t wire =
        0;  ///< wire bytes of the first row's frames: a receiver with a cost per packet takes as long for any size

    /// Returns the burst as this kind of memory sees it.
    Burst seen(Burst burst, const MixtureKind& kind) const {
        if (kind.model.per_packet && wire > 0) burst.wire = wire;
        return burst;
    }
    /// Returns the model of a point.
    QueueModel model_at(const PosteriorPoint& point) const {
        QueueModel model = kinds[point.kind].model;
        if (model.feature != Feature::None) model.value = point.value;
        return model;
    }
};

/// Kinds of smaller probability are ignored.
constexpr double kLeastProbable = 0.001;

/// Returns the posterior of all kinds whose depth and rate the bursts bound. Otherwise the part of the prior that
/// explains every burst, for the reported kind.
/// @param fit  std::nullopt before the first burst
PosteriorMixture posterior_mixture_of(const std::optional<Fit>& fit, const Prior& prior);

/// Expected information of one burst about a target quantity.
struct Information {
    double probability_of_loss = 0;
    double bits = 0;         ///< total information, bits
    double count_bits = 0;   ///< contribution of the number of lost frames
    double peak_bits = 0;    ///< further contribution of the peak counter
    double frames_lost = 0;  ///< expected number of lost frames, if any are lost
};

/// Returns the expected loss of a burst in the switch of a point.
double expected_loss(const PosteriorMixture& mixture, const PosteriorPoint& point, const Burst& burst);

/// Expected information of bursts at one separation. The outcome "lossy or not" gives Lindley's information (1956): its
/// entropy less that of noise. The number lost gives the log of the factor by which regression on it narrows the
/// target, down to the wanted precision, and the information about the kind of memory if targets differ.
class InformationGain {
  public:
    /// @param like        ports, payload and framing of the bursts
    /// @param target      value of the target at each point, above 0
    /// @param resolution  standard deviation of the log target that is precise enough
    InformationGain(const PosteriorMixture& mixture, const Burst& like, Time separation, Time spacing,
                    const std::vector<double>& target, double resolution);

    Information about(std::int64_t events) const;
    /// Returns a quantile of the longest lossless burst; std::nullopt for any length.
    std::optional<std::int64_t> longest_lossless_quantile(double share) const;

  private:
    double loses(std::size_t point, std::int64_t events) const;
    void group_kinds();
    double bits_of_peak(const Burst& burst, const std::vector<double>& lossy, double probability,
                        double count_bits) const;
    double bits_of_count(const Burst& burst, const std::vector<double>& lossy, double probability,
                         double& mean_lost) const;

    const PosteriorMixture& mixture_;
    Burst burst_;
    std::vector<double> target_;  ///< logarithm of the target
    double resolution_;
    std::vector<std::size_t> parts_;  ///< part of the target's range of each point
    std::vector<double> part_weights_;
    std::vector<std::size_t> groups_;  ///< group of similar targets of each kind
    std::size_t group_count_ = 1;
    std::vector<std::int64_t> longest_;  ///< longest lossless burst of each point
    std::vector<std::size_t> by_longest_;
};

/// Returns a burst of other ports or payload; std::nullopt if its fragments are not single frames.
std::optional<Burst> with_mix(const Burst& like, std::int64_t ports, std::int64_t payload,
                              const Conditions& conditions);

class BurstPlanner {
  public:
    /// The arguments must outlive the planner.
    BurstPlanner(const std::optional<Fit>& fit, const Prior& prior, const AdviceOptions& options);

    const PosteriorMixture& mixture() const { return mixture_; }
    /// Returns ports, payload and framing of the usual burst.
    const Burst& like() const { return prior_.like; }
    /// Returns the estimate over all kinds of memory; std::nullopt if it is bounded on one side only. Depths of
    /// different kinds are compared in frames of the first row's payload, of the whole memory or of one input's or
    /// output's own.
    std::optional<TargetEstimate> estimate() const { return estimate_of(options_.target); }
    std::optional<TargetEstimate> estimate_of(AdviceTarget target) const;
    /// True if no burst of any length loses frames at the target's separation.
    bool no_watershed() const;

    /// Returns the best burst of each separation, most bits per second first; other ports or payloads if they
    /// distinguish kinds of different depth.
    std::vector<AdvisedPoint> best() const;
    /// Returns a burst with its expected information.
    AdvisedPoint evaluate_burst(const InformationGain& gain, const Burst& like, Time separation,
                                std::int64_t events) const;
    AdvisedPoint evaluate_burst(const Burst& burst, const std::string& reason) const;
    InformationGain information_gain_at(const Burst& like, Time separation) const;
    /// Returns separations from the shortest possible to where the watershed is too steep, for slow, median and fast
    /// switches of the mixture.
    std::vector<Time> separations(const Burst& like) const;
    /// Returns two bursts that bracket the possible watersheds; std::nullopt if they cannot be set.
    std::optional<std::pair<AdvisedPoint, AdvisedPoint>> pair_at(const Burst& like, Time separation) const;
    int times_measured(const BurstSetting& setting) const;
    /// Returns the kinds with another depth that remain possible, "shared-frames or per-input-frames"; empty if none.
    std::string rivals_text() const;
    std::string target_name() const;

  private:
    std::vector<double> targets_for(AdviceTarget target) const;
    double target_of(AdviceTarget target, const PosteriorPoint& point) const;
    std::vector<std::size_t> find_rivals() const;
    std::vector<Burst> mixes() const;
    std::string reason_for(const Burst& like, const Information& information) const;
    std::set<std::int64_t> lengths(const InformationGain& gain) const;
    bool known_already(const BurstSetting& setting) const;
    Time slot_of(const Burst& like) const;

    const std::optional<Fit>& fit_;
    const Prior& prior_;
    const AdviceOptions& options_;
    PosteriorMixture mixture_;
    Burst first_;  ///< first row, whose payload is the unit of compared depths
    std::vector<double> targets_;
    std::vector<std::size_t>
        rivals_;  ///< reported kind, and kinds that differ by more than the precision and either's spread
    std::map<BurstSetting, int> measured_;  ///< number of measurements of each setting
};

// Reasons to distrust a fit, bursts that would explain them, and checks by bursts that the others predict.

struct FitConcerns {
    bool misfit = false;             ///< no kind of memory explains the bursts
    std::optional<double> goodness;  ///< p-value of the goodness of fit; std::nullopt for too few bursts
    std::string unusual;             ///< most unusual statistic of the map
    std::optional<RunsTest> trend;   ///< order in which residuals keep their sign too long
    std::vector<Residual> residuals;

    bool any() const { return !text().empty(); }
    /// Returns the first concern as half a sentence; empty if none.
    std::string text() const;
};

/// Uses the fit's own goodness, else that of its diagnosis.
FitConcerns fit_concerns(const Fit& fit);

/// Returns bursts far from the watershed, which every plain memory treats alike, and repeats of the worst residuals;
/// rarely measured ones first.
std::vector<AdvisedPoint> diagnostic_bursts(const BurstPlanner& planner, const Fit& fit, const FitConcerns& concerns,
                                            const AdviceOptions& options);

struct Checks {
    CheckCount count;
    std::vector<AdvisedPoint> left;  ///< checks that remain to be measured
};

/// Returns checks of a fit: repeats of limiting bursts, which would show noise (not if noise or strays are known), and
/// a lossless and a lossy burst at one separation, which would show a wrong model. Such a pair counts if the rows of
/// all other separations predict it.
Checks checks_of(const Fit& fit, const Prior& prior, const AdviceOptions& options, const BurstPlanner& planner);

/// Returns the fit without the bursts of one separation, by importance sampling. std::nullopt for small maps, which are
/// fitted anew, or if too few samples remain effective.
/// @param bursts  as they were sent
std::optional<Fit> fit_without(const Fit& fit, const std::vector<Burst>& bursts, Time separation);

/// Predicted outcome of a burst.
struct PredictedLoss {
    double probability_of_loss = 0;
    double fewest = 0, most = 0;  ///< range of lost frames
    bool by_number = false;       ///< random losses are counted: the number decides, not the loss
    /// True if only one outcome is plausible.
    bool certain() const;
    /// True if the burst ended as predicted. @pre certain()
    bool agrees(const Burst& burst) const;

  private:
    bool certain_by_flag() const;
};
PredictedLoss predict_loss(const PosteriorMixture& mixture, const Burst& burst);

}  // namespace watershed
