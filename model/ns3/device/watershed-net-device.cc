// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/device/watershed-net-device.h"

#include <ns3/abort.h>
#include <ns3/queue-item.h>
#include <ns3/simulator.h>

#include <algorithm>
#include <iostream>
#include <utility>

#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/switch/pause-control.h"

namespace watershed {

namespace {

constexpr int kClassBits = 5;  // below the three that name a class

/// The traffic class of what a queue disc is about to hold; that which ClassOf() reads in its frame.
std::size_t ClassOfItem(ns3::Ptr<ns3::QueueItem> item) {
    std::uint8_t octet = 0;
    if (item->GetUint8Value(ns3::QueueItem::IP_DSFIELD, octet)) return octet >> kClassBits;
    const auto of_disc = ns3::DynamicCast<ns3::QueueDiscItem>(item);
    if (!of_disc || of_disc->GetProtocol() != kVlanType) return 0;
    item->GetPacket()->CopyData(&octet, 1);
    return octet >> kClassBits;
}

}  // namespace

ns3::LogComponent WatershedNetDeviceImpl::g_log("WatershedNetDevice", __FILE__);
NS_OBJECT_ENSURE_REGISTERED(WatershedNetDeviceImpl);

std::string SaidOfUnevenTime(BitRate rate, Bytes bytes, Time lasts, Time tick) {
    if (lasts.count() % tick.count() == 0) return "";
    return "WatershedNetDevice: a frame that takes " + std::to_string(bytes.count) + " B of a link at " +
           std::to_string(rate.count) + " bps lasts " + std::to_string(lasts.count()) +
           " ps, and ns-3's clock has ticks of " + std::to_string(tick.count()) +
           " ps: frames arrive up to a tick early. For exact times begin main() with Time::SetResolution(Time::PS).";
}

void WatershedNetDeviceImpl::DoTellIfUneven(const WatershedFrame& frame, const Timestamp& begin,
                                            const Timestamp& end) const {
    static bool told = false;  // the remedy is the same for all
    if (told) return;
    const std::string said = SaidOfUnevenTime(GetRate(), WireSize(frame), end.time - begin.time, m_tick);
    told = !said.empty();
    if (told) std::cerr << said << std::endl;
}

bool WatershedNetDeviceImpl::SendFrame(WatershedFrame&& frame, const Timestamp& ready, Time now, Time gap) {
    if (!m_fifo) MakeFifo();
    if (!m_macTx.IsEmpty()) m_macTx(frame.GetPacket());
    if (m_sendQueue) {
        m_sendQueue->Offer(std::move(frame), now, gap);
        return true;
    }
    if (!m_obeysPause && m_txQueues.empty()) return Enqueue(std::move(frame), ready, now, gap);
    const std::uint32_t size = frame.GetSize();
    const auto traffic_class = m_obeysPause || m_txQueues.size() > 1 ? static_cast<std::size_t>(frame.GetClass()) : 0;
    if (m_obeysPause) {
        if (IsFull(traffic_class)) {
            Refuse(frame);
            return false;
        }
        m_waiting[traffic_class].push_back({std::move(frame), ready, ++m_waitingNumber, gap});
        ++m_waitingFrames;
        SendWaiting(std::max(ready, Timestamp(now)));
    } else if (!Enqueue(std::move(frame), ready, now, gap)) {
        return false;
    }
    if (!m_txQueues.empty()) Queued(m_txQueues.size() > 1 ? traffic_class : 0, size);
    return true;
}

void WatershedNetDeviceImpl::MakeFifo() {
    NS_LOG_FUNCTION(this);
    m_fifo.emplace(GetRate(), ClockTolerance{m_tolerance}, FifoCapacity(), m_grid);
}

bool WatershedNetDeviceImpl::IsUnwatched() const {
    const bool leaves_unseen = m_macTx.IsEmpty() && m_phyTxBegin.IsEmpty() && m_phyTxEnd.IsEmpty() &&
                               m_sniffer.IsEmpty() && m_promiscSniffer.IsEmpty() && !m_sendQueue && !m_obeysPause &&
                               !m_announces && m_txQueues.empty();
    const auto other = m_channel ? m_channel->GetOther(this) : nullptr;
    return leaves_unseen && m_fifoLimit == 0 && IsIdle() && other && other->m_phyRxEnd.IsEmpty() &&
           other->m_sniffer.IsEmpty() && other->m_promiscSniffer.IsEmpty() && other->m_macRx.IsEmpty() &&
           !other->m_receiveErrors && other->m_handler && other->m_handler->TakesLate();
}

Timestamp WatershedNetDeviceImpl::Book(const WatershedFrame& frame, const Timestamp& ready) {
    if (!m_fifo) MakeFifo();
    const Timestamp departure = m_fifo->take(WireSize(frame), ready);
    TellIfUneven(frame, m_fifo->begin(), departure);
    return departure;
}

void WatershedNetDeviceImpl::HandOver(WatershedFrame&& frame, const Timestamp& left) {
    ++m_framesSent;
    m_wireSent += WireSize(frame);
    ns3::PeekPointer(m_channel)->TransmitLate(this, std::move(frame), left);
}

void WatershedNetDeviceImpl::Queued(std::size_t queue, std::uint32_t bytes) {
    ++m_held[queue];
    ns3::PeekPointer(m_txQueues[queue])->NotifyQueuedBytes(bytes);
    for (std::size_t each = 0; IsFull(queue) && each < m_txQueues.size(); ++each)
        if (!HasClasses() || each == queue) m_txQueues[each]->Stop();
}

void WatershedNetDeviceImpl::Dequeued(std::size_t queue, std::uint32_t bytes) {
    --m_held[queue];
    ns3::PeekPointer(m_txQueues[queue])->NotifyTransmittedBytes(bytes);
    for (std::size_t each = 0; each < m_txQueues.size(); ++each)
        if ((!HasClasses() || each == queue) && !IsFull(queue))
            ns3::PeekPointer(m_txQueues[each])->Wake();  // Wake() may fill it again
}

bool WatershedNetDeviceImpl::Enqueue(WatershedFrame&& frame, const Timestamp& ready, Time now, Time gap) {
    if (m_fifoLimit != 0 && m_fifo->is_full(std::max(ready, Timestamp(now)))) {
        Refuse(frame);
        return false;
    }
    const Timestamp departure = m_fifo->take(WireSize(frame), ready, gap);
    TellIfUneven(frame, m_fifo->begin(), departure);
    if (!m_phyTxBegin.IsEmpty() || m_announces) ScheduleBegin(frame, m_fifo->begin(), departure, now);
    const bool is_head = m_queue.empty();
    m_queue.push_back({std::move(frame), m_fifo->begin(), departure});
    if (is_head) ScheduleHead(now);
    return true;
}

void WatershedNetDeviceImpl::ScheduleBegin(const WatershedFrame& frame, const Timestamp& begin, const Timestamp& end,
                                           Time now) {
    ns3::Simulator::ScheduleWithContext(m_context, ToNs3(begin.time - now), &WatershedNetDeviceImpl::Begin,
                                        ns3::Ptr<WatershedNetDeviceImpl>(this), frame, end, begin);
}

void WatershedNetDeviceImpl::SendOldest(const Timestamp& now) {
    WatershedDeque<Ready>* first = nullptr;
    for (std::size_t each = 0; each < m_waiting.size(); ++each) {
        WatershedDeque<Ready>& waiting = m_waiting[each];
        if (waiting.empty() || !m_gates[each].is_open(now.time)) continue;
        if (!first || waiting.front().number < first->front().number) first = &waiting;
        if (waiting.size() == m_waitingFrames) break;
    }
    if (!first) return;
    Ready& next = first->front();
    // One that follows another at once keeps its fraction of a picosecond.
    Enqueue(std::move(next.frame), IsFreeSince(now) ? next.ready : std::max(next.ready, now), now.time, next.gap);
    first->pop_front();
    --m_waitingFrames;
}

void WatershedNetDeviceImpl::Pause(const PauseOrder& order, Time now) {
    const int traffic_class = order.trafficClass.value_or(kAllClasses);
    NS_LOG_LOGIC("node " << m_context << " pauses for " << order.quanta << " quanta, class " << traffic_class);
    m_pause(order.quanta, static_cast<std::uint32_t>(traffic_class));
    const Time length = pause_length(GetRate(), order.quanta);
    for (int each = 0; each < kTrafficClasses; ++each)
        if (traffic_class == kAllClasses || traffic_class == each)
            m_gates[static_cast<std::size_t>(each)].order(now, length);
    SendWaiting(now);
    if (order.quanta > 0)
        ns3::Simulator::ScheduleWithContext(
            m_context, ToNs3Up(now + length - Now()),
            [own = ns3::Ptr<WatershedNetDeviceImpl>(this)] { own->SendWaiting(Now()); });
}

void WatershedNetDeviceImpl::Carry(WatershedFrame frame, const Timestamp& begin, const Timestamp& end, Time now) {
    TellIfUneven(frame, begin, end);
    if (begin.time == now)
        Begin(frame, end, begin);
    else
        ScheduleBegin(frame, begin, end, now);
    m_queue.push_back({std::move(frame), begin, end});
    ScheduleHead(now);
}

void WatershedNetDeviceImpl::Begin(WatershedFrame frame, const Timestamp& end, const Timestamp& now) {
    if (!m_phyTxBegin.IsEmpty()) m_phyTxBegin(frame.GetPacket());
    if (m_channel) m_channel->Announce(this, std::move(frame), end, now);
}

void WatershedNetDeviceImpl::Refuse(const WatershedFrame& frame) const {
    NS_LOG_LOGIC("node " << m_context << " drops a frame of " << frame.GetSize()
                         << " B that it would send: " << (HasFailed() ? "link-down" : "fifo-full"));
    if (!m_macTxDrop.IsEmpty()) m_macTxDrop(frame.GetPacket());
}

void WatershedNetDeviceImpl::Departed() {
    if (m_queue.empty()) return;  // disposed of
    WatershedFrame frame = std::move(m_queue.front().frame);
    const Timestamp begin = m_queue.front().begin, left = m_queue.front().departure;
    m_queue.pop_front();
    ++m_framesSent;
    m_wireSent += WireSize(frame);
    if (!m_queue.empty())
        ScheduleHead(left.time);
    else
        SendWaiting(left);
    if (!m_txQueues.empty())
        Dequeued(m_txQueues.size() > 1 ? static_cast<std::size_t>(frame.GetClass()) : 0, frame.GetSize());
    if (!m_phyTxEnd.IsEmpty()) m_phyTxEnd(frame.GetPacket());
    if (IsSniffed()) Sniff(frame, true);
    if (m_handler) m_handler->FrameLeft(m_port, frame, left);
    ns3::PeekPointer(m_channel)->Transmit(this, std::move(frame), begin, left);
}

void WatershedNetDeviceImpl::Receive(WatershedFrame&& frame, const Timestamp& now) {
    if (m_receiveErrors && IsDamaged(frame)) return;
    if (!m_phyRxEnd.IsEmpty()) m_phyRxEnd(frame.GetPacket());
    if (IsSniffed()) Sniff(frame, false);
    if (!m_handler) return ReceiveForNode(std::move(frame), now);
    if (!m_macRx.IsEmpty()) m_macRx(frame.GetPacket());
    m_handler->FrameArrived(m_port, std::move(frame), now);
}

bool WatershedNetDeviceImpl::IsDamaged(const WatershedFrame& frame) const {
    if (!m_receiveErrors->IsCorrupt(frame.GetPacket())) return false;
    NS_LOG_LOGIC("node " << m_context << " drops a damaged frame");
    m_phyRxDrop(frame.GetPacket());
    return true;
}

void WatershedNetDeviceImpl::Sniff(const WatershedFrame& frame, bool own) const {
    if (!m_sniffer.IsEmpty() && (own || IsForUs(m_address, frame.GetBytes()))) m_sniffer(frame.GetPacket());
    if (!m_promiscSniffer.IsEmpty()) m_promiscSniffer(frame.GetPacket());
}

void WatershedNetDeviceImpl::ReceiveForNode(WatershedFrame&& frame, const Timestamp& now) {
    if (m_obeysPause)
        if (const auto order = ReadPauseOrder(frame.GetBytes())) {
            if (m_pauseReaction.IsZero()) return Pause(*order, now.time);
            ns3::Simulator::ScheduleWithContext(m_context, m_pauseReaction, &WatershedNetDeviceImpl::Pause,
                                                ns3::Ptr<WatershedNetDeviceImpl>(this), *order,
                                                now.time + FromNs3(m_pauseReaction));
            return;
        }
    if (!m_macRx.IsEmpty() && IsForUs(m_address, frame.GetBytes())) m_macRx(frame.GetPacket());
    const EthernetHead head = frame.GetBytes().GetHead();
    const auto deliver = [this, own = ns3::Ptr<ns3::NetDevice>(this), head, behind = frame.TakeBehind()] {
        m_upcalls.Deliver(own, m_address, head, behind);
    };
    if (ns3::Simulator::GetContext() == m_context) return deliver();
    ns3::Simulator::ScheduleWithContext(m_context, ns3::Time(0), deliver);  // the node's stack insists on its context
}

bool WatershedNetDeviceImpl::Send(ns3::Ptr<ns3::Packet> packet, const ns3::Address& dest, std::uint16_t protocol) {
    return SendAs(m_address, packet, dest, protocol);
}

bool WatershedNetDeviceImpl::SendFrom(ns3::Ptr<ns3::Packet> packet, const ns3::Address& source,
                                      const ns3::Address& dest, std::uint16_t protocol) {
    return SendAs(ns3::Mac48Address::ConvertFrom(source), packet, dest, protocol);
}

bool WatershedNetDeviceImpl::SendAs(const ns3::Mac48Address& source, const ns3::Ptr<ns3::Packet>& packet,
                                    const ns3::Address& dest, std::uint16_t protocol) {
    NS_LOG_FUNCTION(this << source << packet << dest << protocol);
    if (ns3::PeekPointer(packet)->GetSize() > m_mtu) return false;
    WatershedFrame frame(packet, source, ns3::Mac48Address::ConvertFrom(dest), protocol);
    if (!HasFailed()) return SendFrame(std::move(frame), Now());
    Refuse(frame);
    return false;
}

std::uint32_t WatershedNetDeviceImpl::ContextOfDepartures() const {
    // If a switch's frame arrives as it leaves, no event of its own brings it to the node.
    const auto* const cable = m_handler ? ns3::PeekPointer(m_channel) : nullptr;
    const auto* const to = cable && !cable->HasDelay() ? cable->GetOther(this) : nullptr;
    return to && !to->m_handler && m_txQueues.empty() ? to->m_context : m_context;
}

void WatershedNetDeviceImpl::Attach(ns3::Ptr<WatershedChannel> channel) {
    NS_LOG_FUNCTION(this << channel);
    m_channel = channel;
    channel->Attach(this);
    m_linkChange();
}

void WatershedNetDeviceImpl::TellLinkChange() {
    NS_LOG_INFO("node " << m_context << ": the cable at device " << m_ifIndex
                        << (HasFailed() ? " has failed" : " is back"));
    if (!HasFailed()) {
        for (PauseGate& gate : m_gates) gate.order(Now(), Time{0});
        SendWaiting(Now());
    }
    if (m_handler) m_handler->LinkChanged(m_port);
    m_linkChange();
}

void WatershedNetDeviceImpl::SetFrameHandler(WatershedFrameHandler* handler, std::uint32_t port) {
    NS_LOG_FUNCTION(this << handler << port);
    m_handler = handler;
    m_port = port;
}

void WatershedNetDeviceImpl::SetNode(ns3::Ptr<ns3::Node> node) {
    NS_LOG_FUNCTION(this << node);
    m_node = node;
    m_context = node->GetId();
}

std::optional<std::int64_t> WatershedNetDeviceImpl::FifoCapacity() const {
    if (m_fifoLimit == 0 || m_obeysPause) return std::nullopt;
    return m_fifoLimit;
}

void WatershedNetDeviceImpl::NotifyNewAggregate() {
    NS_LOG_FUNCTION(this);
    if (const auto queues = GetObject<ns3::NetDeviceQueueInterface>(); queues && m_txQueues.empty()) {
        const std::size_t number = queues->GetNTxQueues();
        NS_ABORT_MSG_UNLESS(number == 1 || number == kTrafficClasses,
                            "a WatershedNetDevice has one queue, or one for each of "
                                << kTrafficClasses << " traffic classes; its NetDeviceQueueInterface has " << number);
        for (std::size_t each = 0; each < number; ++each) m_txQueues.push_back(queues->GetTxQueue(each));
        if (number > 1) queues->SetSelectQueueCallback(&ClassOfItem);
    }
    NetDevice::NotifyNewAggregate();
}

void WatershedNetDeviceImpl::DoInitialize() {
    NS_LOG_FUNCTION(this);
    m_tick = Tick();
    if (const auto other = m_channel && m_node ? m_channel->GetOther(this) : nullptr; other && other->GetNode()) {
        const auto there = other->GetNode();
        NS_ABORT_MSG_IF(there->GetSystemId() != m_node->GetSystemId(),
                        "WatershedChannel: a cable from node "
                            << m_node->GetId() << " of rank " << m_node->GetSystemId() << " to node " << there->GetId()
                            << " of rank " << there->GetSystemId()
                            << ": no frame crosses ranks of the distributed simulator. Put switches and hosts that are "
                               "joined by such cables on one rank, and links of ns-3 between ranks");
    }
    NetDevice::DoInitialize();
}

void WatershedNetDeviceImpl::DoDispose() {
    NS_LOG_FUNCTION(this);
    m_queue.clear();
    for (auto& waiting : m_waiting) waiting.clear();
    m_txQueues.clear();
    m_receiveErrors = nullptr;
    m_sendQueue = nullptr;
    m_node = nullptr;
    m_channel = nullptr;
    m_handler = nullptr;
    m_upcalls = {};
    NetDevice::DoDispose();
}

}  // namespace watershed
