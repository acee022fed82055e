// SPDX-License-Identifier: GPL-2.0-only
#include "test/agreement/random-scenario.h"

#include <algorithm>
#include <initializer_list>
#include <random>
#include <stdexcept>

#include "model/base/serializer.h"
#include "model/base/timestamp.h"
#include "model/exact/exact-run.h"
#include "model/switch/switch-fields.h"

namespace watershed {
namespace {

class Draw {
  public:
    explicit Draw(std::uint64_t seed) : random_(seed) {}

    /// Uniform in [low, high].
    std::int64_t operator()(std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
    }
    bool chance(int percent) { return (*this)(1, 100) <= percent; }
    template <class T>
    T one_of(std::initializer_list<T> list) {
        return list.begin()[(*this)(0, static_cast<std::int64_t>(list.size()) - 1)];
    }

  private:
    std::mt19937_64 random_;
};

/// Rates that divide a picosecond's bits evenly, and some that do not.
BitRate random_rate(Draw& draw) {
    return draw.one_of<BitRate>({{1'000'000'000},
                                 {10'000'000'000},
                                 {100'000'000},
                                 {25'000'000'000},
                                 {999'999'937},
                                 {3'000'000'000},
                                 {7'777'777'777},
                                 {7'000'000'000},
                                 {9'970'000'000}});
}

/// Something like the frame's time on the link, often exactly it or a multiple.
Time random_time(Draw& draw, Time slot) {
    switch (draw(0, 5)) {
        case 0: return Time{0};
        case 5: return Time{draw(1, 3)};
        case 1: return slot;
        case 2: return slot * draw(1, 4);
        case 3: return Time{draw(0, 3 * slot.count())};
        default: return slot * draw(1, 3) + Time{draw(-1, 1)};
    }
}

Trigger random_trigger(Draw& draw, Time slot) {
    Trigger trigger;
    trigger.pattern =
        draw.one_of({Trigger::Pattern::Burst, Trigger::Pattern::Periodic, Trigger::Pattern::Bursts,
                     Trigger::Pattern::Poisson, Trigger::Pattern::File, Trigger::Pattern::LineRatePlusBurst});
    trigger.dead_time = draw.chance(30) ? random_time(draw, slot) : Time{0};
    trigger.events = draw(1, 12);
    switch (trigger.pattern) {
        case Trigger::Pattern::LineRatePlusBurst:
        case Trigger::Pattern::Profile: break;
        case Trigger::Pattern::Burst: trigger.separation = random_time(draw, slot); break;
        case Trigger::Pattern::Bursts:
            trigger.separation = random_time(draw, slot);
            trigger.events = draw(1, 6);
            trigger.bursts = draw(1, 4);
            trigger.period = trigger.separation * (*trigger.events - 1) + random_time(draw, slot) * 4;
            break;
        case Trigger::Pattern::Periodic:
        case Trigger::Pattern::Poisson:
            trigger.rate =
                Frequency{1'000'000'000'000'000'000 / std::max<std::int64_t>(1000, slot.count() * draw(1, 300) / 100)};
            if (draw.chance(30)) {
                trigger.duration = slot * draw(1, 20);
                if (draw.chance(50)) trigger.events.reset();
            }
            break;
        case Trigger::Pattern::File: {
            trigger.events.reset();
            Time time = random_time(draw, slot);
            for (std::int64_t i = draw(1, 12); i > 0; --i) {
                trigger.times.push_back(time);
                time += random_time(draw, slot);
            }
            break;
        }
    }
    const bool may_have_rules = trigger.pattern == Trigger::Pattern::Periodic ||
                                trigger.pattern == Trigger::Pattern::Poisson ||
                                trigger.pattern == Trigger::Pattern::File;
    if (may_have_rules && draw.chance(20))
        trigger.rules.push_back({draw.one_of({TriggerRule::Kind::Count, TriggerRule::Kind::Bucket}), draw(1, 4),
                                 random_time(draw, slot) + Time{1}});
    return trigger;
}

/// @param event  frames of one event, @param fragment those of one module
Buffer random_buffer(Draw& draw, std::int64_t event, std::int64_t fragment, Bytes frame,
                     std::optional<Sharing> sharing) {
    using Pools = SharingPolicy::Pools;
    Buffer buffer;
    buffer.sharing =
        Sharing::all()[static_cast<std::size_t>(draw(0, static_cast<std::int64_t>(Sharing::all().size()) - 1))];
    if (sharing) buffer.sharing = *sharing;
    const bool own = buffer.sharing->pools != Pools::One;
    std::int64_t room = draw(0, 4 + event);
    if (buffer.sharing->pools == Pools::PerInput) room = draw(0, 2 * fragment + 1);
    if (!own) room = draw(0, 3 * event);
    buffer.size = {room, MemorySize::Unit::Frame};
    const auto amount = [&](std::int64_t frames) {
        if (buffer.size.unit == MemorySize::Unit::Frame) return MemorySize{frames, MemorySize::Unit::Frame};
        return MemorySize{frames * frame.count + draw(0, 10), MemorySize::Unit::Byte};
    };
    if (draw.chance(60)) {
        buffer.size.unit = MemorySize::Unit::Byte;
        buffer.size = amount(room);
        if (draw.chance(50)) {
            buffer.cell = Bytes{draw.one_of<std::int64_t>({64, 208, 256, draw(1, 2000)})};
            buffer.cell_header = Bytes{draw(0, 64)};
        }
    }
    if (!own) {
        buffer.accounting =
            draw.one_of({Buffer::Accounting::Egress, Buffer::Accounting::Ingress, Buffer::Accounting::Both});
        if (buffer.sharing->evicts) buffer.accounting = Buffer::Accounting::Egress;
        buffer.slices = static_cast<int>(draw.one_of<std::int64_t>({1, 1, 2, 3}));
        if (draw.chance(30)) buffer.reserved = amount(draw(0, 3));
    }
    if (buffer.accounting == Buffer::Accounting::Both && !own && draw.chance(50)) {
        buffer.egress_size = amount(draw(1, 3 * event));
        if (draw.chance(50)) buffer.egress_alpha = draw.one_of<Ratio>({{1, 1}, {8, 1}, {1, 2}, {3, 7}});
        if (draw.chance(30)) buffer.egress_reserved = amount(draw(0, 3));
    }
    buffer.alpha = draw.one_of<Ratio>({{1, 1}, {8, 1}, {1, 2}, {2, 1}, {1, 8}, {3, 7}});
    if (draw.chance(30)) {
        buffer.threshold_mantissa = draw(1, 6);
        buffer.threshold_extra_step = draw.chance(50);
    }
    buffer.port_alpha = draw.one_of<Ratio>({{1, 1}, {64, 1}, {1, 2}, {3, 7}});
    buffer.excess = amount(draw(0, 5));
    // A cell has 2000 B at most: where frames are smaller, steps of bytes would not be a cell apart.
    const std::int64_t apart = buffer.size.unit == MemorySize::Unit::Frame ? 1 : 1 + 2000 / frame.count;
    std::int64_t free = draw(0, 1);
    for (std::int64_t i = draw(1, 4); i > 0; --i, free += apart + draw(0, event)) {
        buffer.step_free.push_back(amount(free));
        buffer.step_limits.push_back(amount(draw(1, event)));
    }
    if (draw.chance(20)) buffer.descriptors = draw(1, 1 + event);
    if (draw.chance(30))
        buffer.resume = draw.one_of<ResumeLevel>({Ratio{1, 2}, Ratio{0, 1}, Ratio{9, 10}, amount(draw(0, 4)),
                                                  MemorySize{draw(0, 4), MemorySize::Unit::Frame}});
    if (buffer.descriptors && draw.chance(50))
        buffer.descriptors_resume =
            draw.one_of<ResumeLevel>({Ratio{1, 4}, MemorySize{draw(0, 3), MemorySize::Unit::Frame}});
    if (draw.chance(20)) {
        buffer.queues = static_cast<int>(draw(1, 4));
        buffer.queue_split = draw.chance(50);
    }
    if (draw.chance(20)) {
        buffer.wred_from = amount(draw(0, event));
        buffer.wred_to = amount(draw(1, 3) + event);
        buffer.wred_probability = draw.one_of<Ratio>({{1, 2}, {1, 20}, {1, 1}});
        buffer.ecn = draw.chance(50);
    }
    if (draw.chance(30)) buffer.release = Buffer::Release::Start;
    buffer.threshold_whole = draw.chance(30);
    buffer.filter = draw.one_of<Ratio>({{99, 100}, {1, 2}, {0, 1}, {1, 1}});
    buffer.congested_from = amount(draw(0, 4));
    return buffer;
}

UplinkChoice random_uplink_choice(Draw& draw, int uplinks) {
    UplinkChoice choice;
    choice.rule = draw.one_of({UplinkChoice::Rule::RoundRobin, UplinkChoice::Rule::Hash, UplinkChoice::Rule::Static});
    choice.fields = draw.one_of({UplinkChoice::Fields::Layer2, UplinkChoice::Fields::Layer3,
                                 UplinkChoice::Fields::Layer3And4, UplinkChoice::Fields::FiveTuple});
    choice.fold = draw.one_of({UplinkChoice::Fold::Crc16, UplinkChoice::Fold::Xor});
    for (std::int64_t i = draw(1, 4); i > 0; --i) choice.list.push_back(draw(1, uplinks));
    return choice;
}

/// Some of the keys that go with all others.
/// @param most  frames that an amount is of
void draw_free_keys(Draw& draw, Switch& network_switch, std::int64_t most, Bytes frame) {
    const std::int64_t unit = network_switch.buffer.size.unit == MemorySize::Unit::Frame ? 1 : frame.count;
    for (const SwitchField& field : switch_fields()) {
        if (!field.free || !draw.chance(15)) continue;
        std::visit(
            [&](const auto& at) {
                if constexpr (std::is_same_v<std::decay_t<decltype(at)>, FieldChoice<Switch>>) {
                    at.set(network_switch, static_cast<int>(draw(0, static_cast<std::int64_t>(at.names.size()) - 1)));
                } else {
                    auto& value = at(network_switch);
                    using Value = std::decay_t<decltype(value)>;
                    if constexpr (std::is_same_v<Value, bool>)
                        value = !value;
                    else if constexpr (std::is_same_v<Value, MemorySize> ||
                                       std::is_same_v<Value, std::optional<MemorySize>>)
                        value = MemorySize{draw(1, most) * unit, network_switch.buffer.size.unit};
                    else if constexpr (std::is_same_v<Value, int> || std::is_same_v<Value, std::int64_t> ||
                                       std::is_same_v<Value, std::optional<std::int64_t>>)
                        value =
                            static_cast<int>(draw(std::max<std::int64_t>(1, field.least), std::min(field.most, most)));
                    else
                        throw std::logic_error("switch." + field.name + ": how is a value of its type drawn?");
                }
            },
            field.place);
    }
    // Every other number of frames in the other unit, without a further draw.
    std::optional<MemorySize>& limit = network_switch.buffer.port_limit;
    if (const std::int64_t frames = limit ? limit->amount / unit : 1; frames % 2 == 0)
        limit = network_switch.buffer.size.unit == MemorySize::Unit::Frame
                    ? MemorySize{frames * frame.count, MemorySize::Unit::Byte}
                    : MemorySize{frames, MemorySize::Unit::Frame};
}

}  // namespace

Scenario random_scenario(std::uint64_t seed, std::optional<Sharing> sharing) {
    constexpr std::uint64_t kOther = 0x9e3779b97f4a7c15;
    Draw draw(seed), draw_sequence(seed ^ kOther);  // of its own, so that a seed keeps all else
    Scenario scenario;
    scenario.seed = seed;

    FrameFormat& frame = scenario.frame;
    frame.payload = Bytes{draw.one_of<std::int64_t>({draw(0, 30), draw(0, 1472), 1024, 18})};
    if (draw.chance(25)) {
        frame.split = true;
        frame.payload = Bytes{draw(1, 6000)};
        frame.mtu = Bytes{draw.one_of<std::int64_t>({1500, 9000, 600})};
    }
    if (draw.chance(20)) frame.fragments = static_cast<int>(draw(2, 4));
    if (draw_sequence.chance(15)) {
        std::vector<Bytes> payloads;
        for (std::int64_t i = draw_sequence(1, 4); i > 0; --i)
            payloads.push_back(Bytes{draw_sequence(1, frame.split ? 3000 : 1472)});
        frame.fragments = FragmentList(std::move(payloads));
    }
    if (draw.chance(20)) frame.wire_overhead = Bytes{draw(0, 90)};
    if (draw.chance(20)) frame.buffer_overhead = Bytes{draw(0, 90)};
    const std::vector<FrameSizes> frames = frames_of_fragment(frame);
    const auto fragment = static_cast<std::int64_t>(frames.size());

    FrontEnd& front_end = scenario.front_end;
    front_end.modules = static_cast<int>(draw(1, 7));
    front_end.link_rate = random_rate(draw);
    const Time slot = Serializer(front_end.link_rate).send(Time{0}, frames.front().wire).time;
    if (draw.chance(40)) front_end.fifo = draw(1, 3 * fragment);
    if (draw.chance(35))
        for (std::int64_t i = draw(1, front_end.modules); i > 0; --i) front_end.skew.push_back(random_time(draw, slot));
    if (draw.chance(15)) front_end.skew_spread = random_time(draw, slot);
    if (draw_sequence.chance(20)) front_end.gap = random_time(draw_sequence, slot);
    if (draw.chance(25)) front_end.jitter = random_time(draw, slot);
    if (draw.chance(20))
        for (std::int64_t i = draw(1, front_end.modules); i > 0; --i)
            front_end.clock.push_back({draw(-200'000, 200'000)});
    if (draw.chance(15)) front_end.clock_spread = {draw(0, 200'000)};

    scenario.trigger = random_trigger(draw, slot * fragment);

    Switch& network_switch = scenario.network_switch;
    network_switch.uplinks = static_cast<int>(draw(1, 3));
    network_switch.uplink_rate = draw.chance(40) ? front_end.link_rate : random_rate(draw);
    if (draw.chance(40)) network_switch.latency = random_time(draw, slot);
    network_switch.arrival_order = draw.one_of({ArrivalOrder::Module, ArrivalOrder::Rotating, ArrivalOrder::Random});
    Buffer& buffer = network_switch.buffer;
    buffer = random_buffer(draw, front_end.modules * fragment, fragment, frames.front().buffer, sharing);
    draw_free_keys(draw, network_switch, 1 + front_end.modules * fragment, frames.front().buffer);
    if (draw.chance(40)) network_switch.uplink_choice = random_uplink_choice(draw, network_switch.uplinks);
    if (network_switch.uplinks > 1 && draw.chance(30))
        front_end.source_ports = {draw(1, 65535), draw(1, 65535), draw(1, 65535)};
    return scenario;
}

namespace {

bool has_books_of_inputs(const Buffer& buffer) {
    if (buffer.sharing->pools == SharingPolicy::Pools::PerInput) return true;
    return buffer.sharing->pools == SharingPolicy::Pools::One && buffer.accounting != Buffer::Accounting::Egress;
}

}  // namespace

Scenario random_eventDriven_scenario(std::uint64_t seed, std::optional<Sharing> sharing) {
    Scenario scenario = random_scenario(seed, sharing);
    Draw draw(~seed);
    FrontEnd& front_end = scenario.front_end;
    Switch& network_switch = scenario.network_switch;
    Buffer& buffer = network_switch.buffer;
    const FrameSizes frame = frames_of_fragment(scenario.frame).front();
    const Time slot = Serializer(front_end.link_rate).send(Time{0}, frame.wire).time;
    do {
        network_switch.cut_through = draw.chance(25);
        if (network_switch.cut_through) {
            network_switch.cut_through_after = Bytes{draw.one_of<std::int64_t>({64, 1, draw(1, 1500)})};
        } else {
            const bool may_wait = !buffer.sharing->evicts;
            if (may_wait && draw.chance(60))
                network_switch.queueing = draw.one_of({Queueing::Output, Queueing::VirtualOutput, Queueing::InputFifo});
            const bool early_drops = buffer.wred_to.amount > 0 && !buffer.ecn;
            if (may_wait && !early_drops && draw.chance(50)) {
                const bool frames = draw.chance(50);
                network_switch.input_fifo = frames
                                                ? MemorySize{draw(1, 6), MemorySize::Unit::Frame}
                                                : MemorySize{draw(1, 6) * frame.buffer.count, MemorySize::Unit::Byte};
                if (draw.chance(60)) {
                    network_switch.fabric_rate = draw.chance(40) ? front_end.link_rate : random_rate(draw);
                    network_switch.port_groups = static_cast<int>(draw(1, 4));
                }
            }
        }
        if (draw.chance(50)) {
            FlowControl& control = network_switch.flow_control;
            control.kind = draw.one_of({FlowControl::Kind::Pause, FlowControl::Kind::Pfc});
            const auto amount = [&](std::int64_t frames) {
                return MemorySize{frames * (buffer.size.unit == MemorySize::Unit::Frame ? 1 : frame.buffer.count),
                                  buffer.size.unit};
            };
            const std::int64_t xon = draw(0, 2);
            control.xon = amount(xon);
            control.xoff = amount(xon + draw(0, 4));
            control.quanta = draw.one_of<std::int64_t>({65535, draw(1, 100), 1});
            if (control.kind == FlowControl::Kind::Pfc && draw.chance(50)) {
                control.alpha = draw.one_of<Ratio>({{1, 1}, {1, 8}, {2, 1}});
                control.xon_offset = amount(draw(0, 2));
            }
            front_end.obeys_pause = draw.chance(85);
            if (draw.chance(50)) front_end.pause_reaction = random_time(draw, slot);
            if (!buffer.sharing->evicts) buffer.headroom = amount(draw(0, 5));
            if (buffer.headroom.amount > 0 && draw.chance(50)) buffer.headroom_pool = amount(draw(1, 8));
            control.xon_fixed = control.alpha && draw.chance(50);
            if (control.alpha && !control.xon_fixed && has_books_of_inputs(buffer) && draw.chance(70))
                control.rule = draw.one_of({FlowControl::Rule::Hpcc, FlowControl::Rule::Sonic});
            if (control.rule != FlowControl::Rule::Memory && buffer.port_limit)
                buffer.port_limit->unit = buffer.size.unit;
        }
        if (buffer.sharing->knows_first && !network_switch.cut_through && draw.chance(30)) {
            buffer.first_bytes = frame.buffer * draw(1, 4);
            buffer.first_alpha = draw.one_of<Ratio>({{8, 1}, {1, 8}, {1, 1}});
            if (Draw more(seed ^ 0x1d1e); more.chance(50)) buffer.first_idle = slot * more(1, 20);
        }
        buffer.egress_pipeline = 0;
        if (network_switch.queueing == Queueing::Output && !network_switch.input_fifo && !buffer.sharing->evicts &&
            draw.chance(40))
            buffer.egress_pipeline = draw(1, 6);
    } while (!needs_events(scenario));
    return scenario;
}

Scenario random_burst(std::uint64_t seed) {
    Draw draw(seed);
    Scenario scenario;
    scenario.seed = seed;
    scenario.frame.payload = Bytes{draw(0, 1472)};
    scenario.front_end.modules = static_cast<int>(draw(1, 12));
    scenario.front_end.link_rate = random_rate(draw);
    const Bytes wire = frames_of_fragment(scenario.frame).front().wire;
    const Time slot = Serializer(scenario.front_end.link_rate).send(Time{0}, wire).time;
    // Often just what one module or all fill, so that frames leave as others arrive.
    const BitRate uplink =
        draw.chance(40) ? scenario.front_end.link_rate * draw.one_of<std::int64_t>({1, scenario.front_end.modules})
                        : random_rate(draw);
    const Time drained{static_cast<std::int64_t>(TransmissionTime::of(wire, uplink).numerator * draw(1, 12) /
                                                 TransmissionTime::of(wire, uplink).denominator)};
    scenario.trigger.separation = draw.chance(30) ? drained + Time{draw(0, 1)} : random_time(draw, slot);
    scenario.trigger.events = draw(1, 40);
    scenario.network_switch.uplink_rate = uplink;
    scenario.network_switch.arrival_order =
        draw.one_of({ArrivalOrder::Module, ArrivalOrder::Rotating, ArrivalOrder::Random});
    scenario.network_switch.buffer.size = {
        draw.chance(50) ? draw(0, 60) : draw(1, 2) * scenario.front_end.modules + draw(-1, 1), MemorySize::Unit::Frame};
    return scenario;
}

Scenario random_two_tiers(std::uint64_t seed) {
    Draw draw(seed);
    Scenario scenario = random_burst(seed);
    const auto rate = [&] {
        return BitRate{
            draw.one_of<std::int64_t>({1'000'000'000, 3'000'000'000, 7'000'000'000, 9'970'000'000, 10'000'000'000})};
    };
    scenario.front_end.link_rate = rate();
    scenario.network_switch.uplink_rate = draw.chance(50) ? rate() : scenario.front_end.link_rate;
    scenario.network_switch.arrival_order = ArrivalOrder::Module;
    scenario.network_switch.count = static_cast<int>(draw(1, std::min(4, scenario.front_end.modules)));
    scenario.aggregation = scenario.network_switch;
    scenario.aggregation->count = 1;
    scenario.aggregation->uplink_rate =
        draw.chance(30)
            ? rate()
            : scenario.network_switch.uplink_rate * draw.one_of<std::int64_t>({1, 1, scenario.network_switch.count, 2});
    scenario.aggregation->buffer.size = {draw(1, 3 * scenario.front_end.modules), MemorySize::Unit::Frame};
    scenario.network_switch.buffer.size = {1'000'000, MemorySize::Unit::Frame};
    return scenario;
}

}  // namespace watershed
