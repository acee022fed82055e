// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/advice/advise.h"
#include "calibrate/posterior/nuisance-model.h"
#include "model/scenario.h"

/// Campaigns against simulated switches, and statistics over many of them.
namespace watershed {

// Simulated measurement: bursts into a hidden switch by an imperfect set-up.

/// Imperfections of the set-up and the switch. The first are terms of the fit's likelihood.
struct SetupImperfections {
    /// Scatter of the effective length and of the number of lost frames.
    NoiseModel noise;
    double background = 0;     ///< fraction of bursts that lose one frame without congestion
    double loss = 0;           ///< fraction of frames lost at random
    double bucket = 0;         ///< token bucket: bytes that an idle uplink may send at once
    double other_traffic = 0;  ///< variance of the number lost per frame drained, by cross-traffic
    double late = 0;           ///< fraction of bursts with a trigger 1 to 10 separations late, which the map records
    bool counts = true;        ///< true if losses are counted; else a burst loses one frame or none
    // Imperfections outside of the fit's model.
    bool heavy_tails = false;         ///< scatter as Student's t with 2 degrees of freedom
    double drift = 0;                 ///< relative change of the service rate per burst
    double stray = 0;                 ///< fraction of bursts that lose 1 to 1000 frames more, log-uniform
    std::int64_t overhead_error = 0;  ///< bytes that a frame is longer than assumed, on link and in memory
    std::uint64_t seed = 1;
};

/// Returns a uniform number in (0, 1).
double uniform_draw(std::uint64_t seed, std::int64_t number, std::uint64_t draw);

class SimulatedSwitch {
  public:
    /// @param hidden  its modules, payload and trigger are not used
    SimulatedSwitch(Scenario hidden, const SetupImperfections& apparatus, Generator generator = {});

    /// Simulates burst `number` at the closest settings; the number selects its random disturbances.
    /// @throws std::invalid_argument if the hidden switch cannot take such frames
    LossMapRow measure(std::int64_t number, const BurstSetting& wanted) const;

  private:
    Scenario hidden_;
    SetupImperfections apparatus_;
    Generator generator_;
};

// Strategies of choosing bursts.

/// Knowledge and settings of the experimenter.
struct CampaignPlan {
    Prior prior;
    Conditions conditions;
    FitOptions fit;
    AdviceOptions advice;
    std::vector<Time> grid_separations;
    std::vector<std::int64_t> grid_lengths;
    std::uint64_t seed = 1;  ///< seed of a grid's order
};

class Strategy {
  public:
    virtual ~Strategy() = default;
    /// Returns the next burst; std::nullopt when the campaign is over.
    /// @param fit  of these rows; std::nullopt without a row
    virtual std::optional<BurstSetting> next(const std::vector<LossMapRow>& rows, const std::optional<Fit>& fit) = 0;
    /// True if the campaign ended because enough is known.
    virtual bool stopped() const { return false; }
    /// True if next() uses the fit.
    virtual bool needs_fit() const { return false; }
};

/// "grid": every point of the grid in random order, against drift. "bisection": at each separation the length is
/// doubled until frames are lost, then the bracket is halved. "advised": the first burst of `watershed next`, until it
/// advises to stop.
std::unique_ptr<Strategy> make_strategy(const std::string& name, const CampaignPlan& plan);

/// Knowledge of the target after some bursts.
struct CampaignStage {
    std::int64_t bursts = 0;
    double seconds = 0;  ///< measuring time
    std::optional<TargetEstimate>
        estimate{};          ///< std::nullopt if bounded on one side only; a depth in the truth's unit
    std::string kind{};      ///< most probable kind of memory
    double probability = 0;  ///< probability of `kind`
};

struct CampaignRecord {
    double truth = 0;                   ///< target's true value
    std::vector<CampaignStage> stages;  ///< by number of bursts; the last is the end of the campaign
    bool stopped = false;               ///< true if enough was known
};

/// Returns the hidden scenario of a campaign: depth log-uniform within `depth_factor` of the scenario's, log rate
/// normal.
Scenario hidden_scenario(const Scenario& believed, std::uint64_t seed, std::int64_t number, double depth_factor,
                         double rate_spread);

/// Plays one campaign until the strategy ends it, or for `most` bursts.
CampaignRecord play_campaign(const SimulatedSwitch& hidden, double truth, Strategy& strategy, const CampaignPlan& plan,
                             std::int64_t most);

/// Returns the target's true value in a switch.
double true_target(const Scenario& hidden, const CampaignPlan& plan);

/// Quartiles over campaigns; infinite if too many campaigns have no value.
struct Spread {
    double low = 0, median = 0, high = 0;
};

struct StrategySummary {
    std::string strategy;
    std::size_t campaigns = 0;
    double reached = 0;  ///< fraction of campaigns that reached the precision
    Spread bursts;       ///< bursts until then
    Spread seconds;
    Spread error;          ///< absolute relative error at that point
    double covered = 0;    ///< fraction of these whose 95 % interval contains the truth
    Spread bursts_in_all;  ///< bursts until the end
    Spread final_error;    ///< absolute relative error at the end
    double finally_covered = 0;
    double stopped = 0;       ///< fraction of campaigns that ended because enough was known
    Spread stop_bursts;       ///< bursts of these
    double stop_covered = 0;  ///< fraction of these whose 95 % interval contains the truth; NaN if none
    double wrong_kind = 0;    ///< fraction of campaigns that end with a wrong kind more than 99 % probable
};
/// @param kind  true kind of memory
StrategySummary summary_of(const std::string& strategy, const std::vector<CampaignRecord>& records, double precision,
                           const std::string& kind);

/// Knowledge of a strategy's campaigns after some bursts; ended campaigns keep theirs.
struct StrategyPoint {
    std::int64_t bursts = 0;
    Spread half_width;   ///< relative half width of the 95 % interval
    Spread error;        ///< absolute relative error
    double seconds = 0;  ///< median
};
std::vector<StrategyPoint> progress_of(const std::vector<CampaignRecord>& records);

}  // namespace watershed
