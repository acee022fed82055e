// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/event-header.h"

#include "model/base/byte-order.h"

namespace watershed {
namespace {

std::uint16_t read16(const std::uint8_t* bytes) { return static_cast<std::uint16_t>(bytes[0] << 8 | bytes[1]); }
std::uint32_t read32(const std::uint8_t* bytes) { return std::uint32_t{read16(bytes)} << 16 | read16(bytes + 2); }

}  // namespace

std::optional<EventHeader> EventHeader::parse(const std::uint8_t* bytes) {
    if (read16(bytes) != kMagic || read16(bytes + 2) != kVersion) return std::nullopt;
    return EventHeader{read32(bytes + 4), {read32(bytes + kEventOffset), read16(bytes + 12), read16(bytes + 14)}};
}

std::optional<EventHeader> EventHeader::parse_any(const std::uint8_t* bytes) {
    if (const auto fragment = parse(bytes)) return fragment;
    if (read16(bytes) != kStreamMagic || read16(bytes + 2) != kVersion) return std::nullopt;
    return EventHeader{read32(bytes + 4), {read32(bytes + kEventOffset), 0, 0, read16(bytes + 12)}};
}

void EventHeader::write(std::uint8_t* bytes) const {
    write_big_endian<2>(bytes, frame.stream == 0 ? kMagic : kStreamMagic);
    write_big_endian<2>(bytes + 2, kVersion);
    write_big_endian<4>(bytes + 4, run);
    write_big_endian<4>(bytes + kEventOffset, static_cast<std::uint64_t>(frame.event));
    write_big_endian<2>(bytes + 12, static_cast<std::uint64_t>(frame.stream == 0 ? frame.module : frame.stream));
    write_big_endian<2>(bytes + 14, static_cast<std::uint64_t>(frame.frame));
}

}  // namespace watershed
