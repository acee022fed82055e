// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/data-rate.h>
#include <ns3/error-model.h>
#include <ns3/log.h>
#include <ns3/mac48-address.h>
#include <ns3/net-device-queue-interface.h>
#include <ns3/net-device.h>
#include <ns3/node.h>
#include <ns3/traced-callback.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model/base/pause-gate.h"
#include "model/frontend/output-fifo.h"
#include "model/ns3/base/watershed-blocks.h"
#include "model/ns3/base/watershed-timer.h"
#include "model/ns3/device/watershed-channel.h"
#include "model/ns3/device/watershed-frame-handler.h"
#include "model/ns3/device/watershed-net-device.h"
#include "model/ns3/frame/watershed-ethernet.h"
#include "model/ns3/frame/watershed-pause-frame.h"
#include "model/switch/buffer.h"

namespace watershed {

/// Returns an error if a frame's time on a link is no whole number of ticks of ns-3's clock; empty if it is.
std::string SaidOfUnevenTime(BitRate rate, Bytes bytes, Time lasts, Time tick);

class WatershedNetDeviceImpl;

/// When frames leave the ports that share it.
class WatershedSharedDepartures : public ns3::SimpleRefCount<WatershedSharedDepartures> {
  public:
    virtual ~WatershedSharedDepartures() = default;
    /// Calls the device's Departed() at `time`. @param context  its node's number
    virtual void Add(WatershedNetDeviceImpl& device, std::uint32_t context, Time time, Time now) = 0;
};

/// A full-duplex Ethernet port: an output FIFO, limited or not, in front of a link at a fixed rate.
/// A frame is sent as the bytes of its packet, without FCS; `LinkOverhead` is what it costs the link beyond them.
/// Aggregate an ns3::NetDeviceQueueInterface to it, and its queue disc holds what the FIFO has no room for, with byte
/// queue limits if the queue has them; one of 8 queues has one for each traffic class, and so has the port, if it obeys
/// pauses: a class that waits holds no other up. WatershedSwitchHelper does.
class WatershedNetDeviceImpl : public WatershedNetDevice {
  public:
    /// Queues a whole Ethernet frame.
    /// @param ready  not before that of the frame before: when its first bit may leave. Only a frame that follows the
    ///               last one at once may have been ready before now.
    /// @param gap    that the link keeps after the frame before
    /// @return false if the FIFO was full
    bool SendFrame(WatershedFrame&& frame, const Timestamp& ready, Time now, Time gap = Time{0});
    bool SendFrame(WatershedFrame&& frame, Time now) { return SendFrame(std::move(frame), now, now); }
    /// Sends a frame past the FIFO and tells the other end when it begins. The port must be idle.
    /// @param begin  not before now
    void Carry(WatershedFrame frame, const Timestamp& begin, const Timestamp& end, Time now);
    /// Nobody sees when its frames leave and arrive: they may pass by Book() and HandOver() alone, without events.
    bool IsUnwatched() const;
    /// A frame leaves when those before it have left. @return when
    Timestamp Book(const WatershedFrame& frame, const Timestamp& ready);
    /// A frame that was booked has left, at this moment or before now.
    void HandOver(WatershedFrame&& frame, const Timestamp& left);
    /// Traces a frame that found no room in a FIFO which takes the place of this port's own.
    void Refuse(const WatershedFrame& frame) const;
    /// Whether the last frame has left at this moment, so that one which waited follows it at once.
    bool IsFreeSince(const Timestamp& now) const { return m_fifo && m_fifo->free() == now; }
    /// No frame is queued or being sent.
    bool IsIdle() const { return m_queue.empty() && m_waitingFrames == 0; }
    /// A frame's first bit arrives from the cable now, its last bit at `end`.
    void ReceiveBegins(WatershedFrame frame, const Timestamp& end, const Timestamp& now) {
        if (m_handler) m_handler->FrameBegins(m_port, frame, end, now);
    }
    /// A frame's last bit has arrived from the cable.
    void Receive(WatershedFrame&& frame, const Timestamp& now);

