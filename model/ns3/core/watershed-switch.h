// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/bridge-net-device.h>
#include <ns3/log.h>
#include <ns3/mac48-address.h>
#include <ns3/node.h>
#include <ns3/queue-size.h>
#include <ns3/random-variable-stream.h>
#include <ns3/traced-callback.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "model/base/pause-gate.h"
#include "model/base/recovery.h"
#include "model/ns3/core/watershed-ethernet.h"
#include "model/ns3/core/watershed-frame-handler.h"
#include "model/ns3/core/watershed-net-device.h"
#include "model/ns3/core/watershed-timer.h"
#include "model/switch/arrival-order.h"
#include "model/switch/event-sequence.h"
#include "model/switch/pause-control.h"
#include "model/switch/switch-memory.h"
#include "model/switch/uplinks.h"

namespace watershed {

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
class WatershedSwitch : public ns3::BridgeNetDevice, private WatershedFrameHandler {
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

    /// Fixes the stream of random numbers of what arrives without an event header. @return 1, streams used
    std::int64_t AssignStreams(std::int64_t stream);

    /// Its memory is made, by SetMemory() or by initialisation: what describes it is settled.
    bool HasMemory() const { return m_memory != nullptr; }
    const SwitchMemory& GetMemory() const { return *m_memory; }
    /// Times that a sender was told to pause, renewals not counted.
    std::int64_t GetPauses() const { return m_pauses ? m_pauses->pauses() : 0; }
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
    using PauseTracedCallback = void (*)(std::uint32_t input, std::uint32_t quanta);

    // Of a bridge that frames can be addressed to
    bool Send(ns3::Ptr<ns3::Packet> packet, const ns3::Address& dest, std::uint16_t protocol) override;
    bool SendFrom(ns3::Ptr<ns3::Packet> packet, const ns3::Address& source, const ns3::Address& dest,
                  std::uint16_t protocol) override;
    void SetReceiveCallback(ReceiveCallback callback) override { m_upcalls.receive = callback; }
    void SetPromiscReceiveCallback(PromiscReceiveCallback callback) override { m_upcalls.promiscReceive = callback; }

  private:
    static ns3::LogComponent g_log;  ///< by this name ns-3's macros look for it

    /// What happens in this picosecond, in the order of its values where the exact time is the same.
    enum class What { Departure, Release, Arrival };
    struct Happening {
        Moment moment;
        What what = What::Departure;
        std::uint64_t rank = 0;
        std::uint32_t port = 0;  ///< input, or the port by which a frame departs
        std::int64_t event = 0;  ///< of the frame that arrives; 0 if it is of none
        int module = 0;          ///< from 1
        WatershedFrame frame{};
        MemoryClaim claim{};  ///< to be released

        friend bool operator<(const Happening& a, const Happening& b) {
            return std::tie(a.moment, a.what, a.rank, a.port) < std::tie(b.moment, b.what, b.rank, b.port);
        }
    };
    /// Of a frame for several ports: what was taken for it, and how many have yet to send it.
    struct Copies {
        std::optional<MemoryClaim> claim;
        int left = 0;
    };
    struct Stored {
        WatershedFrame frame;
        Moment ready;                    ///< when it may leave
        MemoryClaim claim;               ///< what was taken for it
        std::shared_ptr<Copies> copies;  ///< null if it is the only one
        bool is_own = false;             ///< the switch made it, and took nothing; no pause stops it
    };
    struct Uplink {
        ns3::Ptr<WatershedNetDevice> device;
        std::deque<Stored> stored;  ///< the first is being sent, if `sending`
        bool sending = false;
        PauseGate gate;
        std::int64_t frames = 0;  ///< stored, but its own
        Bytes bytes{0};
    };

