// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/advice/advise.h"
#include "calibrate/posterior/nuisance-model.h"
#include "model/scenario.h"

/// Campaigns against simulated switches, and what strategies make of many of them.
namespace watershed {

// A measurement without a laboratory: bursts into a switch whose parameters nobody is told, by an apparatus that is
// not perfect.

/// What the apparatus and the switch do beside what is asked for. The first terms are those of the likelihood that the
/// fit assumes.
struct SetupImperfections {
    /// The switch treats a burst as if it were longer or shorter by a random factor, and loses a random number of
    /// frames more or fewer; no number is below 0.
    NoiseModel noise;
    double background = 0;     ///< share of bursts that lose one frame beside those that no queue had room for
    double loss = 0;           ///< share of the frames that get through which are then lost at random
    double bucket = 0;         ///< bytes on the link that an idle uplink may send at once, ahead of its rate
    double other_traffic = 0;  ///< variance of the number lost, in frames, per frame drained: of others, in clumps
    double late = 0;  ///< share of bursts in which a trigger comes 1 to 10 separations late; the map says by how much
    bool counts = true;  ///< else a burst loses one frame or none
    // What no law of the fit foresees.
    bool heavy_tails = false;  ///< threshold and counts scatter as Student's t with 2 degrees of freedom, scaled alike
    double drift = 0;          ///< relative change of the service rate from each burst to the next
    double stray = 0;          ///< share of bursts that lose 1 to 1000 frames more, any factor as likely, by themselves
    std::int64_t overhead_error = 0;  ///< bytes by which a frame is longer, on link and in memory, than is believed
    std::uint64_t seed = 1;
};

/// Between 0 and 1, neither included.
double uniform_draw(std::uint64_t seed, std::int64_t number, std::uint64_t draw);

class SimulatedSwitch {
  public:
    /// @param hidden of its own modules, payload and trigger nothing is used
    SimulatedSwitch(Scenario hidden, const SetupImperfections& apparatus, Generator generator = {});

    /// Sends burst number `number` of a campaign, at the settings closest to those wanted. The number names its random
    /// disturbances, so that no burst changes another.
    /// @throws std::invalid_argument if the hidden switch cannot take such frames
    LossMapRow measure(std::int64_t number, const BurstSetting& wanted) const;

  private:
    Scenario hidden_;
    SetupImperfections apparatus_;
    Generator generator_;
};

// Ways of choosing the bursts of a measuring campaign.

/// What the experimenter knows and can set.
struct CampaignPlan {
    Prior prior;
    Conditions conditions;
    FitOptions fit;
    AdviceOptions advice;
    std::vector<Time> grid_separations;
    std::vector<std::int64_t> grid_lengths;
    std::uint64_t seed = 1;  ///< of the order in which a grid is measured
};

class Strategy {
  public:
    virtual ~Strategy() = default;
    /// The next burst, or nothing when the campaign is over.
    /// @param fit of these rows; nothing without a row
    virtual std::optional<BurstSetting> next(const std::vector<LossMapRow>& rows, const std::optional<Fit>& fit) = 0;
    /// Whether the campaign ended because enough is known; false for strategies that do not ask.
    virtual bool stopped() const { return false; }
    /// Whether next() looks at the fit.
    virtual bool needs_fit() const { return false; }
};

/// "grid": every point of the grid, in random order, as one does against drift.
/// "bisection": at one separation after the other the length is doubled until frames are lost, and then the bracket
/// halved. "advised": what `watershed next` names first, its checks among it, until it says stop.
std::unique_ptr<Strategy> make_strategy(const std::string& name, const CampaignPlan& plan);

/// What was known of the target after some bursts.
struct CampaignStage {
    std::int64_t bursts = 0;
    double seconds = 0;                        ///< of measuring
    std::optional<TargetEstimate> estimate{};  ///< nothing while bounded on one side only; a depth in the truth's unit
    std::string kind{};                        ///< the likeliest kind of memory
    double probability = 0;                    ///< of it
};

struct CampaignRecord {
    double truth = 0;                   ///< the target's value in the hidden switch
    std::vector<CampaignStage> stages;  ///< by number of bursts; the last is where the campaign ended
    bool stopped = false;               ///< because enough was known
};

/// Scenario of campaign number `number`: its depth lies anywhere, by factors, from 1/depth_factor to depth_factor times
/// the scenario's; the uplinks' rate is off by a normal deviation.
Scenario hidden_scenario(const Scenario& believed, std::uint64_t seed, std::int64_t number, double depth_factor,
                         double rate_spread);

/// Plays one campaign until the strategy ends it, or for `most` bursts.
CampaignRecord play_campaign(const SimulatedSwitch& hidden, double truth, Strategy& strategy, const CampaignPlan& plan,
                             std::int64_t most);

/// The target's value in a switch.
double true_target(const Scenario& hidden, const CampaignPlan& plan);

/// The quartiles over campaigns. Infinite where so many of them had no estimate or never got so
/// far.
struct Spread {
    double low = 0, median = 0, high = 0;
};

struct StrategySummary {
    std::string strategy;
    std::size_t campaigns = 0;
    double reached = 0;  ///< share of campaigns that reached the precision
    Spread bursts;       ///< until then
    Spread seconds;
    Spread error;          ///< relative, absolute value; of the campaigns that reached it, there
    double covered = 0;    ///< share of these whose 95 % interval holds the truth
    Spread bursts_in_all;  ///< until the campaign ended
    Spread final_error;    ///< relative, absolute value, then
    double finally_covered = 0;
    double stopped = 0;       ///< share of campaigns that ended because enough was known
    Spread stop_bursts;       ///< of these
    double stop_covered = 0;  ///< share of these whose 95 % interval holds the truth; no number where there are none
    double wrong_kind = 0;    ///< share of all campaigns that end with a wrong kind of memory more than 99 % probable
};
/// @param kind of memory that all hidden switches have
StrategySummary summary_of(const std::string& strategy, const std::vector<CampaignRecord>& records, double precision,
                           const std::string& kind);

/// What the campaigns of a strategy know after so many bursts. One that has ended keeps what it knew.
struct StrategyPoint {
    std::int64_t bursts = 0;
    Spread half_width;   ///< relative, of the 95 % interval
    Spread error;        ///< relative, absolute value
    double seconds = 0;  ///< median
};
std::vector<StrategyPoint> progress_of(const std::vector<CampaignRecord>& records);

}  // namespace watershed
