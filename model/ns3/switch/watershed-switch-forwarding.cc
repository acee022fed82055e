// SPDX-License-Identifier: GPL-2.0-only
// Forwarding of a frame that has come to a WatershedSwitch, or that its node sends.
#include <ns3/abort.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <utility>

#include "model/ns3/frame/watershed-ethernet.h"
#include "model/ns3/frame/watershed-pause-frame.h"
#include "model/ns3/switch/watershed-switch-impl.h"

namespace watershed {

void WatershedSwitchImpl::FrameArrived(std::uint32_t port, WatershedFrame&& frame, const Timestamp& now) {
    if (IsOutput(port))
        if (const auto order = ReadPauseOrder(*frame.GetPacket())) return Obey(port, *order, now);  // and forwards none
    if (!m_learns && port >= Inputs()) return Drop(frame, port, kNoPort, kFromUplink);
    const auto id = m_asTheyCome ? std::nullopt : IdOf(frame);
    m_inside->FrameArrived(port, id, RankOf(port, id, now), std::move(frame), now);
}

std::uint64_t WatershedSwitchImpl::RankOf(std::uint32_t port, const std::optional<FrameId>& id, const Timestamp& now) {
    if (m_asTheyCome) return ++m_came;
    // Frames of no event stand where the modules port + 1 would in an event that is theirs.
    const ArrivalRank rank(m_settings.network_switch.arrival_order, static_cast<int>(Inputs()), m_settings.seed,
                           m_inputsBefore);
    return rank(id ? id->event : EventOf(now), static_cast<int>(port) + 1);
}

std::int64_t WatershedSwitchImpl::EventOf(const Timestamp& now) {
    if (m_latest && *m_latest == now) return m_latestEvent;
    m_latest = now;
    m_latestEvent = m_settings.network_switch.arrival_order == ArrivalOrder::Random
                        ? static_cast<std::int64_t>(m_random.GetInteger(UINT32_MAX))
                        : m_latestEvent + 1;
    return m_latestEvent;
}

void WatershedSwitchImpl::Decide(std::uint32_t input, int module, WatershedFrame&& frame, const Timestamp& now) {
    if (m_learns)
        Forward(input, std::move(frame), now);
    else
        m_inside->Offer(input, m_selector->next(static_cast<int>(input), module), std::move(frame), now, nullptr);
}

std::optional<std::uint32_t> WatershedSwitchImpl::Learned(const ns3::Mac48Address& to) {
    const auto port_of = [](const ns3::Ptr<ns3::NetDevice>& known) {
        return ns3::StaticCast<WatershedNetDeviceImpl>(known)->GetPort();  // as all ports are
    };
    if (const auto known = GetLearnedState(to)) return port_of(known);
    if (const auto stated = m_stated.find(to); stated != m_stated.end()) return stated->second;
    for (WatershedSwitchImpl* const other : m_beside)
        if (const auto known = other->GetLearnedState(to)) return PortTo(other->m_ways[port_of(known)]);
    return std::nullopt;
}

void WatershedSwitchImpl::SetTier(std::vector<WatershedSwitchImpl*> beside, std::vector<int> ways) {
    m_beside = std::move(beside);
    m_ways = std::move(ways);
    m_hasCables = false;
    for (std::uint32_t port = 0; port < m_ways.size(); ++port) m_hasCables = m_hasCables || !IsFirstOfWay(port);
}

std::uint32_t WatershedSwitchImpl::CableOf(std::uint32_t port, const WatershedFrame& frame) const {
    if (!m_hasCables || m_ways[port] < 0) return port;
    auto number = HashOf(frame) % static_cast<std::size_t>(std::count(m_ways.begin(), m_ways.end(), m_ways[port]));
    auto cable = std::find(m_ways.begin(), m_ways.end(), m_ways[port]);
    while (number-- > 0) cable = std::find(std::next(cable), m_ways.end(), m_ways[port]);
    return static_cast<std::uint32_t>(cable - m_ways.begin());
}

std::optional<std::uint32_t> WatershedSwitchImpl::PortTo(int way) const {
    const auto found = std::find(m_ways.begin(), m_ways.end(), way);
    if (found == m_ways.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - m_ways.begin());
}

std::optional<std::uint32_t> WatershedSwitchImpl::OnlyOutputOf(std::uint32_t input, const WatershedFrame& frame) {
    const ns3::Mac48Address to = DestinationOf(*frame.GetPacket());
    if (to == m_own || to.IsGroup()) return std::nullopt;
    const auto output = Learned(to);
    if (!output || !LeadsOn(input, *output) || m_outputs[*output].is_uplink) return std::nullopt;
    return CableOf(*output, frame);
}

std::size_t WatershedSwitchImpl::HashOf(const WatershedFrame& frame) const {
    const std::size_t hash = FlowHash(*frame.GetPacket(), m_settings.network_switch.uplink_choice);
    return m_uplinkSeed == 0 ? hash : mixed(mixed(m_uplinkSeed) ^ hash);
}

std::uint32_t WatershedSwitchImpl::UplinkFor(std::uint32_t input, const WatershedFrame& frame) {
    const UplinkChoice& choice = m_settings.network_switch.uplink_choice;
    std::size_t number = 0;
    switch (choice.rule) {
        case UplinkChoice::Rule::Modulo: number = input; break;
        case UplinkChoice::Rule::RoundRobin: number = m_turn++; break;
        case UplinkChoice::Rule::Random:
            number = m_random.GetInteger(static_cast<std::uint32_t>(m_uplinks.size() - 1));
            break;
        case UplinkChoice::Rule::Static:
            number = static_cast<std::size_t>(choice.list[input % choice.list.size()] - 1);
            break;
        case UplinkChoice::Rule::Hash: number = HashOf(frame); break;
    }
    return m_uplinks[number % m_uplinks.size()];
}

void WatershedSwitchImpl::Forward(std::uint32_t input, WatershedFrame&& frame, const Timestamp& now) {
    const ns3::Mac48Address from = SourceOf(*frame.GetPacket()), to = DestinationOf(*frame.GetPacket());
    if (!from.IsGroup()) Learn(from, m_inputs[input]);
    if ((to == m_own || to.IsGroup()) && !m_upcalls.receive.IsNull())
        ns3::Simulator::ScheduleWithContext(m_context, ns3::Time(0), &WatershedSwitchImpl::DeliverToNode,
                                            ns3::Ptr<WatershedSwitchImpl>(this), frame.GetPacket());
    if (to == m_own) return;
    const bool from_uplink = m_outputs[input].is_uplink;
    if (auto output = to.IsGroup() ? std::nullopt : Learned(to)) {
        if (m_outputs[*output].is_uplink) {
            if (from_uplink) return Drop(frame, input, kNoPort, *output == input ? kSamePort : kFromUplink);
            output = UplinkFor(input, frame);
        } else {
            output = CableOf(*output, frame);
        }
        if (!LeadsOn(input, *output)) return Drop(frame, input, kNoPort, kSamePort);
        return m_inside->Offer(input, static_cast<int>(*output), std::move(frame), now, nullptr);
    }
    NS_LOG_LOGIC("node " << m_context << " sends a frame for " << to << " to all ports but " << input);
    // Elsewhere each port, or each group of ports, has memory of its own, or a port gives it up alone.
    const Buffer& buffer = m_settings.network_switch.buffer;
    const bool once =
        buffer.sharing->pools != SharingPolicy::Pools::PerOutput && !buffer.sharing->evicts && buffer.slices == 1;
    const auto copies = once ? ns3::Create<WatershedStored::Copies>() : nullptr;
    const std::uint32_t uplink = m_uplinks.empty() || from_uplink ? kNoPort : UplinkFor(input, frame);
    for (std::uint32_t port = 0; port < Inputs(); ++port)
        if (LeadsOn(input, port) && IsFirstOfWay(port) && (!m_outputs[port].is_uplink || port == uplink))
            m_inside->Offer(input, static_cast<int>(port), WatershedFrame(frame), now, copies);
}

void WatershedSwitchImpl::DeliverToNode(ns3::Ptr<const ns3::Packet> frame) { m_upcalls.Deliver(this, m_own, *frame); }

bool WatershedSwitchImpl::Send(ns3::Ptr<ns3::Packet> packet, const ns3::Address& dest, std::uint16_t protocol) {
    return SendFrom(packet, GetAddress(), dest, protocol);
}

bool WatershedSwitchImpl::SendFrom(ns3::Ptr<ns3::Packet> packet, const ns3::Address& source, const ns3::Address& dest,
                                   std::uint16_t protocol) {
    if (packet->GetSize() > GetMtu()) return false;
    const auto to = ns3::Mac48Address::ConvertFrom(dest);
    WrapInEthernet(*packet, ns3::Mac48Address::ConvertFrom(source), to, protocol);
    const std::uint32_t uplink = m_uplinks.empty() ? kNoPort : UplinkFor(0, packet);
    const auto send = [&](std::uint32_t port) { m_inside->SendOwn(port, packet, Now()); };
    if (const auto output = to.IsGroup() ? std::nullopt : Learned(to)) {
        send(m_outputs[*output].is_uplink ? uplink : CableOf(*output, packet));
        return true;
    }
    for (std::uint32_t port = 0; port < Inputs(); ++port)
        if (IsFirstOfWay(port) && (!m_outputs[port].is_uplink || port == uplink)) send(port);
    return true;
}

}  // namespace watershed
