// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/dcqcn/watershed-dcqcn-sender.h"

#include <ns3/abort.h>
#include <ns3/inet-socket-address.h>
#include <ns3/ipv4-route.h>
#include <ns3/ipv4-routing-protocol.h>
#include <ns3/ipv4.h>
#include <ns3/simulator.h>
#include <ns3/udp-socket-factory.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "model/base/queue-pair.h"
#include "model/base/rate-laws.h"
#include "model/ns3/base/watershed-time.h"
#include "model/ns3/dcqcn/watershed-transport.h"
#include "model/ns3/dcqcn/watershed-turns.h"
#include "model/ns3/device/watershed-attribute.h"
#include "model/ns3/frame/watershed-telemetry-tag.h"

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(WatershedDcqcnSender);

ns3::LogComponent WatershedDcqcnSender::g_log("WatershedDcqcnSender", __FILE__);

namespace {

constexpr std::uint8_t kCanBeMarked = 0x02;  // ECT(0), RFC 3168
constexpr int kClassBits = 5;                // below the three that name a class

const NamedRateLaw* Find(const std::string& name) {
    for (const NamedRateLaw& law : rate_laws())
        if (law.name == name) return &law;
    return nullptr;
}

}  // namespace

struct WatershedDcqcnSender::Flow final : WatershedTurns::Flow {
    explicit Flow(WatershedDcqcnSender& of)
        : sender(of),
          named(*Find(of.m_law)),
          repeats(of.m_recovery != "none"),
          slot{std::int64_t{of.m_packetSize} + of.m_overhead + named.telemetry_bytes +
               (repeats ? Transport::kSize : 0)},
          law(named.make(*of.m_parameters, BitRate{static_cast<std::int64_t>(of.m_linkRate.GetBitRate())}, slot)),
          pair(of.m_recovery == "selective-repeat",
               of.m_maxBytes == 0 ? UINT64_MAX : (of.m_maxBytes + of.m_packetSize - 1) / of.m_packetSize,
               of.m_reorderWindow) {}
    bool TakeTurn() override { return sender.Send(); }
    void Left() override { sender.ScheduleNext(); }

    /// Returns the time of the last packet on a link.
    Time Gap(double rate) const { return Time{std::llround(bit_picoseconds(last.count) / rate)}; }
    double Window() const {
        if (sender.m_window == 0) return law->window();
        const double part = law->rate(Now()) / static_cast<double>(sender.m_linkRate.GetBitRate());
        return std::min(law->window(), static_cast<double>(sender.m_window) * part);
    }
    /// It has a packet to send, new or to be repeated, and its window allows it.
    bool HasNext() const {
        const auto open = static_cast<double>(pair.get_next() - pair.get_acknowledged());
        return pair.next() && (pair.is_repeating() || open * static_cast<double>(slot.count) < Window());
    }

    WatershedDcqcnSender& sender;
    const NamedRateLaw& named;
    bool repeats;  ///< otherwise what is sent counts as acknowledged
    Bytes slot;    ///< bytes of a full packet on the link
    std::unique_ptr<RateLaw> law;
    QueuePairSender pair;
    Bytes last{0};        ///< bytes of the last packet on the link
    double paced = 0;     ///< rate by which the next packet waits for it, bits per second
    Time ready{0};        ///< time at which that rate allows the next packet
    bool sleeps = false;  ///< it has nothing to send until an answer comes
    Time begun = Now();
    Time heard{0};  ///< time since which it has waited for news
    ns3::Ptr<WatershedTurns> turns = WatershedTurns::Of(sender.GetNode());
};

