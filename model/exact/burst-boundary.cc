// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/burst-boundary.h"

#include <algorithm>
#include <limits>

#include "model/base/frame.h"
#include "model/base/serializer.h"
#include "model/exact/exact-run.h"
#include "model/frontend/front-end.h"
#include "model/network/network.h"
#include "model/switch/output-queued-switch.h"
#include "model/switch/uplinks.h"

namespace watershed {

std::optional<BurstArithmetic> BurstArithmetic::of(const SynchronousCamera& camera, Time separation) {
    if (camera.release_at_start || camera.takes_turns || !camera.times.whole) return std::nullopt;
    const auto ticks = [&](const TransmissionTime& slot) {
        return slot.numerator * (Wide{camera.times.grid.ticks} / slot.denominator);
    };
    const auto whole = [&](Time time) { return Wide{time.count()} * camera.times.grid.ticks; };
    BurstArithmetic burst;
    burst.pools_ = camera.pools;
    burst.interval_ = std::max(whole(separation), ticks(camera.link));
    burst.slot_ = ticks(camera.uplink_slot);
    burst.latency_ = whole(camera.latency);
    if (burst.latency_ > burst.interval_) return std::nullopt;  // frames still on their way in would count as leaving
    const Wide unit = common_divisor(common_divisor(burst.interval_, burst.slot_), burst.latency_);
    burst.interval_ /= unit;
    burst.slot_ /= unit;
    burst.latency_ /= unit;
    const auto left = static_cast<std::int64_t>((burst.interval_ - burst.latency_) / burst.slot_);
    for (const std::int64_t modules : camera.modules_of_uplink)
        burst.loads_.push_back(
            {modules, modules * burst.slot_ > burst.interval_, std::max<std::int64_t>(0, modules - left)});
    return burst;
}

bool BurstArithmetic::steady() const {
    return std::none_of(loads_.begin(), loads_.end(), [](const Load& load) { return load.overloaded; });
}

std::int64_t BurstArithmetic::most_events() const {
    constexpr Wide kMost = Wide{1} << 46;  // times 65535 modules stays below 2^62
    constexpr Wide kLargest = Wide{1} << 125;
    return static_cast<std::int64_t>(std::min(kMost, kLargest / interval_));
}

std::int64_t BurstArithmetic::occupancy(std::int64_t event) const {
    std::int64_t all = 0, most = 0;
    const Wide left = event == 1 ? 0 : ((event - 1) * interval_ - latency_) / slot_;
    for (const Load& load : loads_) {
        if (load.modules == 0) continue;
        const std::int64_t before = event == 1 ? 0
                                    : load.overloaded
                                        ? static_cast<std::int64_t>((event - 1) * Wide{load.modules} - left)
                                        : load.remaining;
        all += before + load.modules;
        // Frames leave in the order of events: what is left of the event that is leaving belongs to inputs that hold
        // one frame of it.
        most =
            std::max(most, pools_ == SynchronousCamera::Pools::Input ? ceil_div<std::int64_t>(before, load.modules) + 1
                                                                     : before + load.modules);
    }
    return pools_ == SynchronousCamera::Pools::All ? all : most;
}

std::optional<std::int64_t> BurstArithmetic::lossless(std::int64_t room, std::int64_t limit) const {
    if (occupancy(limit) <= room) return std::nullopt;
    std::int64_t good = 0, bad = 1;
    while (bad < limit && occupancy(bad) <= room) {
        good = bad;
        bad = bad > limit / 2 ? limit : 2 * bad;
    }
    while (bad - good > 1) {
        const std::int64_t middle = good + (bad - good) / 2;
        (occupancy(middle) <= room ? good : bad) = middle;
    }
    return good;
}

namespace {

/// Whether what happens to an event may depend on more than what the switch holds when it comes.
bool remembers(const Switch& s) {
    const auto forgetful = [](const Buffer& whole, Buffer& copied) {
        if (!whole.sharing->remembers) copied.sharing = whole.sharing;
        copied.threshold_mantissa = whole.threshold_mantissa;
        copied.threshold_extra_step = whole.threshold_extra_step;
        copied.threshold_whole = whole.threshold_whole;
        copied.port_alpha = whole.port_alpha;
        copied.step_free = whole.step_free;
        copied.step_limits = whole.step_limits;
        copied.reserved = whole.reserved;
        copied.slices = whole.slices;
        copied.port_limit = whole.port_limit;
        copied.egress_size = whole.egress_size;
        copied.egress_alpha = whole.egress_alpha;
        copied.egress_reserved = whole.egress_reserved;
        copied.resume = whole.resume;  // who waits to fall has fallen when nothing is held
        copied.descriptors_resume = whole.descriptors_resume;
    };
    return s.uplink_choice.rule == UplinkChoice::Rule::RoundRobin || !OutputQueuedSwitch::of(s, nullptr, forgetful);
}

}  // namespace

std::int64_t events_per_repetition(const NetworkScenario& scenario) {
    const FrontEnd& front_end = scenario.front_end;
    const auto& clock = front_end.clock;
    const bool equal_clocks =
        front_end.clock_spread.count == 0 &&
        std::all_of(clock.begin(), clock.end(), [&](ClockTolerance t) { return t == clock.front(); });
    if (front_end.jitter != Time{0} || front_end.gap != Time{0} || !equal_clocks || !has_one_switch(scenario) ||
        needs_events(scenario) || remembers(scenario.network_switch))
        return 0;
    switch (scenario.network_switch.arrival_order) {
        case ArrivalOrder::Module: return 1;
        case ArrivalOrder::Rotating: return front_end.modules;
        case ArrivalOrder::Random: break;
    }
    return 0;
}

Fate fate_of(const NetworkScenario& scenario, std::int64_t repetition) {
    const FrontEnd& front_end = scenario.front_end;
    const int uplinks = scenario.network_switch.uplinks;
    const Bytes fragment = wire_of_fragment(scenario.frame);
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

bool repeats_itself(const NetworkScenario& scenario, const Outcome& outcome) {
    const FrontEnd& front_end = scenario.front_end;
    const Bytes fragment = wire_of_fragment(scenario.frame);
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
    return front_end.jitter == Time{0} && front_end.gap == Time{0} && outcome.events_in_order &&
           outcome.first_idle_event != 0 &&
           std::all_of(outcome.switches.begin(), outcome.switches.end(),
                       [&](const auto& s) { return s.first_idle_event == outcome.first_idle_event; });
}

bool DepthProfile::permits(const NetworkScenario& scenario) {
    if (!has_one_switch(scenario) || scenario.server.receiver || !scenario.frame.payloads.empty() ||
        !scenario.frame.fragments.payloads.empty() || scenario.front_end.gap != Time{0} || !scenario.traffic.empty() ||
        scenario.front_end.fifo || scenario.trigger.dead_time != Time{0})
        return false;
    // Frames after the first loss do not matter.
    const auto plain =
        OutputQueuedSwitch::of(scenario.network_switch, nullptr, [](const Buffer& whole, Buffer& copied) {
            copied.resume = whole.resume;
            copied.descriptors_resume = whole.descriptors_resume;
        });
    if (!plain) return false;
    const Buffer& buffer = (*plain)->buffer;
    return buffer.sharing == Buffer::Sharing::Shared && buffer.cell.count == 0 && !buffer.descriptors &&
           buffer.queues == 1;
}

std::optional<DepthProfile> DepthProfile::of(Engine& engine, const NetworkScenario& scenario) {
    const bool in_bytes = scenario.network_switch.buffer.size.unit == MemorySize::Unit::Byte;
    const std::int64_t per_event =
        scenario.front_end.modules * static_cast<std::int64_t>(frames_of_fragment(scenario.frame).size());
    DepthProfile profile;
    std::int64_t held = 0, admitted = 0, most = 0;
    bool lossless = true;
    Observer observer;
    observer.occupancy = [&](Time, std::int64_t frames, Bytes bytes) {
        if (frames > held) ++admitted;
        held = frames;
        const std::int64_t amount = in_bytes ? bytes.count : frames;
        if (!lossless || amount <= most) return;
        most = amount;
        // Events arrive one after the other, and none of their frames is missing yet.
        const std::int64_t event = (admitted + per_event - 1) / per_event;
        if (profile.needs_.empty() || profile.needs_.back().event < event)
            profile.needs_.push_back({event, amount});
        else
            profile.needs_.back().amount = amount;
    };
    observer.lost = [&](const FrameId& frame, Time, const LossCause&) {
        if (lossless) profile.needs_.push_back({frame.event, std::numeric_limits<std::int64_t>::max()});
        lossless = false;
    };
    if (!engine.run(scenario, &observer).events_in_order) return std::nullopt;
    return profile;
}

std::optional<std::int64_t> DepthProfile::lossless(std::int64_t depth) const {
    const auto too_much =
        std::find_if(needs_.begin(), needs_.end(), [&](const Need& need) { return need.amount > depth; });
    if (too_much == needs_.end()) return std::nullopt;
    return too_much->event - 1;
}

}  // namespace watershed
