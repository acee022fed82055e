// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/frame/watershed-telemetry-tag.h"

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(WatershedTelemetryTag);

ns3::TypeId WatershedTelemetryTag::GetTypeId() {
    static const ns3::TypeId tid = ns3::TypeId("ns3::WatershedTelemetryTag")
                                       .SetParent<ns3::Tag>()
                                       .SetGroupName("Watershed")
                                       .AddConstructor<WatershedTelemetryTag>();
    return tid;
}

std::uint32_t WatershedTelemetryTag::GetSerializedSize() const {
    return static_cast<std::uint32_t>(8 + 2 + 32 * links.size());
}

void WatershedTelemetryTag::Serialize(ns3::TagBuffer buffer) const {
    const auto write = [&](std::int64_t number) { buffer.WriteU64(static_cast<std::uint64_t>(number)); };
    write(sent.count());
    buffer.WriteU8(isAnswer ? 1 : 0);
    buffer.WriteU8(static_cast<std::uint8_t>(links.size()));
    for (const LinkReport& link : links) {
        write(link.time.count());
        write(link.sent.count);
        write(link.queue.count);
        write(link.rate.count);
    }
}

void WatershedTelemetryTag::Deserialize(ns3::TagBuffer buffer) {
    const auto read = [&] { return static_cast<std::int64_t>(buffer.ReadU64()); };
    sent = Time{read()};
    isAnswer = buffer.ReadU8() != 0;
    links.resize(buffer.ReadU8());
    for (LinkReport& link : links) {
        link.time = Time{read()};
        link.sent = Bytes{read()};
        link.queue = Bytes{read()};
        link.rate = BitRate{read()};
    }
}

WatershedFrame WithReport(const WatershedFrame& frame, const LinkReport& report) {
    WatershedTelemetryTag tag;
    if (!frame.GetPacket()->PeekPacketTag(tag) || tag.isAnswer || tag.links.size() == kTelemetryLinks) return frame;
    const ns3::Ptr<ns3::Packet> packet = frame.GetPacket()->Copy();
    packet->RemovePacketTag(tag);
    tag.links.push_back(report);
    packet->AddPacketTag(tag);
    return packet;
}

}  // namespace watershed