    void Attach(ns3::Ptr<WatershedChannel> channel);
    /// Sets the grid of its frames' times; before the first frame. Without one a frame that finds the port idle begins
    /// on a whole picosecond.
    void SetGrid(TimeGrid grid) { m_grid = grid; }
    /// Shares events with other devices; before the first frame.
    void SetDepartures(ns3::Ptr<WatershedSharedDepartures> departures) { m_departures = departures; }
    /// @param handler gets the frames that arrive in place of the node; it must outlive the device's last event
    void SetFrameHandler(WatershedFrameHandler* handler, std::uint32_t port);
    /// The number that was given with the handler.
    std::uint32_t GetPort() const { return m_port; }

    /// From now on it tells the other end when a frame begins: for a switch that cuts through.
    void AnnounceFrames() { m_announces = true; }

    /// @param queue takes what is to be sent in place of the output FIFO; it must outlive the device's last frame
    void SetSendQueue(WatershedSendQueue* queue) { m_sendQueue = queue; }

    /// Random early detection of frames that wait in a switch for this port, in place of the attributes of the switch.
    std::optional<Buffer::Early> GetEarlyDetection() const;
    /// For frames that come into a switch by this port, in place of what its attributes say; nothing if these count.
    std::optional<MemorySize> GetHeadroom(int trafficClass) const;
    std::optional<Ratio> GetPauseAlpha(int trafficClass) const;
    /// Classes, from 0 on, that have headroom of their own.
    std::size_t GetClassesWithHeadroom() const { return m_classHeadrooms.size(); }
    bool HasPauses() const { return m_headroom || m_pauseAlpha > 0 || HasPausesOfClasses(); }
    bool HasPausesOfClasses() const { return !m_classHeadrooms.empty() || !m_pauseClassAlphas.empty(); }

    BitRate GetRate() const { return BitRate{static_cast<std::int64_t>(m_rate.GetBitRate())}; }
    /// Returns the frame's bytes on the link.
    Bytes WireSize(const WatershedFrame& frame) const { return Bytes{frame.GetSize() + m_linkOverhead}; }
    /// Frames sent so far, and the link slots they took.
    std::int64_t GetFramesSent() const override { return m_framesSent; }
    Bytes GetWireSent() const { return m_wireSent; }

    void SetIfIndex(std::uint32_t index) override { m_ifIndex = index; }
    std::uint32_t GetIfIndex() const override { return m_ifIndex; }
    ns3::Ptr<ns3::Channel> GetChannel() const override { return m_channel; }
    void SetAddress(ns3::Address address) override { m_address = ns3::Mac48Address::ConvertFrom(address); }
    ns3::Address GetAddress() const override { return m_address; }
    bool SetMtu(std::uint16_t mtu) override;
    std::uint16_t GetMtu() const override { return m_mtu; }
    bool IsLinkUp() const override { return m_channel && m_channel->GetNDevices() == 2 && m_channel->IsUp(); }
    /// Whether the cable has failed; one that is yet to be plugged in has not.
    bool HasFailed() const { return m_channel && !ns3::PeekPointer(m_channel)->IsUp(); }
    /// The cable has failed or come back; then no pause holds from before.
    void TellLinkChange();
    void AddLinkChangeCallback(ns3::Callback<void> callback) override { m_linkChange.ConnectWithoutContext(callback); }
    bool IsBroadcast() const override { return true; }
    ns3::Address GetBroadcast() const override { return ns3::Mac48Address::GetBroadcast(); }
    bool IsMulticast() const override { return true; }
    ns3::Address GetMulticast(ns3::Ipv4Address group) const override { return ns3::Mac48Address::GetMulticast(group); }
    ns3::Address GetMulticast(ns3::Ipv6Address group) const override { return ns3::Mac48Address::GetMulticast(group); }
    bool IsBridge() const override { return false; }
    bool IsPointToPoint() const override { return false; }
    bool Send(ns3::Ptr<ns3::Packet> packet, const ns3::Address& dest, std::uint16_t protocol) override;
    bool SendFrom(ns3::Ptr<ns3::Packet> packet, const ns3::Address& source, const ns3::Address& dest,
                  std::uint16_t protocol) override;
    ns3::Ptr<ns3::Node> GetNode() const override { return m_node; }
    void SetNode(ns3::Ptr<ns3::Node> node) override;
    bool NeedsArp() const override { return true; }
    void SetReceiveCallback(ReceiveCallback callback) override { m_upcalls.receive = callback; }
    void SetPromiscReceiveCallback(PromiscReceiveCallback callback) override { m_upcalls.promiscReceive = callback; }
    bool SupportsSendFrom() const override { return true; }

