// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/log.h>
#include <ns3/mac48-address.h>
#include <ns3/node.h>
#include <ns3/traced-callback.h>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/ns3/base/watershed-random.h"
#include "model/ns3/device/watershed-frame-handler.h"
#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/ns3/frame/watershed-ethernet.h"
#include "model/ns3/frame/watershed-pause-frame.h"
#include "model/ns3/switch/watershed-output.h"
#include "model/ns3/switch/watershed-switch-attributes.h"
#include "model/ns3/switch/watershed-switch-inside.h"
#include "model/ns3/switch/watershed-switch.h"
#include "model/switch/address-table.h"
#include "model/switch/arrival-order.h"
#include "model/switch/flow-bytes.h"
#include "model/switch/uplinks.h"

namespace watershed {

/// A switch. Either it gathers many inputs on few uplinks: aggregate it to a node and give it the node's devices.
/// Frames travel from inputs to uplinks only; the selector says to which, or input i sends to uplink i modulo their
/// number. Or every port is both, for hosts with protocols of their own, and the switch is a bridge among the devices
/// of its node, as ns-3's own: the switch learns behind which port an address is, sends a frame there, and one to an
/// address that it does not know, or to a group, to all other ports (IEEE 802.1D, without spanning tree; a loop of
/// switches ends the program, but for uplinks: switches above one are a tier, know what each of them has learned, and
/// send nothing back to the tier from which it came). Such a frame takes memory once, of the first output that admits
/// it, until its last copy has left; only `per-output` memories and slices hold every copy. With an address and a
/// protocol stack on its node it can be reached itself. What it sends itself, PAUSE frames too, takes no memory. Its
/// attributes say which inside it has when the run begins: WatershedSwitchQueues or WatershedEventDrivenBridge.
class WatershedSwitchImpl : public WatershedSwitch, private WatershedFrameHandler {
  public:
    /// The switch of a node, among its devices or aggregated to it; null if it has none.
    static ns3::Ptr<WatershedSwitchImpl> Of(const ns3::Ptr<ns3::Node>& node);

    /// Inputs count from 0 in the order in which they are added; if it is the only switch, input i is that of module i
    /// + 1.
    void AddInput(ns3::Ptr<WatershedNetDeviceImpl> device);
    void AddUplink(ns3::Ptr<WatershedNetDeviceImpl> device);
    /// A port in both directions; a switch that has one has no inputs and uplinks beside. First add the switch to its
    /// node's devices.
    void AddPort(ns3::Ptr<WatershedNetDeviceImpl> device);
    /// One that leads on, in a group: a frame for what is behind any of them leaves by the one that "UplinkSelection"
    /// names (LAG, ECMP), and none that came in by one leaves by another.
    void AddUplinkPort(ns3::Ptr<WatershedNetDeviceImpl> device);
    std::uint32_t GetNQueueLevels() const { return m_learns ? Inputs() * kTrafficClasses : 0; }
    /// @param number  8 times that of the port, and that of the traffic class
    ns3::Ptr<WatershedQueueLevel> GetQueueLevel(std::uint32_t number) const {
        return m_outputs[number / kTrafficClasses].levels[number % kTrafficClasses];
    }
    void LearnAddress(const ns3::Mac48Address& address, const ns3::Ptr<ns3::NetDevice>& port) override;
    /// From the topology, not from a frame: it counts where nothing was learned, and does not expire.
    void StateAddress(const ns3::Mac48Address& address, std::uint32_t port) { m_addresses.state(KeyOf(address), port); }
    bool IsUplinkPort(std::uint32_t port) const { return m_learns && m_outputs[port].is_uplink; }

    /// In place of the number of the tier to which a port leads.
    static constexpr int kUp = -1, kAlone = -2;
    /// The switch at the other end of a cable, if one is there, and its port.
    using FarSwitch = std::pair<WatershedSwitchImpl*, std::uint32_t>;
    /// Called by FindTiers(). @param beside  switches of its tier, which learn for it. @param ways  where each port
    /// leads. @param beyond  by port
    void SetTier(std::vector<WatershedSwitchImpl*> beside, std::vector<int> ways, std::vector<FarSwitch> beyond);
    bool HasFailedPort() const;
    /// Called by NoteFailures(). @param any  a cable of this switch, or of one around it, has failed
    void SetFailures(bool any) { m_hasFailures = any; }
    int GetWay(std::uint32_t port) const { return m_ways[port]; }
    /// Whether a frame that came in by one port may leave by the other: not to the tier from which it came.
    bool LeadsOn(std::uint32_t from, std::uint32_t to) const {
        return from != to && (m_ways[from] == kAlone || m_ways[from] != m_ways[to]);
    }
    /// See WatershedSwitchInside::SendLate().
    void SendLate() {
        if (m_inside) m_inside->SendLate();
    }
    /// Takes the place of the inside that the attributes describe.
    void SetInside(std::unique_ptr<WatershedSwitchInside> inside) { m_inside = std::move(inside); }

