// SPDX-License-Identifier: GPL-2.0-only
// Ports of switches in a loop that are paused and wait for each other: a cyclic buffer dependency that has become a
// deadlock. A port waits for those at which frames wait whose leaving would end its pause, at the switch that has
// paused it: frames that it sent before, or, where the threshold moves with what is free, all. If every port that is
// reached so is paused, and has such frames behind it, none of them ever moves.
#include <algorithm>
#include <map>

#include "model/ns3/switch/watershed-switch-impl.h"

namespace watershed {

bool WatershedSwitchImpl::IsHeld(const Held& held) {
    const auto [there, input] = held.at->m_beyond[held.port];
    const PauseControl* const pauses = there ? there->m_inside->GetPauseControl() : nullptr;
    // The order that ends it may be on its way.
    return pauses && pauses->is_paused(static_cast<int>(input), held.trafficClass) &&
           !held.at->m_outputs[held.port].gates[static_cast<std::size_t>(held.trafficClass)].is_open(Now());
}

bool WatershedSwitchImpl::HasMovingThreshold(std::uint32_t input, int traffic_class) const {
    const PauseControl* const pauses = m_inside->GetPauseControl();
    if (!pauses || m_settings.network_switch.flow_control.rule != FlowControl::Rule::Memory) return false;
    const auto& at = pauses->senders_at(static_cast<int>(input));
    return std::any_of(at.begin(), at.end(), [&](int number) {
        const PauseControl::Sender& sender = pauses->senders()[static_cast<std::size_t>(number)];
        return sender.alpha && sender.traffic_class.value_or(traffic_class) == traffic_class;
    });
}

std::vector<WatershedSwitchImpl::Held> WatershedSwitchImpl::HoldersOf(const Held& from) const {
    const auto [there, input] = from.at->m_beyond[from.port];
    std::vector<Held> holders;
    if (!there) return holders;
    const bool of_any = there->HasMovingThreshold(input, from.trafficClass);
    const auto ends_it = [&, number = static_cast<std::int32_t>(input)](const WatershedStored& stored) {
        return !stored.is_own && (of_any || stored.input == number);
    };
    for (std::uint32_t port = 0; port < there->Inputs(); ++port)
        for (int each = 0; each < (there->HasClasses() ? kTrafficClasses : 1); ++each) {
            const WatershedOutput& output = there->m_outputs[port];
            const auto& queue = output.queues[static_cast<std::size_t>(each)];
            if (!of_any && there->HasClasses() && each != from.trafficClass) continue;
            if (std::none_of(queue.begin(), queue.end(), ends_it)) continue;
            const Held held{there, port, each};
            if (output.sending == &queue || !IsHeld(held)) return {};
            holders.push_back(held);
        }
    return holders;
}

void WatershedSwitchImpl::SeekDeadlock(const Held& from) {
    NS_LOG_FUNCTION(this << from.port << from.trafficClass);
    if (m_deadlocked.count({from.port, from.trafficClass}) > 0 || !IsHeld(from)) return;
    std::map<Held, Held> next;  // one port that each of them waits for
    for (std::vector<Held> left{from}; !left.empty();) {
        const Held held = left.back();
        left.pop_back();
        if (next.count(held) > 0) continue;
        const std::vector<Held> holders = HoldersOf(held);
        if (holders.empty()) return;
        next.emplace(held, holders.front());
        left.insert(left.end(), holders.begin(), holders.end());
    }
    Held at = from;
    for (std::set<Held> seen; seen.insert(at).second;) at = next.at(at);
    std::vector<ns3::Ptr<ns3::NetDevice>> loop;
    std::string said;
    for (const Held first = at; loop.empty() || first < at || at < first; at = next.at(at)) {
        if (!at.at->m_deadlocked.insert({at.port, at.trafficClass}).second) return;  // told
        loop.push_back(at.at->m_inputs[at.port]);
        said += "port " + std::to_string(at.port) + " of node " + std::to_string(at.at->m_context) + " waits for ";
    }
    NS_LOG_WARN("deadlock of class " << at.trafficClass << ": " << said << "the first");
    m_deadlock(loop, static_cast<std::uint32_t>(at.trafficClass));
}

void WatershedSwitchImpl::SeekDeadlockOf(std::uint32_t input, int traffic_class) {
    for (std::uint32_t each = 0; each < Inputs(); ++each)
        for (int kind = 0; kind < (HasClasses() ? kTrafficClasses : 1); ++kind) {
            if ((each != input || kind != traffic_class) && !HasMovingThreshold(each, kind)) continue;
            const auto [there, port] = m_beyond[each];
            if (there && there->m_isInLoop) there->SeekDeadlock({there, port, kind});
        }
}

}  // namespace watershed
