// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/sweep/sweep.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "model/exact/burst-boundary.h"
#include "model/exact/depth-profile.h"
#include "model/base/frame.h"
#include "model/frontend/front-end.h"
#include "model/network/network.h"
#include "model/exact/parts.h"
#include "model/exact/stepped-run.h"
#include "model/base/serializer.h"
#include "model/switch/uplinks.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

Outcome run_burst(Engine& engine, Scenario& scenario, std::int64_t events) {
    Observer observer;
    observer.incomplete_kept = 1;
    scenario.trigger.events = events;
    return engine.run(scenario, &observer);
}

LossMapRow row_of(const Scenario& scenario, std::int64_t events, std::int64_t lost) {
    const auto frames = static_cast<std::int64_t>(frames_of_fragment(scenario.frame).size());
    LossMapRow row;
    row.ports = scenario.front_end.modules;
    row.payload = scenario.frame.payload;
    row.separation = scenario.trigger.separation;
    row.events = events;
    row.frames_sent = events * scenario.front_end.modules * frames;
    row.frames_received = row.frames_sent - lost;
    return row;
}

void set_burst(Scenario& scenario, Time separation) {
    scenario.trigger.pattern = Trigger::Pattern::Burst;
    scenario.trigger.separation = separation;
}

/// Whether what happens to an event may depend on more than what the switch holds when it comes.
bool remembers(const Switch& s) {
    return s.uplink_choice.rule == UplinkChoice::Rule::RoundRobin || s.buffer.wred_to.amount > 0 ||
           s.buffer.sharing == Buffer::Sharing::EnhancedDynamicThreshold;
}

/// After how many events a burst's pattern of arrivals at the switch repeats, shifted in time; 0 if it never does.
std::int64_t events_per_repetition(const Scenario& scenario) {
    const FrontEnd& front_end = scenario.front_end;
    const auto& clock = front_end.clock;
    const bool equal_clocks = front_end.clock_spread.count == 0 && std::all_of(clock.begin(), clock.end(), [&](ClockTolerance t) { return t == clock.front(); });
    if (front_end.jitter != Time{0} || !equal_clocks || !has_one_switch(scenario) || key_that_needs_steps(scenario) || remembers(scenario.network_switch)) return 0;
    switch (scenario.network_switch.arrival_order) {
        case ArrivalOrder::Module: return 1;
        case ArrivalOrder::Rotating: return front_end.modules;
        case ArrivalOrder::Random: break;
    }
    return 0;
}

/// What is certain of an ever longer burst whose arrivals repeat.
struct Fate {
    bool loses = false;
    std::int64_t steady_from = 0;   ///< if it need not lose: the event from which on nothing new can happen
};

/// Compares what one event brings with what drains until the next.
/// Where no uplink is given more than it carries, a queue that began empty has seen its worst after one whole repetition: the
/// work waiting at t is the largest excess of arrivals over service in any interval that ends at t (Loynes 1962), and no longer
/// interval has more excess than its last repetition.
Fate fate_of(const Scenario& scenario, std::int64_t repetition) {
    const FrontEnd& front_end = scenario.front_end;
    const int uplinks = scenario.network_switch.uplinks;
    Bytes fragment;
    for (const FrameSizes& frame : frames_of_fragment(scenario.frame)) fragment += frame.wire;
    std::vector<std::int64_t> modules(static_cast<std::size_t>(uplinks));
    UplinkSelector selector(scenario.network_switch, front_end);
    Time least = Time::max(), most{0};
    for (int module = 1; module <= front_end.modules; ++module) {
        ++modules[static_cast<std::size_t>(selector.next(module))];
        const Time skew = module_timing(front_end, scenario.seed, module).skew;
        least = std::min(least, skew);
        most = std::max(most, skew);
    }

    // In bits and picoseconds; a link that is slower than the triggers sets the pace of the arrivals.
    constexpr Wide kSecond = 1'000'000'000'000, kBillion = 1'000'000'000;
    const Wide bits = Wide{8} * fragment.count;
    const Wide link = Wide{front_end.link_rate.count} * (kBillion + module_timing(front_end, scenario.seed, 1).tolerance.count);
    const bool link_bound = bits * kSecond * kBillion > scenario.trigger.separation.count() * link;
    if (link_bound && front_end.fifo) return {true, 0};
    for (const std::int64_t sharing : modules) {
        const Wide rate = scenario.network_switch.uplink_rate.count;
        const bool overloaded = link_bound ? sharing * link > rate * kBillion : sharing * bits * kSecond > scenario.trigger.separation.count() * rate;
        if (overloaded) return {true, 0};
    }
    const Time slot = Serializer(front_end.link_rate).send(Time{0}, fragment).time;
    const std::int64_t started = (most - least) / std::max(scenario.trigger.separation, slot) + 2;
    return {false, started + 2 * repetition};
}

