// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>

#include "model/base/byte-order.h"

/// RoCE v2 above UDP: InfiniBand architecture specification, release 1.2.1, annex A17.
namespace watershed::roce {

constexpr std::int64_t kBth = 12, kReth = 16, kAeth = 4, kIcrc = 4;
/// Reserved bytes of a notification (CNP), behind its base transport header.
constexpr std::int64_t kCnpReserved = 16;
constexpr std::uint16_t kPort = 4791;
/// Type of service of a packet that a switch has trimmed to its header, unless others are agreed: the highest of
/// class 7.
constexpr std::uint8_t kTrimTos = 0xfc;

enum class Opcode : std::uint8_t {
    SendMiddle = 0x01,
    WriteFirst = 0x06,
    WriteMiddle = 0x07,
    WriteLast = 0x08,
    WriteOnly = 0x0a,
    Acknowledge = 0x11,
    Cnp = 0x81
};

/// Base transport header (BTH) of a packet in the default partition.
struct BaseHeader {
    Opcode opcode = Opcode::WriteMiddle;
    std::uint32_t queue_pair = 0;  ///< 24 bits
    std::uint32_t number = 0;      ///< packet sequence number (PSN), 24 bits
    std::uint8_t flags = 0;        ///< 0x80 asks for an acknowledgement; the others are reserved
};

/// @param to  kBth bytes
inline void write(const BaseHeader& header, std::uint8_t* to) {
    to[0] = static_cast<std::uint8_t>(header.opcode);
    to[1] = 0;
    write_big_endian<2>(to + 2, 0xffff);
    to[4] = 0;
    write_big_endian<3>(to + 5, header.queue_pair);
    to[8] = header.flags;
    write_big_endian<3>(to + 9, header.number);
}
inline BaseHeader read_base_header(const std::uint8_t* from) {
    return {static_cast<Opcode>(from[0]), static_cast<std::uint32_t>(read_big_endian<3>(from + 5)),
            static_cast<std::uint32_t>(read_big_endian<3>(from + 9)), from[8]};
}
inline bool is_default_partition(const std::uint8_t* header) { return read_big_endian<2>(header + 2) == 0xffff; }

}  // namespace watershed::roce
