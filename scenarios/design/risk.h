// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/network/network-load.h"
#include "model/network/network.h"
#include "model/risk/batch-queue.h"
#include "model/risk/rates.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/known.h"

namespace watershed {

class Engine;

/// Effort of the search. Limits are counted in simulated work, not in time: an answer is the same on every machine.
struct RiskEffort {
    std::optional<std::int64_t> events;  ///< of a direct simulation [as many as the work allows, at most 10 million]
    std::optional<std::int64_t> cycles;  ///< of importance sampling [as many as the work allows, at most 20000]
    int jobs = 1;                        ///< processes; the result is the same for any number
    double work = 1e8;  ///< that each method may cost which is not told how much to do, in frames that are followed one
                        ///< by one: some seconds; ten times that where nothing was counted
};

/// Importance sampling needs busy cycles that end sooner.
struct CyclesTooLong : InputError {
    using InputError::InputError;
};

/// The chance that an event is incomplete.
struct Risk {
    std::string method;       ///< "chain", "bound", "tilted" or "direct"
    Enclosure log;            ///< natural logarithm of the probability, lower <= estimate <= upper
    bool calculated = false;  ///< then the bounds are certain; otherwise they are an interval of 95 %
    std::string remark;       ///< account of the method's work, for people
    std::string shortfall{};  ///< where nothing was counted: why that is only an upper limit, and what would tell more

    Known known() const { return {log.lower, log.estimate, log.upper, !calculated}; }
    bool counted_nothing() const { return !calculated && log.estimate == -std::numeric_limits<double>::infinity(); }
};

/// @param method  "chain": the stationary distribution of the embedded chain; "bound": CertainLoss, of which nobody
/// knows how far below the chance is; "tilted": importance sampling; "direct": simulation;
///                "auto": the chain; if its bounds are apart, a tenth of a simulation, and then whichever of the other
///                two comes to within a quarter, or the closest; where these count nothing, the bound or longer
///                sampling
/// @throws InputError if the triggers are not random or the method cannot do it
/// @throws std::runtime_error if what a method found is no probability between two bounds
Risk find_risk(const NetworkScenario& scenario, const std::string& method, const RiskEffort& effort, Engine& engine);

/// @throws std::runtime_error unless 0 <= lower <= estimate <= upper <= 1, all of them numbers
void expect_probability(const Risk& risk);

/// The hash by which a switch spreads its senders over its uplinks; std::nullopt if none does.
std::optional<UplinkChoice> hash_of(const NetworkScenario& scenario);
/// Returns the scenario's values of uplink_hash and uplink_fold: "layer3+4, crc16".
std::string to_text(const UplinkChoice& hash);
/// Returns ", if the switch's hash is that of the scenario (layer3+4, crc16)"; empty where no hash spreads senders.
std::string hash_condition(const NetworkScenario& scenario);

/// Returns whether two answers contradict each other: their intervals, doubled in width, do not meet.
bool contradict(const Risk& a, const Risk& b);

/// Bounds of a logarithm no farther apart than this are called exact; a risk among many is calculated as closely.
inline constexpr double kExactWithin = Known::kCloseWithin;

/// The members of add_risk_members(), "method", "remark" and "shortfall".
void to_json(nlohmann::ordered_json& json, const Risk& risk);

/// Cell of a table for such JSON: after "≤" no more than an upper bound; "–" for null.
std::string risk_in_words(const nlohmann::ordered_json& risk);

/// Consequence of links that are given more than they carry; empty if they are given less.
std::string overload_text(const LinkLoad& fullest);

/// The smallest memory that keeps the chance of an incomplete event at or below a wanted one, as closely as the chain's
/// bounds tell.
struct NeededMemory {
    Frequency rate;                                       ///< of the triggers, before dead time
    double loss = 0;                                      ///< wanted
    int uplinks = 1;                                      ///< of each switch of the first tier
    CertainLoss::Tiers tier = CertainLoss::Tiers::First;  ///< whose memory it is
    double load = 0;                                      ///< of the busiest uplink, if nothing is lost
    std::optional<std::int64_t> frames;  ///< that certainly suffice: the whole memory of each switch, or each port's
                                         ///< own; nothing if no memory is enough
    std::int64_t at_least = 0;           ///< fewer certainly do not; the same where the smallest memory is known
    Bytes bytes{0};                      ///< what `frames` take there, cells included
    UnsupportedKey bounded{};            ///< why only a bound tells, so that far less may suffice
};

/// Finds it by what CertainLoss knows of the tier; where that is bounded, at_least is 1. Of two
/// tiers each may lose half of what is wanted. Descriptors, and a memory split among traffic classes, are left out of
/// account: what is wanted is what the camera's frames may fill. Memories are counted in the largest frame of an event.
/// @throws InputError if neither knows the scenario
NeededMemory needed_memory(NetworkScenario scenario, Frequency rate, double loss, int uplinks,
                           CertainLoss::Tiers tier = CertainLoss::Tiers::First);

/// The smallest of some numbers of uplinks with which the scenario's own memory keeps to the wanted chance.
struct FewestUplinks {
    std::optional<int> enough;    ///< certainly; nothing if none of them is
    std::optional<int> at_least;  ///< those below are certainly not; nothing if none of them may be enough
};
FewestUplinks fewest_uplinks(NetworkScenario scenario, double loss, const std::vector<std::int64_t>& uplinks);

}  // namespace watershed
