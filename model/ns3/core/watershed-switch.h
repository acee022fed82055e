// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/bridge-net-device.h>
#include <ns3/log.h>
#include <ns3/mac48-address.h>
#include <ns3/node.h>
#include <ns3/random-variable-stream.h>
#include <ns3/traced-callback.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/base/recovery.h"
#include "model/ns3/core/watershed-batch.h"
#include "model/ns3/core/watershed-ethernet.h"
#include "model/ns3/core/watershed-event-driven-bridge.h"
#include "model/ns3/core/watershed-frame-handler.h"
#include "model/ns3/core/watershed-net-device.h"
#include "model/ns3/core/watershed-output.h"
#include "model/ns3/core/watershed-pause-frame.h"
#include "model/ns3/core/watershed-switch-settings.h"
#include "model/switch/arrival-order.h"
#include "model/switch/event-sequence.h"
#include "model/switch/pause-control.h"
#include "model/switch/switch-memory.h"
#include "model/switch/uplinks.h"

namespace watershed {

struct WatershedSwitchAttribute;

/// A store-and-forward switch. A frame asks for memory when its last bit has arrived and gives it back when its last
/// bit has left. Either it gathers many inputs on few uplinks: aggregate it to a node and give it the node's devices.
/// Frames travel from inputs to uplinks only; the selector says to which, or input i sends to uplink i modulo their
/// number. Or every port is both, for hosts with protocols of their own, and the switch is a bridge among the devices
/// of its node, as ns-3's own: the switch learns behind which port an address is, sends a frame there, and one to an
/// address that it does not know, or to a group, to all other ports (IEEE 802.1D, without spanning tree; a loop of
/// switches ends the program). Such a frame takes memory once, of the first output that admits it, until its last copy
/// has left; only `per-output` memories and slices hold every copy. With an address and a protocol stack on its node it
/// can be reached itself. What it sends itself, PAUSE frames too, takes no memory.
///
/// The order of what happens at one instant, for which the sequence of ns-3's events at that instant would be an
/// accident: departures first, then arrivals by ArrivalRank and by input. An arriving frame is put into a batch, and
/// the first of the batch schedules the one event that decides on all of them, for now. On a grid finer than ns-3's
/// picosecond departures are put there too, because arrivals of the same picosecond may come before them. ns-3 runs
/// events of the same time in the order in which they were scheduled, and everything else that the switch does at this
/// instant was scheduled earlier:
/// - every frame lasts at least a picosecond on its link, so a departure (here or at a front end) is scheduled at an
/// earlier time,
///   when its frame began to be sent or found the link idle; a latency only moves it further ahead. Departures that
///   share an event (WatershedDepartures) are joined to one that is scheduled no later than they would be;
/// - an arrival is part of the departure event at the other end of the cable or, on a cable with delay, an event
/// scheduled then;
/// - a trigger at this instant, with no separation from another or with it, only fills the FIFOs of the front ends,
/// which compare times
///   themselves; what it sends arrives later. The frames of one fragment arrive one after the other, each in a batch of
///   its own time.
/// So the batch runs after all departures and holds all arrivals. What it admits departs at a later time.
class WatershedSwitch : public ns3::BridgeNetDevice,
                        private WatershedFrameHandler,
                        private WatershedEventDrivenBridge::Owner {
  public:
    /// A frame came in through an uplink.
    static constexpr LossCause kFromUplink{"switch", "from-uplink"};
    /// A frame is for an address behind the port that it came in through.
    static constexpr LossCause kSamePort{"switch", "same-port"};
    /// In place of an output: the frame was lost before one was chosen.
    static constexpr std::uint32_t kNoPort = UINT32_MAX;

    static ns3::TypeId GetTypeId();
    /// The switch of a node, among its devices or aggregated to it; null if it has none.
    static ns3::Ptr<WatershedSwitch> Of(const ns3::Ptr<ns3::Node>& node);

    /// Inputs count from 0 in the order in which they are added; if it is the only switch, input i is that of module i
    /// + 1.
    void AddInput(ns3::Ptr<WatershedNetDevice> device);
    void AddUplink(ns3::Ptr<WatershedNetDevice> device);
    /// A port in both directions; a switch that has one has no inputs and uplinks beside. First add the switch to its
    /// node's devices.
    void AddPort(ns3::Ptr<WatershedNetDevice> device);
    /// One that leads on, in a group: a frame for what is behind any of them leaves by the one that "UplinkSelection"
    /// names (LAG, ECMP), and none that came in by one leaves by another.
    void AddUplinkPort(ns3::Ptr<WatershedNetDevice> device);
    std::uint32_t GetNQueueLevels() const { return m_learns ? Inputs() * kTrafficClasses : 0; }
    /// @param number  8 times that of the port, and that of the traffic class
    ns3::Ptr<WatershedQueueLevel> GetQueueLevel(std::uint32_t number) const {
        return m_outputs[number / kTrafficClasses].levels[number % kTrafficClasses];
    }
    /// As if a frame of this address had come in by this port: frames to it are not sent to all ports.
    void LearnAddress(const ns3::Mac48Address& address, const ns3::Ptr<WatershedNetDevice>& port) {
        Learn(address, port);
    }
    bool IsUplinkPort(std::uint32_t port) const { return m_learns && m_outputs[port].is_uplink; }
    /// Takes the place of the memory that the attributes describe.
    void SetMemory(std::unique_ptr<SwitchMemory> memory) { m_memory = std::move(memory); }

    /// Where it stands among several switches, so that each draws random numbers of its own.
    /// @param number        of the switch, from 0
    /// @param inputsBefore  inputs of the switches before it
    void SetPlace(int number, int inputsBefore) {
        m_number = number;
        m_inputsBefore = inputsBefore;
    }
    /// Takes the place of the inputs' taking turns.
    void SetSelector(UplinkSelector selector) { m_selector = std::move(selector); }
    /// Of all times; see WatershedNetDevice::SetGrid().
    void SetGrid(TimeGrid grid) { m_grid = grid; }
    /// When a frame gives its memory back: once its last bit has left, or already with its first.
    void SetRelease(Buffer::Release release) { m_release = release; }

    /// What random early detection, if the memory does it, draws its lots for.
    void SetEarlyDrop(const Buffer& buffer) { m_earlyDrop = buffer; }
    /// Frames of one instant have the order of the events of ns-3 that bring them, in place of that of ArrivalOrder.
    void TakeAsTheyCome() { m_asTheyCome = true; }
    /// The lots themselves; in place of those of the seed, and of ns-3's random numbers.
    void SetLots(std::function<std::uint64_t()> lots) { m_lots = std::move(lots); }

    /// Fixes the stream of random numbers: the order and the lots of what arrives without an event header, and random
    /// uplinks. @return 1, streams used
    std::int64_t AssignStreams(std::int64_t stream);

    const WatershedSwitchSettings& GetSettings() const { return m_settings; }
    std::uint32_t GetPauseClasses() const { return m_pauseClasses; }
    bool SetPauseClasses(std::uint32_t classes);
    /// For attributes. @param change @return whether it could
    bool ChangeSetting(const std::string& name, const std::function<bool(WatershedSwitchSettings&)>& change);
    /// Its inside is made of its attributes once for all.
    bool IsEventDriven() const { return m_eventDriven != nullptr; }
    /// Its memory is made, by SetMemory() or by initialisation: what describes it is settled.
    bool HasBegun() const { return m_memory || m_eventDriven; }
    const SwitchMemory& GetMemory() const { return m_eventDriven ? m_eventDriven->GetMemory() : *m_memory; }
    /// Times that a sender was told to pause, renewals not counted.
    std::int64_t GetPauses() const { return m_pauses ? m_pauses->pauses() : 0; }
    /// Times that the switch itself was told to pause, renewals not counted, and how long it has in all.
    std::int64_t GetPausesObeyed() const { return m_pausesObeyed; }
    Time GetPauseTime(Time now) const;
    const EventSequence& GetSequence() const { return m_sequence; }
    /// Of its memory, in frames.
    const Recovery& GetRecovery() const { return m_recovery; }
    /// When a frame last left or was refused; 0 if none was.
    Time GetLastActivity() const { return m_lastActivity; }

    using FrameTracedCallback = void (*)(ns3::Ptr<const ns3::Packet> frame, std::uint32_t input);
    using DropTracedCallback = void (*)(ns3::Ptr<const ns3::Packet> frame, std::uint32_t input, std::uint32_t output,
                                        const LossCause& cause);
    using MarkTracedCallback = void (*)(ns3::Ptr<const ns3::Packet> frame, std::uint32_t input, std::uint32_t output);
    using OccupancyTracedCallback = void (*)(std::int64_t frames, std::int64_t bytes);
    using PortOccupancyTracedCallback = void (*)(std::uint32_t port, std::int64_t frames, std::int64_t bytes);
    using PauseTracedCallback = void (*)(std::uint32_t input, std::uint32_t quanta, std::uint32_t trafficClass);

    // Of a bridge that frames can be addressed to
    bool Send(ns3::Ptr<ns3::Packet> packet, const ns3::Address& dest, std::uint16_t protocol) override;
    bool SendFrom(ns3::Ptr<ns3::Packet> packet, const ns3::Address& source, const ns3::Address& dest,
                  std::uint16_t protocol) override;
    void SetReceiveCallback(ReceiveCallback callback) override { m_upcalls.receive = callback; }
    void SetPromiscReceiveCallback(PromiscReceiveCallback callback) override { m_upcalls.promiscReceive = callback; }

  private:
    static ns3::LogComponent g_log;  ///< by this name ns-3's macros look for it

    void NotifyConstructionCompleted() override;
    void DoInitialize() override;
    void DoDispose() override;

    // Its attributes
    bool IsChosen(const WatershedSwitchAttribute& attribute) const;
    /// What was not chosen becomes what the model has, or what it is without one.
    void FollowModel();
    void SetUplinkRates();
    void CheckModel() const;
    void CheckPorts() const;
    void CheckUplinks();
    void CheckMemory() const;
    void CheckFlowControl() const;
    bool NeedsSteps() const;
    /// Each output has a queue for each traffic class.
    bool HasClasses() const { return m_settings.network_switch.scheduling.kind != Scheduling::Kind::Fifo; }
    void CheckSteps() const;
    void MakeMemory();
    /// Where the memory keeps the books of inputs, or ports have thresholds of their own, random early detection is the
    /// switch's own. @return whether it is
    bool MakeEarlyDetection(const Buffer& buffer);
    bool HasEarlyPort() const;
    void MakeInside();

    // Where frames go
    void FrameBegins(std::uint32_t port, const WatershedFrame& frame, const Moment& end, const Moment& now) override;
    void FrameArrived(std::uint32_t port, WatershedFrame frame, const Moment& now) override;
    std::uint64_t RankOf(std::uint32_t port, const std::optional<FrameId>& id, const Moment& now);
    /// The event in whose order frames without one stand that arrive now.
    std::int64_t EventOf(const Moment& now);
    void Carry(WatershedHappening& happening);
    /// To the port of the destination, or to all others.
    void Forward(std::uint32_t input, const WatershedFrame& frame, const Moment& now);
    /// The port that leads to an address, if it was learned.
    std::optional<std::uint32_t> Learned(const ns3::Mac48Address& to);
    /// The uplink that carries a frame, as a port.
    std::uint32_t UplinkFor(std::uint32_t input, const WatershedFrame& frame);
    void Drop(const WatershedFrame& frame, std::uint32_t input, std::uint32_t output, const LossCause& cause);
    void DeliverToNode(ns3::Ptr<const ns3::Packet> frame);

    // Memory and queues
    /// Admits the frame to this output, or drops it. @param copies of the frame, null if it is the only one
    void Offer(std::uint32_t input, int output, WatershedFrame frame, const Moment& now,
               const ns3::Ptr<WatershedStored::Copies>& copies = nullptr);
    /// It is the network's own, and takes no memory.
    bool IsControl(const WatershedFrame& frame) const {
        return m_controlClass < kTrafficClasses && static_cast<std::uint32_t>(frame.GetClass()) >= m_controlClass;
    }
    /// Random early detection at an output wants the frame.
    bool IsEarlyAt(const WatershedOutput& to, const MemoryClaim& claim) const;
    /// What random early detection draws for a frame.
    std::uint64_t LotOf(const WatershedFrame& frame) const;
    /// Why the claim is refused, or null. May turn it into one on headroom.
    const LossCause* Ask(MemoryClaim& claim, const WatershedStored::Copies* copies, const Moment& now);
    /// Drops the last frame of a queue for one that arrives.
    void PushOut(int output, const Moment& now);
    /// Sends a frame of its own.
    void SendOwn(WatershedOutput& to, WatershedOutput::Queue& queue, WatershedFrame frame, const Moment& now);
    /// A frame that waits for this port may leave, perhaps.
    void Ready(std::uint32_t port);
    void SendHead(WatershedOutput& to, const Moment& now);
    void FrameLeft(std::uint32_t port, const Moment& now) override;
    void Depart(std::uint32_t port, const Moment& now);
    void ReleaseEarly(MemoryClaim claim, Moment now);
    void Release(MemoryClaim claim, const Moment& now);
    void Occupy(std::uint32_t port, const WatershedStored& stored, int sign);
    void TraceOccupancy(const Moment& now, bool grew);
    void EventDrivenSends(const WatershedFrame& frame, std::uint32_t input) override;
    void EventDrivenLost(const WatershedFrame& frame, std::uint32_t input, std::uint32_t output,
                         const LossCause& cause) override;
    void EventDrivenOccupied() override;

    // Flow control
    void MakePauses();
    /// Who sent the frame of this claim, among those that can be told to pause, or kNobody.
    int SenderOf(const MemoryClaim& claim) const {
        return m_senders[static_cast<std::size_t>(claim.input * kTrafficClasses + claim.traffic_class)];
    }
    /// Tells a sender to pause or to go on, if the memory stands so.
    void Order(int sender, const Moment& now);
    void OrderPaused(const Moment& now);
    void Tell(int sender, std::int64_t quanta, const Moment& now);
    void Renew(int sender, Moment at);
    /// A frame told the switch itself to pause, now.
    void Obey(std::uint32_t port, const PauseOrder& order, const Moment& now);
    void Pause(std::uint32_t port, const PauseOrder& order, Time now);

    std::uint32_t Inputs() const { return static_cast<std::uint32_t>(m_inputs.size()); }
    /// The number of the port by which an output sends.
    std::uint32_t PortOf(int output) const { return static_cast<std::uint32_t>(output) + (m_learns ? 0 : Inputs()); }
    WatershedOutput& OutputAt(std::uint32_t port) { return m_outputs[m_learns ? port : port - Inputs()]; }
    bool IsOutput(std::uint32_t port) const { return m_learns || port >= Inputs(); }

    WatershedSwitchSettings m_settings;
    bool m_constructed = false;
    bool m_following = false;  ///< the model: what is set is not chosen

    std::uint32_t m_context = 0;  ///< the node's number, from initialisation on
    int m_number = 0;
    int m_inputsBefore = 0;
    std::vector<ns3::Ptr<WatershedNetDevice>> m_inputs;
    std::vector<WatershedOutput> m_outputs;
    bool m_learns = false;                 ///< every port is an input and an output
    std::vector<std::uint32_t> m_uplinks;  ///< then: the ports that lead on
    std::uint64_t m_uplinkSeed = 0;
    std::uint32_t m_turn = 0;  ///< of the uplinks, where they take turns
    ns3::Mac48Address m_own;
    WatershedUpcalls m_upcalls;
    ns3::Ptr<ns3::UniformRandomVariable> m_random = ns3::CreateObject<ns3::UniformRandomVariable>();
    bool m_asTheyCome = false;
    std::uint64_t m_came = 0;        ///< frames
    std::optional<Moment> m_latest;  ///< when frames without an event last arrived
    std::int64_t m_latestEvent = 0;
    std::optional<PauseControl> m_pauses;
    static constexpr int kNobody = -1;
    std::vector<int> m_senders;  ///< those of `m_pauses`, by input and class
    std::uint32_t m_pauseClasses = 0xff;
    std::uint32_t m_controlClass = kTrafficClasses;
    std::int64_t m_pausesObeyed = 0;
    std::unique_ptr<SwitchMemory> m_memory;
    std::unique_ptr<WatershedEventDrivenBridge> m_eventDriven;  ///< in place of memory and queues
    std::optional<UplinkSelector> m_selector;
    std::optional<Buffer> m_earlyDrop;
    std::function<std::uint64_t()> m_lots;
    Buffer::Release m_release = Buffer::Release::End;
    std::int64_t m_stored = 0;  ///< frames that have yet to leave
    EventSequence m_sequence;
    Recovery m_recovery;
    Time m_lastActivity{0};
    TimeGrid m_grid;
    WatershedBatch<WatershedSwitch, &WatershedSwitch::Carry> m_batch{this};

    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>, std::uint32_t> m_enqueue;
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>, std::uint32_t> m_dequeue;
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>, std::uint32_t, std::uint32_t, const LossCause&> m_drop;
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>, std::uint32_t, std::uint32_t> m_mark;
    ns3::TracedCallback<std::int64_t, std::int64_t> m_occupancy;
    ns3::TracedCallback<std::uint32_t, std::int64_t, std::int64_t> m_portOccupancy;
    ns3::TracedCallback<std::uint32_t, std::uint32_t, std::uint32_t> m_pause;
};

}  // namespace watershed
