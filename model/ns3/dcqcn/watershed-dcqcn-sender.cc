// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/dcqcn/watershed-dcqcn-sender.h"

#include <ns3/double.h>
#include <ns3/inet-socket-address.h>
#include <ns3/ipv4-route.h>
#include <ns3/ipv4-routing-protocol.h>
#include <ns3/ipv4.h>
#include <ns3/simulator.h>
#include <ns3/trace-source-accessor.h>
#include <ns3/udp-socket-factory.h>
#include <ns3/uinteger.h>

#include <algorithm>
#include <cmath>

#include "model/base/dcqcn.h"
#include "model/ns3/base/watershed-time.h"
#include "model/ns3/dcqcn/watershed-turns.h"
#include "model/ns3/device/watershed-setting-text.h"

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(WatershedDcqcnSender);

namespace {

constexpr std::uint8_t kCanBeMarked = 0x02;  // ECT(0), RFC 3168
constexpr int kClassBits = 5;                // below the three that name a class

BitRate Of(const ns3::DataRate& rate) { return BitRate{static_cast<std::int64_t>(rate.GetBitRate())}; }

ns3::DataRateValue ValueOf(BitRate rate) {
    return ns3::DataRateValue(ns3::DataRate(static_cast<std::uint64_t>(rate.count)));
}

}  // namespace

struct WatershedDcqcnSender::Flow final : WatershedTurns::Flow {
    Flow(WatershedDcqcnSender& of, const Dcqcn& dcqcn) : sender(of), law(dcqcn, Of(of.m_linkRate)) {}
    bool TakeTurn() override {
        sender.Send();
        return true;
    }
    void Left() override { sender.ScheduleNext(); }

    WatershedDcqcnSender& sender;
    DcqcnFlow law;
    Time ready{0};  ///< time at which its rate allows the next packet
    ns3::Ptr<WatershedTurns> turns = WatershedTurns::Of(sender.GetNode());
};

ns3::TypeId WatershedDcqcnSender::GetTypeId() {
    using Self = WatershedDcqcnSender;
    const Dcqcn initial;
    static const ns3::TypeId tid =
        ns3::TypeId("watershed::WatershedDcqcnSender")
            .SetParent<ns3::Application>()
            .SetGroupName("Watershed")
            .AddConstructor<Self>()
            .AddAttribute("Remote", "Address and port of the WatershedDcqcnReceiver.", ns3::AddressValue(),
                          ns3::MakeAddressAccessor(&Self::m_remote), ns3::MakeAddressChecker())
            .AddAttribute("DataRate", "Of the link, at which the flow begins and which it never exceeds.",
                          ns3::DataRateValue(ns3::DataRate("10Gbps")), ns3::MakeDataRateAccessor(&Self::m_linkRate),
                          ns3::MakeDataRateChecker())
            .AddAttribute("PacketSize", "Payload of a packet, in bytes.", ns3::UintegerValue(1024),
                          ns3::MakeUintegerAccessor(&Self::m_packetSize),
                          ns3::MakeUintegerChecker<std::uint32_t>(1, 65507))
            .AddAttribute("Overhead",
                          "Bytes that a packet costs the link beyond its payload: UDP 8, IPv4 20, and Ethernet 38.",
                          ns3::UintegerValue(66), ns3::MakeUintegerAccessor(&Self::m_overhead),
                          ns3::MakeUintegerChecker<std::uint32_t>(0, 1000))
            .AddAttribute("MaxBytes", "Payload of the flow; 0: without end.", ns3::UintegerValue(0),
                          ns3::MakeUintegerAccessor(&Self::m_maxBytes), ns3::MakeUintegerChecker<std::uint64_t>())
            .AddAttribute("Tos", "Of its packets; the two bits of ECN are its own.", ns3::UintegerValue(0),
                          ns3::MakeUintegerAccessor(&Self::m_tos), ns3::MakeUintegerChecker<std::uint8_t>())
            .AddAttribute("Gain", "Of the estimate alpha, the paper's g; to a thousandth, or a 1024th.",
                          ns3::DoubleValue(as_number(initial.gain)), ns3::MakeDoubleAccessor(&Self::m_gain),
                          ns3::MakeDoubleChecker<double>(0, 1))
            .AddAttribute("AlphaTimer", "Without a notification after which alpha falls.",
                          ns3::TimeValue(ToNs3(initial.alpha_timer)), ns3::MakeTimeAccessor(&Self::m_alphaTimer),
                          ns3::MakeTimeChecker(ns3::NanoSeconds(1)))
            .AddAttribute("RateTimer", "After which the rate is increased, the paper's T.",
                          ns3::TimeValue(ToNs3(initial.rate_timer)), ns3::MakeTimeAccessor(&Self::m_rateTimer),
                          ns3::MakeTimeChecker(ns3::NanoSeconds(1)))
            .AddAttribute("ByteCounter", "Bytes of the link after which it is increased, too: the paper's B.",
                          ns3::UintegerValue(static_cast<std::uint64_t>(initial.byte_counter.count)),
                          ns3::MakeUintegerAccessor(&Self::m_byteCounter),
                          ns3::MakeUintegerChecker<std::uint64_t>(1, INT64_MAX))
            .AddAttribute("FastRecovery", "Increases that only halve the distance to the target, the paper's F.",
                          ns3::UintegerValue(static_cast<std::uint64_t>(initial.fast_recovery)),
                          ns3::MakeUintegerAccessor(&Self::m_fastRecovery),
                          ns3::MakeUintegerChecker<std::uint32_t>(0, 1000))
            .AddAttribute("AdditiveIncrease", "Of the target, the paper's R_AI.", ValueOf(initial.additive_increase),
                          ns3::MakeDataRateAccessor(&Self::m_additiveIncrease), ns3::MakeDataRateChecker())
            .AddAttribute("HyperIncrease", "Of the target, once timer and bytes both count so far, R_HAI.",
                          ValueOf(initial.hyper_increase), ns3::MakeDataRateAccessor(&Self::m_hyperIncrease),
                          ns3::MakeDataRateChecker())
            .AddAttribute("LeastRate", "The rate is never cut below it.", ValueOf(initial.least),
                          ns3::MakeDataRateAccessor(&Self::m_leastRate), ns3::MakeDataRateChecker())
            .AddTraceSource("Tx", "A packet was given to the socket.", ns3::MakeTraceSourceAccessor(&Self::m_tx),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Notified", "A notification has cut the rate to this one.",
                            ns3::MakeTraceSourceAccessor(&Self::m_notified),
                            "watershed::WatershedDcqcnSender::NotificationTracedCallback");
    return tid;
}