    /// Sets its place among several switches, so that each draws random numbers of its own.
    /// @param number        of the switch, from 0
    /// @param inputsBefore  inputs of the switches before it
    void SetPlace(int number, int inputsBefore) {
        m_number = number;
        m_inputsBefore = inputsBefore;
    }
    /// Takes the place of the inputs' taking turns.
    void SetSelector(UplinkSelector selector) { m_selector = std::move(selector); }
    /// Sets the grid of all times; see WatershedNetDeviceImpl::SetGrid().
    void SetGrid(TimeGrid grid) { m_grid = grid; }

    /// Sets what random early detection, if the memory does it, draws its lots for.
    void SetEarlyDrop(const Buffer& buffer) { m_earlyDrop = buffer; }
    /// Frames of one instant have the order of the events of ns-3 that bring them, in place of that of ArrivalOrder.
    void TakeAsTheyCome() { m_asTheyCome = true; }
    /// Sets the random draws themselves, in place of those of the seed, and of ns-3's random numbers.
    void SetLots(std::function<std::uint64_t()> lots) { m_lots = std::move(lots); }

    std::int64_t AssignStreams(std::int64_t stream) override;

    const WatershedSwitchSettings& GetSettings() const { return m_settings; }
    /// For attributes. @param name  of the one that is set
    void ChangeSetting(const std::string& name, const std::function<void(WatershedSwitchSettings&)>& change);
    /// Its inside is made, by SetInside() or by initialisation: what describes it is settled.
    bool HasBegun() const { return m_inside != nullptr; }
    const WatershedSwitchInside& GetInside() const { return *m_inside; }
    const SwitchMemory& GetMemory() const { return m_inside->GetMemory(); }
    std::int64_t GetPauses() const override;
    std::int64_t GetPausesObeyed() const override { return m_pausesObeyed; }
    /// Time for which the switch itself was told to pause in all.
    Time GetPauseTime(Time now) const;

    // For a bridge that frames can be addressed to
    bool Send(ns3::Ptr<ns3::Packet> packet, const ns3::Address& dest, std::uint16_t protocol) override {
        return SendFrom(packet, GetAddress(), dest, protocol);
    }
    bool SendFrom(ns3::Ptr<ns3::Packet> packet, const ns3::Address& source, const ns3::Address& dest,
                  std::uint16_t protocol) override;
    void SetReceiveCallback(ReceiveCallback callback) override { m_upcalls.receive = callback; }
    void SetPromiscReceiveCallback(PromiscReceiveCallback callback) override { m_upcalls.promiscReceive = callback; }

  private:
    friend class WatershedSwitch;  // its attributes are members
    friend class WatershedEventDrivenBridge;
    friend class WatershedSwitchQueues;
    static ns3::LogComponent g_log;  ///< by this name ns-3's macros look for it

    void NotifyConstructionCompleted() override;
    void DoInitialize() override;
    void DoDispose() override;

    // Its attributes
    bool IsChosen(const WatershedSwitchAttribute& attribute) const {
        return m_settings.chosen.count(attribute.key) > 0;
    }
    /// Gives attributes that were not set the value of the model, or the default without one.
    void FollowModel();
    void SetUplinkRates();
    /// Makes the selector of uplinks by this rule, unless it was set.
    void MakeSelector(UplinkChoice::Rule rule);
    void CheckModel() const;
    void CheckPorts() const;
    void CheckUplinks();
    void CheckMemory() const;
    void CheckFlowControl() const;
    bool NeedsSteps() const;
    void CheckSteps() const;
    void MakeMemory();
    /// Makes the switch's own random early detection, if the memory has accounts of inputs, ports have thresholds of
    /// their own, or frames are marked as they leave. @return true if it made it
    bool MakeEarlyDetection(const Buffer& buffer);
    bool HasEarlyPort() const;
    void MakeInside();

    // For its inside
    std::uint64_t LotOf(const WatershedFrame& frame);
    void Drop(const WatershedFrame& frame, std::uint32_t input, std::uint32_t output, const LossCause& cause) const;
    void TraceMark(const WatershedFrame& frame, std::uint32_t input, std::uint32_t output) const;
    /// Returns the frame that tells a sender to pause.
    ns3::Ptr<ns3::Packet> MakeOrder(std::uint32_t port, std::int64_t quanta, int traffic_class) const;
    /// Returns which frame of the camera it is. A switch whose ports go both ways looks at no data.
    std::optional<FrameId> IdOf(const WatershedFrame& frame) const {
        return m_learns ? std::nullopt : frame.Identify();
    }
    /// Returns a frame's random draw for early detection, and whether it is exempt.
    void SetEarly(MemoryClaim& claim, const WatershedFrame& frame);
    /// Notes whether a frame is among the first of its flow of addresses and ports, if these have own thresholds.
    void SetFirst(MemoryClaim& claim, const WatershedFrame& frame, Time now) {
        if (m_settings.network_switch.buffer.first_bytes.count > 0) claim.is_first = IsFirst(claim, frame, now);
    }

