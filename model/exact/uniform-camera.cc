// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/uniform-camera.h"

#include <limits>

#include "model/exact/time-grid.h"
#include "model/frontend/front-end.h"
#include "model/frontend/uniform-senders.h"
#include "model/network/network.h"
#include "model/switch/output-queued-switch.h"
#include "model/switch/switch-memory.h"
#include "model/switch/uplinks.h"

namespace watershed {
namespace {

/// Returns true if the memory has one queue, so that its threshold depends on its own occupancy alone.
bool has_one_queue(const Switch& network_switch) {
    const Buffer& buffer = network_switch.buffer;
    return buffer.sharing == Buffer::Sharing::DynamicThreshold && buffer.accounting == Buffer::Accounting::Egress &&
           network_switch.uplinks == 1;
}

SynchronousCamera::Pools pools_of(Sharing sharing) {
    using Pools = SynchronousCamera::Pools;
    return sharing == Sharing::PerInput ? Pools::Input : sharing == Sharing::PerOutput ? Pools::Output : Pools::All;
}

}  // namespace

std::optional<SynchronousCamera> SynchronousCamera::of(const NetworkScenario& scenario, UnsupportedKey* why) {
    if (UnsupportedKey several = several_switches(scenario)) return refused(why, std::move(several));
    if (scenario.server.receiver) return refused(why, {"server.path", "the server has limits of its own"});
    const auto senders = UniformSenders::of(scenario, why);
    if (!senders) return std::nullopt;
    const auto plain = OutputQueuedSwitch::of(scenario.network_switch, why);
    if (!plain) return std::nullopt;
    const Switch& network_switch = **plain;
    const Buffer& buffer = network_switch.buffer;
    if (buffer.sharing == Sharing::DynamicThreshold && !has_one_queue(network_switch))
        return refused(why, {"switch.buffer.sharing", "the memory is not shared completely, by input or by output"});
    const Pools pools = pools_of(buffer.sharing);  // inputs and outputs add up to the same in one memory
    if (pools != Pools::All && buffer.accounting == Buffer::Accounting::Both)
        return refused(why, {"switch.buffer.accounting", "queues of both sides decide"});
    const FrontEnd& front_end = (*senders)->front_end;
    const auto frames = frames_of_fragment((*senders)->frame);

    const SwitchMemory memory(buffer, front_end.modules, network_switch.uplinks);
    SynchronousCamera camera{};
    camera.frame = frames.front();
    camera.modules = front_end.modules;
    camera.uplinks = network_switch.uplinks;
    camera.pools = pools;
    const Wide size = memory.accounts().layout().pool_size, cost = memory.units().cost(camera.frame.buffer);
    camera.room = static_cast<std::int64_t>(size / cost);
    camera.cells = memory.units().cells(1, camera.frame.buffer);
    camera.full = SwitchMemory::kBufferFull;
    if (has_one_queue(network_switch)) {
        // It grows while it is below alpha times the rest.
        const Wide full =
            ceil_div(size * buffer.alpha.numerator, cost * (buffer.alpha.denominator + Wide{buffer.alpha.numerator}));
        if (full < camera.room) {
            camera.room = static_cast<std::int64_t>(full);
            camera.full = SwitchMemory::kThreshold;
        }
    }
    if (buffer.descriptors && *buffer.descriptors < camera.room) {
        camera.room = *buffer.descriptors;
        camera.full = SwitchMemory::kDescriptors;
    }
    camera.release_at_start = buffer.release == Buffer::Release::Start;
    camera.takes_turns = network_switch.uplink_choice.rule == UplinkChoice::Rule::RoundRobin && camera.uplinks > 1;
    if (!camera.takes_turns) {
        UplinkSelector selector(network_switch, front_end);
        camera.modules_of_uplink.resize(static_cast<std::size_t>(camera.uplinks));
        for (int module = 1; module <= camera.modules; ++module) {
            camera.uplink.push_back(selector.next(module));
            ++camera.modules_of_uplink[static_cast<std::size_t>(camera.uplink.back())];
        }
    }
    const ModuleTiming timing = module_timing(front_end, scenario.seed, 1);
    camera.link = TransmissionTime::of(camera.frame.wire, front_end.link_rate, timing.tolerance);
    camera.uplink_slot = TransmissionTime::of(camera.frame.wire, network_switch.uplink_rate);
    camera.uplink_rate = network_switch.uplink_rate;
    camera.times = exact_times(scenario);
    camera.latency = network_switch.latency;
    camera.skew = timing.skew;
    return camera;
}

namespace {

/// The rules that UniformMemory knows.
void copy_rules(const Buffer& whole, Buffer& copied) {
    if (whole.sharing->has_steps) copied.sharing = whole.sharing;
    copied.step_free = whole.step_free;
    copied.step_limits = whole.step_limits;
    copied.resume = whole.resume;
    copied.descriptors_resume = whole.descriptors_resume;
    copied.wred_from = whole.wred_from;
    copied.wred_to = whole.wred_to;
    copied.wred_probability = whole.wred_probability;
    copied.ecn = whole.ecn;
}

std::optional<UniformCamera::Memory> memory_of(const Network::Switch& self, const FrameSizes& frame,
                                               UnsupportedKey* why) {
    if (UnsupportedKey obstacle = needs_events(self.settings)) return refused(why, std::move(obstacle));
    const Buffer& buffer = self.settings.buffer;
    UniformCamera::Memory memory{};
    memory.pools = pools_of(buffer.sharing);
    const bool one_side =
        buffer.accounting == Buffer::Accounting::Egress || buffer.accounting == Buffer::Accounting::Ingress;
    memory.has_rules = !(one_side ? OutputQueuedSwitch::of(self.settings, nullptr, copy_rules)
                                  : OutputQueuedSwitch::of(self.settings)) ||
                       (buffer.accounting == Buffer::Accounting::Both && buffer.sharing != Buffer::Sharing::Shared);
    if (memory.has_rules) return memory;
    Buffer plain = buffer;  // a run checks the amounts of the rules
    plain.forget_early();
    plain.resume.reset();
    plain.descriptors_resume.reset();
    if (plain.sharing->has_steps) plain.sharing = Buffer::Sharing::Shared;
    const SwitchMemory whole(plain, self.inputs(), self.settings.uplinks);
    memory.by_input = buffer.accounting == Buffer::Accounting::Ingress;
    const Wide size = whole.accounts().layout().pool_size, cost = whole.units().cost(frame.buffer);
    memory.size = static_cast<std::int64_t>(size);
    memory.room = static_cast<std::int64_t>(size / cost);
    memory.has_steps = buffer.sharing->has_steps;
    memory.descriptors = buffer.descriptors.value_or(std::numeric_limits<std::int64_t>::max());
    memory.threshold = 1;
    if (buffer.sharing == Buffer::Sharing::DynamicThreshold) {
        constexpr Wide kMost = std::numeric_limits<std::int64_t>::max() / 2;
        const Wide of_queue = cost * buffer.alpha.denominator, of_held = cost * buffer.alpha.numerator;
        const Wide frames = memory.room + 1;
        memory.has_rules =
            of_queue > kMost / frames || of_held > kMost / frames || size > kMost / buffer.alpha.numerator;
        if (memory.has_rules) return memory;
        memory.of_queue = static_cast<std::int64_t>(of_queue);
        memory.of_held = static_cast<std::int64_t>(of_held);
        memory.threshold = static_cast<std::int64_t>(size * buffer.alpha.numerator);
    }
    return memory;
}

}  // namespace

std::optional<UniformCamera> UniformCamera::of(const NetworkScenario& scenario, UnsupportedKey* why) {
    const auto senders = UniformSenders::of(scenario, why, UniformSenders::Times::Own);
    if (!senders) return std::nullopt;
    UniformCamera camera{};
    camera.frame = frames_of_fragment((*senders)->frame).front();
    const Network network(scenario);
    for (const Network::Switch& each : network.switches()) {
        const auto memory = memory_of(each, camera.frame, why);
        if (!memory) return std::nullopt;
        camera.memories.push_back(*memory);
    }
    const ExactTimes times = exact_times(scenario);
    if (!times.whole) return refused(why, {"front_end.clock", "no grid holds all times"});
    camera.grid = times.grid;
    return camera;
}

}  // namespace watershed
