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

/// Fraction of random triggers that a trigger system refuses.
struct RefusedShare {
    double estimate = 0, lower = 0, upper = 0;  ///< the ends of a 95 % interval; all alike where it is calculated
    bool calculated = false;
};

/// A rule of triggers with which a scenario loses no frame, whatever sequence of triggers it lets pass.
struct LosslessRule {
    std::string kind;                                       ///< "dead-time", "count", "token-bucket" or "almost-full"
    std::vector<std::pair<std::string, std::string>> keys;  ///< of the scenario, and their values
    Trigger trigger;                                        ///< the scenario's, with the rule
    RefusedShare refused;
    RefusedShare beyond;                         ///< of the triggers that the scenario's own dead time lets pass
    std::pair<std::string, std::string> weaker;  ///< the same rule, one step weaker: a key and its value
    std::vector<Time> witness;                   ///< triggers that this one lets pass, and the last of which loses
                                                 ///< frames; none where that comes later than was tried
};

constexpr std::int64_t kLongestWitness = 1'000'000;

/// Rules with which a scenario loses nothing.
struct Throttle {
    std::vector<LosslessRule> rules;               ///< none where no rule is needed, or none helps
    bool needless = false;                         ///< the scenario's own dead time and rules are enough
    UnsupportedKey no_count, no_bucket, no_level;  ///< why these were not sought
};

/// The shortest dead time, in whole nanoseconds, with which no sequence of triggers loses a frame, in place of the
/// scenario's rules; nothing if there is none. @param now  the scenario's own guarantee
std::optional<Time> shortest_dead_time(const NetworkScenario& scenario, const Guarantee& now);

/// The weakest rule of each kind, times in whole nanoseconds: the shortest dead time with which a Guarantee fits, and
/// as many triggers in as many of these, or in a bucket that gets one token in each. A count that is one larger, in as
/// many more, or a bucket, does not fit. Where a Guarantee is not exact, weaker rules may do as well.
///
/// The highest level of an almost-full rule is that of AlmostFullLevelBound.
/// @param latency  of that rule; absent: none is sought
/// @throws KeyError for what Guarantee does not cover: names the key
Throttle find_throttle(Engine& engine, const NetworkScenario& scenario, std::optional<Time> latency = {});

/// Fraction of random triggers, before dead time and rules. Calculated for dead time alone (a type I counter), for `n
/// in T` without dead time (Erlang's loss formula, which holds for any service of mean T), and else counted in a run.
/// @param passed  of those only that a dead time so long, no longer than the trigger's, would let pass alone
/// @throws KeyError unless triggers come at random at one rate, and no rule asks for the level of a memory
RefusedShare refused_share(const Trigger& trigger, std::uint64_t seed, Time passed = Time{0});
/// Overload for rules that ask for the level of a memory: counted in runs of the scenario.
RefusedShare refused_share(Engine& engine, const NetworkScenario& scenario, Time passed = Time{0});

/// Words an obstacle of Guarantee for its user: which value stands against it, and what may help.
UnsupportedKey bound_reason(const NetworkScenario& scenario, UnsupportedKey obstacle);

/// Rates from a quarter of the scenario's to four times that, evenly on a logarithmic axis.
std::vector<Frequency> usual_rates(Frequency scenarios);

/// Against the rate of random triggers, of those that the scenario's own dead time lets pass: the part that each rule
/// refuses beyond that ("refused", by kind), and the part whose events the memory leaves incomplete without a rule
/// ("without", as `risk` writes it; null where no method knows it).
/// @param jobs  processes
nlohmann::ordered_json throttle_curve(const NetworkScenario& scenario, const std::vector<LosslessRule>& rules,
                                      const std::vector<Frequency>& rates, Engine& engine, int jobs);

/// "bounds" where it is calculated, else "interval95".
void add_interval(nlohmann::ordered_json& json, const RefusedShare& share);

}  // namespace watershed
