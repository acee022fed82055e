// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/dcqcn/watershed-dcqcn-receiver.h"

#include <ns3/inet-socket-address.h>
#include <ns3/simulator.h>
#include <ns3/udp-socket-factory.h>

#include "model/base/dcqcn.h"
#include "model/base/queue-pair.h"
#include "model/ns3/base/watershed-time.h"
#include "model/ns3/dcqcn/watershed-transport.h"
#include "model/ns3/device/watershed-attribute.h"
#include "model/ns3/frame/watershed-telemetry-tag.h"

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(WatershedDcqcnReceiver);

ns3::LogComponent WatershedDcqcnReceiver::g_log("WatershedDcqcnReceiver", __FILE__);

namespace {

constexpr std::uint8_t kEcn = 0x03;  // both bits: congestion was met

}  // namespace

ns3::TypeId WatershedDcqcnReceiver::GetTypeId() {
    using Self = WatershedDcqcnReceiver;
    static const WatershedTypeId<Self, ns3::Application> type(
        ns3::TypeId("ns3::WatershedDcqcnReceiver"), [](auto& table) {
            table.Add("Local", ns3::AddressValue(ns3::InetSocketAddress(ns3::Ipv4Address::GetAny(), roce::kPort)),
                      ns3::MakeAddressChecker(), &Self::m_local, "Address and port at which it receives.");
            table.Add("CnpInterval", Dcqcn{}.cnp_interval, &Self::m_interval,
                      "A flow gets no more than one notification in it.");
            table.Add("CnpTos", 0xc0, &Self::m_tos, "Of notifications: traffic class 6, and not to be marked.");
            table.Add("TrimTos", roce::kTrimTos, &Self::m_trimTos,
                      "Of packets that a switch has trimmed to their headers: that of its own TrimTos.");
            table.Trace("Rx", &Self::m_rx, "ns3::Packet::AddressTracedCallback", "A packet has come, and from whom.");
        });
    return type.id;
}

WatershedDcqcnReceiver::WatershedDcqcnReceiver() = default;
WatershedDcqcnReceiver::~WatershedDcqcnReceiver() = default;

void WatershedDcqcnReceiver::StartApplication() {
    NS_LOG_FUNCTION(this);
    if (!m_socket) {
        m_socket = ns3::Socket::CreateSocket(GetNode(), ns3::UdpSocketFactory::GetTypeId());
        m_socket->Bind(m_local);
        m_socket->SetIpRecvTos(true);
    }
    m_socket->SetRecvCallback(ns3::MakeCallback(&WatershedDcqcnReceiver::Receive, this));
}

void WatershedDcqcnReceiver::StopApplication() {
    NS_LOG_FUNCTION(this);
    if (m_socket) m_socket->SetRecvCallback(ns3::MakeNullCallback<void, ns3::Ptr<ns3::Socket>>());
}

void WatershedDcqcnReceiver::DoDispose() {
    NS_LOG_FUNCTION(this);
    m_socket = nullptr;
    Application::DoDispose();
}

void WatershedDcqcnReceiver::Receive(ns3::Ptr<ns3::Socket> socket) {
    NS_LOG_FUNCTION(this << socket);
    ns3::Address flow;
    while (const ns3::Ptr<ns3::Packet> packet = socket->RecvFrom(flow)) {
        ns3::SocketIpTosTag tag;
        const std::uint8_t tos = packet->RemovePacketTag(tag) ? tag.GetTos() : 0;
        const bool is_trimmed = tos == m_trimTos, is_marked = (tos & kEcn) == kEcn;
        m_rx(packet, flow);
        m_trimmed += is_trimmed;
        m_marked += is_marked;
        if (is_marked || is_trimmed) Notify(flow);
        if (const auto transport = Transport::Read(*packet))
            Take(*transport, *packet, flow, tos);
        else if (!is_trimmed)
            m_received += packet->GetSize();
    }
}

void WatershedDcqcnReceiver::Take(const Transport& transport, const ns3::Packet& packet, const ns3::Address& flow,
                                  std::uint8_t tos) {
    NS_LOG_FUNCTION(this << transport.number);
    auto& made = m_pairs[flow];
    if (!made) made = std::make_unique<QueuePairReceiver>();
    QueuePairReceiver& pair = *made;
    const std::uint64_t number = Transport::Nearest(transport.number, pair.get_expected());
    const auto verdict = tos == m_trimTos
                             ? QueuePairReceiver::Verdict{false, pair.trimmed(number, transport.isSelective)}
                             : pair.arrived(number, transport.isSelective, transport.isAsking);
    if (verdict.is_taken) m_received += packet.GetSize() - Transport::kSize - transport.GetTelemetrySize();
    if (verdict.answer == QueuePairReceiver::Answer::kNone) return;
    Transport answer;
    answer.opcode = roce::Opcode::Acknowledge;
    answer.isMissing = verdict.answer == QueuePairReceiver::Answer::kMissing;
    answer.isTrimmed = verdict.answer == QueuePairReceiver::Answer::kTrimmed;
    answer.number = pair.get_expected();
    answer.early = transport.number;
    answer.hasTelemetry = transport.hasTelemetry;
    const ns3::Ptr<ns3::Packet> back = answer.MakePacket(0);
    WatershedTelemetryTag telemetry;
    if (packet.PeekPacketTag(telemetry)) {
        telemetry.isAnswer = true;
        back->AddPacketTag(telemetry);
    }
    SendTo(flow, back, static_cast<std::uint8_t>(tos & ~kEcn));
}

void WatershedDcqcnReceiver::Notify(const ns3::Address& flow) {
    NS_LOG_FUNCTION(this << flow);
    const ns3::Time now = ns3::Simulator::Now();
    const auto last = m_notified.find(flow);
    if (last != m_notified.end() && now - last->second < m_interval) return;
    m_notified[flow] = now;
    ++m_notifications;
    Transport notification;
    notification.opcode = roce::Opcode::Cnp;
    SendTo(flow, notification.MakePacket(roce::kCnpReserved), m_tos);
}

void WatershedDcqcnReceiver::SendTo(const ns3::Address& flow, const ns3::Ptr<ns3::Packet>& packet, std::uint8_t tos) {
    ns3::SocketIpTosTag tag;
    tag.SetTos(tos);
    packet->AddPacketTag(tag);
    m_socket->SendTo(packet, 0, flow);
}

}  // namespace watershed
