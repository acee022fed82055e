// SPDX-License-Identifier: GPL-2.0-only
#include "test/agreement/random-scenario.h"

#include <algorithm>
#include <initializer_list>
#include <ostream>
#include <random>

#include "model/base/serializer.h"
#include "model/base/slot.h"
#include "model/exact/stepped-run.h"

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
    return trigger;
}

/// @param event  frames of one event, @param fragment those of one module
Buffer random_buffer(Draw& draw, std::int64_t event, std::int64_t fragment, Bytes frame) {
    using Pools = SharingPolicy::Pools;
    Buffer buffer;
    buffer.sharing =
        Sharing::all()[static_cast<std::size_t>(draw(0, static_cast<std::int64_t>(Sharing::all().size()) - 1))];
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
    buffer.excess = amount(draw(0, 5));
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
    if (draw.chance(15)) buffer.port_limit = amount(draw(1, 1 + event));
    return buffer;
}

UplinkChoice random_uplink_choice(Draw& draw, int uplinks) {
    UplinkChoice choice;
    choice.rule = draw.one_of({UplinkChoice::Rule::RoundRobin, UplinkChoice::Rule::Hash, UplinkChoice::Rule::Static});
    choice.fields =
        draw.one_of({UplinkChoice::Fields::Layer2, UplinkChoice::Fields::Layer3, UplinkChoice::Fields::Layer3And4});
    choice.fold = draw.one_of({UplinkChoice::Fold::Crc16, UplinkChoice::Fold::Xor});
    for (std::int64_t i = draw(1, 4); i > 0; --i) choice.list.push_back(draw(1, uplinks));
    return choice;
}

}  // namespace

Scenario random_scenario(std::uint64_t seed) {
    Draw draw(seed);
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
    buffer = random_buffer(draw, front_end.modules * fragment, fragment, frames.front().buffer);
    if (draw.chance(40)) network_switch.uplink_choice = random_uplink_choice(draw, network_switch.uplinks);
    if (network_switch.uplinks > 1 && draw.chance(30))
        front_end.source_ports = {draw(1, 65535), draw(1, 65535), draw(1, 65535)};
    return scenario;
}