  private:
    static ns3::LogComponent g_log;  ///< by this name ns-3's macros look for it
    struct Ready {
        WatershedFrame frame;
        Timestamp ready;
        std::uint64_t number;  ///< in the order in which they came
        Time gap;              ///< gap that the link keeps before it
    };
    struct Departing {
        WatershedFrame frame;
        Timestamp begin;
        Timestamp departure;
    };

    friend class WatershedDepartures;
    friend class WatershedNetDevice;  // its attributes are members

    void NotifyNewAggregate() override;
    void DoInitialize() override;
    void DoDispose() override;
    bool SetDataRate(ns3::DataRate rate) { return SetRate("DataRate", rate, m_tolerance); }
    ns3::DataRate GetDataRate() const { return m_rate; }
    bool SetClockTolerance(std::int64_t tolerance) { return SetRate("ClockTolerance", m_rate, tolerance); }
    std::int64_t GetClockTolerance() const { return m_tolerance; }
    bool SetRate(const char* attribute, ns3::DataRate rate, std::int64_t tolerance);
    /// @return whether its handler takes it, which was made of the rates that there were
    bool TakesRate(const char* attribute) const;
    bool SetObeysPause(bool obeys);
    bool GetObeysPause() const { return m_obeysPause; }
    void SetFifoLimit(std::uint32_t limit);
    std::uint32_t GetFifoLimit() const { return m_fifoLimit; }
    /// Frames that the FIFO holds at most, if it counts them itself.
    std::optional<std::int64_t> FifoCapacity() const;
    /// Each class has a FIFO of its own, so that what a pause holds back is in no other's way.
    bool HasClasses() const { return m_obeysPause && m_txQueues.size() > 1; }
    bool IsFull(std::size_t trafficClass) const {
        return m_fifoLimit != 0 &&
               (HasClasses() ? m_held[trafficClass] : m_queue.size() + m_waitingFrames) >= m_fifoLimit;
    }
    /// Tells queue discs of a frame that was queued, and of one that has left. @param queue  that of its class, or 0
    void Queued(std::size_t queue, std::uint32_t bytes);
    void Dequeued(std::size_t queue, std::uint32_t bytes);
    void MakeFifo();
    bool SendAs(const ns3::Mac48Address& source, const ns3::Ptr<ns3::Packet>& packet, const ns3::Address& dest,
                std::uint16_t protocol);
    /// Hands the frame to the link, behind those before it. @return false if the FIFO was full
    bool Enqueue(WatershedFrame&& frame, const Timestamp& ready, Time now, Time gap);
    /// Sends the oldest frame whose class may go, if there is one, where pauses are obeyed.
    void SendWaiting(const Timestamp& now) {
        if (m_waitingFrames > 0 && m_queue.empty()) SendOldest(now);
    }
    void SendOldest(const Timestamp& now);
    void Pause(const PauseOrder& order, Time now);
    /// The head of the queue has left, in this picosecond.
    void Departed();
    /// The node at the other end, if it is there that a frame which leaves is taken on.
    std::uint32_t ContextOfDepartures() const;
    /// From the tick that ns-3's clock shows, so that what is cut off a frame's time does not add up.
    void ScheduleHead(Time now) {
        const Time left = m_queue.front().departure.time;
        if (m_tick != Time{1}) now = Time{now.count() / m_tick.count() * m_tick.count()};
        if (m_departures)
            m_departures->Add(*this, ContextOfDepartures(), left, now);
        else
            m_departure.Schedule(ContextOfDepartures(), left - now);
    }
    void TellIfUneven(const WatershedFrame& frame, const Timestamp& begin, const Timestamp& end) const {
        if (m_tick != Time{1}) DoTellIfUneven(frame, begin, end);
    }
    void DoTellIfUneven(const WatershedFrame& frame, const Timestamp& begin, const Timestamp& end) const;
    /// The frame's first bit leaves, now: tells those who listen for it, and the other end.
    void Begin(WatershedFrame frame, const Timestamp& end, const Timestamp& now);
    void ScheduleBegin(const WatershedFrame& frame, const Timestamp& begin, const Timestamp& end, Time now);
    bool IsSniffed() const { return !m_sniffer.IsEmpty() || !m_promiscSniffer.IsEmpty(); }
    void Sniff(const WatershedFrame& frame, bool own) const;
    bool IsDamaged(const WatershedFrame& frame) const;
    void ReceiveForNode(WatershedFrame&& frame, const Timestamp& now);

