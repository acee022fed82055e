// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/log.h>
#include <ns3/traced-callback.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/ns3/base/watershed-random.h"
#include "model/ns3/device/watershed-net-device-impl.h"
#include "model/ns3/switch/watershed-output.h"
#include "model/ns3/switch/watershed-switch-settings.h"
#include "model/switch/flow-bytes.h"

namespace watershed {

/// State that a WatershedSwitch shares with its implementation: attributes, ports, and trace sinks.
class WatershedSwitchPorts {
  public:
    virtual ~WatershedSwitchPorts() = default;

  protected:
    friend class WatershedEventDrivenBridge;
    friend class WatershedSwitchQueues;
    static ns3::LogComponent g_log;  ///< by this name ns-3's macros look for it

    /// Says where a frame goes, now that it is its turn. @param module  that sent it, from 1
    virtual void Decide(std::uint32_t input, int module, WatershedFrame&& frame, const Timestamp& now) = 0;
    /// The one output of a frame that begins to arrive, if it is known and not among several.
    virtual std::optional<std::uint32_t> OnlyOutputOf(std::uint32_t input, const WatershedFrame& frame) = 0;
    /// Its place among the arrivals of this instant.
    virtual std::uint64_t RankOf(std::uint32_t port, const std::optional<FrameId>& id, const Timestamp& now) = 0;

    /// A frame of an input and class has left, of a switch in a loop: whoever sent it may wait for ever now.
    virtual void SeekDeadlockOf(std::uint32_t input, int traffic_class) = 0;

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
};

}  // namespace watershed