    bool IsFirst(const MemoryClaim& claim, const WatershedFrame& frame, Time now);

    std::uint32_t Inputs() const { return static_cast<std::uint32_t>(m_inputs.size()); }
    /// The number of the port by which an output sends.
    std::uint32_t PortOf(int output) const { return static_cast<std::uint32_t>(output) + (m_learns ? 0 : Inputs()); }
    WatershedOutput& OutputAt(std::uint32_t port) { return m_outputs[m_learns ? port : port - Inputs()]; }
    bool IsOutput(std::uint32_t port) const { return m_learns || port >= Inputs(); }
    /// Each output has a queue for each traffic class.
    bool HasClasses() const { return m_settings.network_switch.scheduling.kind != Scheduling::Kind::Fifo; }

    // Forwarding
    void FrameBegins(std::uint32_t port, const WatershedFrame& frame, const Timestamp& end,
                     const Timestamp& now) override {
        m_inside->FrameBegins(port, frame, end, now);
    }
    void FrameArrived(std::uint32_t port, WatershedFrame&& frame, const Timestamp& now) override;
    bool TakesRates() const override {
        return !HasBegun() ||
               (m_inside->TakesAttributes() && m_settings.network_switch.flow_control.kind == FlowControl::Kind::None);
    }
    void FrameLeft(std::uint32_t port, const WatershedFrame& frame, const Timestamp& now) override {
        if (IsOutput(port)) m_inside->FrameLeft(port, frame, now);
    }
    void LinkChanged(std::uint32_t port) override;
    /// Says where a frame goes, now that it is its turn. @param module  that sent it, from 1
    void Decide(std::uint32_t input, int module, WatershedFrame&& frame, const Timestamp& now);
    /// The one output of a frame that begins to arrive, if it is known and not among several.
    std::optional<std::uint32_t> OnlyOutputOf(std::uint32_t input, const WatershedFrame& frame);
    /// Its place among the arrivals of this instant.
    std::uint64_t RankOf(std::uint32_t port, const std::optional<FrameId>& id, const Timestamp& now);
    /// The event in whose order frames without one stand that arrive now.
    std::int64_t EventOf(const Timestamp& now);
    /// To the port of the destination, or to all others.
    void Forward(std::uint32_t input, WatershedFrame&& frame, const Timestamp& now);
    void ReadLearning();
    void LearnAt(const ns3::Mac48Address& address, std::uint32_t port, Time now) {
        m_addresses.learn(KeyOf(address), port, now + std::min(m_expiration, Time::max() - now));
    }
    /// The port that leads to an address, if it or a switch beside it has learned that, or the topology says it.
    std::optional<std::uint32_t> Learned(const ns3::Mac48Address& to, Time now = Now());
    std::optional<std::uint32_t> PortTo(int way) const;
    /// The ports by which a frame for an address may leave for where a port leads: its group, without cables that have
    /// failed and, if there are others, those behind which the only way has failed. Valid until the next call.
    const std::vector<std::uint32_t>& CablesTo(std::uint32_t port, const ns3::Mac48Address& to) {
        return m_hasFailures ? CablesThatLead(port, to) : m_groups[port];
    }
    const std::vector<std::uint32_t>& CablesThatLead(std::uint32_t port, const ns3::Mac48Address& to);
    /// Whether a frame that leaves by a port comes to an address by cables that have not failed; to all switches, if
    /// it goes to all.
    bool Leads(std::uint32_t port, const ns3::Mac48Address& to);
    bool LeadsFrom(std::uint32_t input, const ns3::Mac48Address& to);
    /// The cable by which a frame goes where a port leads, or kNoPort. Cables to one place below are a group: whichever
    /// cable an address was last seen behind, a flow keeps to its own.
    std::uint32_t CableOf(std::uint32_t port, const WatershedFrame& frame, const ns3::Mac48Address& to);
    /// Calls send(port) for each port by which a frame to all leaves; drops what has no cable that is up.
    /// @param input  kNoPort: the switch's own
    template <class Sender>
    void SendToAll(std::uint32_t input, const WatershedFrame& frame, const ns3::Mac48Address& to, const Sender& send);
    /// Hash of a frame's flow, with the switch's seed.
    std::size_t HashOf(const WatershedFrame& frame) const;
    /// The uplink that carries a frame, as a port, or kNoPort. @param input  kNoPort: the switch's own
    std::uint32_t UplinkFor(std::uint32_t input, const WatershedFrame& frame, const ns3::Mac48Address& to);

