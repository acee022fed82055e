// SPDX-License-Identifier: GPL-2.0-only
#include "model/ejfat/ejfat-headers.h"

#include "model/base/byte-order.h"

namespace watershed {

std::array<std::uint8_t, EjfatBalancerHeader::kSize> EjfatBalancerHeader::bytes() const {
    std::array<std::uint8_t, kSize> b{'L', 'B', kVersion, kReassemblyNext};
    write_big_endian<2>(&b[6], entropy);
    write_big_endian<8>(&b[8], event);
    return b;
}

std::optional<EjfatBalancerHeader> EjfatBalancerHeader::parse(const std::uint8_t* b, std::size_t size) {
    if (size < kSize || b[0] != 'L' || b[1] != 'B' || b[2] != kVersion || b[3] != kReassemblyNext) return std::nullopt;
    return EjfatBalancerHeader{static_cast<std::uint16_t>(read_big_endian<2>(b + 6)), read_big_endian<8>(b + 8)};
}

std::array<std::uint8_t, EjfatReassemblyHeader::kSize> EjfatReassemblyHeader::bytes() const {
    std::array<std::uint8_t, kSize> b{kVersion << 4};
    write_big_endian<2>(&b[2], data_id);
    write_big_endian<4>(&b[4], offset);
    write_big_endian<4>(&b[8], length);
    write_big_endian<8>(&b[12], event);
    return b;
}

std::optional<EjfatReassemblyHeader> EjfatReassemblyHeader::parse(const std::uint8_t* b, std::size_t size) {
    if (size < kSize || b[0] >> 4 != kVersion) return std::nullopt;
    return EjfatReassemblyHeader{static_cast<std::uint16_t>(read_big_endian<2>(b + 2)),
                                 static_cast<std::uint32_t>(read_big_endian<4>(b + 4)),
                                 static_cast<std::uint32_t>(read_big_endian<4>(b + 8)), read_big_endian<8>(b + 12)};
}

std::array<std::uint8_t, EjfatSyncHeader::kSize> EjfatSyncHeader::bytes() const {
    std::array<std::uint8_t, kSize> b{'L', 'C', kVersion};
    write_big_endian<4>(&b[4], source);
    write_big_endian<8>(&b[8], event);
    write_big_endian<4>(&b[16], rate_hz);
    write_big_endian<8>(&b[20], unix_ns);
    return b;
}

std::optional<EjfatSyncHeader> EjfatSyncHeader::parse(const std::uint8_t* b, std::size_t size) {
    if (size < kSize || b[0] != 'L' || b[1] != 'C' || b[2] != kVersion) return std::nullopt;
    return EjfatSyncHeader{static_cast<std::uint32_t>(read_big_endian<4>(b + 4)), read_big_endian<8>(b + 8),
                           static_cast<std::uint32_t>(read_big_endian<4>(b + 16)), read_big_endian<8>(b + 20)};
}

}  // namespace watershed
