// SPDX-License-Identifier: GPL-2.0-only
#include "model/synchronous-camera.h"

#include "model/front-end.h"
#include "model/network.h"
#include "model/stepped-run.h"
#include "model/switch-memory.h"
#include "model/uplinks.h"

namespace watershed {
namespace {

std::optional<SynchronousCamera::Pools> pools_of(const Buffer& buffer) {
    using Pools = SynchronousCamera::Pools;
    if (buffer.slices != 1 || buffer.reserved.amount != 0 || buffer.resume || buffer.descriptors_resume || buffer.wred_to.amount != 0) return std::nullopt;
    if (buffer.sharing == Buffer::Sharing::Shared) return Pools::All;   // inputs and outputs add up to the same
    if (buffer.accounting == Buffer::Accounting::Both) return std::nullopt;
    if (buffer.sharing == Buffer::Sharing::PerInput) return Pools::Input;
    if (buffer.sharing == Buffer::Sharing::PerOutput) return Pools::Output;
    return std::nullopt;
}

}  // namespace

std::optional<SynchronousCamera> SynchronousCamera::of(const Scenario& scenario) {
    const FrontEnd& front_end = scenario.front_end;
    const Switch& network_switch = scenario.network_switch;
    const Buffer& buffer = network_switch.buffer;
    if (!has_one_switch(scenario)) return std::nullopt;
    if (scenario.server.receiver || !scenario.frame.payloads.empty()) return std::nullopt;
    if (scenario.trigger.pattern == Trigger::Pattern::LineRatePlusBurst || !is_synchronous(front_end) || front_end.fifo || key_that_needs_steps(scenario)) return std::nullopt;
    const auto pools = pools_of(buffer);
    const auto frames = frames_of_fragment(scenario.frame);
    if (!pools || frames.size() != 1) return std::nullopt;

    const SwitchMemory memory(buffer, front_end.modules, network_switch.uplinks);
    SynchronousCamera camera{};
    camera.frame = frames.front();
    camera.modules = front_end.modules;
    camera.uplinks = network_switch.uplinks;
    camera.pools = *pools;
    camera.room = memory.accounts().layout().pool_size / memory.units().cost(camera.frame.buffer);
    camera.full = SwitchMemory::kBufferFull;
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
    camera.link = Slot::of(camera.frame.wire, front_end.link_rate, timing.tolerance);
    camera.uplink_slot = Slot::of(camera.frame.wire, network_switch.uplink_rate);
    camera.uplink_rate = network_switch.uplink_rate;
    camera.times = exact_times(scenario);
    camera.latency = network_switch.latency;
    camera.skew = timing.skew;
    return camera;
}

}  // namespace watershed
