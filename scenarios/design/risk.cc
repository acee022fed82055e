// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/risk.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "model/base/frame.h"
#include "model/exact/exact-engine.h"
#include "model/risk/camera-queue.h"
#include "model/risk/direct-risk.h"
#include "model/risk/endless-triggers.h"
#include "model/risk/rates.h"
#include "model/risk/tilted-risk.h"
#include "scenarios/sweep/workers.h"
#include "scenarios/text/progress.h"
#include "scenarios/text/readable.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

constexpr std::int64_t kPieces = 16;               // pieces of a long work; independent of the number of jobs
constexpr std::int64_t kLongestCycle = 4'000'000;  // events

/// Returns numbers as text that keeps every bit, for another process.
std::string packed(const std::vector<double>& numbers) {
    std::string text;
    for (const double number : numbers) text += text_line("%a", number) + " ";
    return text;
}

std::vector<double> unpacked(const std::string& text) {
    std::vector<double> numbers;
    for (const char* at = text.c_str(); *at;) {
        char* end = nullptr;
        numbers.push_back(std::strtod(at, &end));
        at = end + 1;
    }
    return numbers;
}

/// Does `work` for each piece, in several processes. @return results in the order of the pieces
std::vector<std::vector<double>> in_pieces(const std::string& what, const std::string& unit, std::int64_t total,
                                           int jobs, const std::function<std::vector<double>(std::int64_t)>& work) {
    Progress progress(what, unit, total);
    std::int64_t done = 0;
    std::vector<std::vector<double>> results;
    const auto texts = do_in_processes(
        jobs, kPieces, [&](std::size_t piece) { return packed(work(static_cast<std::int64_t>(piece))); },
        [&](std::size_t, const std::string&) { progress.done(total * ++done / kPieces); });
    for (const std::string& text : texts) results.push_back(unpacked(text));
    return results;
}

Risk by_chain(const EquivalentQueues& chains) { return {"chain", chains.log_loss(), true, chains.remark()}; }

Risk by_bound(const CertainLoss& certain) {
    Risk risk{"bound", *certain.log, true, "exponential tails of the queues, for all switches together"};
    if (!risk.known().is_close()) risk.remark += "; the chance itself may be far below";
    return risk;
}

/// Counts in kPieces independent pieces. @return counts of each piece
std::vector<IncompleteCounts> replications(std::int64_t events, int jobs,
                                           const std::function<IncompleteCounts(std::int64_t)>& count) {
    const auto pieces = in_pieces("risk", "events", events, jobs, [&](std::int64_t piece) {
        const IncompleteCounts counts = count(piece);
        std::vector<double> numbers{static_cast<double>(counts.events), static_cast<double>(counts.episodes),
                                    counts.squares};
        for (const std::int64_t batch : counts.batches) numbers.push_back(static_cast<double>(batch));
        return numbers;
    });
    std::vector<IncompleteCounts> all;
    for (const auto& numbers : pieces) {
        IncompleteCounts counts{
            static_cast<std::int64_t>(numbers[0]), {}, static_cast<std::int64_t>(numbers[1]), numbers[2]};
        for (std::size_t i = 3; i < numbers.size(); ++i)
            counts.batches.push_back(static_cast<std::int64_t>(numbers[i]));
        all.push_back(std::move(counts));
    }
    return all;
}

/// Simulates kPieces independent pieces of `each` events. @return counts of each piece
std::vector<IncompleteCounts> counted(const NetworkScenario& scenario, std::int64_t each,
                                      const InitialCondition& beginning, int jobs, Engine& engine) {
    return replications(each * kPieces, jobs, [&](std::int64_t piece) {
        return count_incomplete(engine, scenario, each, static_cast<std::uint64_t>(piece), beginning);
    });
}

std::string words(const std::vector<IncompleteCounts>& replications) {
    std::int64_t incomplete = 0, episodes = 0, events = 0;
    for (const IncompleteCounts& each : replications) {
        events += each.events;
        episodes += each.episodes;
        incomplete += std::accumulate(each.batches.begin(), each.batches.end(), std::int64_t{0});
    }
    return std::to_string(incomplete) + " of " + std::to_string(events) + " simulated events incomplete, in " +
           std::to_string(episodes) + " episodes";
}

