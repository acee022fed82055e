// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/header.h>

#include <optional>

#include "model/base/event-header.h"

namespace watershed {

/// EventHeader in a packet.
///
/// A frame of minimum size has 18 bytes behind its UDP header, so a payload shorter than this header still finds room
/// for all of it: the rest runs into the padding, where neither the IP length nor the UDP checksum counts it (and where
/// Wireshark notes, without a warning, that the padding is not zero).
class WatershedEventHeader : public ns3::Header {
  public:
    static constexpr std::uint32_t kSize = EventHeader::kSize;
    static constexpr std::uint16_t kMagic = EventHeader::kMagic;
    static constexpr std::uint16_t kVersion = EventHeader::kVersion;
    static constexpr std::uint32_t kEventOffset = EventHeader::kEventOffset;
    static constexpr std::int64_t kLargestEvent = EventHeader::kLargestEvent;
    static constexpr int kLargestModule = EventHeader::kLargestModule;

    WatershedEventHeader() = default;
    WatershedEventHeader(std::uint32_t run, const FrameId& frame);

    static ns3::TypeId GetTypeId();
    ns3::TypeId GetInstanceTypeId() const override { return GetTypeId(); }
    std::uint32_t GetSerializedSize() const override { return kSize; }
    void Serialize(ns3::Buffer::Iterator start) const override;
    /// @return bytes read; 0 if they are not an event header of this version
    std::uint32_t Deserialize(ns3::Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

    /// The header in `kSize` bytes, or nothing if they are not one of this version.
    static std::optional<WatershedEventHeader> Parse(const std::uint8_t* bytes);

    std::uint32_t GetRun() const { return m_run; }
    FrameId GetFrame() const { return {m_event, m_module, m_frame, m_stream}; }

  private:
    std::uint32_t m_run = 0;
    std::uint32_t m_event = 0;
    std::uint16_t m_module = 0;
    std::uint16_t m_frame = 0;
    std::uint16_t m_stream = 0;  ///< 0: the camera
};

}  // namespace watershed
