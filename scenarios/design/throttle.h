// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/base/unsupported-key.h"
#include "model/network/network.h"

namespace watershed {

class Engine;
struct Guarantee;

/// Fraction of random triggers that a trigger system refuses, 0 to 1.
struct RefusedShare {
    double estimate = 0, lower = 0, upper = 0;  ///< estimate and 95 % interval; three equal values if calculated
    bool calculated = false;                    ///< true: by a formula; false: counted in a simulation
};

/// Trigger rule with which a scenario loses no frame, for every sequence of triggers that the rule lets pass.
struct LosslessRule {
    std::string kind;                                       ///< "dead-time", "count", "token-bucket" or "almost-full"
    std::vector<std::pair<std::string, std::string>> keys;  ///< scenario keys that set the rule, and their values
    Trigger trigger;                                        ///< trigger of the scenario, with the rule
    RefusedShare refused;                                   ///< fraction of all triggers
    RefusedShare after_dead_time;  ///< fraction of the triggers that the scenario's own dead time lets pass
    std::pair<std::string, std::string> weaker;  ///< key and value of a rule of this kind that is one step weaker
    /// Triggers that the weaker rule lets pass, the last of which loses frames; empty if the search found none.
    std::vector<Time> witness;
};

/// Largest number of triggers of a witness.
constexpr std::int64_t kLongestWitness = 1'000'000;

/// Result of find_throttle(): rules with which a scenario loses nothing.
struct Throttle {
    std::vector<LosslessRule> rules;               ///< empty if no rule is needed, or none helps
    bool needless = false;                         ///< true if the scenario's own dead time and rules are enough
    bool exact = true;                             ///< true if triggers reach the bound, so that weaker rules lose
    UnsupportedKey no_count, no_bucket, no_level;  ///< reasons why rules of these kinds were not sought
};

/// Returns the shortest dead time, in whole nanoseconds, with which no sequence of triggers loses a frame, in place of
/// the scenario's rules; std::nullopt if no dead time up to 1000 times the least stable one is enough.
/// @param now  guarantee of the scenario as it is
std::optional<Time> shortest_dead_time(const NetworkScenario& scenario, const Guarantee& now);

/// Returns the weakest rule of each kind without loss. Let D be the shortest dead time with which a Guarantee fits, in
/// whole nanoseconds. The count rule "n in n D" and the token bucket of n tokens, one per D, have the largest n that
/// fits. The almost-full rule has the highest level of AlmostFullLevelBound. If the Guarantee is not exact, weaker
/// rules may lose nothing either.
/// @param latency  latency of the almost-full rule; std::nullopt: no such rule is sought
/// @throws KeyError that names the key which a Guarantee does not cover
Throttle find_throttle(Engine& engine, const NetworkScenario& scenario, std::optional<Time> latency = {});

/// Returns the fraction of random triggers that dead time and rules refuse. It is calculated for a dead time alone (a
/// type I counter) and for a rule `n in T` without dead time (Erlang's loss formula, which holds for any service time
/// of mean T). Otherwise it is counted in a simulation of the triggers.
/// @param passed  dead time, at most the trigger's: the result is the fraction of the triggers that `passed` alone lets
///                pass. Default: of all triggers
/// @throws KeyError unless triggers come at random at one rate and no rule is an almost-full one
RefusedShare refused_share(const Trigger& trigger, std::uint64_t seed, Time passed = Time{0});
/// Returns the fraction for a scenario that may have an almost-full rule, which is counted in runs of the scenario.
RefusedShare refused_share(Engine& engine, const NetworkScenario& scenario, Time passed = Time{0});

/// Rewrites the reason of a key that Guarantee does not cover for the user: the value that was found, and a remedy.
UnsupportedKey bound_reason(const NetworkScenario& scenario, UnsupportedKey obstacle);

/// Returns 17 rates from a quarter of `rate` to four times it, in equal ratios.
std::vector<Frequency> usual_rates(Frequency rate);

/// Returns a curve over the rate of random triggers as JSON. Its fractions are of the triggers that the scenario's own
/// dead time lets pass: "refused" (by kind) is the fraction that each rule refuses in addition; "without" is the
/// probability of an incomplete event without a rule, as `risk` writes it, or null if no method covers the scenario.
/// @param jobs  number of processes
nlohmann::ordered_json throttle_curve(const NetworkScenario& scenario, const std::vector<LosslessRule>& rules,
                                      const std::vector<Frequency>& rates, Engine& engine, int jobs);

/// Adds the lower and upper end: "bounds" if the fraction is calculated, else "interval95".
void add_interval(nlohmann::ordered_json& json, const RefusedShare& share);

}  // namespace watershed