Scenario random_stepped_scenario(std::uint64_t seed) {
    Scenario scenario = random_scenario(seed);
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
    const Time drained{
        static_cast<std::int64_t>(Slot::of(wire, uplink).numerator * draw(1, 12) / Slot::of(wire, uplink).denominator)};
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

namespace {

/// Of an enumerator: its place in the list.
template <class Enum>
const char* name_of(Enum value, std::initializer_list<const char*> names) {
    return *(names.begin() + static_cast<int>(value));
}

std::string text_of(MemorySize size) {
    return std::to_string(size.amount) + name_of(size.unit, {" frames", " B", " cells"});
}

std::string text_of(const ResumeLevel& level) {
    if (const auto* size = std::get_if<MemorySize>(&level)) return text_of(*size);
    const auto part = std::get<Ratio>(level);
    return std::to_string(part.numerator) + "/" + std::to_string(part.denominator);
}

std::ostream& operator<<(std::ostream& out, const UplinkChoice& choice) {
    out << "uplink_selection = \"" << name_of(choice.rule, {"modulo", "round-robin", "hash", "static"})
        << "\"\nuplink_hash = \"" << name_of(choice.fields, {"layer2", "layer3", "layer3+4"}) << "\"\nuplink_fold = \""
        << name_of(choice.fold, {"crc16", "xor"}) << "\"\nuplink_list = [";
    for (const auto uplink : choice.list) out << uplink << ", ";
    return out << "]\n";
}

std::ostream& operator<<(std::ostream& out, const Buffer& buffer) {
    out << "[switch.buffer]\nsharing = \"" << buffer.sharing->name << "\"\nsize = \"" << text_of(buffer.size)
        << "\"\naccounting = \"" << name_of(buffer.accounting, {"egress", "ingress", "both"}) << "\"\ncell = \""
        << buffer.cell.count << " B\"\ncell_header = \"" << buffer.cell_header.count
        << " B\"\nslices = " << buffer.slices << "\nreserved = \"" << text_of(buffer.reserved) << "\"\nalpha = \""
        << buffer.alpha.numerator << "/" << buffer.alpha.denominator << "\"\nexcess = \"" << text_of(buffer.excess)
        << "\"\nqueues = " << buffer.queues << "\nqueue_split = " << (buffer.queue_split ? "true" : "false")
        << "\nrelease = \"" << (buffer.release == Buffer::Release::End ? "end" : "start") << "\"\n";
    if (buffer.descriptors) out << "descriptors = " << *buffer.descriptors << "\n";
    if (buffer.headroom.amount > 0) out << "headroom = \"" << text_of(buffer.headroom) << "\"\n";
    if (buffer.headroom_pool) out << "headroom_pool = \"" << text_of(*buffer.headroom_pool) << "\"\n";
    if (buffer.egress_size) out << "egress_size = \"" << text_of(*buffer.egress_size) << "\"\n";
    if (buffer.egress_alpha)
        out << "egress_alpha = \"" << buffer.egress_alpha->numerator << "/" << buffer.egress_alpha->denominator
            << "\"\negress_reserved = \"" << text_of(buffer.egress_reserved) << "\"\n";
    if (buffer.port_limit) out << "port_limit = \"" << text_of(*buffer.port_limit) << "\"\n";
    if (buffer.egress_pipeline > 0) out << "egress_pipeline = " << buffer.egress_pipeline << "\n";
    if (buffer.wred_to.amount > 0)
        out << "wred_from = \"" << text_of(buffer.wred_from) << "\"\nwred_to = \"" << text_of(buffer.wred_to)
            << "\"\nwred_probability = \"" << buffer.wred_probability.numerator << "/"
            << buffer.wred_probability.denominator << "\"\necn = " << (buffer.ecn ? "true" : "false") << "\n";
    if (buffer.resume) out << "resume = \"" << text_of(*buffer.resume) << "\"\n";
    if (buffer.descriptors_resume) out << "descriptors_resume = \"" << text_of(*buffer.descriptors_resume) << "\"\n";
    return out;
}

std::ostream& operator<<(std::ostream& out, const FlowControl& control) {
    out << "[switch.flow_control]\nkind = \"" << name_of(control.kind, {"none", "pause", "pfc"}) << "\"\nxoff = \""
        << text_of(control.xoff) << "\"\nxon = \"" << text_of(control.xon) << "\"\nquanta = " << control.quanta << "\n";
    if (control.alpha)
        out << "alpha = \"" << control.alpha->numerator << "/" << control.alpha->denominator << "\"\nxon_offset = \""
            << text_of(control.xon_offset) << "\"\nxon_fixed = " << (control.xon_fixed ? "true" : "false") << "\n";
    return out;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Scenario& scenario) {
    const FrameFormat& frame = scenario.frame;
    const FrontEnd& front_end = scenario.front_end;
    const Trigger& trigger = scenario.trigger;
    const Switch& network_switch = scenario.network_switch;
    const auto ps = [](Time time) { return "\"" + std::to_string(time.count()) + " ps\""; };
    const auto bytes = [](Bytes size) { return "\"" + std::to_string(size.count) + " B\""; };
    const auto number = [](const char* key, const auto& value) {
        return value ? std::string(key) + std::to_string(*value) + "\n" : std::string();
    };

    out << "seed = " << scenario.seed << "\n[frame]\npayload = " << bytes(frame.payload)
        << "\nwire_overhead = " << bytes(frame.wire_overhead) << "\nbuffer_overhead = " << bytes(frame.buffer_overhead)
        << "\nmtu = " << bytes(frame.mtu) << "\nsplit = " << (frame.split ? "true" : "false")
        << "\n[front_end]\nmodules = " << front_end.modules << "\nlink_rate = \"" << front_end.link_rate.count
        << " b/s\"\n";
    out << "obeys_pause = " << (front_end.obeys_pause ? "true" : "false")
        << "\npause_reaction = " << ps(front_end.pause_reaction) << "\n";
    if (front_end.fifo) out << "fifo = \"" << *front_end.fifo << " frames\"\n";
    out << "skew = [";
    for (const Time skew : front_end.skew) out << ps(skew) << ", ";
    out << "]\nskew_spread = " << ps(front_end.skew_spread) << "\njitter = " << ps(front_end.jitter) << "\nclock = [";
    for (const ClockTolerance clock : front_end.clock) out << '"' << clock.count << " ppb\", ";
    out << "]\nclock_spread = \"" << front_end.clock_spread.count << " ppb\"\n[trigger]\npattern = \"";
    out << name_of(trigger.pattern,
                   {"burst", "periodic", "bursts", "poisson", "file", "profile", "line-rate-plus-burst"})
        << "\"\nseparation = " << ps(trigger.separation) << "\n"
        << number("events = ", trigger.events) << "rate = \"" << trigger.rate.count << " uHz\"\n";
    if (trigger.duration) out << "duration = " << ps(*trigger.duration) << "\n";
    out << "bursts = " << trigger.bursts << "\nperiod = " << ps(trigger.period)
        << "\ndead_time = " << ps(trigger.dead_time) << "\n# times:";
    for (const Time time : trigger.times) out << ' ' << time.count();
    out << "\n[switch]\nuplinks = " << network_switch.uplinks << "\nuplink_rate = \""
        << network_switch.uplink_rate.count << " b/s\"\nlatency = " << ps(network_switch.latency)
        << "\narrival_order = \"" << name_of(network_switch.arrival_order, {"module", "rotating", "random"})
        << "\"\nqueueing = \"" << name_of(network_switch.queueing, {"output", "virtual-output", "input-fifo"})
        << "\"\nport_groups = " << network_switch.port_groups
        << "\ncut_through = " << (network_switch.cut_through ? "true" : "false")
        << "\ncut_through_after = " << bytes(network_switch.cut_through_after) << "\n";
    if (network_switch.input_fifo) out << "input_fifo = \"" << text_of(*network_switch.input_fifo) << "\"\n";
    if (network_switch.fabric_rate) out << "fabric_rate = \"" << network_switch.fabric_rate->count << " b/s\"\n";
    out << network_switch.uplink_choice << network_switch.flow_control << network_switch.buffer;
    out << "# source ports:";
    for (const auto port : front_end.source_ports) out << ' ' << port;
    out << '\n';
    return out;
}

}  // namespace watershed
