// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/core/watershed-net-device.h"

#include <ns3/abort.h>
#include <ns3/ethernet-header.h>
#include <ns3/integer.h>
#include <ns3/simulator.h>
#include <ns3/trace-source-accessor.h>
#include <ns3/uinteger.h>

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(WatershedNetDevice);

namespace {
constexpr std::uint32_t kShortestFrame = 60;   // the 64 B of IEEE 802.3 without FCS
}

ns3::TypeId WatershedNetDevice::GetTypeId() {
    static const char* const kCallback = "ns3::Packet::TracedCallback";
    static const ns3::TypeId tid =
        ns3::TypeId("watershed::WatershedNetDevice")
            .SetParent<ns3::NetDevice>()
            .SetGroupName("Watershed")
            .AddConstructor<WatershedNetDevice>()
            .AddAttribute("Mtu", "Largest payload of a frame, in bytes.", ns3::UintegerValue(1500),
                          ns3::MakeUintegerAccessor(&WatershedNetDevice::SetMtu, &WatershedNetDevice::GetMtu),
                          ns3::MakeUintegerChecker<std::uint16_t>())
            .AddAttribute("Address", "MAC address of the port.", ns3::Mac48AddressValue(ns3::Mac48Address("02:00:00:00:00:00")),
                          ns3::MakeMac48AddressAccessor(&WatershedNetDevice::m_address), ns3::MakeMac48AddressChecker())
            .AddAttribute("DataRate", "Nominal rate of the link.", ns3::DataRateValue(ns3::DataRate("1Gbps")),
                          ns3::MakeDataRateAccessor(&WatershedNetDevice::m_rate), ns3::MakeDataRateChecker())
            .AddAttribute("ClockTolerance", "How much faster than nominal the sender's clock runs, in parts in 10^9.", ns3::IntegerValue(0),
                          ns3::MakeIntegerAccessor(&WatershedNetDevice::m_tolerance), ns3::MakeIntegerChecker<std::int64_t>())
            .AddAttribute("FifoLimit", "Frames the output FIFO holds, the one being sent included; 0 is no limit.", ns3::UintegerValue(0),
                          ns3::MakeUintegerAccessor(&WatershedNetDevice::m_fifoLimit), ns3::MakeUintegerChecker<std::uint32_t>())
            .AddAttribute("LinkOverhead", "Bytes a frame costs the link beyond its own without FCS: preamble 8, FCS 4, gap 12.",
                          ns3::IntegerValue(24), ns3::MakeIntegerAccessor(&WatershedNetDevice::m_linkOverhead),
                          ns3::MakeIntegerChecker<std::int64_t>())
            // Towards the node
            .AddTraceSource("MacTx", "A frame was handed to the port.", ns3::MakeTraceSourceAccessor(&WatershedNetDevice::m_macTx), kCallback)
            .AddTraceSource("MacTxDrop", "The output FIFO was full.", ns3::MakeTraceSourceAccessor(&WatershedNetDevice::m_macTxDrop), kCallback)
            .AddTraceSource("MacRx", "A frame goes up to the node or its handler.", ns3::MakeTraceSourceAccessor(&WatershedNetDevice::m_macRx),
                            kCallback)
            // Towards the cable
            .AddTraceSource("PhyTxBegin", "The first bit leaves.", ns3::MakeTraceSourceAccessor(&WatershedNetDevice::m_phyTxBegin), kCallback)
            .AddTraceSource("PhyTxEnd", "The last bit has left, and the gap behind it.",
                            ns3::MakeTraceSourceAccessor(&WatershedNetDevice::m_phyTxEnd), kCallback)
            .AddTraceSource("PhyRxEnd", "The last bit has arrived.", ns3::MakeTraceSourceAccessor(&WatershedNetDevice::m_phyRxEnd), kCallback)
            .AddTraceSource("PromiscSniffer", "Every frame, as it has left or arrived.",
                            ns3::MakeTraceSourceAccessor(&WatershedNetDevice::m_sniffer), kCallback);
    return tid;
}

bool WatershedNetDevice::SendFrame(WatershedFrame frame, const Moment& ready, Time now) {
    if (!m_fifo)
        m_fifo.emplace(GetRate(), ClockTolerance{m_tolerance}, m_fifoLimit == 0 ? std::nullopt : std::optional<std::int64_t>(m_fifoLimit), m_grid);
    if (!m_macTx.IsEmpty()) m_macTx(frame.GetPacket());
    if (m_sendQueue) {
        m_sendQueue->Offer(std::move(frame), now);
        return true;
    }
    const auto departure = m_fifo->offer(ready, WireSize(frame));
    if (!departure) {
        if (!m_macTxDrop.IsEmpty()) m_macTxDrop(frame.GetPacket());
        return false;
    }
    if (!m_phyTxBegin.IsEmpty()) ns3::Simulator::Schedule(ToNs3(m_fifo->begin().time - now), &WatershedNetDevice::TraceBegin, this, frame.GetPacket());
    m_queue.push_back({std::move(frame), *departure});
    if (m_queue.size() == 1) ScheduleHead(now);
    return true;
}

