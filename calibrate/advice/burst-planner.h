// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <set>

#include "calibrate/advice/advise.h"
#include "calibrate/posterior/nuisance-model.h"

/// What the bursts so far leave open, and what further ones are expected to tell.
namespace watershed {

// What is held possible about a switch while it is being measured.

/// A kind of memory that is held possible, and what disturbs its bursts.
struct MixtureKind {
    QueueModel model;
    double probability = 1;
    NoiseModel noise{};
    double loss = 0;  ///< share of the frames that are lost at random
    bool noisy() const { return !noise.none() || loss > 0; }
};

/// Depth, rate and value as its kind counts them.
struct PosteriorPoint : SupportPoint {
    std::size_t kind = 0;
};

/// A mixture of kinds of memory, each with its depths and rates.
struct PosteriorMixture {
    std::vector<MixtureKind> kinds{1};   ///< the one that the fit reports first
    std::vector<PosteriorPoint> points;  ///< of one probability in all
    bool counts = true;                  ///< numbers of frames lost will be known
    std::optional<PeakReading> peak{};   ///< such counters of the memory are read; of the resolution alone
    bool measured = false;               ///< by the bursts; else partly assumed
    std::int64_t wire = 0;  ///< bytes of the first row's frames: to a receiver with a cost per packet all take as long

    /// The burst as this kind sees it.
    Burst seen(Burst burst, const MixtureKind& kind) const {
        if (kind.model.per_packet && wire > 0) burst.wire = wire;
        return burst;
    }
    /// The memory that a point stands for.
    QueueModel model_at(const PosteriorPoint& point) const {
        QueueModel model = kinds[point.kind].model;
        if (model.feature != Feature::None) model.value = point.value;
        return model;
    }
};

/// Kinds less probable than this are not reckoned with.
constexpr double kLeastProbable = 0.001;

/// The fitted distributions of all kinds of memory that the bursts leave possible, where they bound depth and rate;
/// elsewhere that part of the prior which ends every burst as it was measured, for the kind that the fit reports.
/// @param fit nothing where no burst has been measured yet
PosteriorMixture posterior_mixture_of(const std::optional<Fit>& fit, const Prior& prior);

/// What one burst is expected to tell about a quantity that a mixture leaves open.
struct Information {
    double probability_of_loss = 0;
    double bits = 0;         ///< in all
    double count_bits = 0;   ///< of these, from the number of frames lost
    double peak_bits = 0;    ///< and from the most that was in use, beyond these
    double frames_lost = 0;  ///< mean over what is believed, if any are lost
};

/// Frames that the burst loses in the switch that a point stands for, random losses on average.
double expected_loss(const PosteriorMixture& mixture, const PosteriorPoint& point, const Burst& burst);

/// Expected information of bursts at one separation: that about whether frames are lost is Lindley's (1956), the
/// entropy of the outcome less what noise adds to it; the number lost is worth the logarithm of how much narrower it
/// makes the quantity, by regression on it, until the quantity is known as well as is wanted; and what it tells of
/// which kind of memory it is, where kinds have different quantities.
class InformationGain {
  public:
    /// @param like   ports, payload and framing of the bursts
    /// @param target     the quantity for each point of the mixture, above 0
    /// @param resolution standard deviation of its logarithm beyond which nobody wants to know it
    InformationGain(const PosteriorMixture& mixture, const Burst& like, Time separation, Time spacing,
                    const std::vector<double>& target, double resolution);

    Information about(std::int64_t events) const;
    /// The longest lossless burst below which a share of the mixture lies; nothing where that is any length.
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
    std::vector<double> target_;  ///< logarithm
    double resolution_;
    std::vector<std::size_t> parts_;  ///< of the target's range
    std::vector<double> part_weights_;
    std::vector<std::size_t> groups_;  ///< of kinds whose targets are alike, by kind
    std::size_t group_count_ = 1;
    std::vector<std::int64_t> longest_;  ///< lossless burst at each point
    std::vector<std::size_t> by_longest_;
};

/// A burst of other ports or payload under the same conditions; nothing where its fragments are not one frame.
std::optional<Burst> with_mix(const Burst& like, std::int64_t ports, std::int64_t payload,
                              const Conditions& conditions);

class BurstPlanner {
  public:
    /// The arguments must outlive it.
    BurstPlanner(const std::optional<Fit>& fit, const Prior& prior, const AdviceOptions& options);

    const PosteriorMixture& mixture() const { return mixture_; }
    /// The ports, payload and framing of the bursts to come, where nothing asks for others.
    const Burst& like() const { return prior_.like; }
    /// What is known about the target, whichever kind of memory it is; nothing while it is bounded on one side only.
    /// Depths of different kinds are compared in frames of the first row's payload: of the whole memory, or of one
    /// input's or output's where these have their own.
    std::optional<TargetEstimate> estimate() const { return estimate_of(options_.target); }
    std::optional<TargetEstimate> estimate_of(AdviceTarget target) const;
    /// Whether no burst of any length is believed to lose frames at the separation that is asked for.
    bool no_watershed() const;