WatershedDcqcnSender::WatershedDcqcnSender() = default;
WatershedDcqcnSender::~WatershedDcqcnSender() = default;

void WatershedDcqcnSender::StartApplication() {
    if (!m_flow) {
        Dcqcn dcqcn;
        dcqcn.gain = RatioOf(m_gain);
        dcqcn.alpha_timer = FromNs3(m_alphaTimer);
        dcqcn.rate_timer = FromNs3(m_rateTimer);
        dcqcn.byte_counter = Bytes{static_cast<std::int64_t>(m_byteCounter)};
        dcqcn.fast_recovery = static_cast<int>(m_fastRecovery);
        dcqcn.additive_increase = Of(m_additiveIncrease);
        dcqcn.hyper_increase = Of(m_hyperIncrease);
        dcqcn.least = Of(m_leastRate);
        m_flow = std::make_unique<Flow>(*this, dcqcn);
        ns3::Ipv4Header header;
        header.SetDestination(ns3::InetSocketAddress::ConvertFrom(m_remote).GetIpv4());
        ns3::Socket::SocketErrno error;
        const auto routing = GetNode()->GetObject<ns3::Ipv4>()->GetRoutingProtocol();
        if (const auto route = routing->RouteOutput(nullptr, header, nullptr, error))
            m_flow->turns->Enter(*m_flow, route->GetOutputDevice(), m_tos >> kClassBits);
    }
    if (!m_socket) {
        m_socket = ns3::Socket::CreateSocket(GetNode(), ns3::UdpSocketFactory::GetTypeId());
        m_socket->Bind();
        m_socket->Connect(m_remote);
        m_socket->SetRecvCallback(ns3::MakeCallback(&WatershedDcqcnSender::Notified, this));
    }
    m_flow->ready = std::max(m_flow->ready, Now());
    ScheduleNext();
}

void WatershedDcqcnSender::StopApplication() {
    m_next.Cancel();
    if (m_flow) m_flow->turns->Leave(*m_flow);
}

void WatershedDcqcnSender::DoDispose() {
    StopApplication();
    m_flow = nullptr;
    m_socket = nullptr;
    Application::DoDispose();
}

void WatershedDcqcnSender::ScheduleNext() {
    if (m_maxBytes == 0 || m_sent < m_maxBytes)
        m_next = ns3::Simulator::Schedule(ToNs3Up(std::max(m_flow->ready - Now(), Time{0})), &WatershedDcqcnSender::Ask,
                                          this);
}

void WatershedDcqcnSender::Ask() { m_flow->turns->Ask(*m_flow); }

void WatershedDcqcnSender::Send() {
    const std::uint64_t left = m_maxBytes == 0 ? m_packetSize : m_maxBytes - m_sent;
    const auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(m_packetSize, left));
    const auto packet = ns3::Create<ns3::Packet>(size);
    ns3::SocketIpTosTag tos;  // a socket's own leaves the bits of ECN as they are
    tos.SetTos(static_cast<std::uint8_t>((m_tos & ~0x03) | kCanBeMarked));
    packet->AddPacketTag(tos);
    m_tx(packet);
    m_sent += size;
    const Time now = Now();
    const Bytes slot{std::int64_t{size} + m_overhead};
    // From when it was ready, so that what ns-3's clock cuts off does not add up; a turn that was late gives no credit.
    m_flow->ready =
        std::max(m_flow->ready, now - Tick()) + Time{std::llround(bit_picoseconds(slot.count) / m_flow->law.rate(now))};
    m_flow->law.sent(slot, now);
    m_flow->turns->Sends(*m_flow, *packet);
    if (m_socket->Send(packet) < 0) m_flow->turns->Left(packet);
}

void WatershedDcqcnSender::Notified(ns3::Ptr<ns3::Socket> socket) {
    while (socket->Recv()) {
        ++m_notifications;
        m_flow->law.notified(Now());
        m_notified(GetRate());
    }
}

ns3::DataRate WatershedDcqcnSender::GetRate() {
    return m_flow ? ns3::DataRate(static_cast<std::uint64_t>(std::llround(m_flow->law.rate(Now())))) : m_linkRate;
}

}  // namespace watershed
