// SPDX-License-Identifier: GPL-2.0-only
#include "model/network/almost-full.h"

#include <algorithm>

#include "model/frontend/trigger.h"
#include "model/network/network.h"
#include "model/switch/output-queued-switch.h"

namespace watershed {
namespace {

/// Copies what decides on a frame beside a plain memory's rules, and changes nothing of where it waits.
void with_limits(const Buffer& whole, Buffer& copied) {
    copied.reserved = whole.reserved;
    copied.resume = whole.resume;
    copied.descriptors_resume = whole.descriptors_resume;
    copied.port_limit = whole.port_limit;
    copied.threshold_mantissa = whole.threshold_mantissa;
    copied.threshold_extra_step = whole.threshold_extra_step;
    copied.threshold_whole = whole.threshold_whole;
}

UnsupportedKey no_one_memory(const NetworkScenario& scenario) {
    if (UnsupportedKey several = several_switches(scenario))
        return {several.key, "found several switches, expected one: an almost-full rule looks at one memory"};
    UnsupportedKey obstacle;
    if (!OutputQueuedSwitch::of(scenario.network_switch, &obstacle, with_limits))
        return {obstacle.key,
                "conflicts with an almost-full rule, which is followed where all frames wait in one memory for their "
                "uplink alone, expected its default"};
    const Buffer& buffer = scenario.network_switch.buffer;
    if (buffer.sharing->pools != SharingPolicy::Pools::One)
        return {"switch.buffer.sharing",
                "found a memory for each port, expected one: an almost-full rule looks at one "
                "memory"};
    if (buffer.queue_split) return {"switch.buffer.queue_split", "an almost-full rule looks at one memory"};
    if (buffer.accounting != Buffer::Accounting::Egress && buffer.accounting != Buffer::Accounting::Ingress)
        return {"switch.buffer.accounting", "an almost-full rule looks at one memory, and both sides have theirs"};
    if (!scenario.traffic.empty())
        return {"traffic",
                "conflicts with an almost-full rule: streams end with the camera's last trigger, which is "
                "then not known before"};
    for (const Group& group : scenario.groups)
        if (group.trigger)
            return {"group", "conflicts with an almost-full rule, expected modules that all answer [trigger]"};
    if (scenario.server.receiver)
        return {"server", "conflicts with an almost-full rule: a server with limits knows all triggers before"};
    const auto& rules = scenario.trigger.rules;
    if (std::count_if(rules.begin(), rules.end(),
                      [](const TriggerRule& rule) { return rule.kind == TriggerRule::Kind::AlmostFull; }) > 1)
        return {"trigger.rules", "found several almost-full rules, expected one"};
    return {};
}

}  // namespace

std::optional<AlmostFull> AlmostFull::of(const NetworkScenario& scenario) {
    const TriggerRule* rule = almost_full_rule(scenario.trigger);
    if (!rule) return std::nullopt;
    if (const UnsupportedKey obstacle = no_one_memory(scenario)) throw KeyError(obstacle.key, obstacle.why);
    const MemoryUnits units(scenario.network_switch.buffer);
    return AlmostFull{rule->time, units.amount("trigger.rules", rule->level, MemoryUnits::Rounding::Up)};
}

bool AlmostFull::refuses(const SwitchMemory& memory) const { return memory.accounts().held() >= level; }

}  // namespace watershed
