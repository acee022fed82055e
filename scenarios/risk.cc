// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/risk.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "model/camera-queue.h"
#include "model/direct-risk.h"
#include "model/network.h"
#include "model/parts.h"
#include "model/tilted-risk.h"
#include "scenarios/input-error.h"
#include "scenarios/progress.h"
#include "scenarios/workers.h"

namespace watershed {
namespace {

constexpr std::int64_t kPieces = 16;   // of any long work, whatever the number of jobs

const double kRareEnough = std::log(1e-5);   // simulation of several switches would count too few

/// Numbers on their way between processes, bit for bit.
std::string packed(const std::vector<double>& numbers) {
    std::string text;
    char buffer[40];
    for (const double number : numbers) {
        std::snprintf(buffer, sizeof buffer, "%a ", number);
        text += buffer;
    }
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

/// Does the pieces in processes. @return what they gave, in order
std::vector<std::vector<double>> in_pieces(const std::string& what, const std::string& unit, std::int64_t total, int jobs,
                                           const std::function<std::vector<double>(std::int64_t)>& work) {
    Progress progress(what, unit, total);
    std::int64_t done = 0;
    std::vector<std::vector<double>> results;
    const auto texts = do_in_processes(jobs, kPieces, [&](std::size_t piece) { return packed(work(static_cast<std::int64_t>(piece))); },
                                       [&](std::size_t, const std::string&) { progress.done(total * ++done / kPieces); });
    for (const std::string& text : texts) results.push_back(unpacked(text));
    return results;
}

/// A scenario as batch queues: one of each switch that is unlike those before. All see the same triggers.
struct Chains {
    std::vector<CameraQueue> cameras;
    std::string obstacle;   ///< if there are none
    bool nested = true;     ///< whether the fullest switch loses frames of an event whenever another does

    static Chains of(const Scenario& scenario) {
        Chains chains;
        std::vector<Scenario> parts{scenario};
        if (!has_one_switch(scenario)) {
            const Network network(scenario);
            if (!has_parts(scenario, network)) return {{}, "switch: several of them, in more than one tier, or of which one is unlike the others"};
            const std::vector<int> alike = first_alike(scenario, network);
            parts.clear();
            for (int i = 0; i < static_cast<int>(alike.size()); ++i)
                if (alike[static_cast<std::size_t>(i)] == i) parts.push_back(network.part(scenario, i));
            // A queue that gets more frames of each event is never the shorter one.
            chains.nested = scenario.nodes.empty() && scenario.network_switch.uplinks == 1 && scenario.network_switch.buffer.sharing == Buffer::Sharing::Shared;
        }
        for (const Scenario& part : parts) {
            chains.cameras.push_back(CameraQueue::of(part));
            if (!chains.cameras.back().queues) return {{}, chains.cameras.back().obstacle};
        }
        return chains;
    }
};

Risk by_chain(const Chains& chains, double precision) {
    Bracket log = log_loss_probability(chains.cameras.front(), precision);
    for (std::size_t i = 1; i < chains.cameras.size(); ++i) {
        const Bracket other = log_loss_probability(chains.cameras[i], precision);
        log.lower = std::max(log.lower, other.lower);
        log.estimate = std::max(log.estimate, other.estimate);
        log.upper = chains.nested ? std::max(log.upper, other.upper) : std::min(0.0, log_sum(log.upper, other.upper));
    }
    const char* const how = chains.cameras.size() == 1 ? "" : chains.nested ? " of the fullest switch, which loses whenever another does"
                                                                           : " of each switch; the upper bound is the sum of theirs";
    return {"chain", log, std::string("stationary distribution of the embedded chain") + how + "; the bounds are certain"};
}

Risk by_simulation(const Scenario& scenario, std::int64_t events, int jobs, Engine& engine) {
    const std::int64_t each = std::max<std::int64_t>(events / kPieces, 16);
    const auto pieces = in_pieces("risk", "events", each * kPieces, jobs, [&](std::int64_t piece) {
        const IncompleteCounts counts = count_incomplete(engine, scenario, each, static_cast<std::uint64_t>(piece));
        std::vector<double> numbers{static_cast<double>(counts.events), static_cast<double>(counts.episodes), counts.squares};
        for (const std::int64_t batch : counts.batches) numbers.push_back(static_cast<double>(batch));
        return numbers;
    });
    std::vector<IncompleteCounts> replications;
    std::int64_t incomplete = 0, episodes = 0;
    for (const auto& numbers : pieces) {
        IncompleteCounts counts{static_cast<std::int64_t>(numbers[0]), {}, static_cast<std::int64_t>(numbers[1]), numbers[2]};
        for (std::size_t i = 3; i < numbers.size(); ++i) {
            counts.batches.push_back(static_cast<std::int64_t>(numbers[i]));
            incomplete += counts.batches.back();
        }
        episodes += counts.episodes;
        replications.push_back(std::move(counts));
    }
    const Bracket p = loss_probability(replications);
    return {"direct", {std::log(p.lower), std::log(p.estimate), std::log(p.upper)},
            std::to_string(incomplete) + " of " + std::to_string(each * kPieces) + " simulated events incomplete, in " + std::to_string(episodes) + " episodes"};
}

Risk by_importance_sampling(const Scenario& scenario, std::int64_t cycles, int jobs, Engine& engine) {
    const TiltedCycles tilted(scenario);
    const std::int64_t each = std::max<std::int64_t>(cycles / kPieces, 2);
    const auto pieces = in_pieces("risk", "busy cycles", each * kPieces, jobs, [&](std::int64_t piece) {
        std::vector<double> numbers;
        for (std::int64_t i = 0; i < each; ++i) {
            const auto cycle = static_cast<std::uint64_t>(piece * each + i);
            numbers.push_back(tilted.log_contribution(engine, cycle));
            numbers.push_back(static_cast<double>(tilted.length(engine, cycle)));
        }
        return numbers;
    });
    std::vector<double> contributions;
    std::vector<std::int64_t> lengths;
    std::int64_t lossy = 0;
    for (const auto& numbers : pieces)
        for (std::size_t i = 0; i < numbers.size(); i += 2) {
            contributions.push_back(numbers[i]);
            lengths.push_back(static_cast<std::int64_t>(numbers[i + 1]));
            lossy += std::isfinite(numbers[i]);
        }
    char tilt[40];
    std::snprintf(tilt, sizeof tilt, "%.4g", tilted.tilt());
    return {"tilted", log_loss_probability(contributions, lengths),
            "importance sampling: triggers " + std::string(tilt) + " times as fast, " + std::to_string(lossy) + " of " + std::to_string(each * kPieces) + " busy cycles lost frames"};
}

bool close(const Risk& risk) { return risk.log.upper - risk.log.lower < std::log(1.25) || risk.log.upper == risk.log.lower; }

Risk automatic(const Scenario& scenario, const Chains& chains, const RiskEffort& effort, Engine& engine) {
    if (!chains.cameras.empty()) {
        const Risk risk = by_chain(chains, effort.precision);
        // Of several switches that share too rare an event nothing else knows more.
        if (close(risk) || (!has_one_switch(scenario) && risk.log.upper < kRareEnough)) return risk;
    }
    const Risk pilot = by_simulation(scenario, effort.events / 10, effort.jobs, engine);
    if (close(pilot)) return pilot;
    try {
        return by_importance_sampling(scenario, effort.cycles, effort.jobs, engine);
    } catch (const UnsupportedScenario&) {
        return by_simulation(scenario, effort.events, effort.jobs, engine);
    }
}

}  // namespace

Risk find_risk(const Scenario& scenario, const std::string& method, const RiskEffort& effort, Engine& engine) {
    if (scenario.trigger.pattern != Trigger::Pattern::Poisson)
        throw InputError("trigger.pattern: expected \"poisson\": the chance of loss is that of a camera which triggers at random, and goes on");
    if (scenario.trigger.burst.events > 0) throw InputError("trigger.burst.events: expected none: the chance of loss is that of triggers at random alone");
    if (method == "direct") return by_simulation(scenario, effort.events, effort.jobs, engine);
    if (method == "tilted") return by_importance_sampling(scenario, effort.cycles, effort.jobs, engine);
    const Chains chains = Chains::of(scenario);
    if (method == "auto") return automatic(scenario, chains, effort, engine);
    if (chains.cameras.empty()) throw InputError("--method: chain does not know this scenario, expected tilted or direct (" + chains.obstacle + ")");
    return by_chain(chains, effort.precision);
}

bool contradict(const Risk& a, const Risk& b) {
    const auto low = [](const Risk& risk) { return 1.5 * risk.log.lower - 0.5 * risk.log.upper; };
    const auto high = [](const Risk& risk) { return 1.5 * risk.log.upper - 0.5 * risk.log.lower; };
    return low(a) > high(b) || low(b) > high(a);
}

}  // namespace watershed