constexpr std::int64_t kMostEvents = 10'000'000, kMostCycles = 20'000, kFewestCycles = 300;

/// Returns the number of events of a scenario that cost `work` simulated frames, at least 1000.
std::int64_t events_for(double work, const NetworkScenario& scenario) {
    constexpr double kLeast = 1000;
    return static_cast<std::int64_t>(std::max(work / cost_of_event(scenario), kLeast));
}

std::int64_t events_of(const RiskEffort& effort, const NetworkScenario& scenario) {
    const std::int64_t wanted = effort.events.value_or(std::min(events_for(effort.work, scenario), kMostEvents));
    if (!is_random_alone(scenario)) return wanted;
    // Half of a piece's time is for its warm-up.
    constexpr std::int64_t kFewest = 512;
    const std::int64_t each = events_in_reach(scenario.trigger) / 2;
    if (each < kFewest)
        throw InputError("trigger.rate: found " + to_text(scenario.trigger.rate) + ", expected so much more that " +
                         std::to_string(2 * kFewest) + " events come within 53 days, for a simulation to count");
    return std::min(wanted, kPieces * each);
}

Risk by_simulation(const NetworkScenario& scenario, std::int64_t events, int jobs, Engine& engine) {
    const std::int64_t each = std::max<std::int64_t>(events / kPieces, 16);
    constexpr std::int64_t kLongestWarmUp = 4'000'000;
    const InitialTransient settled = find_initial_transient(engine, scenario, std::min(each, kLongestWarmUp));
    const auto from_empty = counted(scenario, each, {0, settled.events}, jobs, engine);
    Enclosure p = loss_probability(from_empty);
    std::string remark = words(from_empty);
    if (settled.settled) {
        remark += ", each of " + std::to_string(kPieces) + " runs after " + std::to_string(settled.events) + " more";
    } else {
        // A start with an empty switch loses too few frames, a start with a full one too many: both enclose the risk.
        remark += " from an empty switch";
        p = {p.lower, p.upper, 1};
        if (settled.filling > 0) {
            const auto from_full =
                counted(scenario, std::min(each, kLongestWarmUp), {settled.filling, settled.events}, jobs, engine);
            p.upper = loss_probability(from_full).upper;
            remark += ", " + words(from_full) + " from a full one";
        }
        p.estimate = (p.lower + p.upper) / 2;
        remark += "; the memory takes longer than " + std::to_string(settled.events) +
                  " events to settle; the probability lies between";
    }
    return {"direct", {std::log(p.lower), std::log(p.estimate), std::log(p.upper)}, false, remark};
}

/// Returns the key by which triggers are not those of one camera at random alone, and why that matters.
std::string not_random_alone(const NetworkScenario& scenario) {
    if (!scenario.groups.empty()) return "group: modules are of several kinds";
    if (scenario.builders.count > 1) return "server.builders: events go to several builders";
    if (scenario.trigger.burst.events > 0) return "trigger.burst.events: bursts come on top of other triggers";
    return "trigger.pattern: the triggers are not \"poisson\"";
}

constexpr double kLongest = 4e6;  // s, of a run: with the warm-up less than half of what a Time holds

