// SPDX-License-Identifier: GPL-2.0-only
#include "model/camera-queue.h"

#include <algorithm>
#include <cmath>

#include "model/frame.h"
#include "model/switch-memory.h"
#include "model/synchronous-camera.h"

namespace watershed {
namespace {

double picoseconds(Slot slot) { return static_cast<double>(slot.numerator) / static_cast<double>(slot.denominator); }

}  // namespace

double accepted_rate(const Trigger& trigger) {
    return 1 / (static_cast<double>(trigger.dead_time.count()) * 1e-12 + 1e6 / static_cast<double>(trigger.rate.count));
}

namespace {

/// A queue that may hold alpha times what is free ends its growth where q = alpha (pool - the queues of all uplinks). With uplinks in
/// step that is a memory of its own for each, but for the frame that overshoots; out of step, the fullest has the others' room at most.
CameraQueue under_dynamic_threshold(const Scenario& scenario) {
    const SwitchMemory memory(scenario.network_switch.buffer, scenario.front_end.modules, scenario.network_switch.uplinks);
    const double alpha = static_cast<double>(scenario.network_switch.buffer.alpha.numerator) / static_cast<double>(scenario.network_switch.buffer.alpha.denominator);
    const double pool = static_cast<double>(memory.accounts().layout().pool_size) / static_cast<double>(memory.units().cost(frames_of_fragment(scenario.frame).front().buffer));
    const auto room = [&](int uplinks) { return std::floor(alpha * pool / (1 + alpha * uplinks)); };
    Scenario of_its_own = scenario;
    Buffer& buffer = of_its_own.network_switch.buffer;
    buffer = Buffer{};
    buffer.sharing = Buffer::Sharing::PerOutput;
    buffer.release = scenario.network_switch.buffer.release;
    buffer.size = {std::max<std::int64_t>(static_cast<std::int64_t>(room(scenario.network_switch.uplinks)), 1), MemorySize::Unit::Frame};
    CameraQueue camera = CameraQueue::of(of_its_own);
    if (!camera.queues) return camera;
    const bool in_step = scenario.front_end.modules % scenario.network_switch.uplinks == 0;
    camera.queues->luckiest.room += in_step ? 1 : room(1) - room(scenario.network_switch.uplinks) + 1;
    camera.queues->unluckiest.room -= 1;
    return camera;
}

bool has_plain_threshold(const Buffer& buffer) {
    return buffer.sharing == Buffer::Sharing::DynamicThreshold && buffer.accounting == Buffer::Accounting::Egress && buffer.reserved.amount == 0 && buffer.slices == 1 &&
           !buffer.descriptors && !buffer.resume && !buffer.descriptors_resume && buffer.wred_to.amount == 0;
}

}  // namespace

CameraQueue CameraQueue::of(const Scenario& scenario) {
    if (scenario.trigger.pattern != Trigger::Pattern::Poisson) return {std::nullopt, "trigger.pattern: the triggers are not \"poisson\""};
    if (scenario.trigger.burst.events > 0) return {std::nullopt, "trigger.burst.events: bursts come on top of the triggers"};
    if (scenario.server.receiver) return {std::nullopt, "server.path: the server loses frames, too"};
    if (!scenario.frame.payloads.empty()) return {std::nullopt, "frame.payloads: fragments are of several sizes"};
    if (has_plain_threshold(scenario.network_switch.buffer)) return under_dynamic_threshold(scenario);
    Scenario of_one = scenario;
    of_one.frame.fragments = 1;
    const auto camera = SynchronousCamera::of(of_one);
    if (!camera) return {std::nullopt, SynchronousCamera::obstacle(of_one)};
    if (camera->takes_turns) return {std::nullopt, "switch.uplink_selection: frames take turns"};

    const double slot = picoseconds(camera->uplink_slot);
    BatchQueue queue;
    queue.trigger_rate = static_cast<double>(scenario.trigger.rate.count) * 1e-18 * slot;
    queue.dead_time = static_cast<double>(scenario.trigger.dead_time.count()) / slot;
    const int fragments = scenario.frame.fragments;
    const double on_link = picoseconds(camera->link) / slot;
    queue.link_time = fragments * on_link;
    const auto [fewest, most] = std::minmax_element(camera->modules_of_uplink.begin(), camera->modules_of_uplink.end());
    const auto pool = static_cast<double>(camera->room);
    const bool by_input = camera->pools == SynchronousCamera::Pools::Input, divided = camera->pools == SynchronousCamera::Pools::All && camera->uplinks > 1;
    if (divided && *most - *fewest > 1) return {std::nullopt, "switch.uplink_selection: uplinks of unlike load share a memory"};
    const double latency = static_cast<double>(scenario.network_switch.latency.count()) / slot;

    if (by_input && fragments > 1) return {std::nullopt, "front_end.fragments: a module sends several for each event, into a memory of its own"};

    Queues queues{queue, queue};
    queues.luckiest.modules = fragments * (divided ? *fewest : *most);
    queues.unluckiest.modules = fragments * *most;
    const double room = by_input ? pool * static_cast<double>(*most) : divided ? pool / camera->uplinks : pool;
    // Taken as if an event's fragments came at once: when the last does, the uplink has sent so many frames since the first.
    const auto sent_meanwhile = [&](const BatchQueue& of) { return (fragments - 1) * std::min(static_cast<double>(of.modules) / fragments, on_link); };
    const double leaving = camera->release_at_start ? 1 : 0;   // the frame on its way out of each uplink
    queues.luckiest.room = std::ceil(room) + leaving - std::min(latency, queue.pace());
    queues.unluckiest.room = std::floor(room) + leaving - latency;
    for (BatchQueue* each : {&queues.luckiest, &queues.unluckiest}) each->room += sent_meanwhile(*each);
    // An event that finds the switch empty waits for nobody's latency but its own.
    const auto all_of_event = static_cast<double>(queues.unluckiest.modules);
    if (std::ceil(room) + leaving + sent_meanwhile(queues.unluckiest) >= all_of_event) queues.luckiest.room = std::max(queues.luckiest.room, all_of_event);
    // Uplinks that keep pace with the links leave nothing for the next event, so that the event itself is all that must fit.
    if (divided && queues.unluckiest.growth() <= 0)
        for (BatchQueue* each : {&queues.luckiest, &queues.unluckiest})
            each->room = pool - latency * camera->uplinks >= static_cast<double>(camera->modules) ? all_of_event : each->room;
    for (const BatchQueue& each : {queues.luckiest, queues.unluckiest})
        if (each.growth() > 0 && each.growth() < 1) return {std::nullopt, "front_end.modules: an event adds less than a frame to what waits"};
    return {queues, {}};
}

Bracket log_loss_probability(const CameraQueue& camera, double precision) {
    const auto& [luckiest, unluckiest] = *camera.queues;
    const Bracket low = log_loss_probability(luckiest, precision);
    if (luckiest.modules == unluckiest.modules && luckiest.room == unluckiest.room) return low;
    const Bracket high = log_loss_probability(unluckiest, precision);
    return {low.lower, (low.estimate + high.estimate) / 2, high.upper};
}

}  // namespace watershed