    /// A port of a switch, and a class that it is told not to send.
    struct Held {
        WatershedSwitchImpl* at;
        std::uint32_t port;
        int trafficClass;
        friend bool operator<(const Held& a, const Held& b) {
            return std::tie(a.at, a.port, a.trafficClass) < std::tie(b.at, b.port, b.trafficClass);
        }
    };
    static bool IsHeld(const Held& held);
    /// Whether a pause of an input and class ends when any frame leaves the memory, of whichever input.
    bool HasMovingThreshold(std::uint32_t input, int traffic_class) const;
    /// The ports at which frames wait whose leaving would end the pause of a port: none if one of them may leave.
    std::vector<Held> HoldersOf(const Held& from) const;
    /// Tells of a deadlock that this port waits for, unless it was told.
    void SeekDeadlock(const Held& from);
    /// A frame of an input and class has left, of a switch in a loop: whoever sent it may wait for ever now.
    void SeekDeadlockOf(std::uint32_t input, int traffic_class);

    /// A frame told the switch itself to pause, now.
    void Obey(std::uint32_t port, const PauseOrder& order, const Timestamp& now);
    void Pause(std::uint32_t port, const PauseOrder& order, const Timestamp& now);

    WatershedSwitchSettings m_settings;
    std::uint32_t m_controlClass = kTrafficClasses;
    bool m_marksLeaving = false;
    bool m_reports = false;    ///< it writes telemetry into packets that ask for it
    std::uint32_t m_trim = 0;  ///< bytes that go on of a frame that memory refuses; 0: none
    std::uint8_t m_trimTos = 0;
    FlowBytes<std::string> m_flows;  ///< bytes of addresses; GCC 12 warns of vectors in C++20, without a cause
    std::uint32_t m_context = 0;     ///< the node's number, from initialisation on
    int m_number = 0;
    TimeGrid m_grid;
    std::vector<ns3::Ptr<WatershedNetDeviceImpl>> m_inputs;
    std::vector<WatershedOutput> m_outputs;
    bool m_learns = false;    ///< every port is an input and an output
    bool m_isInLoop = false;  ///< loop of switches, whose tables do not change
    std::optional<Buffer> m_earlyDrop;
    std::function<std::uint64_t()> m_lots;
    WatershedRandom m_random;

    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>, std::uint32_t> m_enqueue;
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>, std::uint32_t> m_dequeue;
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>, std::uint32_t, std::uint32_t, const LossCause&> m_drop;
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>, std::uint32_t, std::uint32_t> m_mark;
    ns3::TracedCallback<ns3::Ptr<const ns3::Packet>, std::uint32_t, std::uint32_t> m_trimmed;
    ns3::TracedCallback<std::int64_t, std::int64_t> m_occupancy;
    ns3::TracedCallback<std::uint32_t, std::int64_t, std::int64_t> m_portOccupancy;
    ns3::TracedCallback<std::uint32_t, std::uint32_t, std::uint32_t> m_pause;

    bool m_constructed = false;
    bool m_following = false;  ///< the model: what is set is not chosen
    int m_inputsBefore = 0;
    std::vector<WatershedSwitchImpl*> m_beside;        ///< other switches of the tier
    std::vector<int> m_ways;                           ///< by port
    std::vector<std::vector<std::uint32_t>> m_groups;  ///< by port: ports that lead where it does
    std::vector<FarSwitch> m_beyond;                   ///< by port
    bool m_hasFailures = false;
    bool m_isAsked = false;                ///< whether frames come to an address
    std::vector<std::uint32_t> m_leading;  ///< room for what CablesTo() returns
    AddressTable<Time> m_addresses;        ///< in place of that of BridgeNetDevice, which is slow
    bool m_learnsAddresses = true;
    Time m_expiration{0};
    std::vector<std::uint32_t> m_uplinks;  ///< outputs that lead on, of a switch whose ports go both ways
    std::uint64_t m_uplinkSeed = 0;
    std::uint32_t m_turn = 0;  ///< next uplink, where uplinks take turns
    std::optional<UplinkSelector> m_selector;
    ns3::Mac48Address m_own;
    WatershedUpcalls m_upcalls;
    bool m_asTheyCome = false;
    std::uint64_t m_came = 0;           ///< frames
    std::optional<Timestamp> m_latest;  ///< time at which a frame without an event last arrived
    std::int64_t m_latestEvent = 0;
    std::int64_t m_pausesObeyed = 0;
    std::set<std::pair<std::uint32_t, int>> m_deadlocked;  ///< ports and classes of this switch that were told
    ns3::TracedCallback<const std::vector<ns3::Ptr<ns3::NetDevice>>&, std::uint32_t> m_deadlock;
    std::unique_ptr<WatershedSwitchInside> m_inside;
};

}  // namespace watershed
