// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/frame/watershed-event-header.h"

#include <ostream>

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(WatershedEventHeader);

WatershedEventHeader::WatershedEventHeader(std::uint32_t run, const FrameId& frame)
    : m_run(run),
      m_event(static_cast<std::uint32_t>(frame.event)),
      m_module(static_cast<std::uint16_t>(frame.module)),
      m_frame(static_cast<std::uint16_t>(frame.frame)),
      m_stream(static_cast<std::uint16_t>(frame.stream)) {}

ns3::TypeId WatershedEventHeader::GetTypeId() {
    static const ns3::TypeId tid = ns3::TypeId("ns3::WatershedEventHeader")
                                       .SetParent<ns3::Header>()
                                       .SetGroupName("Watershed")
                                       .AddConstructor<WatershedEventHeader>();
    return tid;
}

void WatershedEventHeader::Serialize(ns3::Buffer::Iterator start) const {
    std::uint8_t bytes[kSize];
    EventHeader{m_run, GetFrame()}.write(bytes);
    start.Write(bytes, kSize);
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
    const auto header = EventHeader::parse_any(bytes);
    if (!header) return std::nullopt;
    return WatershedEventHeader(header->run, header->frame);
}

void WatershedEventHeader::Print(std::ostream& os) const {
    os << "run=" << m_run << " event=" << m_event << " module=" << m_module << " frame=" << m_frame;
    if (m_stream != 0) os << " stream=" << m_stream;
}

}  // namespace watershed
