// SPDX-License-Identifier: GPL-2.0-only
// Ports of switches in a loop that are paused and wait for each other: a cyclic buffer dependency that has become a
// deadlock. A port waits for those at which frames that it sent before wait, at the switch that has paused it. If every
// port that is reached so is paused, and has such frames behind it, none of them ever moves.
#include <algorithm>
#include <map>
#include <string>

#include "model/ns3/switch/watershed-switch-impl.h"

namespace watershed {

bool WatershedSwitchImpl::IsHeld(const Held& held) const {
    return !m_outputs[held.port].gates[static_cast<std::size_t>(held.trafficClass)].is_open(Now());
}

std::vector<WatershedSwitchImpl::Held> WatershedSwitchImpl::HoldersOf(const Held& from) const {
    const auto [there, input] = from.at->m_beyond[from.port];
    std::vector<Held> holders;
    if (!there) return holders;
    for (std::uint32_t port = 0; port < there->Inputs(); ++port) {
        const WatershedOutput& output = there->m_outputs[port];
        const auto& queue = output.queues[there->HasClasses() ? static_cast<std::size_t>(from.trafficClass) : 0];
        const auto is_from = [number = static_cast<std::int32_t>(input)](const WatershedStored& stored) {
            return !stored.is_own && stored.input == number;
        };
        if (std::none_of(queue.begin(), queue.end(), is_from)) continue;
        const Held held{there, port, from.trafficClass};
        if (output.sending == &queue || !there->IsHeld(held)) return {};
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
    NS_LOG_WARN("deadlock of class " << from.trafficClass << ": " << said << "the first");
    m_deadlock(loop, static_cast<std::uint32_t>(from.trafficClass));
}

void WatershedSwitchImpl::SeekDeadlockOf(std::uint32_t input, int traffic_class) {
    const auto [there, port] = m_beyond[input];
    if (there && there->m_isInLoop) there->SeekDeadlock({there, port, traffic_class});
}

}  // namespace watershed
