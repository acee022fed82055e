// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/sweep/sweep.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>

#include "model/base/frame.h"
#include "model/base/unsupported-key.h"
#include "model/exact/burst-boundary.h"
#include "model/exact/exact-engine.h"
#include "model/exact/exact-run.h"
#include "model/frontend/front-end.h"
#include "model/frontend/module-groups.h"
#include "model/guarantee/switch-guarantee.h"
#include "model/network/network.h"
#include "model/risk/loss-bound.h"
#include "model/switch/switch-fields.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

/// Whether a bound tells that no burst loses a frame whose triggers are so far apart, whatever its length.
struct NoLossProof {
    std::string command;      ///< command that computes the bound: "bound" or "risk"; empty without a proof
    UnsupportedKey obstacle;  ///< first key that no bound covers, if there is one

    explicit operator bool() const { return !command.empty(); }

    /// @throws std::invalid_argument as Guarantee and LossBounds do
    static NoLossProof of(const NetworkScenario& scenario, Time separation);
};

/// Returns what bounds losses at triggers that are at least so far apart, as those of a burst are.
LossBounds bounds_of(NetworkScenario scenario, Time separation) {
    scenario.trigger = Trigger{};
    scenario.trigger.pattern = Trigger::Pattern::Poisson;
    scenario.trigger.dead_time = separation;
    return LossBounds::of(scenario);
}

/// Whether a bound tells that a burst of so many events loses nothing.
bool surely_loses_nothing(const NetworkScenario& scenario, Time separation, std::int64_t events) {
    const LossBounds bounds = bounds_of(scenario, separation);
    return !bounds.obstacle && std::all_of(bounds.switches.begin(), bounds.switches.end(), [&](const LossBound& each) {
        const auto lossless = each.lossless_events(in_seconds(separation));
        return !lossless || *lossless - *lossless / 1024 > events;  // less what rounding may do
    });
}

NoLossProof NoLossProof::of(const NetworkScenario& scenario, Time separation) {
    NoLossProof proof;
    // Triggers that are no closer than those of the burst: all of them, in every order and number.
    if (const auto guarantee = Guarantee::of(scenario, AdmittedTriggers{{}, {{1, separation}}}, &proof.obstacle)) {
        if (guarantee->bounded && guarantee->fits()) proof.command = "bound";
        if (proof || guarantee->exact) return proof;
    }
    const LossBounds bounds = bounds_of(scenario, separation);
    if (bounds.obstacle) return proof;
    proof.obstacle = {};
    if (std::none_of(bounds.switches.begin(), bounds.switches.end(),
                     [&](const LossBound& each) { return each.lossless_events(in_seconds(separation)); }))
        proof.command = "risk";
    return proof;
}

Outcome run_burst(Engine& engine, NetworkScenario& scenario, std::int64_t events, bool may_end_at_loss = false) {
    Observer observer;
    observer.incomplete_kept = 1;
    observer.may_end_at_loss = may_end_at_loss;
    scenario.trigger.events = events;
    return engine.run(scenario, &observer);
}

LossMapRow row_of(const NetworkScenario& scenario, std::int64_t events, std::int64_t lost) {
    std::int64_t frames = 0;  // frames of an event
    Bytes payload{0};         // payload of all modules
    for (const Group& group : ModuleGroups(scenario).all()) {
        const auto& list = group.frame.fragments.payloads;
        frames += group.front_end.modules * static_cast<std::int64_t>(frames_of_fragment(group.frame).size());
        payload += std::accumulate(list.begin(), list.end(), list.empty() ? group.frame.payload : Bytes{0}) *
                   std::int64_t{group.front_end.modules};
    }
    LossMapRow row;
    row.ports = scenario.front_end.modules;
    row.payload = Bytes{payload.count / row.ports};  // the mean, where modules are of several kinds
    row.separation = scenario.trigger.separation;
    row.events = events;
    row.frames_sent = events * frames;
    row.frames_received = row.frames_sent - lost;
    return row;
}

/// Whether a later frame may take the place of one that was admitted, or a stream beside the camera ends with the
/// burst: then a burst does not show what becomes of a shorter one.
bool looks_back(const NetworkScenario& scenario) {
    return push_out_policy(Network(scenario)).has_value() || !scenario.traffic.empty();
}

void set_burst(NetworkScenario& scenario, Time separation) {
    if (!scenario.trigger.rules.empty())
        throw UnsupportedScenario("trigger.rules",
                                  "they would refuse triggers of the bursts that are tried, expected none");
    scenario.trigger.pattern = Trigger::Pattern::Burst;
    scenario.trigger.separation = separation;
}

