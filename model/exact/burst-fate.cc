// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/burst-fate.h"

#include <algorithm>
#include <vector>

#include "model/base/frame.h"
#include "model/base/serializer.h"
#include "model/exact/event-driven-run.h"
#include "model/frontend/front-end.h"
#include "model/network/network.h"
#include "model/switch/plain-switch.h"
#include "model/switch/uplinks.h"

namespace watershed {
namespace {

/// Whether what happens to an event may depend on more than what the switch holds when it comes.
bool remembers(const Switch& s) {
    const auto forgetful = [](const Buffer& whole, Buffer& copied) {
        if (!whole.sharing->remembers) copied.sharing = whole.sharing;
        copied.reserved = whole.reserved;
        copied.slices = whole.slices;
        copied.port_limit = whole.port_limit;
        copied.egress_size = whole.egress_size;
        copied.egress_alpha = whole.egress_alpha;
        copied.egress_reserved = whole.egress_reserved;
        copied.resume = whole.resume;  // who waits to fall has fallen when nothing is held
        copied.descriptors_resume = whole.descriptors_resume;
    };
    return s.uplink_choice.rule == UplinkChoice::Rule::RoundRobin || !PlainSwitch::of(s, nullptr, forgetful);
}

}  // namespace

std::int64_t events_per_repetition(const Incast& scenario) {
    const FrontEnd& front_end = scenario.front_end;
    const auto& clock = front_end.clock;
    const bool equal_clocks =
        front_end.clock_spread.count == 0 &&
        std::all_of(clock.begin(), clock.end(), [&](ClockTolerance t) { return t == clock.front(); });
    if (front_end.jitter != Time{0} || !equal_clocks || !has_one_switch(scenario) || needs_events(scenario) ||
        remembers(scenario.network_switch))
        return 0;
    switch (scenario.network_switch.arrival_order) {
        case ArrivalOrder::Module: return 1;
        case ArrivalOrder::Rotating: return front_end.modules;
        case ArrivalOrder::Random: break;
    }
    return 0;
}

Fate fate_of(const Incast& scenario, std::int64_t repetition) {
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
    const Wide link =
        Wide{front_end.link_rate.count} * (kBillion + module_timing(front_end, scenario.seed, 1).tolerance.count);
    const bool link_bound = bits * kSecond * kBillion > scenario.trigger.separation.count() * link;
    if (link_bound && front_end.fifo) return {true, 0};
    for (const std::int64_t sharing : modules) {
        const Wide rate = scenario.network_switch.uplink_rate.count;
        const bool overloaded = link_bound ? sharing * link > rate * kBillion
                                           : sharing * bits * kSecond > scenario.trigger.separation.count() * rate;
        if (overloaded) return {true, 0};
    }
    const Time slot = Serializer(front_end.link_rate).send(Time{0}, fragment).time;
    const std::int64_t started = (most - least) / std::max(scenario.trigger.separation, slot) + 2;
    return {false, started + 2 * repetition};
}

bool repeats_itself(const Incast& scenario, const Outcome& outcome) {
    const FrontEnd& front_end = scenario.front_end;
    Bytes fragment;
    for (const FrameSizes& frame : frames_of_fragment(scenario.frame)) fragment += frame.wire;
    if (needs_events(scenario)) return false;
    const Network network(scenario);
    for (int module = 1; module <= front_end.modules; ++module)  // else its link sets the pace, rounded to picoseconds
        if (Serializer(front_end.link_rate, module_timing(front_end, scenario.seed, module).tolerance)
                .send(Time{0}, fragment)
                .time > scenario.trigger.separation)
            return false;
    for (const Network::Switch& each : network.switches())
        if (remembers(each.settings) || (each.settings.arrival_order != ArrivalOrder::Module && each.inputs() > 1))
            return false;
    return front_end.jitter == Time{0} && outcome.events_in_order && outcome.first_idle_event != 0 &&
           std::all_of(outcome.switches.begin(), outcome.switches.end(),
                       [&](const auto& s) { return s.first_idle_event == outcome.first_idle_event; });
}

}  // namespace watershed
