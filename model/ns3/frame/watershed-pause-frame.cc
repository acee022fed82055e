// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/frame/watershed-pause-frame.h"

#include <algorithm>
#include <array>

#include "model/base/big-endian.h"

namespace watershed {
namespace {

constexpr std::array<std::uint8_t, 6> kToAnyLinkPartner{0x01, 0x80, 0xc2, 0x00, 0x00, 0x01};
constexpr std::uint16_t kMacControl = 0x8808;
constexpr std::uint16_t kPause = 0x0001;
constexpr std::uint16_t kPriorityPause = 0x0101;
constexpr std::uint16_t kEveryClass = (1 << kTrafficClasses) - 1;
constexpr std::size_t kTypeAt = 12, kOpcodeAt = 14, kQuantaAt = 16;  // kQuantaAt: where PFC has the vector of classes

constexpr std::size_t ClassQuantaAt(int trafficClass) {
    return kQuantaAt + 2 + 2 * static_cast<std::size_t>(trafficClass);
}

using Bytes60 = std::array<std::uint8_t, kShortestFrame>;

}  // namespace

ns3::Ptr<ns3::Packet> MakePauseFrame(FlowControl::Kind kind, const ns3::Mac48Address& from, std::uint16_t quanta,
                                     int trafficClass) {
    Bytes60 bytes{};
    std::copy(kToAnyLinkPartner.begin(), kToAnyLinkPartner.end(), bytes.begin());
    from.CopyTo(&bytes[6]);
    Write16(&bytes[kTypeAt], kMacControl);
    if (kind == FlowControl::Kind::Pfc) {
        Write16(&bytes[kOpcodeAt], kPriorityPause);
        const bool all = trafficClass == kAllClasses;
        Write16(&bytes[kQuantaAt], all ? kEveryClass : static_cast<std::uint16_t>(1 << trafficClass));
        for (int each = 0; each < kTrafficClasses; ++each)
            if (all || each == trafficClass) Write16(&bytes[ClassQuantaAt(each)], quanta);
    } else {
        Write16(&bytes[kOpcodeAt], kPause);
        Write16(&bytes[kQuantaAt], quanta);
    }
    return ns3::Create<ns3::Packet>(bytes.data(), kShortestFrame);
}

std::optional<PauseOrder> ReadShortest(const FrameBytes& frame) {
    Bytes60 bytes;
    frame.CopyData(bytes.data(), kShortestFrame);
    if (Read16(&bytes[kTypeAt]) != kMacControl) return std::nullopt;
    const std::uint16_t opcode = Read16(&bytes[kOpcodeAt]);
    if (opcode == kPause) return PauseOrder{Read16(&bytes[kQuantaAt]), std::nullopt};
    if (opcode != kPriorityPause) return std::nullopt;
    const std::uint16_t classes = Read16(&bytes[kQuantaAt]);
    const auto quanta_at = [&](int each) { return Read16(&bytes[ClassQuantaAt(each)]); };
    bool alike = classes == kEveryClass;
    for (int each = 1; each < kTrafficClasses; ++each) alike = alike && quanta_at(each) == quanta_at(0);
    if (alike) return PauseOrder{quanta_at(0), std::nullopt};
    for (int each = 0; each < kTrafficClasses; ++each)
        if (classes & (1 << each)) return PauseOrder{quanta_at(each), each};
    return std::nullopt;
}

std::optional<std::uint16_t> ReadPauseFrame(const ns3::Packet& frame) {
    const auto order = ReadPauseOrder(frame);
    if (!order || order->trafficClass.value_or(kCameraClass) != kCameraClass) return std::nullopt;
    return order->quanta;
}

}  // namespace watershed