/// A scheduler that is given one class alone chooses nothing, unless a key says more of classes.
void leave_out_idle_scheduler(Switch& s) {
    Switch without = s;
    without.scheduling.kind = Scheduling::Kind::Fifo;
    without.scheduling.weights.clear();
    without.scheduling.quantum = Scheduling{}.quantum;
    const bool only_with_it = first_difference(switch_fields(), without, Switch{}, [&](const SwitchField& field) {
        return !field.has_use(without) && field.has_use(s);
    });
    if (s.flow_control.kind == FlowControl::Kind::None && !only_with_it) s = without;
}

/// The boundary of a synchronous camera by arithmetic, or nothing if it takes runs.
std::optional<Boundary> calculated_boundary(const NetworkScenario& scenario) {
    const auto camera = SynchronousCamera::of(scenario);
    const auto burst = camera ? BurstArithmetic::of(*camera, scenario.trigger.separation) : std::nullopt;
    if (!burst) return std::nullopt;
    const std::int64_t longest = burst->steady() ? 2 : burst->most_events();
    const auto lossless = burst->lossless(camera->room, longest);
    return Boundary{lossless, lossless || burst->steady() ? 0 : longest, 0};
}

/// Returns one scenario for each distinct switch, if the network separates into independent switches; else empty.
std::vector<NetworkScenario> unlike_parts(const NetworkScenario& scenario) {
    std::vector<NetworkScenario> parts;
    if (choose_path(scenario).path != RunPath::SwitchBySwitch) return parts;
    const Network network(scenario);
    const std::vector<int> alike = representative_switch(scenario, network);
    for (int i = 0; i < static_cast<int>(alike.size()); ++i)
        if (alike[static_cast<std::size_t>(i)] == i) parts.push_back(network.part(scenario, i));
    return parts;
}

/// Whether all modules are of one kind, all events go to one server and nothing fails, as arithmetic, proofs and
/// repetitions suppose.
bool is_of_one_kind(const NetworkScenario& scenario) {
    return scenario.groups.empty() && scenario.builders.count == 1 && Network(scenario).failures().empty();
}

/// 0 where what comes to the switch does not repeat itself.
std::int64_t repetition_of(const NetworkScenario& scenario) {
    return scenario.server.receiver || !scenario.traffic.empty() || !is_of_one_kind(scenario)
               ? 0
               : events_per_repetition(scenario);
}

/// The longest lossless burst, where a burst of `lossy` events gave this outcome and events overtake or push out one
/// another: then a shorter burst lacks frames that were among those of its own events, and only a run of its own shows
/// what becomes of these.
std::int64_t search(Engine& engine, NetworkScenario& scenario, const Outcome& outcome, std::int64_t lossy) {
    const std::int64_t before = outcome.incomplete.front().event - 1;
    // A module's FIFO sees no frames but its own, and these in their order, unless the switch holds the module back.
    const bool own = std::all_of(outcome.losses.begin(), outcome.losses.end(),
                                 [](const auto& loss) { return loss.where == FrontEndPort::kFifoFull.where; });
    if (own && outcome.pauses == 0) return before;
    const auto loses = [&](std::int64_t events) {
        return events > 0 && run_burst(engine, scenario, events, true).frames_lost() > 0;
    };
    // The answer is as near to the first incomplete event as events overlap, mostly by few.
    std::int64_t lossless = 0, step = 1;
    if (std::int64_t guess = std::min(before, lossy - 1); loses(guess)) {
        for (lossy = guess; guess > 0 && loses(guess = std::max<std::int64_t>(0, lossy - step)); step *= 2)
            lossy = guess;
        lossless = guess;
    } else {
        for (lossless = guess; lossless + step < lossy && !loses(lossless + step); step *= 2) lossless += step;
        lossy = std::min(lossy, lossless + step);
    }
    while (lossy - lossless > 1) {
        const std::int64_t middle = lossless + (lossy - lossless) / 2;
        (loses(middle) ? lossy : lossless) = middle;
    }
    return lossless;
}

}  // namespace

NetworkScenario without_idle_schedulers(NetworkScenario scenario) {
    if (!scenario.traffic.empty() || !scenario.groups.empty()) return scenario;
    leave_out_idle_scheduler(scenario.network_switch);
    if (scenario.aggregation) leave_out_idle_scheduler(*scenario.aggregation);
    for (Node& node : scenario.nodes) leave_out_idle_scheduler(node.network_switch);
    return scenario;
}