void WatershedNetDevice::Carry(WatershedFrame frame, const Moment& begin, const Moment& end, Time now) {
    if (begin.time == now)
        AnnounceBegin(frame, end, begin);
    else
        ns3::Simulator::ScheduleWithContext(m_context, ToNs3(begin.time - now), &WatershedNetDevice::AnnounceBegin, ns3::Ptr<WatershedNetDevice>(this), frame, end, begin);
    m_queue.push_back({std::move(frame), end});
    ScheduleHead(now);
}

void WatershedNetDevice::AnnounceBegin(WatershedFrame frame, const Moment& end, const Moment& now) {
    if (!m_phyTxBegin.IsEmpty()) m_phyTxBegin(frame.GetPacket());
    m_channel->Announce(this, std::move(frame), end, now);
}

void WatershedNetDevice::Refuse(const WatershedFrame& frame) const {
    if (!m_macTxDrop.IsEmpty()) m_macTxDrop(frame.GetPacket());
}

void WatershedNetDevice::Departed(Time now) {
    if (m_queue.empty()) return;   // disposed of
    WatershedFrame frame = std::move(m_queue.front().frame);
    const Moment left = m_queue.front().departure;
    m_queue.pop_front();
    ++m_framesSent;
    m_wireSent += WireSize(frame);
    if (!m_queue.empty()) ScheduleHead(now);
    if (!m_phyTxEnd.IsEmpty()) m_phyTxEnd(frame.GetPacket());
    if (!m_sniffer.IsEmpty()) m_sniffer(frame.GetPacket());
    if (m_handler) m_handler->FrameLeft(m_port, left);
    m_channel->Transmit(this, std::move(frame), left);
}

void WatershedNetDevice::TraceBegin(const ns3::Ptr<const ns3::Packet>& frame) { m_phyTxBegin(frame); }

void WatershedNetDevice::ReceiveBegins(WatershedFrame frame, const Moment& end, const Moment& now) {
    if (m_handler) m_handler->FrameBegins(m_port, frame, end, now);
}

void WatershedNetDevice::Receive(WatershedFrame frame, const Moment& now) {
    if (!m_phyRxEnd.IsEmpty()) m_phyRxEnd(frame.GetPacket());
    if (!m_sniffer.IsEmpty()) m_sniffer(frame.GetPacket());
    if (!m_macRx.IsEmpty()) m_macRx(frame.GetPacket());
    if (m_handler)
        m_handler->FrameArrived(m_port, std::move(frame), now);
    else   // in the context of this node, which its protocol stack insists on
        ns3::Simulator::ScheduleWithContext(m_context, ns3::Time(0), &WatershedNetDevice::DeliverToNode, ns3::Ptr<WatershedNetDevice>(this), frame.GetPacket());
}

void WatershedNetDevice::DeliverToNode(ns3::Ptr<ns3::Packet> frame) {
    const ns3::Ptr<ns3::Packet> packet = frame->Copy();   // others may still look at the frame
    ns3::EthernetHeader header(false);
    packet->RemoveHeader(header);
    const ns3::Mac48Address to = header.GetDestination();
    const bool for_us = to == m_address || to.IsBroadcast() || to.IsGroup();
    if (!m_promiscReceive.IsNull())
        m_promiscReceive(this, packet, header.GetLengthType(), header.GetSource(), to, to == m_address ? PACKET_HOST
                                                                                       : to.IsBroadcast() ? PACKET_BROADCAST
                                                                                       : to.IsGroup() ? PACKET_MULTICAST
                                                                                       : PACKET_OTHERHOST);
    if (for_us && !m_receive.IsNull()) m_receive(this, packet, header.GetLengthType(), header.GetSource());
}

bool WatershedNetDevice::Send(ns3::Ptr<ns3::Packet> packet, const ns3::Address& dest, std::uint16_t protocol) {
    return SendFrom(packet, m_address, dest, protocol);
}

bool WatershedNetDevice::SendFrom(ns3::Ptr<ns3::Packet> packet, const ns3::Address& source, const ns3::Address& dest, std::uint16_t protocol) {
    if (packet->GetSize() > m_mtu) return false;
    ns3::EthernetHeader header(false);
    header.SetSource(ns3::Mac48Address::ConvertFrom(source));
    header.SetDestination(ns3::Mac48Address::ConvertFrom(dest));
    header.SetLengthType(protocol);
    packet->AddHeader(header);
    if (packet->GetSize() < kShortestFrame) packet->AddPaddingAtEnd(kShortestFrame - packet->GetSize());
    return SendFrame(packet, Now());
}

void WatershedNetDevice::Attach(ns3::Ptr<WatershedChannel> channel) {
    m_channel = channel;
    channel->Attach(this);
    m_linkChange();
}

void WatershedNetDevice::SetFrameHandler(WatershedFrameHandler* handler, std::uint32_t port) {
    m_handler = handler;
    m_port = port;
}

bool WatershedNetDevice::SetMtu(std::uint16_t mtu) {
    m_mtu = mtu;
    return true;
}

void WatershedNetDevice::SetNode(ns3::Ptr<ns3::Node> node) {
    m_node = node;
    m_context = node->GetId();
}

void WatershedNetDevice::DoDispose() {
    m_queue.clear();
    m_sendQueue = nullptr;
    m_node = nullptr;
    m_channel = nullptr;
    m_handler = nullptr;
    m_receive.Nullify();
    m_promiscReceive.Nullify();
    NetDevice::DoDispose();
}

}  // namespace watershed
