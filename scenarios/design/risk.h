// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "model/network/network-load.h"
#include "model/network/network.h"
#include "model/risk/batch-queue.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/known.h"

namespace watershed {

class Engine;

/// Effort of find_risk(). Limits are counted in simulated work, not in time, so that every machine gets the same
/// answer.
struct RiskEffort {
    std::optional<std::int64_t> events;  ///< events of a direct simulation; default: by `work`, at most 10 million
    std::optional<std::int64_t> cycles;  ///< busy cycles of importance sampling; default: by `work`, at most 20000
    int jobs = 1;                        ///< number of processes; the result does not depend on it
    /// Largest cost of a method whose events or cycles are not given, in simulated frames: some seconds. If a method
    /// counts no loss, ten times as much is allowed.
    double work = 1e8;
};

/// Error: the busy cycles of the scenario are too long for importance sampling.
struct CyclesTooLong : InputError {
    using InputError::InputError;
};

/// Probability that an event is incomplete.
struct Risk {
    std::string method;       ///< "proof", "chain", "bound", "tilted", "direct" or "repetition"
    Enclosure log;            ///< natural logarithm of the probability, lower <= estimate <= upper
    bool calculated = false;  ///< true: lower and upper are proven bounds; false: they are a 95 % interval
    std::string remark;       ///< account of the method's work, for people
    std::string shortfall{};  ///< reason why a result without any loss is only an upper limit, and a remedy; else empty

    Known known() const { return {log.lower, log.estimate, log.upper, !calculated}; }
    /// Returns true if a simulation counted no incomplete event, so that only an upper limit is known.
    bool counted_nothing() const { return !calculated && log.estimate == -std::numeric_limits<double>::infinity(); }
};

/// Returns the risk of a scenario whose triggers come without end.
/// @param method  "chain": stationary distribution of the embedded Markov chain. "bound": the bounds of CertainLoss;
///                the upper one may lie far above the probability. "tilted": importance sampling. "direct": simulation.
///                "auto": 0 where `watershed bound` proves it; then the chain if its bounds agree. Otherwise a tenth of
///                a simulation decides between simulation and importance sampling: the first that comes within a
///                quarter of the probability, or else the closest. If both count no loss, the result is the bound or
///                that of longer sampling. Fixed rates, bursts on top, groups and builders have "direct" alone, and
///                "repetition" where nothing is drawn.
/// @throws InputError if the triggers end or the method does not cover the scenario
/// @throws std::runtime_error if a method's result is no probability between two bounds
Risk find_risk(const NetworkScenario& scenario, const std::string& method, const RiskEffort& effort, Engine& engine);

/// Returns the risk 0 of a scenario of which `watershed bound` proves that it loses nothing; std::nullopt for others.
std::optional<Risk> proven_risk(const NetworkScenario& scenario);

/// Returns the risk by find_risk() with so little work that hundreds of designs can be asked.
/// @param work  as RiskEffort::work
Risk quick_risk(const NetworkScenario& scenario, double work = 3e5);

/// Checks a result. @throws std::runtime_error unless 0 <= lower <= estimate <= upper <= 1 and none of them is NaN
void expect_probability(const Risk& risk);

/// Returns the hash by which switches spread their senders over uplinks; std::nullopt if no switch uses one.
std::optional<UplinkChoice> hash_of(const NetworkScenario& scenario);
/// Returns the scenario's values of uplink_hash and uplink_fold: "layer3+4, crc16".
std::string to_text(const UplinkChoice& hash);
/// Returns ", if the switch's hash is that of the scenario (layer3+4, crc16)"; empty where no hash spreads senders.
std::string hash_condition(const NetworkScenario& scenario);

/// Returns true if two results contradict each other: their intervals do not overlap even at twice their widths.
bool contradict(const Risk& a, const Risk& b);

/// Largest distance of the bounds of a logarithm that counts as exact; also the precision of a risk among many.
inline constexpr double kExactWithin = Known::kCloseWithin;

/// Writes the members of add_risk_members(), "method", "remark" and "shortfall".
void to_json(nlohmann::ordered_json& json, const Risk& risk);

/// Returns a table cell for the JSON of a risk: "≤ …" if only an upper bound is known; "–" for null.
std::string risk_in_words(const nlohmann::ordered_json& risk);

/// Returns a sentence on the consequence of an overloaded link; empty if its load is below 1.
std::string overload_text(const LinkLoad& fullest);

}  // namespace watershed