std::vector<LossMapRow> map_column(Engine& engine, NetworkScenario scenario, Time separation,
                                   const std::vector<std::int64_t>& events) {
    set_burst(scenario, separation);
    if (engine.may_calculate()) scenario = without_idle_schedulers(scenario);
    std::vector<std::int64_t> lengths = events;
    std::sort(lengths.begin(), lengths.end());
    std::vector<std::int64_t> lost_up_to(lengths.size());  // with the events of each length, if they keep their order
    Observer observer;
    observer.incomplete_kept = 0;
    observer.incomplete = [&](const Outcome::IncompleteEvent& event) {
        lost_up_to[static_cast<std::size_t>(std::lower_bound(lengths.begin(), lengths.end(), event.event) -
                                            lengths.begin())] += event.missing;
    };
    scenario.trigger.events = lengths.back();
    const bool in_order = !looks_back(scenario) && engine.run(scenario, &observer).events_in_order;
    std::partial_sum(lost_up_to.begin(), lost_up_to.end(), lost_up_to.begin());
    std::vector<LossMapRow> rows;
    for (const std::int64_t length : events) {
        const auto place =
            static_cast<std::size_t>(std::upper_bound(lengths.begin(), lengths.end(), length) - lengths.begin()) - 1;
        const std::int64_t lost = in_order ? lost_up_to[place] : run_burst(engine, scenario, length).frames_lost();
        rows.push_back(row_of(scenario, length, lost));
    }
    return rows;
}

Boundary shortest(const std::vector<Boundary>& boundaries) {
    Boundary all;
    for (const Boundary& each : boundaries) {
        if (each.events_lossless)
            all.events_lossless = std::min(all.events_lossless.value_or(*each.events_lossless), *each.events_lossless);
        if (each.unknown_beyond != 0)
            all.unknown_beyond =
                all.unknown_beyond == 0 ? each.unknown_beyond : std::min(all.unknown_beyond, each.unknown_beyond);
    }
    if (all.events_lossless && (all.unknown_beyond == 0 || *all.events_lossless < all.unknown_beyond))
        return {all.events_lossless, 0, 0};
    if (all.unknown_beyond == 0)
        for (const Boundary& each : boundaries)
            if (all.proven_by.empty()) all.proven_by = each.proven_by;
    return {std::nullopt, all.unknown_beyond, 0, all.proven_by};
}

Boundary find_boundary(Engine& engine, NetworkScenario scenario, Time separation, std::int64_t limit, std::int64_t most,
                       std::int64_t first) {
    set_burst(scenario, separation);
    scenario.trigger.events = 1;
    if (engine.may_calculate()) scenario = without_idle_schedulers(scenario);
    if (const std::vector<NetworkScenario> parts = unlike_parts(scenario); !parts.empty()) {
        std::vector<Boundary> boundaries;
        for (const NetworkScenario& part : parts) {
            boundaries.push_back(find_boundary(engine, part, separation, limit, most));
            if (const auto lossless = boundaries.back().events_lossless)  // longer bursts of other parts do not count
                limit = std::min(limit, *lossless + 1), most = std::min(most, *lossless + 1);
        }
        return shortest(boundaries);
    }
    if (engine.may_calculate() && is_of_one_kind(scenario)) {
        if (const auto boundary = calculated_boundary(scenario)) return *boundary;
        if (const auto proof = NoLossProof::of(scenario, separation)) return {std::nullopt, 0, 0, proof.command};
    }
    const std::int64_t repetition = repetition_of(scenario);
    std::int64_t enough = limit;
    if (repetition != 0) {
        const Fate fate = fate_of(scenario, repetition);
        enough = fate.loses ? most : fate.steady_from;
    }
    const std::int64_t longest =
        std::numeric_limits<std::int64_t>::max() / 2 / std::max<std::int64_t>(1, separation.count());
    // The exact engine ends a longer one at the first loss.
    const bool at_once = engine.may_calculate() && has_one_switch(scenario) && scenario.traffic.empty();
    if (at_once && enough <= longest && is_of_one_kind(scenario) && surely_loses_nothing(scenario, separation, enough))
        return {std::nullopt, repetition != 0 && enough != most ? 0 : enough, enough};
    for (std::int64_t length = at_once ? enough : first;; length *= 4) {
        length = std::min({length, enough, longest});
        const Outcome outcome = run_burst(engine, scenario, length, true);
        if (const std::int64_t sent = outcome.events_sent; outcome.frames_lost() > 0) {
            if (outcome.events_in_order && !looks_back(scenario))
                return {outcome.incomplete.front().event - 1, 0, sent};
            return {search(engine, scenario, outcome, sent), 0, sent};
        }
        if (!has_one_switch(scenario) && is_of_one_kind(scenario) && repeats_itself(scenario, outcome))
            return {std::nullopt, 0, 0};
        if (length == enough) return {std::nullopt, repetition != 0 && enough != most ? 0 : length, length};
        if (length == longest)
            throw std::runtime_error("separation " + to_text(separation) +
                                     ": no loss within the longest burst that can be simulated, 53 days");
    }
}

