// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>

#include "model/base/recovery.h"
#include "model/ns3/switch/watershed-output.h"
#include "model/switch/pause-control.h"
#include "model/switch/switch-memory.h"
#include "model/switch/ties.h"

namespace watershed {

class WatershedSwitchImpl;

/// Memory and queues of a WatershedSwitch: a frame's way from its arrival until it has left.
class WatershedSwitchInside {
  public:
    /// @param of  outlives this
    WatershedSwitchInside(WatershedSwitchImpl& of, const Buffer& buffer) : m_switch(of), m_ties(buffer) {}
    virtual ~WatershedSwitchInside() = default;

    /// The frame's first bit comes now, the last one at `end`.
    virtual void FrameBegins(std::uint32_t /*port*/, const WatershedFrame& /*frame*/, const Timestamp& /*end*/,
                             const Timestamp& /*now*/) {}
    /// The switch decides on this frame when it is its turn among what happens now.
    virtual void FrameArrived(std::uint32_t port, const std::optional<FrameId>& id, std::uint64_t rank,
                              WatershedFrame&& frame, const Timestamp& now) = 0;
    /// Admits the frame to this output, or drops it. @param copies of the frame, null if it is the only one
    virtual void Offer(std::uint32_t input, int output, WatershedFrame&& frame, const Timestamp& now,
                       const ns3::Ptr<WatershedStored::Copies>& copies) = 0;
    /// Sends a frame of the switch's node.
    virtual void SendOwn(std::uint32_t port, const WatershedFrame& frame, const Timestamp& now) = 0;
    virtual void FrameLeft(std::uint32_t port, const WatershedFrame& frame, const Timestamp& now) = 0;
    /// The gates of a port are closed for so long from now, or open if that is 0. @param traffic_class absent: all
    virtual void Pause(std::uint32_t port, std::optional<int> traffic_class, const Timestamp& now, Time length) = 0;

    /// Frames that wait for a port whose cable fails now are lost, and a sender behind one that comes back is told
    /// again to pause.
    virtual void LinkChanged(std::uint32_t /*port*/, const Timestamp& /*now*/) {}

    /// Lets frames that nobody watches leave without an event for each. For a caller that runs the simulation to its
    /// end, and neither listens nor changes anything before that.
    virtual void SendLate() {}
    /// Some attributes may be set during the run.
    virtual bool TakesAttributes() const = 0;
    virtual const SwitchMemory& GetMemory() const = 0;
    /// Null if it tells nobody to pause.
    virtual const PauseControl* GetPauseControl() const { return nullptr; }
    const Ties& GetTies() const { return m_ties; }
    const EventSequence& GetSequence() const { return m_sequence; }
    const Recovery& GetRecovery() const { return m_recovery; }
    /// Time at which a frame last left or was refused; 0 if none was.
    Time GetLastActivity() const { return m_lastActivity; }

  protected:
    WatershedSwitchImpl& m_switch;
    EventSequence m_sequence;
    Ties m_ties;
    Recovery m_recovery;
    Time m_lastActivity{0};
};

}  // namespace watershed