    Buffer DescribedBuffer() const;
    FlowControl DescribedFlowControl() const;
    void MakeMemory();
    bool SetMaxSize(ns3::QueueSize size);
    ns3::QueueSize GetMaxSize() const;
    bool SetResume(std::string level);
    std::string GetResume() const { return m_resume; }
    bool SetDescriptorsResume(std::string level);
    std::string GetDescriptorsResume() const { return m_descriptorsResume; }
    /// A way leads from one of its ports through bridges to another.
    bool IsInLoop() const;
    void DoInitialize() override;
    void DoDispose() override;
    void FrameArrived(std::uint32_t port, WatershedFrame frame, const Moment& now) override;
    void FrameLeft(std::uint32_t port, const Moment& now) override;
    /// Puts it into the batch of this picosecond.
    void Await(Happening happening);
    void Settle();
    void Carry(Happening& happening);
    void Depart(std::uint32_t port, const Moment& now);
    void ReleaseEarly(MemoryClaim claim, Moment now);
    /// Drops the last frame of a queue for one that arrives.
    void PushOut(int output, const Moment& now);
    /// The event in whose order frames without one stand that arrive now.
    std::int64_t EventOf(const Moment& now);
    /// Admits the frame to this uplink, or drops it. @param copies of the frame, null if it is the only one
    void Offer(std::uint32_t input, int output, WatershedFrame frame, const Moment& now,
               const std::shared_ptr<Copies>& copies = nullptr);
    /// Why the claim is refused, or null. May turn it into one on headroom.
    const LossCause* Ask(MemoryClaim& claim, const Copies* copies, const Moment& now);
    void Drop(const WatershedFrame& frame, std::uint32_t input, std::uint32_t output, const LossCause& cause);
    /// To the port of the destination, or to all others.
    void Forward(std::uint32_t input, const WatershedFrame& frame, const Moment& now);
    void DeliverToNode(ns3::Ptr<const ns3::Packet> frame);
    /// Sends a frame of its own. @param first before all that waits
    void SendOwn(std::uint32_t port, WatershedFrame frame, bool first, const Moment& now);
    /// Tells an input's sender to pause or to go on, if the memory stands so.
    void Order(int input, const Moment& now);
    void OrderPaused(const Moment& now);
    void Tell(int input, std::int64_t quanta, const Moment& now);
    void Renew(int input, Moment at);
    /// A frame told the switch itself to pause.
    void Pause(std::uint32_t port, std::uint16_t quanta, Time now);
    void PauseOver(std::uint32_t port);
    /// The number of the port by which uplink `output` sends.
    std::uint32_t PortOf(int output) const { return static_cast<std::uint32_t>(output) + (m_learns ? 0 : Inputs()); }
    Uplink& UplinkAt(std::uint32_t port) { return m_uplinks[m_learns ? port : port - Inputs()]; }
    bool IsUplink(std::uint32_t port) const { return m_learns || port >= Inputs(); }
    void SendHead(Uplink& uplink, const Moment& now);
    /// The frame has come so far that it gives its memory back, unless other copies have not.
    static bool GivesBack(const Stored& stored) {
        return !stored.is_own && (!stored.copies || --stored.copies->left == 0);
    }
    void Release(MemoryClaim claim, const Moment& now);
    void Occupy(std::uint32_t port, const Stored& stored, int sign);
    void TraceOccupancy(const Moment& now, bool grew);
    std::uint32_t Inputs() const { return static_cast<std::uint32_t>(m_inputs.size()); }

    // Attributes
    ns3::Time m_latency;
    int m_arrivalOrder = 0;  // ns-3 sets enumerations through their numbers
    std::uint64_t m_seed = 1;
    std::string m_sharing;
    std::uint64_t m_size = 0;
    int m_sizeUnit = 0;
    std::int64_t m_bufferOverhead = 0;
    std::uint64_t m_cell = 0;
    std::uint64_t m_cellHeader = 0;
    std::uint64_t m_descriptors = 0;
    std::uint32_t m_slices = 1;
    std::uint64_t m_reserved = 0;
    double m_alpha = 0;
    std::uint64_t m_excess = 0;
    int m_accounting = 0;
    std::uint32_t m_queues = 1;
    bool m_queueSplit = false;
    std::string m_resume, m_descriptorsResume;
    std::optional<ResumeLevel> m_resumeLevel, m_descriptorsResumeLevel;
    int m_releaseAt = 0;
    ns3::QueueSize m_wredFrom, m_wredTo;
    double m_wredProbability = 0;
    bool m_ecn = false;
    int m_flowControl = 0;
    ns3::QueueSize m_xoff, m_xon, m_xonOffset, m_headroom;
    double m_pauseAlpha = 0;
    std::uint16_t m_quanta = 65535;

    std::uint32_t m_context = 0;  ///< the node's number, from initialisation on
    int m_number = 0;
    int m_inputsBefore = 0;
    std::vector<ns3::Ptr<WatershedNetDevice>> m_inputs;
    std::vector<Uplink> m_uplinks;
    bool m_learns = false;  ///< every port is an input and an uplink
    ns3::Mac48Address m_own;
    WatershedUpcalls m_upcalls;
    ns3::Ptr<ns3::UniformRandomVariable> m_random = ns3::CreateObject<ns3::UniformRandomVariable>();
    std::optional<Moment> m_latest;  ///< when frames without an event last arrived
    std::int64_t m_latestEvent = 0;
    std::optional<PauseControl> m_pauses;
    std::unique_ptr<SwitchMemory> m_memory;
    std::optional<UplinkSelector> m_selector;
    std::optional<Buffer> m_earlyDrop;
    Buffer::Release m_release = Buffer::Release::End;
    std::int64_t m_stored = 0;  ///< frames that have yet to leave
    EventSequence m_sequence;
    Recovery m_recovery;
    Time m_lastActivity{0};
    TimeGrid m_grid;
    std::vector<Happening>
        m_batch;  ///< of this picosecond, yet to come; the last is the next, once they are being carried out
    bool m_settling = false;
    WatershedTimer<WatershedSwitch, &WatershedSwitch::Settle> m_settle{this};

    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>, std::uint32_t> m_enqueue;
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>, std::uint32_t> m_dequeue;
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>, std::uint32_t, std::uint32_t, const LossCause&> m_drop;
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>, std::uint32_t, std::uint32_t> m_mark;
    ns3::TracedCallback<std::int64_t, std::int64_t> m_occupancy;
    ns3::TracedCallback<std::uint32_t, std::int64_t, std::int64_t> m_portOccupancy;
    ns3::TracedCallback<std::uint32_t, std::uint32_t> m_pause;
};

}  // namespace watershed