ns3::TypeId WatershedDcqcnSender::GetTypeId() {
    using Self = WatershedDcqcnSender;
    static const WatershedTypeId<Self, ns3::Application> type(
        ns3::TypeId("ns3::WatershedDcqcnSender"), [](auto& table) {
            AddRateAttributes(table.id);
            table.Add("Law", ns3::StringValue("dcqcn"), ns3::MakeStringChecker(), &Self::SetLaw, &Self::GetLaw,
                      "Of its rate: \"dcqcn\", \"dcqcn-connectx\", or with Recovery \"hpcc\" or \"swift\".");
            table.Add("Remote", ns3::AddressValue(), ns3::MakeAddressChecker(), &Self::m_remote,
                      "Address and port of the WatershedDcqcnReceiver.");
            table.Add("DataRate", ns3::DataRate("10Gbps"), ns3::MakeDataRateChecker(), &Self::m_linkRate,
                      "Of the link, at which the flow begins and which it never exceeds.");
            table.Add("PacketSize", 1024, ns3::MakeUintegerChecker<std::uint32_t>(1, 65507), &Self::m_packetSize,
                      "Payload of a packet, in bytes.");
            table.Add("Overhead", 66, ns3::MakeUintegerChecker<std::uint32_t>(0, 1000), &Self::m_overhead,
                      "Bytes that a packet costs the link beyond its payload: UDP 8, IPv4 20, and Ethernet 38.");
            table.Add("MaxBytes", 0, &Self::m_maxBytes, "Payload of the flow; 0: without end.");
            table.Add("Window", 0, &Self::m_window,
                      "With Recovery: bytes of the link that may be on their way at the rate of the link, and in "
                      "proportion at others; 0: as many as the law lets.");
            table.Add(
                "Recovery", ns3::StringValue("none"), ns3::MakeStringChecker(), &Self::SetRecovery, &Self::GetRecovery,
                "What becomes of packets that are lost: \"none\", \"go-back-n\" repeats all from the first of them, "
                "\"selective-repeat\" them alone.");
            table.Add(
                "AckEvery", 0, &Self::m_ackEvery,
                "With Recovery: packets after which one asks for an acknowledgement; 0: each with a Window or a law "
                "that goes by acknowledgements, and else each 16th.");
            table.Add(
                "ReorderWindow", 0, &Self::m_reorderWindow,
                "Of selective-repeat: packets that may overtake another on its way without its being taken for lost, "
                "for paths that do not keep the order of a flow.");
            table.Add("Timeout", ns3::MilliSeconds(4), ns3::MakeTimeChecker(ns3::NanoSeconds(1)), &Self::m_timeoutAfter,
                      "With Recovery: without news after which all that is on its way is lost.");
            table.Add("Tos", 0, &Self::m_tos, "Of its packets; the two bits of ECN are its own.");
            table.Trace("Tx", &Self::m_tx, "ns3::Packet::TracedCallback", "A packet was given to the socket.");
            table.Trace("Notified", &Self::m_notified, "ns3::WatershedDcqcnSender::NotificationTracedCallback",
                        "A notification has cut the rate to this one.");
            table.Trace("Rtt", &Self::m_rtt, "ns3::Time::TracedCallback",
                        "An answer came, so long after its packet was sent; with a law that goes by them.");
            table.Trace("Completed", &Self::m_completed, "ns3::WatershedDcqcnSender::CompletionTracedCallback",
                        "All of MaxBytes was acknowledged, so long after the start; with Recovery.");
        });
    return type.id;
}

WatershedDcqcnSender::WatershedDcqcnSender() : m_parameters(std::make_unique<RateParameters>()) {}
WatershedDcqcnSender::~WatershedDcqcnSender() = default;

bool WatershedDcqcnSender::SetRecovery(std::string recovery) {
    NS_LOG_FUNCTION(this << recovery);
    if (recovery != "none" && recovery != "go-back-n" && recovery != "selective-repeat") return false;
    m_recovery = recovery;
    return true;
}

bool WatershedDcqcnSender::SetLaw(std::string law) {
    NS_LOG_FUNCTION(this << law);
    if (!Find(law)) return false;
    m_law = law;
    return true;
}