/// Returns the risk of groups whose phases are not known, by many short runs, each with phases of its own: their
/// number, not that of the events, tells how well it is known.
Risk by_phases(const NetworkScenario& scenario, std::int64_t events, int jobs, Engine& engine) {
    constexpr double kFewest = 64, kMostRuns = 4096, kTimes = 8;  // events of a run; runs; longest times in a run
    const EventRates rates = event_rates(scenario);
    const double load = fullest_link(scenario, Network(scenario), rates.of_groups).load,
                 longest = longest_time(scenario);
    // As long as a queue takes to settle (see find_initial_transient()), but no more than half of the work.
    const double settling = load < 1 ? std::min(40 / ((1 - load) * (1 - load)), static_cast<double>(events) / 32) : 0;
    const double warm_up = 2 * longest + settling / rates.all, least = std::max(kFewest / rates.all, kTimes * longest),
                 all = std::min(static_cast<double>(events) / rates.all, kLongest);
    const auto in_piece =
        static_cast<std::int64_t>(std::clamp(all / (least + warm_up), 1.0 * kPieces, kMostRuns)) / kPieces;
    const std::int64_t runs = in_piece * kPieces;
    const double seconds = std::max(least, all / static_cast<double>(runs) - warm_up);
    double incomplete = 0, squares = 0;
    std::int64_t lossy = 0;
    for (const auto& numbers : in_pieces("risk", "runs", runs, jobs, [&](std::int64_t piece) {
             std::vector<double> shares;
             for (std::int64_t i = 0; i < in_piece; ++i) {
                 const IncompleteCounts counts = count_incomplete_in(engine, scenario, seconds, warm_up,
                                                                     static_cast<std::uint64_t>(piece * in_piece + i));
                 const auto lost = std::accumulate(counts.batches.begin(), counts.batches.end(), std::int64_t{0});
                 shares.push_back(static_cast<double>(lost) / static_cast<double>(counts.events));
             }
             return shares;
         }))
        for (const double share : numbers) incomplete += share, squares += share * share, lossy += share > 0;
    // A share varies no more than a yes or no of the same mean; where many runs lose, as little as they show.
    constexpr std::int64_t kMany = 50;
    const auto number = static_cast<double>(runs);
    const double mean = incomplete / number, scatter = squares / number - mean * mean;
    const double worth = lossy >= kMany && scatter > 0 ? std::max(1.0, mean * (1 - mean) / scatter) : 1;
    const Enclosure p = binomial_interval(incomplete * worth, number * worth);
    return {"direct",
            {std::log(p.lower), std::log(p.estimate), std::log(p.upper)},
            false,
            text_line("events incomplete in %lld of %lld runs of %.4g s, each with phases of its own", integer(lossy),
                      integer(runs), seconds)};
}

/// Returns the risk of triggers at a fixed rate, with bursts on top, or of several groups: exactly where all repeats,
/// or by counting.
Risk by_runs(const NetworkScenario& scenario, std::int64_t events, int jobs, Engine& engine) {
    if (const auto all = find_repetition(engine, scenario, events)) {
        const double log = std::log(static_cast<double>(all->incomplete) / static_cast<double>(all->events));
        return {"repetition",
                {log, log, log},
                true,
                text_line("%lld of %lld events incomplete, then the switches are empty again and all repeats",
                          integer(all->incomplete), integer(all->events))};
    }
    if (has_phases(scenario)) return by_phases(scenario, events, jobs, engine);
    const double seconds = std::min(static_cast<double>(events) / event_rates(scenario).all / kPieces, kLongest);
    const double warm_up = std::max(seconds / 8, 2 * longest_time(scenario));
    const std::vector<IncompleteCounts> counts = replications(events, jobs, [&](std::int64_t piece) {
        return count_incomplete_in(engine, scenario, seconds, warm_up, static_cast<std::uint64_t>(piece));
    });
    const Enclosure p = loss_probability(counts);
    return {"direct",
            {std::log(p.lower), std::log(p.estimate), std::log(p.upper)},
            false,
            words(counts) + text_line(", each of %lld runs after %.4g s more", integer(kPieces), warm_up)};
}

/// Returns the risk by importance sampling.
/// @param most_events  largest number of simulated events
/// @return std::nullopt if `cycles` busy cycles need more events
std::optional<Risk> by_importance_sampling(const NetworkScenario& scenario, std::int64_t cycles,
                                           std::int64_t most_events, int jobs, Engine& engine) {
    const TiltedCycles tilted(scenario);
    constexpr double kTooLong = -1;  // stands for the length of a cycle that was cut off
    const std::int64_t each = std::max<std::int64_t>(cycles / kPieces, 2);
    const auto pieces = in_pieces("risk", "busy cycles", each * kPieces, jobs, [&](std::int64_t piece) {
        const TiltedCycles limited(scenario, std::min(most_events / kPieces, kLongestCycle));
        std::vector<double> numbers;
        try {
            for (std::int64_t i = 0; i < each; ++i) {
                const auto cycle = static_cast<std::uint64_t>(piece * each + i);
                numbers.push_back(limited.log_contribution(engine, cycle));
                numbers.push_back(static_cast<double>(limited.length(engine, cycle)));
                if (limited.simulated() > most_events / kPieces) return std::vector<double>{0, kTooLong};
            }
        } catch (const LongCycle&) {
            return std::vector<double>{0, kTooLong};
        }
        return numbers;
    });
    std::vector<double> contributions;
    std::vector<std::int64_t> lengths;
    std::int64_t lossy = 0;
    for (const auto& numbers : pieces)
        for (std::size_t i = 0; i < numbers.size(); i += 2) {
            if (numbers[i + 1] == kTooLong) return std::nullopt;
            contributions.push_back(numbers[i]);
            lengths.push_back(static_cast<std::int64_t>(numbers[i + 1]));
            lossy += std::isfinite(numbers[i]);
        }
    return Risk{"tilted", log_loss_probability(contributions, lengths), false,
                text_line("importance sampling: triggers %.4g times as fast, %lld of %lld busy cycles lost frames",
                          tilted.tilt(), integer(lossy), integer(each * kPieces))};
}

