// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/integer.h>
#include <ns3/packet.h>

#include <array>
#include <cstdint>
#include <optional>

#include "model/base/addresses.h"
#include "model/base/event-header.h"
#include "model/base/quantities.h"

namespace watershed {

/// The frames of one module that differ in nothing but the event: Ethernet, IPv4 and UDP headers and the event header,
/// made once. A frame for an event is a copy with its number filled in and the UDP checksum corrected for it (RFC
/// 1624). A frame of minimum size has 18 bytes behind its UDP header, so a payload shorter than the event header still
/// finds room for all of it: the rest runs into the padding, where neither the IP length nor the UDP checksum counts it
/// (and where Wireshark notes, without a warning, that the padding is not zero).
class WatershedFragmentFrame {
  public:
    /// Ethernet 14, IPv4 20, UDP 8.
    static constexpr std::uint32_t kHeaders = 42;
    static constexpr std::uint32_t kStamped = kHeaders + EventHeader::kSize;

    /// @param payload of UDP, in bytes; the frame is padded to 60 B, which with the FCS make the Ethernet minimum
    /// @param id  of a fragment or of a frame of a stream; its event is to be filled in
    /// @param trafficClass which the frame bears as its class selector (RFC 2474)
    WatershedFragmentFrame(const Endpoint& from, const Endpoint& to, Bytes payload, std::uint32_t run,
                           const FrameId& id, int trafficClass = 0);

    /// The frame for this event, without FCS; zeros follow the event header. A copy, as ns-3 counts: all frames made
    /// here have one uid.
    ns3::Ptr<ns3::Packet> Make(std::uint32_t event) const;
    /// Makes the frame in two steps: the payload, then the headers.
    ns3::Ptr<ns3::Packet> MakeBehind() const { return m_behind->Copy(); }
    void PutHeaders(ns3::Packet& behind, std::uint32_t event) const;
    /// Returns what IdentifyFrame() reads in the frame for this event.
    FrameId Identify(std::uint32_t event) const { return {event, m_id.module, m_id.frame, m_id.stream}; }
    int GetClass() const { return m_class; }
    /// Bytes of the frame, without FCS.
    std::uint32_t GetSize() const { return kStamped + m_zeros; }

  private:
    std::array<std::uint8_t, kStamped> Stamped(std::uint32_t event) const;

    std::array<std::uint8_t, kStamped> m_bytes;  ///< for event 0
    std::uint32_t m_eventBytesSummed;            ///< bytes of the event number that lie within the payload
    std::uint32_t m_sum;                         ///< UDP checksum for event 0, one's complement
    std::uint32_t m_zeros;                       ///< zeros behind m_bytes
    ns3::Ptr<ns3::Packet> m_behind;              ///< packet of these zeros, from which others are made
    FrameId m_id;
    int m_class;
};

/// The overhead of a frame for devices and switches, which count from its bytes; a scenario counts from its payload.
inline ns3::IntegerValue BeyondFrame(Bytes overhead) {
    return ns3::IntegerValue(overhead.count - WatershedFragmentFrame::kHeaders);
}

/// Returns which frame of the data taking these bytes are; nothing if they are not UDP over IPv4 to the port of the
/// camera's server, or carry no event header.
std::optional<FrameId> IdentifyFrame(const ns3::Packet& frame);

}  // namespace watershed
