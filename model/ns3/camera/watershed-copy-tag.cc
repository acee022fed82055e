// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/camera/watershed-copy-tag.h"

namespace watershed {

NS_OBJECT_ENSURE_REGISTERED(WatershedCopyTag);

ns3::TypeId WatershedCopyTag::GetTypeId() {
    static const ns3::TypeId tid = ns3::TypeId("ns3::WatershedCopyTag")
                                       .SetParent<ns3::Tag>()
                                       .SetGroupName("Watershed")
                                       .AddConstructor<WatershedCopyTag>();
    return tid;
}

std::optional<FrameId> IdentifyCopy(const ns3::Packet& packet) {
    auto id = IdentifyFrame(packet);
    WatershedCopyTag tag;
    if (id && packet.PeekPacketTag(tag)) id->copy = tag.GetCopy();
    return id;
}

WatershedFrame CopyOf(const WatershedFrame& frame, int copy) {
    const ns3::Ptr<ns3::Packet> packet = frame.GetPacket()->Copy();
    WatershedCopyTag tag(copy);
    packet->ReplacePacketTag(tag);
    return packet;
}

}  // namespace watershed