/// Returns true if `cycles` busy cycles, extrapolated from the first few, take less than half of `most_events` events.
bool affordable(const NetworkScenario& scenario, std::int64_t cycles, std::int64_t most_events, Engine& engine) {
    constexpr std::int64_t kFirst = 32;
    const std::int64_t most = kFirst * most_events / cycles / 2;
    const TiltedCycles tilted(scenario, std::min(most, kLongestCycle));
    try {
        for (std::uint64_t cycle = 0; cycle < kFirst; ++cycle) {
            tilted.log_contribution(engine, cycle);
            tilted.length(engine, cycle);
            if (tilted.simulated() > most) return false;
        }
    } catch (const LongCycle&) {
        return false;
    }
    return true;
}

/// Returns the risk by as many busy cycles as the work allows; std::nullopt if these are too few.
std::optional<Risk> affordable_sampling(const NetworkScenario& scenario, const RiskEffort& effort, Engine& engine) {
    const std::int64_t most_events = events_for(effort.work, scenario), wanted = effort.cycles.value_or(kMostCycles);
    for (std::int64_t cycles = wanted; cycles >= std::min(wanted, kFewestCycles); cycles /= 4)
        if (affordable(scenario, cycles, most_events, engine))
            return by_importance_sampling(scenario, cycles, most_events, effort.jobs, engine);
    return std::nullopt;
}

Risk by_sampling(const NetworkScenario& scenario, const RiskEffort& effort, Engine& engine) {
    if (effort.cycles) {
        if (const auto risk = by_importance_sampling(scenario, *effort.cycles, std::numeric_limits<std::int64_t>::max(),
                                                     effort.jobs, engine))
            return *risk;
        throw CyclesTooLong("--method: found tilted, expected another one: a busy cycle takes more than " +
                            std::to_string(kLongestCycle) + " events, for the switch is hardly ever empty");
    }
    if (const auto risk = affordable_sampling(scenario, effort, engine)) return *risk;
    throw CyclesTooLong("--method: found tilted, whose busy cycles are too long here for " +
                        std::to_string(kFewestCycles) +
                        " of them to end soon, expected another method, or --cycles, which are waited for");
}

double width(const Risk& risk) { return risk.log.upper == risk.log.lower ? 0 : risk.log.upper - risk.log.lower; }

constexpr double kClose = 0.22;  // difference of natural logarithms: a quarter

/// Returns true if importance sampling covers the scenario, however long its cycles are.
bool can_be_tilted(const NetworkScenario& scenario, Engine& engine) {
    constexpr std::int64_t kSome = 1'000;
    try {
        TiltedCycles(scenario, kSome).log_contribution(engine, 0);
    } catch (const UnsupportedScenario&) {
        return false;
    } catch (const LongCycle&) {
    }
    return true;
}

/// Returns the risk by the smallest useful number of busy cycles, with ten times the work; std::nullopt if not covered.
std::optional<Risk> longer_sampling(const NetworkScenario& scenario, const RiskEffort& effort, Engine& engine) {
    if (!can_be_tilted(scenario, engine)) return std::nullopt;
    RiskEffort longer = effort;
    longer.cycles = effort.cycles.value_or(kFewestCycles);
    longer.work *= 10;
    return affordable_sampling(scenario, longer, engine);
}

