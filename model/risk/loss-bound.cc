// SPDX-License-Identifier: GPL-2.0-only
#include "model/risk/loss-bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/base/frame.h"
#include "model/frontend/front-end.h"
#include "model/frontend/synchronous-senders.h"
#include "model/network/network-load.h"
#include "model/network/network.h"
#include "model/risk/batch-queue.h"
#include "model/risk/camera-queue.h"
#include "model/switch/plain-switch.h"
#include "model/switch/switch-memory.h"

namespace watershed {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// The first key of the camera and its triggers that the bound does not know.
Obstacle obstacle_of(const Incast& scenario) {
    if (Obstacle triggers = not_poisson(scenario)) return triggers;
    if (scenario.server.receiver) return {"server.path", "the server loses frames, too"};
    Obstacle obstacle;
    Senders one = scenario;
    one.frame.fragments.number = 1;  // a list of payloads is left, and refused
    if (!SynchronousSenders::of(one, &obstacle)) return obstacle;
    if (!scenario.nodes.empty()) return {"node", "the switches are a free graph"};
    if (scenario.aggregation && scenario.aggregation->uplink_rate != scenario.network_switch.uplink_rate)
        return {"aggregation.uplink_rate", "differs from that of the first tier"};
    if (scenario.aggregation && scenario.network_switch.uplink_choice.rule == UplinkChoice::Rule::RoundRobin)
        return {"switch.uplink_selection", "frames take turns before a second tier"};
    return {};
}

Obstacle obstacle_of(const Switch& network_switch) {
    Obstacle obstacle;
    // What a queue has for itself only makes losses rarer.
    const auto plain = PlainSwitch::of(network_switch, &obstacle,
                                       [](const Buffer& whole, Buffer& copied) { copied.reserved = whole.reserved; });
    if (!plain) return obstacle;
    const Buffer& buffer = (*plain)->buffer;
    if (buffer.sharing != Sharing::Shared && buffer.accounting != Buffer::Accounting::Egress)
        return {"switch.buffer.accounting", "queues are not those of the uplinks alone"};
    return {};
}

/// What the queues of one switch may hold, in frames of the busiest: the largest room with which surely nothing is
/// refused.
/// @param slack   frames of each queue beside its work: the one on its way out, and what waits for the switch's latency
/// @param fragments  that a module sends for each event; 0 where the inputs are those of links
double room_of(const Switch& network_switch, int inputs, Bytes frame, const std::vector<double>& events, double slack,
               int fragments, double latency, double event) {
    const SwitchMemory memory(network_switch.buffer, inputs, network_switch.uplinks);
    double pool = std::floor(static_cast<double>(memory.accounts().layout().pool_size) /
                             static_cast<double>(memory.units().cost(frame)));
    if (network_switch.buffer.descriptors)
        pool = std::min(pool, static_cast<double>(*network_switch.buffer.descriptors));
    const double most = *std::max_element(events.begin(), events.end());
    double all = 0, used = 0, least = most;
    for (const double each : events)
        if (each > 0) {
            all += each;
            ++used;
            least = std::min(least, each);
        }
    const double parts = all / most;  // what all queues hold, over what the fullest does
    const double together = (pool - used * slack) / parts;
    const Sharing sharing = network_switch.buffer.sharing;
    if (sharing == Sharing::PerOutput) return pool - slack;
    if (sharing == Sharing::PerInput) {
        // A module's input holds the frames of the events that are not yet gone: those whose work waits, the one that
        // is leaving, and the last.
        if (fragments > 0) return most / fragments * (pool - 2 * fragments) - most * latency / least + event;
        return pool - slack;
    }
    if (sharing == Sharing::DynamicThreshold) {
        const double alpha = as_number(network_switch.buffer.alpha);
        return std::min(together, (alpha * pool - slack * (1 + alpha * used)) / (1 + alpha * parts));
    }
    return together;
}

}  // namespace