std::vector<Boundary> find_boundaries(Engine& engine, NetworkScenario scenario, Time separation, std::int64_t limit,
                                      const std::vector<std::int64_t>& depths) {
    std::int64_t& depth = scenario.network_switch.buffer.size.amount;
    depth = *std::max_element(depths.begin(), depths.end());
    const Boundary deepest = find_boundary(engine, scenario, separation, limit);
    if (depths.size() == 1) return {deepest};
    std::optional<DepthProfile> profile;
    if (deepest.longest_run > 0 && is_of_one_kind(scenario) && DepthProfile::permits(scenario)) {
        set_burst(scenario, separation);
        // A smaller memory has lost by then, or never does.
        scenario.trigger.events = deepest.events_lossless ? *deepest.events_lossless + 1 : deepest.longest_run;
        profile = DepthProfile::of(engine, scenario);
    }
    std::vector<Boundary> boundaries;
    for (const std::int64_t each : depths) {
        depth = each;
        if (!profile) {
            boundaries.push_back(find_boundary(engine, scenario, separation, limit));
            continue;
        }
        const auto lossless = profile->lossless(each);
        boundaries.push_back({lossless, lossless ? 0 : deepest.unknown_beyond, deepest.longest_run});
    }
    return boundaries;
}

bool boundary_is_calculated(NetworkScenario scenario) {
    set_burst(scenario, Time{0});
    scenario = without_idle_schedulers(scenario);
    scenario.trigger.events = 1;
    const auto camera = choose_path(scenario).camera;
    return camera && camera->counts_suffice();
}

UnsupportedKey boundary_obstacle(NetworkScenario scenario, Time separation) {
    set_burst(scenario, separation);
    scenario = without_idle_schedulers(scenario);
    scenario.trigger.events = 1;
    for (const NetworkScenario& part : unlike_parts(scenario))
        if (UnsupportedKey obstacle = boundary_obstacle(part, separation)) return obstacle;
    if (!has_one_switch(scenario) || calculated_boundary(scenario) || repetition_of(scenario) != 0) return {};
    return NoLossProof::of(scenario, separation).obstacle;
}

double saturation_frequency(Engine& engine, NetworkScenario scenario, int modules) {
    set_burst(scenario, Time{0});
    scenario.front_end.modules = modules;
    constexpr std::int64_t kEvents = 2000;  // the first frame's way to the uplink is then below 0.1 % of the run
    const Outcome outcome = run_burst(engine, scenario, kEvents);
    const double seconds = in_seconds(outcome.simulated);
    const auto frames = static_cast<double>(frames_of_fragment(scenario.frame).size());
    return static_cast<double>(outcome.frames_received) / (modules * frames) / seconds;
}

std::vector<Claimed> nearest_boundary(std::vector<Claimed> points, std::int64_t count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (std::size_t i = points.size(); i > 1; --i)
        std::swap(points[i - 1], points[static_cast<std::size_t>(random() % i)]);
    std::stable_sort(points.begin(), points.end(),
                     [](const Claimed& a, const Claimed& b) { return a.from_boundary < b.from_boundary; });
    if (static_cast<std::int64_t>(points.size()) > count) points.resize(static_cast<std::size_t>(count));
    return points;
}

void verify(Engine& engine, Scenario scenario, const std::vector<Claimed>& points) {
    scenario.trigger.pattern = Trigger::Pattern::Burst;
    for (const Claimed& point : points) {
        scenario.trigger.separation = point.separation;
        scenario.trigger.events = point.events;
        const std::int64_t lost = engine.run(scenario).frames_lost();
        if (lost != point.lost)
            throw std::runtime_error("verification failed: a burst of " + std::to_string(point.events) + " events " +
                                     to_text(point.separation) + " apart loses " + std::to_string(point.lost) +
                                     " frames, but in the " + engine.name() + " engine " + std::to_string(lost));
    }
}

}  // namespace watershed