/// Returns Risk::shortfall: the reason why a result without any loss is only an upper limit, and a remedy.
std::string shortfall_of(const Risk& risk, const NetworkScenario& scenario, const RiskEffort& effort, Engine& engine) {
    if (!risk.counted_nothing()) return "";
    if (risk.method == "tilted") return "only an upper limit: no busy cycle lost frames; more --cycles would tell more";
    const std::int64_t events = events_of(effort, scenario);
    std::string text = "only an upper limit, from " + std::to_string(events) +
                       " events of which none was incomplete; --events " + std::to_string(10 * events) +
                       " would lower it";
    if (can_be_tilted(scenario, engine))
        text += ", and --method tilted --cycles " + std::to_string(kFewestCycles) + " may tell the chance itself";
    return text;
}

Risk automatic(const NetworkScenario& scenario, const EquivalentQueues& chains, const RiskEffort& effort,
               Engine& engine) {
    std::optional<Risk> best;
    const auto consider = [&](const Risk& risk) {
        if (!best || std::pair(width(risk), risk.log.upper) < std::pair(width(*best), best->log.upper)) best = risk;
        return width(risk) < kClose;
    };
    if (!chains.cameras.empty() && consider(by_chain(chains))) return *best;
    if (chains.cameras.empty())
        if (const CertainLoss certain = CertainLoss::of(scenario); certain.log && consider(by_bound(certain)))
            return *best;
    const std::int64_t events = events_of(effort, scenario);
    // If the upper bound leaves less than one incomplete event to count, a simulation cannot help.
    const bool countable = !best || best->log.upper > -std::log(static_cast<double>(events));
    std::optional<Risk> few;
    if (countable) {
        constexpr std::int64_t kPart = 10;
        few = by_simulation(scenario, events / kPart, effort.jobs, engine);
        if (consider(*few)) return *best;
        // The width of a tenth predicts that of the whole simulation.
        if (width(*few) < std::sqrt(static_cast<double>(kPart)) * kClose)
            return by_simulation(scenario, events, effort.jobs, engine);
    }
    try {
        // A few cycles may all miss the typical way to a loss; their result then contradicts the counts.
        const std::optional<Risk> tilted = affordable_sampling(scenario, effort, engine);
        if (tilted && !(few && contradict(*tilted, *few)) && consider(*tilted)) return *best;
    } catch (const UnsupportedScenario&) {
    }
    if (countable) consider(by_simulation(scenario, events, effort.jobs, engine));
    if (best->counted_nothing())
        if (const std::optional<Risk> longer = longer_sampling(scenario, effort, engine)) consider(*longer);
    return *best;
}

}  // namespace

Risk find_risk(const NetworkScenario& scenario, const std::string& method, const RiskEffort& effort, Engine& engine) {
    if (const UnsupportedKey ends = ending_trigger(scenario)) throw InputError(ends.key + ": " + ends.why);
    if (!scenario.traffic.empty())
        throw InputError("traffic: expected none: risk does not cover streams beside the camera");
    if (!is_random_alone(scenario)) {
        if (method != "auto" && method != "direct")
            throw InputError("--method: " + method + " cannot do this scenario, expected direct (" +
                             not_random_alone(scenario) + ")");
        Risk risk = by_runs(scenario, events_of(effort, scenario), effort.jobs, engine);
        expect_probability(risk);
        if (risk.counted_nothing())
            risk.shortfall =
                "only an upper limit: none of the simulated events was incomplete; more --events would "
                "lower it";
        return risk;
    }
    const auto find = [&] {
        if (method == "direct") return by_simulation(scenario, events_of(effort, scenario), effort.jobs, engine);
        if (method == "tilted") return by_sampling(scenario, effort, engine);
        if (method == "bound") {
            const CertainLoss certain = CertainLoss::of(scenario);
            if (certain.log) return by_bound(certain);
            throw InputError("--method: bound cannot do this scenario, expected another one (" + certain.obstacles() +
                             ")");
        }
        const EquivalentQueues chains = EquivalentQueues::of(scenario);
        if (method == "auto") return automatic(scenario, chains, effort, engine);
        if (chains.cameras.empty())
            throw InputError("--method: chain cannot do this scenario, expected tilted or direct (" +
                             chains.obstacle.text() + ")");
        return by_chain(chains);
    };
    Risk risk = find();
    expect_probability(risk);
    risk.shortfall = shortfall_of(risk, scenario, effort, engine);
    return risk;
}

