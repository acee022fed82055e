// SPDX-License-Identifier: GPL-2.0-only
// Forwarding of a frame that has come to a WatershedSwitch, or that its node sends.
#include <ns3/boolean.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <iterator>

#include "model/ns3/switch/watershed-switch-impl.h"
#include "model/switch/switch-control.h"

namespace watershed {

void WatershedSwitchImpl::Drop(const WatershedFrame& frame, std::uint32_t input, std::uint32_t output,
                               const LossCause& cause) const {
    NS_LOG_LOGIC("node " << m_context << " drops a frame of " << frame.GetSize() << " B from port " << input
                         << " for port " << static_cast<std::int32_t>(output) << ": " << cause.reason);
    if (!m_drop.IsEmpty()) m_drop(frame.GetPacket(), input, output, cause);
}

void WatershedSwitchImpl::TraceMark(const WatershedFrame& frame, std::uint32_t input, std::uint32_t output) const {
    NS_LOG_LOGIC("node " << m_context << " marks a frame from port " << input << " for port " << output);
    m_mark(frame.GetPacket(), input, output);
}

void WatershedSwitchImpl::SetEarly(MemoryClaim& claim, const WatershedFrame& frame) {
    if (!m_earlyDrop) return;
    claim.lot = LotOf(frame);
    claim.is_exempt = frame.IsOfNetwork();
}

bool WatershedSwitchImpl::IsFirst(const MemoryClaim& claim, const WatershedFrame& frame, Time now) {
    const Buffer& buffer = m_settings.network_switch.buffer;
    const auto flow = FlowOf(frame.GetBytes(), UplinkChoice::Fields::FiveTuple);
    return m_flows.is_first(std::string(flow.begin(), flow.end()), claim.buffer, buffer.first_bytes, now,
                            buffer.first_idle);
}

std::uint64_t WatershedSwitchImpl::LotOf(const WatershedFrame& frame) {
    if (m_lots) return m_lots();
    const auto id = IdOf(frame);
    return id ? early_drop_lot(*m_earlyDrop, m_settings.seed, *id, m_number)
              : std::uint64_t{m_random.GetInteger(UINT32_MAX)} << 32;
}

void WatershedSwitchImpl::FrameArrived(std::uint32_t port, WatershedFrame&& frame, const Timestamp& now) {
    if (IsOutput(port))
        if (const auto order = ReadPauseOrder(frame.GetBytes())) return Obey(port, *order, now);  // and forwards none
    if (!m_learns && port >= Inputs()) return Drop(frame, port, kNoPort, kFromUplink);
    if (m_asTheyCome) return m_inside->FrameArrived(port, std::nullopt, ++m_came, std::move(frame), now);
    const auto id = IdOf(frame);
    m_inside->FrameArrived(port, id, RankOf(port, id, now), std::move(frame), now);
}

std::uint64_t WatershedSwitchImpl::RankOf(std::uint32_t port, const std::optional<FrameId>& id, const Timestamp& now) {
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

void WatershedSwitchImpl::ReadLearning() {
    ns3::BooleanValue learns;
    ns3::TimeValue expiration;
    GetAttribute("EnableLearning", learns);
    GetAttribute("ExpirationTime", expiration);
    m_learnsAddresses = learns.Get();
    m_expiration = FromNs3(std::min(expiration.Get(), ToNs3(kLastDeparture)));
}

void WatershedSwitchImpl::LearnAddress(const ns3::Mac48Address& address, const ns3::Ptr<ns3::NetDevice>& port) {
    NS_LOG_FUNCTION(this << address << port);
    ReadLearning();
    const std::uint32_t number = ns3::StaticCast<WatershedNetDeviceImpl>(port)->GetPort();  // as all ports are
    m_learnsAddresses ? LearnAt(address, number, Now()) : StateAddress(address, number);
}

std::optional<std::uint32_t> WatershedSwitchImpl::Learned(const ns3::Mac48Address& to, Time now) {
    const std::uint64_t address = KeyOf(to);
    const auto learned = [&](WatershedSwitchImpl& by) {
        return by.m_learnsAddresses ? by.m_addresses.learned(address, now) : kNoPort;
    };
    if (const std::uint32_t port = learned(*this); port != kNoPort) return port;
    if (const std::uint32_t port = m_addresses.stated(address); port != kNoPort) return port;
    for (WatershedSwitchImpl* const other : m_beside)
        if (const std::uint32_t port = learned(*other); port != kNoPort) return PortTo(other->m_ways[port]);
    return std::nullopt;
}

void WatershedSwitchImpl::SetTier(std::vector<WatershedSwitchImpl*> beside, std::vector<int> ways,
                                  std::vector<FarSwitch> beyond) {
    NS_LOG_FUNCTION(this << beside.size());
    m_beside = std::move(beside);
    m_ways = std::move(ways);
    m_beyond = std::move(beyond);
    m_groups.assign(m_ways.size(), {});
    for (std::uint32_t port = 0; port < m_ways.size(); ++port)
        for (std::uint32_t each = 0; each < m_ways.size(); ++each)
            if (each == port || (m_ways[each] == m_ways[port] && m_ways[port] != kAlone))
                m_groups[port].push_back(each);
}

bool WatershedSwitchImpl::HasFailedPort() const {
    return std::any_of(m_inputs.begin(), m_inputs.end(), [](const auto& each) { return each->HasFailed(); });
}

bool WatershedSwitchImpl::Leads(std::uint32_t port, const ns3::Mac48Address& to) {
    if (m_inputs[port]->HasFailed()) return false;
    const auto [there, input] = m_beyond[port];
    return !there || there->LeadsFrom(input, to);
}

bool WatershedSwitchImpl::LeadsFrom(std::uint32_t input, const ns3::Mac48Address& to) {
    const auto leads = [&](std::uint32_t port) {
        return std::any_of(m_groups[port].begin(), m_groups[port].end(),
                           [&](std::uint32_t each) { return Leads(each, to); });
    };
    if (to == m_own) return true;
    if (const auto output = IsGroup(to) ? std::nullopt : Learned(to)) {
        if (m_isAsked) return false;  // a way in a circle, which users have stated, leads nowhere
        m_isAsked = true;
        const bool is_way = LeadsOn(input, *output) && leads(*output);
        m_isAsked = false;
        return is_way;
    }
    if (m_isInLoop) return true;  // for the hosts here
    for (std::uint32_t port = 0; port < Inputs(); ++port)
        if (LeadsOn(input, port) && m_beyond[port].first && !leads(port)) return false;
    return true;
}

const std::vector<std::uint32_t>& WatershedSwitchImpl::CablesThatLead(std::uint32_t port, const ns3::Mac48Address& to) {
    const std::vector<std::uint32_t>& group = m_groups[port];
    m_leading.clear();
    const auto take = [&](auto&& may) { std::copy_if(group.begin(), group.end(), std::back_inserter(m_leading), may); };
    take([&](std::uint32_t each) { return Leads(each, to); });
    if (m_leading.empty()) take([&](std::uint32_t each) { return !m_inputs[each]->HasFailed(); });
    return m_leading;
}

std::uint32_t WatershedSwitchImpl::CableOf(std::uint32_t port, const WatershedFrame& frame,
                                           const ns3::Mac48Address& to) {
    const std::vector<std::uint32_t>& cables = CablesTo(port, to);
    if (cables.size() > 1) return cables[HashOf(frame) % cables.size()];
    return cables.empty() ? kNoPort : cables.front();
}

std::optional<std::uint32_t> WatershedSwitchImpl::PortTo(int way) const {
    const auto found = std::find(m_ways.begin(), m_ways.end(), way);
    if (found == m_ways.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - m_ways.begin());
}

std::optional<std::uint32_t> WatershedSwitchImpl::OnlyOutputOf(std::uint32_t input, const WatershedFrame& frame) {
    const ns3::Mac48Address to = DestinationOf(frame.GetBytes());
    if (to == m_own || IsGroup(to)) return std::nullopt;
    const auto output = Learned(to);
    if (!output || !LeadsOn(input, *output) || m_outputs[*output].is_uplink) return std::nullopt;
    const std::uint32_t cable = CableOf(*output, frame, to);
    return cable == kNoPort ? std::nullopt : std::optional(cable);
}

std::size_t WatershedSwitchImpl::HashOf(const WatershedFrame& frame) const {
    const std::size_t hash = FlowHash(frame.GetBytes(), m_settings.network_switch.uplink_choice);
    return m_uplinkSeed == 0 ? hash : mixed(mixed(m_uplinkSeed) ^ hash);
}

std::uint32_t WatershedSwitchImpl::UplinkFor(std::uint32_t input, const WatershedFrame& frame,
                                             const ns3::Mac48Address& to) {
    const std::vector<std::uint32_t>& uplinks = CablesTo(m_uplinks.front(), to);
    if (uplinks.empty()) return kNoPort;
    const UplinkChoice& choice = m_settings.network_switch.uplink_choice;
    const std::size_t place = input == kNoPort ? 0 : input;
    std::size_t number = 0;
    switch (choice.rule) {
        case UplinkChoice::Rule::Modulo: number = place; break;
        case UplinkChoice::Rule::RoundRobin: number = m_turn++; break;
        case UplinkChoice::Rule::Random:
            number = m_random.GetInteger(static_cast<std::uint32_t>(uplinks.size() - 1));
            break;
        case UplinkChoice::Rule::Static: {
            const std::uint32_t uplink =
                m_uplinks[static_cast<std::size_t>(choice.list[place % choice.list.size()] - 1)];
            return m_inputs[uplink]->HasFailed() ? kNoPort : uplink;
        }
        case UplinkChoice::Rule::Hash: number = HashOf(frame); break;
    }
    return uplinks[number % uplinks.size()];
}

template <class Sender>
void WatershedSwitchImpl::SendToAll(std::uint32_t input, const WatershedFrame& frame, const ns3::Mac48Address& to,
                                    const Sender& send) {
    for (std::uint32_t port = 0; port < Inputs(); ++port) {
        // No copy comes to a tier twice.
        if (m_groups[port].front() != port || (input != kNoPort && !LeadsOn(input, port))) continue;
        if (m_isInLoop && m_beyond[port].first) continue;
        std::uint32_t output = kNoPort;
        if (m_outputs[port].is_uplink)
            output = UplinkFor(input, frame, to);
        else if (const auto& cables = CablesTo(port, to); !cables.empty())
            output = cables.front();
        if (output == kNoPort)
            Drop(frame, input, port, SwitchControl<>::kLinkDown);
        else
            send(output);
    }
}

void WatershedSwitchImpl::Forward(std::uint32_t input, WatershedFrame&& frame, const Timestamp& now) {
    const EthernetHead head = frame.GetBytes().GetHead();
    const ns3::Mac48Address &from = head.from, &to = head.to;
    if (!IsGroup(from)) LearnAt(from, input, now.time);
    if ((to == m_own || IsGroup(to)) && !m_upcalls.receive.IsNull())
        ns3::Simulator::ScheduleWithContext(m_context, ns3::Time(0),
                                            [own = ns3::Ptr<WatershedSwitchImpl>(this), head, frame]() mutable {
                                                own->m_upcalls.Deliver(own, own->m_own, head, frame.TakeBehind());
                                            });
    if (to == m_own) return;
    if (auto output = IsGroup(to) ? std::nullopt : Learned(to, now.time)) {
        const std::uint32_t learned = *output;
        if (m_outputs[learned].is_uplink) {
            if (m_outputs[input].is_uplink)
                return Drop(frame, input, kNoPort, learned == input ? kSamePort : kFromUplink);
            output = UplinkFor(input, frame, to);
        } else {
            output = CableOf(learned, frame, to);
        }
        if (*output == kNoPort) return Drop(frame, input, learned, SwitchControl<>::kLinkDown);
        if (!LeadsOn(input, *output)) return Drop(frame, input, kNoPort, kSamePort);
        NS_LOG_LOGIC("node " << m_context << " forwards a frame for " << to << " from port " << input << " to port "
                             << *output);
        return m_inside->Offer(input, static_cast<int>(*output), std::move(frame), now, nullptr);
    }
    NS_LOG_LOGIC("node " << m_context << " sends a frame for " << to << " to all ports but " << input);
    // Elsewhere each port, or each group of ports, has memory of its own, or a port gives it up alone.
    const Buffer& buffer = m_settings.network_switch.buffer;
    const bool once =
        buffer.sharing->pools != SharingPolicy::Pools::PerOutput && !buffer.sharing->evicts && buffer.slices == 1;
    const auto copies = once ? ns3::Create<WatershedStored::Copies>() : nullptr;
    SendToAll(input, frame, to, [&](std::uint32_t port) {
        m_inside->Offer(input, static_cast<int>(port), WatershedFrame(frame), now, copies);
    });
}

bool WatershedSwitchImpl::SendFrom(ns3::Ptr<ns3::Packet> packet, const ns3::Address& source, const ns3::Address& dest,
                                   std::uint16_t protocol) {
    NS_LOG_FUNCTION(this << packet << source << dest << protocol);
    if (packet->GetSize() > GetMtu()) return false;
    const auto to = ns3::Mac48Address::ConvertFrom(dest);
    const WatershedFrame frame(packet, ns3::Mac48Address::ConvertFrom(source), to, protocol);
    const auto send = [&](std::uint32_t port) { m_inside->SendOwn(port, frame, Now()); };
    const auto known = IsGroup(to) ? std::nullopt : Learned(to);
    if (!known) {
        SendToAll(kNoPort, frame, to, send);
        return true;
    }
    const std::uint32_t output =
        m_outputs[*known].is_uplink ? UplinkFor(kNoPort, frame, to) : CableOf(*known, frame, to);
    if (output == kNoPort)
        Drop(frame, kNoPort, *known, SwitchControl<>::kLinkDown);
    else
        send(output);
    return true;
}

}  // namespace watershed