    ns3::Ptr<ns3::Node> m_node;
    ns3::Ptr<WatershedChannel> m_channel;
    ns3::Mac48Address m_address;
    std::uint32_t m_ifIndex = 0;
    std::uint32_t m_context = 0;  ///< the node's number
    std::uint16_t m_mtu = 0;
    ns3::DataRate m_rate;
    std::int64_t m_tolerance = 0;     ///< parts in 10^9
    std::uint32_t m_fifoLimit = 0;    ///< frames; 0: no limit
    std::int64_t m_linkOverhead = 0;  ///< bytes

    MemorySize m_wredFrom, m_wredTo;
    double m_wredProbability = 0;
    std::optional<MemorySize> m_headroom;
    double m_pauseAlpha = 0;
    std::vector<MemorySize> m_classHeadrooms;
    std::vector<Ratio> m_pauseClassAlphas;
    bool m_obeysPause = false;
    ns3::Time m_pauseReaction;
    bool m_announces = false;
    ns3::Ptr<ns3::ErrorModel> m_receiveErrors;

    Time m_tick{1};  ///< resolution of ns-3's clock
    TimeGrid m_grid;
    std::optional<OutputFifo> m_fifo;  ///< from the first frame on
    /// Behind m_queue, which then holds the one being sent alone: a pause may yet come. By traffic class.
    std::array<WatershedDeque<Ready>, kTrafficClasses> m_waiting;
    std::size_t m_waitingFrames = 0;
    std::uint64_t m_waitingNumber = 0;
    std::array<PauseGate, kTrafficClasses> m_gates;
    /// The queues of this port that queue discs see: none, one, or one for each class.
    std::vector<ns3::Ptr<ns3::NetDeviceQueue>> m_txQueues;
    std::array<std::size_t, kTrafficClasses> m_held{};  ///< frames by class, where there is a queue for each
    WatershedDeque<Departing> m_queue;                  ///< the first is being sent
    WatershedTimer<WatershedNetDeviceImpl, &WatershedNetDeviceImpl::Departed> m_departure{this};
    ns3::Ptr<WatershedSharedDepartures> m_departures;  ///< in place of it, where others share events
    std::int64_t m_framesSent = 0;
    Bytes m_wireSent{0};

    WatershedFrameHandler* m_handler = nullptr;
    WatershedSendQueue* m_sendQueue = nullptr;
    std::uint32_t m_port = 0;
    WatershedUpcalls m_upcalls;
    ns3::TracedCallback<> m_linkChange;

    using FrameTrace = ns3::TracedCallback<ns3::Ptr<const ns3::Packet>>;
    FrameTrace m_macTx;
    FrameTrace m_macTxDrop;
    FrameTrace m_phyTxBegin;
    FrameTrace m_phyTxEnd;
    FrameTrace m_phyRxEnd;
    FrameTrace m_phyRxDrop;
    FrameTrace m_macRx;
    FrameTrace m_sniffer;
    FrameTrace m_promiscSniffer;
    ns3::TracedCallback<std::uint32_t, std::uint32_t> m_pause;
};

}  // namespace watershed