void expect_probability(const Risk& risk) {
    const auto& [lower, estimate, upper] = risk.log;
    if (lower <= estimate && estimate <= upper && upper <= 0) return;
    throw std::runtime_error(
        text_line("method %s came to exp(%g), between exp(%g) and exp(%g), which is no probability between two bounds",
                  risk.method, estimate, lower, upper));
}

bool contradict(const Risk& a, const Risk& b) {
    const auto low = [](const Risk& risk) { return 1.5 * risk.log.lower - 0.5 * risk.log.upper; };
    const auto high = [](const Risk& risk) { return 1.5 * risk.log.upper - 0.5 * risk.log.lower; };
    return low(a) > high(b) || low(b) > high(a);
}

void to_json(nlohmann::ordered_json& json, const Risk& risk) {
    nlohmann::ordered_json members;
    add_risk_members(members, risk.known());
    json = nlohmann::ordered_json::object();
    for (const auto& [name, value] : members.items()) {
        if (name == "risk_kind") json["method"] = risk.method;
        json[name] = value;
    }
    json["remark"] = risk.remark;
    json["shortfall"] = risk.shortfall.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(risk.shortfall);
}

std::string risk_in_words(const nlohmann::ordered_json& risk) {
    if (risk.is_null()) return "–";
    const Known known = risk_of_members(risk).as_probability();
    return known.is_zero() ? "never" : known.cell(readable_chance_of_log10, 3);
}

std::string overload_text(const LinkLoad& fullest) {
    if (fullest.load < 1) return "";
    const std::string given = text_line("given %.4g times what", fullest.load);
    if (fullest.of_modules)
        return "the modules' links are " + given + " they can carry: events wait there ever longer, or are lost";
    return fullest.name + " is " + given +
           " it can carry: the memory in front of it fills, however large it is, and in the long run" +
           text_line(" at least %.3g %% of its frames are lost", 100 - 100 / fullest.load);
}

namespace {

constexpr double kCoarse = 0.1, kFine = 0.003;  // precision of a probability's logarithm

void set_uplinks(NetworkScenario& scenario, int uplinks) {
    scenario.network_switch.uplinks = uplinks;
    const UplinkChoice& choice = scenario.network_switch.uplink_choice;
    if (choice.rule == UplinkChoice::Rule::Static &&
        *std::max_element(choice.list.begin(), choice.list.end()) > uplinks)
        throw InputError("--uplinks: expected at least the uplinks that switch.uplink_list names, " +
                         std::to_string(*std::max_element(choice.list.begin(), choice.list.end())));
}

CertainLoss loss_of(const NetworkScenario& scenario, CertainLoss::Tiers tiers, double precision = kFine) {
    CertainLoss loss = CertainLoss::of(scenario, precision, tiers);
    if (!loss.log) throw InputError("no method that finds a memory knows this scenario: " + loss.obstacles());
    return loss;
}

Buffer& memory_of(NetworkScenario& scenario, CertainLoss::Tiers tier) {
    return (tier == CertainLoss::Tiers::Second ? *scenario.aggregation : scenario.network_switch).buffer;
}

/// Bracket of the point where a falling function reaches a wanted value.
struct Crossing {
    std::int64_t little;  ///< argument at which the function is above the wanted value
    std::int64_t enough;  ///< argument at which it is not
};

/// Returns the bracket of a falling function that is almost a straight line for large arguments.
/// @param little  argument below the crossing
/// @param enough  first argument to try above it
/// @param close   largest width of the bracket
template <class Function>
Crossing crossing(std::int64_t little, std::int64_t enough, std::int64_t close, double wanted, const Function& log_of) {
    double at_little = 0, at_enough = log_of(enough);
    while (at_enough > wanted) {
        little = enough;
        at_little = at_enough;
        enough *= 2;
        at_enough = log_of(enough);
    }
    for (int step = 0; enough - little > close; ++step) {
        std::int64_t next = little + (enough - little) / 2;
        if (step % 3 != 2 && std::isfinite(at_enough) && at_little > at_enough) {
            const double part = (at_little - wanted) / (at_little - at_enough);
            next = little + static_cast<std::int64_t>(std::ceil(part * static_cast<double>(enough - little))) -
                   (step % 3 == 1 ? 1 : 0);
        }
        next = std::clamp(next, little + 1, enough - 1);
        const double at_next = log_of(next);
        (at_next <= wanted ? enough : little) = next;
        (at_next <= wanted ? at_enough : at_little) = at_next;
    }
    return {little, enough};
}

/// Probability of loss with one memory size after another, each calculated once.
class Trials {
  public:
    /// @param each  memory of a frame, in the unit of the memory
    Trials(const NetworkScenario& scenario, CertainLoss::Tiers tier, std::int64_t each)
        : scenario_(scenario), tier_(tier), each_(each) {}

