// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/watershed-event-header.h"

#include <ostream>

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(WatershedEventHeader);

namespace {
std::uint16_t Read16(const std::uint8_t* bytes) { return static_cast<std::uint16_t>(bytes[0] << 8 | bytes[1]); }
std::uint32_t Read32(const std::uint8_t* bytes) { return std::uint32_t{Read16(bytes)} << 16 | Read16(bytes + 2); }
}  // namespace

WatershedEventHeader::WatershedEventHeader(std::uint32_t run, const FrameId& frame)
    : m_run(run),
      m_event(static_cast<std::uint32_t>(frame.event)),
      m_module(static_cast<std::uint16_t>(frame.module)),
      m_frame(static_cast<std::uint16_t>(frame.frame)) {}

ns3::TypeId WatershedEventHeader::GetTypeId() {
    static const ns3::TypeId tid = ns3::TypeId("watershed::WatershedEventHeader")
                                       .SetParent<ns3::Header>()
                                       .SetGroupName("Watershed")
                                       .AddConstructor<WatershedEventHeader>();
    return tid;
}

void WatershedEventHeader::Serialize(ns3::Buffer::Iterator start) const {
    start.WriteHtonU16(kMagic);
    start.WriteHtonU16(kVersion);
    start.WriteHtonU32(m_run);
    start.WriteHtonU32(m_event);
    start.WriteHtonU16(m_module);
    start.WriteHtonU16(m_frame);
}

std::uint32_t WatershedEventHeader::Deserialize(ns3::Buffer::Iterator start) {
    if (start.GetRemainingSize() < kSize) return 0;
    std::uint8_t bytes[kSize];
    start.Read(bytes, kSize);
    const auto header = Parse(bytes);
    if (!header) return 0;
    *this = *header;
    return kSize;
}

std::optional<WatershedEventHeader> WatershedEventHeader::Parse(const std::uint8_t* bytes) {
    if (Read16(bytes) != kMagic || Read16(bytes + 2) != kVersion) return std::nullopt;
    WatershedEventHeader header;
    header.m_run = Read32(bytes + 4);
    header.m_event = Read32(bytes + kEventOffset);
    header.m_module = Read16(bytes + 12);
    header.m_frame = Read16(bytes + 14);
    return header;
}

void WatershedEventHeader::Print(std::ostream& os) const {
    os << "run=" << m_run << " event=" << m_event << " module=" << m_module << " frame=" << m_frame;
}

}  // namespace watershed
