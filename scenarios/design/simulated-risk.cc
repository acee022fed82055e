// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/simulated-risk.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "model/exact/exact-engine.h"
#include "model/network/network-load.h"
#include "model/risk/direct-risk.h"
#include "model/risk/endless-triggers.h"
#include "model/risk/rates.h"
#include "model/risk/tilted-risk.h"
#include "scenarios/sweep/workers.h"
#include "scenarios/text/progress.h"
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
        jobs, kPieces, [&](std::size_t piece) { return packed(work(std::int64_t(piece))); },
        [&](std::size_t, const std::string&) { progress.done(total * ++done / kPieces); });
    for (const std::string& text : texts) results.push_back(unpacked(text));
    return results;
}

/// Counts in kPieces independent pieces. @return counts of each piece
std::vector<IncompleteCounts> replications(std::int64_t events, int jobs,
                                           const std::function<IncompleteCounts(std::int64_t)>& count) {
    const auto pieces = in_pieces("risk", "events", events, jobs, [&](std::int64_t piece) {
        const IncompleteCounts counts = count(piece);
        std::vector<double> numbers{double(counts.events), double(counts.episodes), counts.squares};
        for (const std::int64_t batch : counts.batches) numbers.push_back(double(batch));
        return numbers;
    });
    std::vector<IncompleteCounts> all;
    for (const auto& numbers : pieces) {
        IncompleteCounts counts{std::int64_t(numbers[0]), {}, std::int64_t(numbers[1]), numbers[2]};
        for (std::size_t i = 3; i < numbers.size(); ++i) counts.batches.push_back(std::int64_t(numbers[i]));
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

constexpr std::int64_t kMostEvents = 10'000'000, kMostCycles = 20'000;

/// Returns the number of events of a scenario that cost `work` simulated frames, at least 1000.
std::int64_t events_for(double work, const NetworkScenario& scenario) {
    constexpr double kLeast = 1000;
    return std::int64_t(std::max(work / cost_of_event(scenario), kLeast));
}

constexpr double kLongest = 4e6;  // s, of a run: with the warm-up less than half of what a Time holds

/// Returns the risk of groups whose phases are not known, by many short runs, each with phases of its own: their
/// number, not that of the events, tells how well it is known.
Risk by_phases(const NetworkScenario& scenario, std::int64_t events, int jobs, Engine& engine) {
    constexpr double kFewest = 64, kMostRuns = 4096, kTimes = 8;  // events of a run; runs; most longest times in a run
    const EventRates rates = event_rates(scenario);
    const double load = fullest_link(scenario, Network(scenario), rates.of_groups).load,
                 longest = longest_time(scenario);
    // As long as a queue takes to settle (see find_initial_transient()), but no more than half of the work.
    const double settling = load < 1 ? std::min(40 / ((1 - load) * (1 - load)), double(events) / 32) : 0;
    const double all = std::min(double(events) / rates.all, kLongest),
                 times = std::clamp(all / kPieces / longest, 1.0, kTimes), warm_up = 2 * longest + settling / rates.all,
                 least = std::max(kFewest / rates.all, times * longest);
    const auto in_piece = std::int64_t(std::clamp(all / (least + warm_up), 1.0 * kPieces, kMostRuns)) / kPieces;
    const std::int64_t runs = in_piece * kPieces;
    const double seconds = std::max(least, all / double(runs) - warm_up);
    double incomplete = 0, squares = 0;
    std::int64_t lossy = 0;
    for (const auto& numbers : in_pieces("risk", "runs", runs, jobs, [&](std::int64_t piece) {
             std::vector<double> shares;
             for (std::int64_t i = 0; i < in_piece; ++i) {
                 const IncompleteCounts counts = count_incomplete_in(engine, scenario, seconds, warm_up,
                                                                     static_cast<std::uint64_t>(piece * in_piece + i));
                 const auto lost = std::accumulate(counts.batches.begin(), counts.batches.end(), std::int64_t{0});
                 shares.push_back(double(lost) / double(counts.events));
             }
             return shares;
         }))
        for (const double share : numbers) incomplete += share, squares += share * share, lossy += share > 0;
    // A share varies no more than a yes or no of the same mean; where many runs lose, as little as they show.
    constexpr std::int64_t kMany = 50;
    const auto number = double(runs);
    const double mean = incomplete / number, scatter = squares / number - mean * mean;
    const double worth = lossy >= kMany && scatter > 0 ? std::max(1.0, mean * (1 - mean) / scatter) : 1;
    const Enclosure p = binomial_interval(incomplete * worth, number * worth);
    return {"direct",
            {std::log(p.lower), std::log(p.estimate), std::log(p.upper)},
            false,
            text_line("events incomplete in %lld of %lld runs of %.4g s, each with phases of its own", integer(lossy),
                      integer(runs), seconds)};
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
                numbers.push_back(double(limited.length(engine, cycle)));
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
            lengths.push_back(std::int64_t(numbers[i + 1]));
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

}  // namespace

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

Risk by_runs(const NetworkScenario& scenario, std::int64_t events, int jobs, Engine& engine) {
    if (const auto all = find_repetition(engine, scenario, events)) {
        const double log = std::log(double(all->incomplete) / double(all->events));
        return {"repetition",
                {log, log, log},
                true,
                text_line("%lld of %lld events incomplete, then all repeats", integer(all->incomplete),
                          integer(all->events))};
    }
    if (has_phases(scenario)) return by_phases(scenario, events, jobs, engine);
    const double seconds = std::min(double(events) / event_rates(scenario).all / kPieces, kLongest);
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

std::optional<Risk> longer_sampling(const NetworkScenario& scenario, const RiskEffort& effort, Engine& engine) {
    if (!can_be_tilted(scenario, engine)) return std::nullopt;
    RiskEffort longer = effort;
    longer.cycles = effort.cycles.value_or(kFewestCycles);
    longer.work *= 10;
    return affordable_sampling(scenario, longer, engine);
}

}  // namespace watershed
