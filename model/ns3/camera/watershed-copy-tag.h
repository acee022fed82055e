// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/packet.h>
#include <ns3/tag.h>

#include <optional>

#include "model/ns3/frame/watershed-frame.h"

namespace watershed {

/// FrameId::copy of a packet that switches have copied; it adds no byte to the packet.
class WatershedCopyTag : public ns3::Tag {
  public:
    static ns3::TypeId GetTypeId();
    explicit WatershedCopyTag(int copy = 0) : m_copy(static_cast<std::uint32_t>(copy)) {}
    int GetCopy() const { return static_cast<int>(m_copy); }

    ns3::TypeId GetInstanceTypeId() const override { return GetTypeId(); }
    std::uint32_t GetSerializedSize() const override { return sizeof m_copy; }
    void Serialize(ns3::TagBuffer buffer) const override { buffer.WriteU32(m_copy); }
    void Deserialize(ns3::TagBuffer buffer) override { m_copy = buffer.ReadU32(); }
    void Print(std::ostream& out) const override { out << "copy " << m_copy; }

  private:
    std::uint32_t m_copy;
};

/// Returns what IdentifyFrame() reads in a packet, and its copy.
std::optional<FrameId> IdentifyCopy(const ns3::Packet& packet);
/// Returns a copy of a frame, as a packet with its tag.
WatershedFrame CopyOf(const WatershedFrame& frame, int copy);

}  // namespace watershed
