// SPDX-License-Identifier: GPL-2.0-only
#include "test/agreement/random-traffic.h"

#include "model/base/serializer.h"
#include "model/base/timestamp.h"
#include "model/frontend/stream-train.h"
#include "test/agreement/choices.h"
#include "test/agreement/random-scenario.h"

namespace watershed {
namespace {

Time stream_time(Choices& choose, Time slot) {
    switch (choose(0, 3)) {
        case 0: return Time{0};
        case 1: return slot * choose(1, 4);
        case 2: return slot * choose(1, 4) + Time{choose(-1, 1)};
        default: return Time{choose(0, 6 * slot.count())};
    }
}

/// Shapers of some classes, at rates that often hold up their frames.
void add_shapers(Switch& network_switch, Choices& choose) {
    Scheduling& scheduling = network_switch.scheduling;
    if (scheduling.kind == Scheduling::Kind::Fifo || !choose.chance(40)) return;
    for (std::int64_t i = choose(1, 8); i > 0; --i)
        scheduling.rates.push_back(
            BitRate{std::max<std::int64_t>(1, network_switch.uplink_rate.count / choose(1, 20) - choose(0, 3))});
    for (std::int64_t i = choose(0, 8); i > 0; --i)
        scheduling.bursts.push_back(Bytes{choose.chance(30) ? 0 : choose(1, 6000)});
    if (choose.chance(50)) scheduling.counts = Scheduling::Counts::Frame;
}

/// Gates of the uplinks, which often hold up frames; the last entry lets any frame leave.
void add_gates(Switch& network_switch, Choices& choose, Bytes largest) {
    Scheduling& scheduling = network_switch.scheduling;
    if (scheduling.kind == Scheduling::Kind::Fifo || network_switch.cut_through || !choose.chance(30)) return;
    const auto slot = static_cast<std::int64_t>(TransmissionTime::of(largest, network_switch.uplink_rate).ceil());
    for (std::int64_t i = choose(0, 4); i > 0; --i)
        scheduling.gates.push_back({Time{choose(1, 3 * slot)}, static_cast<unsigned>(choose(0, 255))});
    scheduling.gates.push_back({Time{slot + choose(0, slot)}, 0xff});
}

/// A second tier of the memory, where there may be one.
void add_dram(Switch& s, Choices& choose, Bytes frame) {
    Buffer& buffer = s.buffer;
    if (buffer.sharing->pools != SharingPolicy::Pools::One || buffer.sharing->evicts || buffer.egress_pipeline > 0 ||
        s.flow_control.kind != FlowControl::Kind::None || s.queueing != Queueing::Output || s.input_fifo ||
        s.cut_through || !choose.chance(60))
        return;
    buffer.accounting = Buffer::Accounting::Egress;
    buffer.egress_size.reset();
    const std::int64_t unit = buffer.size.unit == MemorySize::Unit::Frame ? 1 : frame.count;
    buffer.dram = MemorySize{choose(1, 30) * unit, buffer.size.unit};
    buffer.dram_from = {choose(1, 6) * unit - choose(0, 1), buffer.size.unit};
    buffer.dram_rate = BitRate{std::max<std::int64_t>(1, s.uplink_rate.count / choose(1, 6) * choose(1, 6))};
}

/// Flow control class by class, where it tells classes to pause.
void add_pauses(Switch& s, Choices& choose, Bytes frame) {
    if (s.flow_control.kind != FlowControl::Kind::Pfc || s.scheduling.kind == Scheduling::Kind::Fifo) return;
    Buffer& buffer = s.buffer;
    const auto amount = [&](std::int64_t most) {
        return MemorySize{choose(0, most) * (buffer.size.unit == MemorySize::Unit::Frame ? 1 : frame.count),
                          buffer.size.unit};
    };
    if (choose.chance(60))
        for (int each = 0; each < kTrafficClasses; ++each)
            if (choose.chance(70)) s.flow_control.classes.push_back(each);
    for (std::int64_t i = choose(0, 8); i > 0; --i) buffer.class_headrooms.push_back(amount(4));
    if (s.flow_control.alpha)
        for (std::int64_t i = choose(0, 8); i > 0; --i)
            s.flow_control.class_alphas.push_back({choose(1, 8), choose(1, 8)});
    if (s.flow_control.rule != FlowControl::Rule::Memory && buffer.sharing->pools == SharingPolicy::Pools::One &&
        buffer.slices == 1 && choose.chance(40)) {
        buffer.accounting = Buffer::Accounting::Mixed;
        buffer.egress_size.reset();
    }
    if (!buffer.egress_size) return;
    buffer.egress_lossless_size = amount(20);
    if (choose.chance(50)) buffer.egress_lossless_alpha = Ratio{choose(1, 8), choose(1, 8)};
}

}  // namespace

void add_classes(Switch& network_switch, Choices& choose) {
    Buffer& buffer = network_switch.buffer;
    buffer.queue_split = false;
    if (network_switch.queueing != Queueing::Output || buffer.sharing->evicts || !choose.chance(70)) return;
    Scheduling& scheduling = network_switch.scheduling;
    scheduling.kind = static_cast<Scheduling::Kind>(choose(1, 3));
    for (std::int64_t i = choose(0, 8); i > 0; --i) scheduling.weights.push_back(choose(1, 4));
    scheduling.quantum = Bytes{choose.chance(50) ? 1538 : choose(64, 3000)};
    if (choose.chance(40))
        for (std::int64_t i = choose(1, 8); i > 0; --i)
            buffer.class_limits.push_back(
                {choose(1, 6) * (buffer.size.unit == MemorySize::Unit::Frame ? 1 : 600), buffer.size.unit});
    if (buffer.drops_early() && choose.chance(50))
        for (std::int64_t i = choose(1, 8); i > 0; --i) {
            buffer.class_wred_to.push_back({choose(0, 2) * buffer.wred_to.amount, buffer.wred_to.unit});
            if (choose.chance(50)) buffer.class_wred_from.push_back({0, buffer.wred_to.unit});
            buffer.class_wred_probability.push_back({choose(0, 4), 4});
        }
    if (buffer.sharing == Sharing::DynamicThreshold && choose.chance(50))
        for (std::int64_t i = choose(1, 8); i > 0; --i) buffer.class_alphas.push_back({choose(1, 8), choose(1, 8)});
}

Scenario random_traffic(std::uint64_t seed, std::optional<Sharing> sharing) {
    Choices choose(seed ^ 0x7aff1c);
    Scenario s = seed % 3 == 0 ? random_eventDriven_scenario(seed, sharing) : random_scenario(seed, sharing);
    if (s.trigger.pattern == Trigger::Pattern::LineRatePlusBurst) s.trigger.pattern = Trigger::Pattern::Burst;
    Switch& network_switch = s.network_switch;
    s.front_end.traffic_class = static_cast<int>(choose(0, 7));
    const Time slot = Serializer(s.front_end.link_rate).send(Time{0}, frames_of_fragment(s.frame).front().wire).time;
    for (std::int64_t i = choose(1, 4); i > 0; --i) {
        TrafficStream stream;
        stream.name = "s" + std::to_string(i);
        stream.pattern = static_cast<TrafficStream::Pattern>(choose(0, 3));
        stream.payload =
            choose.chance(50) ? Bytes{choose(1, 500)} : std::min(s.frame.payload, s.frame.mtu - kIpUdpHeaders);
        if (stream.payload.count == 0) stream.payload = Bytes{18};
        stream.traffic_class = static_cast<int>(choose.chance(40) ? s.front_end.traffic_class : choose(0, 7));
        if (choose.chance(40))
            stream.module = static_cast<int>(choose(1, s.front_end.modules));
        else if (choose.chance(50))
            stream.link_rate = choose.chance(50) ? network_switch.uplink_rate : BitRate{choose(1, 20) * 500'000'000};
        stream.obeys_pause = choose.chance(80);
        const BitRate link = link_of_stream(stream, s);
        const Time own{
            static_cast<std::int64_t>(TransmissionTime::of(frame_of_stream(stream, s.frame).wire, link).ceil())};
        stream.burst = choose(1, 5);
        stream.period = own * stream.burst + stream_time(choose, slot);
        // The link's own rate, a part of it, or so many frames a second.
        if (choose.chance(60))
            stream.rate.bits = BitRate{std::max<std::int64_t>(1, link.count / choose(1, 5))};
        else
            stream.rate.frames = Frequency{1'000'000'000'000'000'000 / (own.count() * choose(1, 5) + choose(0, 3))};
        stream.on = own * choose(1, 8);
        stream.off = own * choose(1, 8);
        stream.start = stream_time(choose, slot);
        if (choose.chance(50)) stream.stop = stream.start + slot * choose(1, 30) + Time{1};
        // Drawn apart, so that older seeds give the scenarios that they gave.
        Choices more(seed ^ static_cast<std::uint64_t>(0xc10c + i));
        if (more.chance(25)) stream.clock = ClockTolerance{more(1, 100'000'000)};
        if (more.chance(25)) stream.jitter = stream_time(more, slot);
        if (more.chance(25)) stream.phase = stream_time(more, slot);
        s.traffic.push_back(stream);
    }
    add_classes(network_switch, choose);
    Choices shape(seed ^ 0x54a9e5);
    add_shapers(network_switch, shape);
    add_pauses(network_switch, shape, frames_of_fragment(s.frame).front().buffer);
    add_dram(network_switch, shape, frames_of_fragment(s.frame).front().buffer);
    Bytes largest{1538};  // other tests add frames of up to 1472 B
    for (const FrameSizes& frame : frames_of_fragment(s.frame)) largest = std::max(largest, frame.wire);
    for (const TrafficStream& stream : s.traffic) largest = std::max(largest, frame_of_stream(stream, s.frame).wire);
    Choices gates(seed ^ 0x9a7e5);
    add_gates(network_switch, gates, largest);
    return s;
}

}  // namespace watershed
