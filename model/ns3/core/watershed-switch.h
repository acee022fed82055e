// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/mac48-address.h>
#include <ns3/node.h>
#include <ns3/object.h>
#include <ns3/traced-callback.h>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "model/switch/arrival-order.h"
#include "model/switch/event-sequence.h"
#include "model/ns3/core/watershed-frame-handler.h"
#include "model/ns3/core/watershed-net-device.h"
#include "model/ns3/core/watershed-timer.h"
#include "model/base/recovery.h"
#include "model/switch/switch-memory.h"
#include "model/switch/uplinks.h"

namespace watershed {

/// A store-and-forward switch that gathers many inputs on few uplinks: aggregate it to a node and give it the node's devices.
/// A frame asks for memory when its last bit has arrived and gives it back when its last bit has left the uplink.
/// Either frames travel from inputs to uplinks only; the selector says to which, or input i sends to uplink i modulo their number.
/// Or every port is both, for hosts with protocols of their own: the switch learns behind which port an address is, sends a frame
/// there, and one to an address that it does not know, or to a group, to all other ports (IEEE 802.1D, without spanning tree).
///
/// The order of what happens at one instant, for which the sequence of ns-3's events at that instant would be an accident:
/// departures first, then arrivals by ArrivalRank and by input. An arriving frame is put into a batch, and the first of the batch
/// schedules the one event that decides on all of them, for now. On a grid finer than ns-3's picosecond departures are put there
/// too, because arrivals of the same picosecond may come before them. ns-3 runs events of the same time in the order in which they
/// were scheduled, and everything else that the switch does at this instant was scheduled earlier:
/// - every frame lasts at least a picosecond on its link, so a departure (here or at a front end) is scheduled at an earlier time,
///   when its frame began to be sent or found the link idle; a latency only moves it further ahead. Departures that share an event
///   (WatershedDepartures) are joined to one that is scheduled no later than they would be;
/// - an arrival is part of the departure event at the other end of the cable or, on a cable with delay, an event scheduled then;
/// - a trigger at this instant, with no separation from another or with it, only fills the FIFOs of the front ends, which compare times
///   themselves; what it sends arrives later. The frames of one fragment arrive one after the other, each in a batch of its own time.
/// So the batch runs after all departures and holds all arrivals. What it admits departs at a later time.
class WatershedSwitch : public ns3::Object, private WatershedFrameHandler {
  public:
    /// A frame came in through an uplink.
    static constexpr LossCause kFromUplink{"switch", "from-uplink"};
    /// A frame is for an address behind the port that it came in through.
    static constexpr LossCause kSamePort{"switch", "same-port"};

    static ns3::TypeId GetTypeId();

    /// Inputs count from 0 in the order in which they are added; if it is the only switch, input i is that of module i + 1.
    void AddInput(ns3::Ptr<WatershedNetDevice> device);
    void AddUplink(ns3::Ptr<WatershedNetDevice> device);
    /// A port in both directions; a switch that has one has no inputs and uplinks beside.
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

    /// Both exist once a frame has arrived, or after initialisation.
    const SwitchMemory& GetMemory() const { return *m_memory; }
    const EventSequence& GetSequence() const { return m_sequence; }
    /// Of its memory, in frames.
    const Recovery& GetRecovery() const { return m_recovery; }
    /// When a frame last left or was refused; 0 if none was.
    Time GetLastActivity() const { return m_lastActivity; }

    using FrameTracedCallback = void (*)(ns3::Ptr<const ns3::Packet> frame, std::uint32_t input);
    using DropTracedCallback = void (*)(ns3::Ptr<const ns3::Packet> frame, std::uint32_t port, const LossCause& cause);
    using OccupancyTracedCallback = void (*)(std::int64_t frames, std::int64_t bytes);

  private:
    /// What happens in this picosecond, in the order of its values where the exact time is the same.
    enum class What { Departure, Release, Arrival };
    struct Happening {
        Moment moment;
        What what = What::Departure;
        std::uint64_t rank = 0;
        std::uint32_t port = 0;   ///< input, or the port by which a frame departs
        std::int64_t event = 0;   ///< of the frame that arrives; 0 if it is of none
        int module = 0;           ///< from 1
        WatershedFrame frame{};
        MemoryClaim claim{};      ///< to be released

        friend bool operator<(const Happening& a, const Happening& b) {
            return std::tie(a.moment, a.what, a.rank, a.port) < std::tie(b.moment, b.what, b.rank, b.port);
        }
    };
    struct Stored {
        WatershedFrame frame;
        Moment ready;   ///< when it may leave
        MemoryClaim claim;
    };
    struct Uplink {
        ns3::Ptr<WatershedNetDevice> device;
        std::deque<Stored> stored;   ///< the first is being sent
    };

    Buffer DescribedBuffer() const;
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
    /// Admits the frame to this uplink, or drops it.
    void Offer(std::uint32_t input, int output, WatershedFrame frame, const Moment& now);
    /// Drops the last frame of a queue for one that arrives.
    void PushOut(Uplink& uplink, const Moment& now);
    /// To the port of the destination, or to all others.
    void Forward(std::uint32_t input, const WatershedFrame& frame, const Moment& now);
    Uplink& UplinkAt(std::uint32_t port) { return m_uplinks[m_learns ? port : port - Inputs()]; }
    bool IsUplink(std::uint32_t port) const { return m_learns || port >= Inputs(); }
    void SendHead(Uplink& uplink, const Moment& now);
    void Release(MemoryClaim claim, const Moment& now);
    void TraceOccupancy(const Moment& now, bool grew);
    std::uint32_t Inputs() const { return static_cast<std::uint32_t>(m_inputs.size()); }

    // Attributes
    ns3::Time m_latency;
    int m_arrivalOrder = 0;   // ns-3 sets enumerations through their numbers
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

    int m_number = 0;
    int m_inputsBefore = 0;
    std::vector<ns3::Ptr<WatershedNetDevice>> m_inputs;
    std::vector<Uplink> m_uplinks;
    bool m_learns = false;                                  ///< every port is an input and an uplink
    std::map<ns3::Mac48Address, std::uint32_t> m_learned;   ///< the port behind which an address is
    std::unique_ptr<SwitchMemory> m_memory;
    std::optional<UplinkSelector> m_selector;
    std::optional<Buffer> m_earlyDrop;
    Buffer::Release m_release = Buffer::Release::End;
    std::int64_t m_stored = 0;   ///< frames that have yet to leave
    std::optional<ArrivalRank> m_rank;
    EventSequence m_sequence;
    Recovery m_recovery;
    Time m_lastActivity{0};
    TimeGrid m_grid;
    std::vector<Happening> m_batch;   ///< of this picosecond, yet to come; the last is the next, once they are being carried out
    bool m_settling = false;
    WatershedTimer<WatershedSwitch, &WatershedSwitch::Settle> m_settle{this};

    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>, std::uint32_t> m_enqueue;
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>, std::uint32_t> m_dequeue;
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>, std::uint32_t, const LossCause&> m_drop;
    ns3::TracedCallback<std::int64_t, std::int64_t> m_occupancy;
};

}  // namespace watershed