double LossBound::log_probability() const {
    if (room < event) return 0;
    if (decay <= 0) return 0;
    return std::isinf(decay) ? -kUnbounded : std::min(0.0, -decay * (room - event));
}

std::optional<std::int64_t> LossBound::lossless_events(double separation) const {
    if (room < event) return 0;
    const double growth = per_trigger - std::max(separation / slot, link);
    if (growth <= 0) return std::nullopt;
    return static_cast<std::int64_t>(std::min(1e15, std::floor((room - event) / growth))) + 1;
}

double LossBounds::log_probability() const {
    double sum = -kUnbounded;
    for (const LossBound& each : switches) sum = log_sum(sum, each.log_probability());
    return std::min(0.0, sum);
}

LossBounds LossBounds::of(const Incast& scenario, int first) {
    LossBounds bounds;
    bounds.obstacle = obstacle_of(scenario);
    if (bounds.obstacle) return bounds;
    const Network network(scenario);
    const std::vector<double> modules = modules_per_link(scenario, network);
    const FrameSizes frame = frames_of_fragment(scenario.frame).front();
    const int fragments = scenario.frame.fragments.number;
    const double trigger_rate = static_cast<double>(scenario.trigger.rate.count) * 1e-6,
                 dead_time = static_cast<double>(scenario.trigger.dead_time.count()) * 1e-12;
    const double faster =
        1 + static_cast<double>(std::abs(module_timing(scenario.front_end, scenario.seed, 1).tolerance.count)) * 1e-9;
    const double on_link =
        8 * static_cast<double>(frame.wire.count) / static_cast<double>(scenario.front_end.link_rate.count) / faster;
    for (int number = first; number < static_cast<int>(network.switches().size()); ++number) {
        const Network::Switch& self = network.switches()[static_cast<std::size_t>(number)];
        if (bounds.obstacle = obstacle_of(self.settings); bounds.obstacle) return {{}, bounds.obstacle};
        const std::vector<double> carried(modules.begin() + self.first_link,
                                          modules.begin() + self.first_link + self.settings.uplinks);
        const double most = *std::max_element(carried.begin(), carried.end());
        if (most == 0) continue;
        const bool of_modules = self.feeds.empty();

        LossBound bound;
        bound.slot = 8 * static_cast<double>(frame.wire.count) / static_cast<double>(self.settings.uplink_rate.count);
        const double pace = on_link / bound.slot, work = most * fragments * bound.slot;
        bound.per_trigger = most * fragments;
        bound.link = pace * fragments;
        // Fragments come one after the other: when the last does, the uplink has sent while it waited for that.
        const double drained = of_modules || most <= pace ? (fragments - 1) * std::min(most, pace) : 0;
        bound.event = bound.per_trigger - drained;
        bound.load = work / (dead_time + 1 / trigger_rate);
        const double root = most <= pace ? kUnbounded : decay_rate({trigger_rate * work, dead_time / work, 0, 1, 0});
        bound.decay = root / bound.per_trigger;
        const double latency = static_cast<double>(self.settings.latency.count()) * 1e-12 / bound.slot;
        const bool turns = self.settings.uplink_choice.rule == UplinkChoice::Rule::RoundRobin;
        // The frame on its way out; where frames take turns, one more; behind links, one that arrives there and one for
        // which the uplink waits.
        const double slack = 1 + latency + (turns ? 1 : 0) + (of_modules ? 0 : 2);
        bound.room = room_of(self.settings, self.inputs(), frame.buffer, carried, slack, of_modules ? fragments : 0,
                             latency, bound.event);
        const auto same = [&](const LossBound& other) {
            return other.event == bound.event && other.room == bound.room && other.slot == bound.slot;
        };
        if (std::none_of(bounds.switches.begin(), bounds.switches.end(), same)) bounds.switches.push_back(bound);
    }
    return bounds;
}

}  // namespace watershed
