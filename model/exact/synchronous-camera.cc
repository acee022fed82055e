// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/synchronous-camera.h"

#include <algorithm>
#include <functional>

#include "model/exact/stepped-run.h"
#include "model/frontend/front-end.h"
#include "model/network/network.h"
#include "model/switch/switch-memory.h"
#include "model/switch/uplinks.h"

namespace watershed {
namespace {

std::optional<SynchronousCamera::Pools> pools_of(const Buffer& buffer) {
    using Pools = SynchronousCamera::Pools;
    if (buffer.sharing == Buffer::Sharing::Shared) return Pools::All;  // inputs and outputs add up to the same
    if (buffer.sharing == Buffer::Sharing::PerInput) return Pools::Input;
    if (buffer.sharing == Buffer::Sharing::PerOutput) return Pools::Output;
    return std::nullopt;
}

/// Of what makes modules unlike, the first key that does.
std::string out_of_step(const FrontEnd& front_end) {
    const char* const key = front_end.jitter != Time{0}         ? "jitter"
                            : front_end.skew_spread != Time{0}  ? "skew_spread"
                            : front_end.clock_spread.count != 0 ? "clock_spread"
                            : std::adjacent_find(front_end.skew.begin(), front_end.skew.end(), std::not_equal_to<>()) !=
                                    front_end.skew.end()
                                ? "skew"
                                : "clock";
    return std::string("front_end.") + key + ": the modules are out of step";
}

}  // namespace

std::string SynchronousCamera::obstacle(const Incast& scenario) {
    const Buffer& buffer = scenario.network_switch.buffer;
    if (!scenario.nodes.empty()) return "node: there are several switches";
    if (scenario.aggregation) return "aggregation: there are several switches";
    if (scenario.network_switch.count > 1) return "switch.count: there are several switches";
    if (scenario.server.receiver) return "server.path: the server has limits of its own";
    if (!scenario.frame.payloads.empty())
        return std::string(scenario.frame.payload_file.empty() ? "frame.payloads" : "frame.payload_file") +
               ": fragments are of several sizes";
    if (scenario.frame.fragments > 1) return "front_end.fragments: a module sends several for each event";
    if (frames_of_fragment(scenario.frame).size() > 1) return "frame.split: a fragment is several frames";
    if (scenario.trigger.pattern == Trigger::Pattern::LineRatePlusBurst) return "trigger.pattern: the modules differ";
    if (!is_synchronous(scenario.front_end)) return out_of_step(scenario.front_end);
    if (scenario.front_end.fifo) return "front_end.fifo: the front ends lose frames, too";
    if (buffer.sharing->evicts) return "switch.buffer.sharing: a frame in memory may be pushed out";
    if (const char* key = key_that_needs_steps(scenario))
        return std::string(key) + ": frames wait in other places than at their uplink";
    if (!pools_of(buffer)) return "switch.buffer.sharing: the memory is not shared completely, by input or by output";
    if (buffer.sharing != Buffer::Sharing::Shared && buffer.accounting == Buffer::Accounting::Both)
        return "switch.buffer.accounting: queues of both sides decide";
    if (buffer.egress_size) return "switch.buffer.egress_size: the outputs have a pool of their own";
    if (buffer.slices != 1) return "switch.buffer.slices: the memory is in several parts";
    if (buffer.reserved.amount != 0) return "switch.buffer.reserved: each queue has memory beside the shared one";
    if (buffer.port_limit) return "switch.buffer.port_limit: ports have limits of their own";
    if (buffer.resume) return "switch.buffer.resume: after a drop a queue goes on refusing frames";
    if (buffer.descriptors_resume)
        return "switch.buffer.descriptors_resume: after a drop a queue goes on refusing frames";
    if (buffer.wred_to.amount != 0) return "switch.buffer.wred_to: frames are dropped at random";
    return {};
}

std::optional<SynchronousCamera> SynchronousCamera::of(const Incast& scenario) {
    if (!obstacle(scenario).empty()) return std::nullopt;
    const FrontEnd& front_end = scenario.front_end;
    const Switch& network_switch = scenario.network_switch;
    const Buffer& buffer = network_switch.buffer;
    const auto pools = pools_of(buffer);
    const auto frames = frames_of_fragment(scenario.frame);

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