void WatershedDcqcnSender::StartApplication() {
    NS_LOG_FUNCTION(this);
    if (!m_flow) {
        m_flow = std::make_unique<Flow>(*this);
        NS_ABORT_MSG_IF(m_flow->named.is_answered && !m_flow->repeats,
                        "WatershedDcqcnSender: Law \"" << m_law << "\" goes by acknowledgements: set Recovery, too");
        NS_ABORT_MSG_IF(m_window > 0 && !m_flow->repeats,
                        "WatershedDcqcnSender: Window goes by acknowledgements: set Recovery, too");
        if (m_ackEvery == 0) m_ackEvery = m_flow->named.is_answered || m_window > 0 ? 1 : 16;
        ns3::Ipv4Header header;
        header.SetDestination(ns3::InetSocketAddress::ConvertFrom(m_remote).GetIpv4());
        ns3::Socket::SocketErrno error;
        const auto ip = GetNode()->GetObject<ns3::Ipv4>();
        const auto route = ip->GetRoutingProtocol()->RouteOutput(nullptr, header, nullptr, error);
        if (route && ip->GetInterfaceForAddress(header.GetDestination()) < 0)  // else no device sees its packets
            m_flow->turns->Enter(*m_flow, route->GetOutputDevice(), m_tos >> kClassBits);
    }
    if (!m_socket) {
        m_socket = ns3::Socket::CreateSocket(GetNode(), ns3::UdpSocketFactory::GetTypeId());
        m_socket->Bind();
        m_socket->Connect(m_remote);
        m_socket->SetRecvCallback(ns3::MakeCallback(&WatershedDcqcnSender::Receive, this));
    }
    m_flow->ready = std::max(m_flow->ready, Now());
    ScheduleNext();
}

void WatershedDcqcnSender::StopApplication() {
    NS_LOG_FUNCTION(this);
    m_next.Cancel();
    m_timeout.Cancel();
    if (!m_flow) return;
    m_flow->sleeps = false;
    m_flow->turns->Leave(*m_flow);
}

void WatershedDcqcnSender::DoDispose() {
    NS_LOG_FUNCTION(this);
    StopApplication();
    m_flow = nullptr;
    m_socket = nullptr;
    Application::DoDispose();
}

void WatershedDcqcnSender::ScheduleNext() {
    NS_LOG_FUNCTION(this);
    m_flow->sleeps = !m_flow->HasNext();
    if (!m_flow->sleeps)
        m_next = ns3::Simulator::Schedule(ToNs3Up(std::max(m_flow->ready - Now(), Time{0})),
                                          [this] { m_flow->turns->Ask(*m_flow); });
}

bool WatershedDcqcnSender::Send() {
    NS_LOG_FUNCTION(this);
    QueuePairSender& pair = m_flow->pair;
    m_flow->sleeps = !m_flow->HasNext();  // it was acknowledged while it waited for its turn
    if (m_flow->sleeps) return false;
    Transport transport;
    transport.number = *pair.next();
    transport.hasTelemetry = m_flow->named.telemetry_bytes > 0;
    transport.isSelective = m_recovery == "selective-repeat";
    transport.isAsking = (transport.number + 1) % m_ackEvery == 0 || pair.is_repeating();
    if (pair.is_repeating()) NS_LOG_LOGIC("sends packet " << transport.number << " again");
    const auto payload = static_cast<std::uint32_t>(
        m_maxBytes == 0 ? m_packetSize
                        : std::min<std::uint64_t>(m_packetSize, m_maxBytes - transport.number * m_packetSize));
    if (!pair.is_waiting()) m_flow->heard = Now();
    pair.sent();
    ns3::Ptr<ns3::Packet> packet;
    if (m_flow->repeats) {
        transport.isAsking |= !pair.next();
        packet = transport.MakePacket(payload);
        if (m_flow->named.is_answered) packet->AddPacketTag(WatershedTelemetryTag(Now()));
        if (m_timeout.IsExpired())
            m_timeout = ns3::Simulator::Schedule(m_timeoutAfter, &WatershedDcqcnSender::TimedOut, this);
    } else {
        packet = ns3::Create<ns3::Packet>(payload);
        pair.acknowledged(transport.number + 1);
    }
    ns3::SocketIpTosTag tos;  // a socket's own leaves the bits of ECN as they are
    tos.SetTos(static_cast<std::uint8_t>((m_tos & ~0x03) | kCanBeMarked));
    packet->AddPacketTag(tos);
    m_tx(packet);
    m_sent += payload;
    const Time now = Now();
    m_flow->last = Bytes{std::int64_t{packet->GetSize()} + m_overhead};
    m_flow->paced = m_flow->law->rate(now);
    // From when it was ready, so that what ns-3's clock cuts off does not add up; a turn that was late gives no credit.
    m_flow->ready = std::max(m_flow->ready, now - Tick()) + m_flow->Gap(m_flow->paced);
    m_flow->law->sent(m_flow->last, now);
    m_flow->turns->Sends(*m_flow, *packet);
    if (m_socket->Send(packet) < 0) m_flow->turns->Left(packet);
    return true;
}