/// Whether a burst through several switches, of which the first events are known, must go on as it began: some event arrived in
/// time and order as the first one did and found, like it, every switch empty and idle.
bool repeats_itself(const Scenario& scenario, const Outcome& outcome) {
    const FrontEnd& front_end = scenario.front_end;
    Bytes fragment;
    for (const FrameSizes& frame : frames_of_fragment(scenario.frame)) fragment += frame.wire;
    const Network network(scenario);
    for (int module = 1; module <= front_end.modules; ++module)   // else its link sets the pace, rounded to picoseconds
        if (Serializer(front_end.link_rate, module_timing(front_end, scenario.seed, module).tolerance).send(Time{0}, fragment).time > scenario.trigger.separation) return false;
    for (const Network::Switch& each : network.switches())
        if (remembers(each.settings) || (each.settings.arrival_order != ArrivalOrder::Module && each.inputs() > 1)) return false;
    return front_end.jitter == Time{0} && outcome.events_in_order && outcome.first_idle_event != 0 &&
           std::all_of(outcome.switches.begin(), outcome.switches.end(), [&](const auto& s) { return s.first_idle_event == outcome.first_idle_event; });
}

/// The boundary of a synchronous camera by arithmetic, or nothing if it takes runs.
std::optional<Boundary> calculated_boundary(const Scenario& scenario) {
    const auto camera = SynchronousCamera::of(scenario);
    const auto burst = camera ? BurstArithmetic::of(*camera, scenario.trigger.separation) : std::nullopt;
    if (!burst) return std::nullopt;
    const std::int64_t longest = burst->steady() ? 2 : burst->most_events();
    const auto lossless = burst->lossless(camera->room, longest);
    return Boundary{lossless, lossless || burst->steady() ? 0 : longest, 0};
}