    /// The best burst of each separation, most bits per second first; with other ports or another payload where these
    /// would tell apart kinds of memory whose depths differ.
    std::vector<AdvisedPoint> best() const;
    /// What one burst is expected to tell; the reason is the caller's.
    AdvisedPoint evaluate_burst(const InformationGain& informant, const Burst& like, Time separation,
                                std::int64_t events) const;
    AdvisedPoint evaluate_burst(const Burst& burst, const std::string& reason) const;
    InformationGain information_gain_at(const Burst& like, Time separation) const;
    /// From the shortest that can be set to where the watershed becomes too steep, for slow, middling and fast switches
    /// of the mixture.
    std::vector<Time> separations(const Burst& like) const;
    /// Two bursts at this separation, just beyond what is left open on either side; nothing where they cannot be set.
    std::optional<std::pair<AdvisedPoint, AdvisedPoint>> pair_at(const Burst& like, Time separation) const;
    int times_measured(const BurstSetting& setting) const;
    /// Kinds of memory that are left possible, and whose depth is another: "shared-frames or per-input-frames"; empty
    /// where there are none.
    std::string rivals_text() const;
    std::string target_name() const;

  private:
    std::vector<double> targets_for(AdviceTarget target) const;
    double target_of(AdviceTarget target, const PosteriorPoint& point) const;
    std::vector<std::size_t> find_rivals() const;
    std::vector<Burst> mixes() const;
    std::string reason_for(const Burst& like, const Information& information) const;
    std::set<std::int64_t> lengths(const InformationGain& informant) const;
    bool known_already(const BurstSetting& setting) const;
    Time slot_of(const Burst& like) const;

    const std::optional<Fit>& fit_;
    const Prior& prior_;
    const AdviceOptions& options_;
    PosteriorMixture mixture_;
    Burst first_;  ///< whose payload depths are compared in
    std::vector<double> targets_;
    std::vector<std::size_t> rivals_;  ///< the first, and those off it by more than is wanted and than either spreads
    std::map<BurstSetting, int> measured_;  ///< how often
};

// Why a fit is not to be believed, however narrow its interval, and which bursts would tell; and whether bursts come
// out as the others foretell. A few that agree may agree by luck.

struct FitConcerns {
    bool misfit = false;             ///< no kind of memory explains the bursts
    std::optional<double> goodness;  ///< share of maps of the fitted switch that look as unusual; else too few tell
    std::string unusual;             ///< in what the map is most unusual
    std::optional<RunsTest> trend;   ///< what is left over keeps its sign too long in this order
    std::vector<Residual> residuals;

    bool any() const { return !text().empty(); }
    /// "no kind of memory explains the bursts", "only 0.7 % of maps ...": one half sentence; empty where there are
    /// none.
    std::string text() const;
};

/// Of the fit's own goodness where it has one, else of that which its diagnosis finds.
FitConcerns fit_concerns(const Fit& fit);

/// Bursts far from the watershed, which a plain memory treats alike whatever its depth, and repeats of those that miss
/// the model most; those seen least often first.
std::vector<AdvisedPoint> diagnostic_bursts(const BurstPlanner& outlook, const Fit& fit, const FitConcerns& doubts,
                                            const AdviceOptions& options);

struct Checks {
    CheckCount count;
    std::vector<AdvisedPoint> left;  ///< to be measured
};

/// Repeats of the bursts that limit the answer, which would show noise (none are wanted where noise is known, or where
/// noise or, in many bursts, stray ones were seen), and a pair of bursts, one lossless and one lossy, at a separation
/// of its own, which would show if the model were wrong. A pair counts where all the rows of other separations foretell
/// it.
Checks checks_of(const Fit& fit, const Prior& prior, const AdviceOptions& options, const BurstPlanner& outlook);

/// What the fit of all bursts would be without those of one separation: a switch that it holds possible counts the less
/// the likelier it makes these (importance sampling). Nothing for small maps, of which a fit takes no time; where
/// outcomes are sharp, so that no switch is left that these bursts rule out; or where few would speak for the others.
/// @param bursts  as they were sent
std::optional<Fit> fit_without(const Fit& fit, const std::vector<Burst>& bursts, Time separation);

/// How a burst is expected to end.
struct PredictedLoss {
    double probability_of_loss = 0;
    double fewest = 0, most = 0;  ///< frames lost
    bool by_number = false;  ///< frames are lost at random and counted: their number tells where a loss alone does not
    /// Whether a burst could end otherwise than foretold.
    bool certain() const;
    /// Of a certain outcome: whether the burst ended so.
    bool agrees(const Burst& burst) const;

  private:
    bool certain_by_flag() const;
};
PredictedLoss predict_loss(const PosteriorMixture& mixture, const Burst& burst);

}  // namespace watershed