void WatershedDcqcnSender::Repace() {
    NS_LOG_FUNCTION(this);
    const double rate = m_flow->law->rate(Now());
    if (m_flow->last.count == 0 || rate == m_flow->paced) return;
    m_flow->ready += m_flow->Gap(rate) - m_flow->Gap(m_flow->paced);
    m_flow->paced = rate;
    if (m_next.IsExpired()) return;
    m_next.Cancel();
    ScheduleNext();
}

void WatershedDcqcnSender::Receive(ns3::Ptr<ns3::Socket> socket) {
    NS_LOG_FUNCTION(this << socket);
    while (const auto packet = socket->Recv()) {
        const auto answer = m_flow->repeats ? Transport::Read(*packet) : std::nullopt;
        if (answer && answer->opcode == roce::Opcode::Acknowledge) {
            Answered(*answer, *packet);
            continue;
        }
        ++m_notifications;
        const double before = m_flow->law->rate(Now());
        m_flow->law->notified(Now());
        if (m_flow->law->rate(Now()) != before) Repace();
        m_notified(GetRate());
        NS_LOG_LOGIC("a notification: the rate is " << GetRate());
    }
}

void WatershedDcqcnSender::Answered(const Transport& answer, const ns3::Packet& packet) {
    NS_LOG_FUNCTION(this << answer.number);
    QueuePairSender& pair = m_flow->pair;
    const std::uint64_t before = pair.get_acknowledged(), expected = Transport::Nearest(answer.number, before);
    const std::uint64_t answered = Transport::Nearest(answer.early, expected);
    if (answer.isMissing) NS_LOG_LOGIC("packet " << expected << " is missing");
    if (answer.isTrimmed) NS_LOG_LOGIC("packet " << answered << " was trimmed");
    if (answer.isMissing   ? pair.missing(expected, answered)
        : answer.isTrimmed ? pair.trimmed(expected, answered)
                           : pair.acknowledged(expected)) {
        m_flow->heard = Now();
        if (pair.is_done()) {
            m_timeout.Cancel();
            m_completionTime = ToNs3(Now() - m_flow->begun);
            NS_LOG_INFO("all is acknowledged, " << m_completionTime << " after the start");
            m_completed(m_maxBytes, m_completionTime);
        }
    }
    WatershedTelemetryTag telemetry;
    if (packet.PeekPacketTag(telemetry)) {
        NS_ABORT_MSG_IF(m_flow->named.telemetry_bytes > 0 && telemetry.links.empty(),
                        "WatershedDcqcnSender: Law \"" << m_law << "\" needs a switch on the way that has Int");
        const Time rtt = Now() - telemetry.sent;
        m_rtt(ToNs3(rtt));
        if (answer.isMissing || answer.isTrimmed) m_flow->law->lost(false, Now());
        m_flow->law->acknowledged(
            {expected, pair.get_acknowledged() - before, pair.get_next(), rtt, std::move(telemetry.links)}, Now());
        Repace();
    }
    if (m_flow->sleeps) ScheduleNext();
}

void WatershedDcqcnSender::TimedOut() {
    NS_LOG_FUNCTION(this);
    if (!m_flow->pair.is_waiting()) return;
    const Time left = m_flow->heard + FromNs3(m_timeoutAfter) - Now();
    if (left <= Time{0}) {
        NS_LOG_LOGIC("no news for " << m_timeoutAfter << ": sends again from packet "
                                    << m_flow->pair.get_acknowledged());
        m_flow->pair.timed_out();
        m_flow->law->lost(true, Now());
        m_flow->heard = Now();
        if (m_flow->sleeps) ScheduleNext();
    }
    m_timeout = ns3::Simulator::Schedule(left > Time{0} ? ToNs3Up(left) : m_timeoutAfter,
                                         &WatershedDcqcnSender::TimedOut, this);
}

std::uint64_t WatershedDcqcnSender::GetAcknowledged() const {
    if (!m_flow) return 0;
    return m_flow->pair.is_done() ? m_maxBytes : m_flow->pair.get_acknowledged() * m_packetSize;
}

ns3::DataRate WatershedDcqcnSender::GetRate() {
    return m_flow ? ns3::DataRate(static_cast<std::uint64_t>(std::llround(m_flow->law->rate(Now())))) : m_linkRate;
}

}  // namespace watershed
