// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/pause-bound.h"

#include <algorithm>

#include "model/base/serializer.h"
#include "model/guarantee/switch-analysis.h"
#include "model/switch/memory-units.h"
#include "model/switch/output-queued-switch.h"
#include "model/switch/pause-control.h"
#include "model/switch/switch-fields.h"

namespace watershed {
namespace {

/// Returns the part of a switch that this bound understands.
Switch understood(const Switch& whole) {
    Switch copied = outside_of(whole);
    FlowControl& control = copied.flow_control;
    control.kind = whole.flow_control.kind;
    control.xoff = whole.flow_control.xoff;
    control.xon = whole.flow_control.xon;
    control.quanta = whole.flow_control.quanta;
    control.classes = whole.flow_control.classes;
    Buffer& buffer = copied.buffer;
    buffer.size = whole.buffer.size;
    buffer.cell = whole.buffer.cell;
    buffer.cell_header = whole.buffer.cell_header;
    buffer.headroom = whole.buffer.headroom;
    buffer.release = whole.buffer.release;
    return copied;
}

UnsupportedKey obstacle_of(const NetworkScenario& scenario, const Network& network) {
    const FrontEnd& front_end = scenario.front_end;
    const FlowControl& control = scenario.network_switch.flow_control;
    const char* const kCovers = "bound does not cover it beside flow control";
    if (!scenario.traffic.empty()) return {"traffic", kCovers};
    if (!scenario.groups.empty()) return {"group." + scenario.groups.front().name, kCovers};
    if (scenario.builders.count > 1) return {"server.builders", kCovers};
    if (scenario.server.receiver) return {"server", "bound does not cover what a server loses"};
    if (!network.is_one_tier() || !scenario.nodes.empty())
        return {scenario.nodes.empty() ? "aggregation" : "node", kCovers};
    if (has_unlike_frames(scenario)) return {"frame", "bound covers frames of one size beside flow control"};
    if (!front_end.obeys_pause) return {"front_end.obeys_pause", "bound covers flow control that modules obey"};
    if (control.kind == FlowControl::Kind::Pfc && !control.pauses(front_end.traffic_class))
        return {"switch.flow_control.classes", "bound covers flow control of the camera's class"};
    const Switch& whole = scenario.network_switch;
    if (const SwitchField* field = first_left_out(switch_fields(), whole, understood(whole)))
        return {"switch." + field->name, kCovers};
    if (pause_length(front_end.link_rate, control.quanta) <
        Serializer(front_end.link_rate).send(Time{0}, kPauseFrame).time)
        return {"switch.flow_control.quanta", "a pause ends before it is renewed"};
    return {};
}

/// Frames that decide on the losses of one switch.
struct PausedInputs {
    std::int64_t inputs, until_pause, after_pause, memory, headroom;

    std::int64_t of_input() const { return until_pause + after_pause; }
    std::int64_t of_all() const { return inputs * of_input(); }
    bool admits_unpaused() const { return memory >= (inputs - 1) * of_input() + until_pause; }
    std::int64_t needed_headroom() const { return std::clamp<std::int64_t>(of_all() - memory, 0, after_pause); }
    std::int64_t needed_memory() const { return of_all() - std::min(headroom, after_pause); }
    bool fits() const { return admits_unpaused() && headroom >= needed_headroom(); }
};

}  // namespace

bool has_flow_control(const NetworkScenario& scenario) {
    const Network network(scenario);
    return std::any_of(network.switches().begin(), network.switches().end(), [](const Network::Switch& each) {
        return each.settings.flow_control.kind != FlowControl::Kind::None;
    });
}

std::optional<Guarantee> bounds_with_pauses(const NetworkScenario& scenario, UnsupportedKey* why) {
    const Network network(scenario);
    if (UnsupportedKey obstacle = obstacle_of(scenario, network)) return refused(why, std::move(obstacle));
    const FrontEnd& front_end = scenario.front_end;
    const FlowControl& control = scenario.network_switch.flow_control;
    const Buffer& buffer = scenario.network_switch.buffer;
    const MemoryUnits units(buffer);
    const std::vector<FrameSizes> frames = frames_of_fragment(scenario.frame);
    const FrameSizes frame = frames.front();
    const std::int64_t cost = units.cost(frame.buffer);
    const auto in_frames = [&](const char* key, MemorySize size) { return units.amount(key, size) / cost; };

    PausedInputs paused{};
    paused.until_pause = in_frames("switch.flow_control.xoff", control.xoff) + 1;
    if (paused.until_pause - in_frames("switch.flow_control.xon", control.xon) < 3)
        return refused(why, {"switch.flow_control.xon", "bound covers an XON at least two frames below XOFF"});
    const auto [fastest, slowest] = fast_and_slow(frame, front_end);
    const Time order = Serializer(front_end.link_rate).send(Time{0}, kPauseFrame).time,
               reaction = order + front_end.pause_reaction;
    paused.after_pause = std::int64_t(reaction.count() / fastest.floor()) + 1;
    paused.memory = in_frames("switch.buffer.size", buffer.size);
    paused.headroom = in_frames("switch.buffer.headroom", buffer.headroom);

    Guarantee guarantee;
    guarantee.frame = frame;
    guarantee.exact = guarantee.in_step = false;
    PauseGuarantee& pauses = guarantee.pauses.emplace();
    pauses.until_pause = paused.until_pause;
    pauses.after_pause = paused.after_pause;
    for (int number = 0; number < int(network.switches().size()); ++number) {
        const Network::Switch& self = network.switches()[std::size_t(number)];
        if (self.inputs() == 0) continue;
        paused.inputs = self.inputs();
        SwitchGuarantee& of = guarantee.switches.emplace_back();
        of.name = self.name;
        of.buffer = buffer;
        of.inputs = self.inputs();
        of.frames = std::min(paused.of_all(), paused.memory + paused.inputs * paused.headroom);
        of.bytes = of.frames * frame.buffer.count;
        of.units = of.frames * cost;
        of.fits = paused.fits();
        of.needed = [needed = MemorySize{paused.needed_memory() * cost, units.unit()}] { return needed; };
        if (paused.admits_unpaused()) pauses.headroom = std::max(pauses.headroom.value_or(0), paused.needed_headroom());
        // A frame on its way out may have left the memory.
        const std::int64_t ahead = of.frames + (buffer.release == Buffer::Release::Start ? 1 : 0);
        const double delay = in_seconds(self.settings.latency) +
                             double(ahead) * 8 * double(frame.wire.count) / double(self.settings.uplink_rate.count);
        // The last frame that still comes is delayed, and the order to go on may wait for one that renews the pause.
        pauses.longest_s = std::max(pauses.longest_s,
                                    in_seconds(reaction) + 1e-12 * double(slowest.ceil()) + delay + in_seconds(order));
        for (int uplink = 0; uplink < self.settings.uplinks; ++uplink) {
            QueueGuarantee& queue = of.queues.emplace_back();
            queue.name = network.name(network.links()[std::size_t(self.first_link + uplink)]);
            queue.modules = self.inputs();
            queue.frames = of.frames;
            queue.bytes = of.bytes;
            queue.units = of.units;
            queue.delay_s = delay;
        }
    }
    if (front_end.fifo) guarantee.fifo = FifoGuarantee{*front_end.fifo, false, 0, Time{0}, {}};
    return guarantee;
}

}  // namespace watershed