    Enclosure log_loss(std::int64_t frames, double precision) {
        const auto [known, is_new] = known_.try_emplace({frames, precision});
        if (is_new) {
            memory_of(scenario_, tier_).size.amount = frames * each_;
            known->second = *loss_of(scenario_, tier_, precision).log;
        }
        return known->second;
    }

  private:
    NetworkScenario scenario_;
    CertainLoss::Tiers tier_;
    std::int64_t each_;
    std::map<std::pair<std::int64_t, double>, Enclosure> known_;
};

/// Returns the events until all repeats. @throws InputError if it never does
Repetition repetition_of(const NetworkScenario& scenario) {
    constexpr std::int64_t kMost = 100'000;
    ExactEngine engine;
    if (const auto all = find_repetition(engine, scenario, kMost)) return *all;
    throw InputError(
        "trigger.pattern: expected \"poisson\", or \"periodic\" at a rate below saturation, without jitter, bursts on "
        "top "
        "and all else that is drawn");
}

bool keeps_to(const Repetition& all, double loss) {
    return static_cast<double>(all.incomplete) <= loss * static_cast<double>(all.events);
}

/// Returns the memory that a scenario needs in which all repeats: the smallest that keeps to the wanted share of
/// incomplete events, where one frame less does not.
/// @param unit, each  of the memory's size, and of its bytes, for one frame
NeededMemory exactly_needed(NetworkScenario scenario, NeededMemory needed, double loss, std::int64_t unit, Bytes each) {
    const double rate = event_rates(scenario).all;
    needed.load = rate * uplink_seconds(scenario, needed.tier == CertainLoss::Tiers::Second);
    if (fullest_link(scenario, Network(scenario), rate).load >= 1) return needed;
    Buffer& buffer = memory_of(scenario, needed.tier);
    const auto suffices = [&](std::int64_t frames) {
        buffer.size.amount = frames * unit;
        return keeps_to(repetition_of(scenario), loss);
    };
    constexpr std::int64_t kMostFrames = std::int64_t{1} << 32;
    std::int64_t little = 0, enough = 1;
    for (; !suffices(enough); enough *= 2) {
        if (enough >= kMostFrames) return needed;
        little = enough;
    }
    while (enough - little > 1) {
        const std::int64_t middle = (little + enough) / 2;
        (suffices(middle) ? enough : little) = middle;
    }
    needed.frames = needed.at_least = enough;
    needed.bytes = each * enough;
    return needed;
}

}  // namespace

