// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/core/watershed-event-header.h"

#include <ostream>

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(WatershedEventHeader);

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
    const auto header = EventHeader::parse(bytes);
    if (!header) return std::nullopt;
    return WatershedEventHeader(header->run, header->frame);
}

void WatershedEventHeader::Print(std::ostream& os) const {
    os << "run=" << m_run << " event=" << m_event << " module=" << m_module << " frame=" << m_frame;
}

}  // namespace watershed
