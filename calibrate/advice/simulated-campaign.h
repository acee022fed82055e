// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibrate/advice/strategy.h"

/// Campaigns against simulated switches, and what strategies make of many of them.
namespace watershed {

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