/// The longest lossless burst, where a burst of `lossy` events gave this outcome and events overtake one another: then a shorter burst
/// lacks frames that were among those of its own events, and only a run of its own shows what becomes of these.
std::int64_t search(Engine& engine, Scenario& scenario, const Outcome& outcome, std::int64_t lossy) {
    const std::int64_t before = outcome.incomplete.front().event - 1;
    // A module's FIFO sees no frames but its own, and these in their order, unless the switch holds the module back.
    const bool own = std::all_of(outcome.losses.begin(), outcome.losses.end(), [](const auto& loss) { return loss.where == FrontEndPort::kFifoFull.where; });
    if (own && outcome.pauses == 0) return before;
    const auto loses = [&](std::int64_t events) { return events > 0 && run_burst(engine, scenario, events).frames_lost() > 0; };
    // The answer is as near to the first incomplete event as events overlap, mostly by few.
    std::int64_t lossless = 0, step = 1;
    if (std::int64_t guess = std::min(before, lossy - 1); loses(guess)) {
        for (lossy = guess; guess > 0 && loses(guess = std::max<std::int64_t>(0, lossy - step)); step *= 2) lossy = guess;
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

std::vector<LossMapRow> map_column(Engine& engine, Scenario scenario, Time separation, const std::vector<std::int64_t>& events) {
    set_burst(scenario, separation);
    std::vector<std::int64_t> lengths = events;
    std::sort(lengths.begin(), lengths.end());
    std::vector<std::int64_t> lost_up_to(lengths.size());   // with the events of each length, if they keep their order
    Observer observer;
    observer.incomplete_kept = 0;
    observer.incomplete = [&](const Outcome::IncompleteEvent& event) {
        lost_up_to[static_cast<std::size_t>(std::lower_bound(lengths.begin(), lengths.end(), event.event) - lengths.begin())] += event.missing;
    };
    scenario.trigger.events = lengths.back();
    const bool in_order = engine.run(scenario, &observer).events_in_order;
    std::partial_sum(lost_up_to.begin(), lost_up_to.end(), lost_up_to.begin());
    std::vector<LossMapRow> rows;
    for (const std::int64_t length : events) {
        const auto place = static_cast<std::size_t>(std::upper_bound(lengths.begin(), lengths.end(), length) - lengths.begin()) - 1;
        const std::int64_t lost = in_order ? lost_up_to[place] : run_burst(engine, scenario, length).frames_lost();
        rows.push_back(row_of(scenario, length, lost));
    }
    return rows;
}

Boundary shortest(const std::vector<Boundary>& boundaries) {
    Boundary all;
    for (const Boundary& each : boundaries) {
        if (each.events_lossless) all.events_lossless = std::min(all.events_lossless.value_or(*each.events_lossless), *each.events_lossless);
        if (each.unknown_beyond != 0) all.unknown_beyond = all.unknown_beyond == 0 ? each.unknown_beyond : std::min(all.unknown_beyond, each.unknown_beyond);
    }
    if (all.events_lossless && (all.unknown_beyond == 0 || *all.events_lossless < all.unknown_beyond)) return {all.events_lossless, 0, 0};
    return {std::nullopt, all.unknown_beyond, 0};
}

Boundary find_boundary(Engine& engine, Scenario scenario, Time separation, std::int64_t limit, std::int64_t most) {
    set_burst(scenario, separation);
    scenario.trigger.events = 1;
    if (!has_one_switch(scenario)) {
        const Network network(scenario);
        if (has_parts(scenario, network)) {
            std::vector<Boundary> boundaries;
            const std::vector<int> alike = first_alike(scenario, network);
            for (int i = 0; i < static_cast<int>(alike.size()); ++i)
                if (alike[static_cast<std::size_t>(i)] == i) boundaries.push_back(find_boundary(engine, network.part(scenario, i), separation, limit, most));
            return shortest(boundaries);
        }
    }
    if (engine.may_calculate())
        if (const auto boundary = calculated_boundary(scenario)) return *boundary;
    const std::int64_t repetition = scenario.server.receiver ? 0 : events_per_repetition(scenario);
    std::int64_t enough = limit;
    if (repetition != 0) {
        const Fate fate = fate_of(scenario, repetition);
        enough = fate.loses ? most : fate.steady_from;
    }
    for (std::int64_t length = 64;; length *= 4) {
        length = std::min(length, enough);
        if (Wide{separation.count()} * length > std::numeric_limits<std::int64_t>::max() / 2)
            throw std::runtime_error("separation " + to_text(separation) + ": no loss within the longest burst that can be simulated, 53 days");
        const Outcome outcome = run_burst(engine, scenario, length);
        if (outcome.frames_lost() > 0) {
            if (outcome.events_in_order) return {outcome.incomplete.front().event - 1, 0, length};
            return {search(engine, scenario, outcome, length), 0, length};
        }
        if (!has_one_switch(scenario) && repeats_itself(scenario, outcome)) return {std::nullopt, 0, 0};
        if (length == enough) return {std::nullopt, repetition != 0 && enough != most ? 0 : length, length};
    }
}

std::vector<Boundary> find_boundaries(Engine& engine, Scenario scenario, Time separation, std::int64_t limit, const std::vector<std::int64_t>& depths) {
    std::int64_t& depth = scenario.network_switch.buffer.size.amount;
    depth = *std::max_element(depths.begin(), depths.end());
    const Boundary deepest = find_boundary(engine, scenario, separation, limit);
    if (depths.size() == 1) return {deepest};
    std::optional<DepthProfile> profile;
    if (deepest.longest_run > 0 && DepthProfile::permits(scenario)) {
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

bool boundary_is_calculated(Scenario scenario) {
    set_burst(scenario, Time{0});
    scenario.trigger.events = 1;
    const auto camera = SynchronousCamera::of(scenario);
    return camera && camera->counts_suffice() && camera->times.whole;
}

double saturation_frequency(Engine& engine, Scenario scenario, int modules) {
    set_burst(scenario, Time{0});
    scenario.front_end.modules = modules;
    constexpr std::int64_t kEvents = 2000;   // the first frame's way to the uplink is then below 0.1 % of the run
    const Outcome outcome = run_burst(engine, scenario, kEvents);
    const double seconds = static_cast<double>(outcome.simulated.count()) * 1e-12;
    const auto frames = static_cast<double>(frames_of_fragment(scenario.frame).size());
    return static_cast<double>(outcome.frames_received) / (modules * frames) / seconds;
}

}  // namespace watershed