NeededMemory needed_memory(NetworkScenario scenario, Frequency rate, double loss, int uplinks,
                           CertainLoss::Tiers tier) {
    scenario.trigger.rate = rate;
    set_uplinks(scenario, uplinks);
    NeededMemory needed{rate, loss, uplinks, tier, 0, std::nullopt, 0, Bytes{0}};
    if (scenario.aggregation) loss /= 2;
    Buffer& buffer = memory_of(scenario, tier);
    const std::vector<FrameSizes> frames = frames_of_fragment(scenario.frame);
    const Bytes frame = std::max_element(frames.begin(), frames.end(), [](const FrameSizes& a, const FrameSizes& b) {
                            return a.buffer < b.buffer;
                        })->buffer;
    const Bytes each = buffer.cell.count > 0
                           ? Bytes{ceil_div((frame + buffer.cell_header).count, buffer.cell.count) * buffer.cell.count}
                           : frame;
    buffer.descriptors.reset();
    buffer.queue_split = false;
    const bool alike =
        std::all_of(frames.begin(), frames.end(), [&](const FrameSizes& other) { return other.buffer == frame; });
    if (alike) buffer.cell = buffer.cell_header = Bytes{0};
    buffer.size = alike ? MemorySize{scenario.front_end.modules, MemorySize::Unit::Frame}
                        : MemorySize{scenario.front_end.modules * each.count, MemorySize::Unit::Byte};

    if (!is_random_alone(scenario)) return exactly_needed(scenario, needed, loss, alike ? 1 : each.count, each);
    const CertainLoss of_some = loss_of(scenario, tier, kCoarse);
    needed.load = of_some.load;
    needed.bounded = of_some.chain;
    if (needed.load >= 1) return needed;

    // If uplinks share the memory, multiples of their number are tried first: each queue then has an equal share, and
    // the bounds are narrowest.
    const std::int64_t unit =
        buffer.sharing == Buffer::Sharing::Shared && tier == CertainLoss::Tiers::First ? uplinks : 1;
    const double wanted = std::log(loss);
    Trials trials(scenario, tier, alike ? 1 : each.count);
    const auto upper = [&](double precision) {
        return [&, precision](std::int64_t units) { return trials.log_loss(units * unit, precision).upper; };
    };
    const auto lower = [&](double precision) {
        return [&, precision](std::int64_t units) { return trials.log_loss(units * unit, precision).lower; };
    };
    // Two passes: coarse bounds first, then fine ones between the sizes found. More memory never loses more.
    const std::int64_t roughly_enough =
        crossing(0, ceil_div<std::int64_t>(scenario.front_end.modules, unit), 1, wanted, upper(kCoarse)).enough;
    const std::int64_t not_enough = crossing(0, roughly_enough, 1, wanted, lower(kCoarse)).little;
    // Near saturation thousands of sizes lie between: the bracket ends at a 256th of them, since each costs time.
    constexpr std::int64_t kParts = 256;
    const std::int64_t close = 1 + (roughly_enough - not_enough) / kParts;
    std::int64_t enough = unit * crossing(not_enough, roughly_enough, close, wanted, upper(kFine)).enough;
    needed.at_least = 1 + unit * crossing(not_enough, enough / unit, close, wanted, lower(kFine)).little;
    if (close == 1) {
        for (std::int64_t fewer = enough - 1; fewer > enough - unit && trials.log_loss(fewer, kFine).upper <= wanted;
             --fewer)
            enough = fewer;
        while (needed.at_least < enough && trials.log_loss(needed.at_least, kFine).lower > wanted) ++needed.at_least;
    }
    needed.frames = enough;
    needed.bytes = each * enough;
    return needed;
}

FewestUplinks fewest_uplinks(NetworkScenario scenario, double loss, const std::vector<std::int64_t>& uplinks) {
    std::vector<std::int64_t> ascending = uplinks;
    std::sort(ascending.begin(), ascending.end());
    FewestUplinks fewest;
    for (const std::int64_t count : ascending) {
        set_uplinks(scenario, static_cast<int>(count));
        if (!is_random_alone(scenario)) {
            const bool overloaded = fullest_link(scenario, Network(scenario), event_rates(scenario).all).load >= 1;
            if (overloaded || !keeps_to(repetition_of(scenario), loss)) continue;
            fewest.enough = fewest.at_least = static_cast<int>(count);
            break;
        }
        const Enclosure log = *loss_of(scenario, CertainLoss::Tiers::Both).log;
        if (!fewest.at_least && log.lower <= std::log(loss)) fewest.at_least = static_cast<int>(count);
        if (log.upper > std::log(loss)) continue;
        fewest.enough = static_cast<int>(count);
        break;
    }
    return fewest;
}

std::optional<UplinkChoice> hash_of(const NetworkScenario& scenario) {
    std::optional<UplinkChoice> hash;
    const Network network(scenario);
    for (const Network::Switch& each : network.switches())
        if (each.settings.uplinks > 1 && each.settings.uplink_choice.rule == UplinkChoice::Rule::Hash)
            hash = each.settings.uplink_choice;
    return hash;
}

std::string to_text(const UplinkChoice& hash) {
    static const char* const kFields[] = {"layer2", "layer3", "layer3+4", "five-tuple"};
    static const char* const kFolds[] = {"crc16", "xor"};
    return std::string(kFields[static_cast<int>(hash.fields)]) + ", " + kFolds[static_cast<int>(hash.fold)];
}

std::string hash_condition(const NetworkScenario& scenario) {
    const auto hash = hash_of(scenario);
    return hash ? ", if the switch's hash is that of the scenario (" + to_text(*hash) + ")" : "";
}

}  // namespace watershed
