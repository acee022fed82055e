// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/packet.h>

#include <array>
#include <cstdint>
#include <optional>

#include "model/base/byte-order.h"

namespace watershed {

/// Contents of a packet of a reliable queue pair: its base transport header (BTH) and, if it is an answer, in its
/// acknowledgement (AETH): InfiniBand architecture specification, release 1.2.1. The bytes of its ICRC stand behind
/// them.
struct Transport {
    static constexpr std::uint8_t kSend = 0x01, kAnswer = 0x11;  // SEND Middle and Acknowledge of a reliable connection
    static constexpr std::uint32_t kSize = 16, kAnswerSize = 20;  // with ICRC
    static constexpr std::uint64_t kNumbers = 1 << 24;

    std::uint8_t opcode = kSend;
    bool isAsking = false;     ///< for an acknowledgement
    bool isSelective = false;  ///< its sender repeats what is missing alone; the lowest of the reserved bits
    bool isMissing = false;    ///< an answer to a packet that came too early
    std::uint64_t number = 0;  ///< number of the packet; in an answer, of the one that is expected
    std::uint64_t early = 0;   ///< packet that came too early, as IRN's answers say it

    ns3::Ptr<ns3::Packet> MakePacket(std::uint32_t payload) const {
        std::array<std::uint8_t, kAnswerSize> bytes{opcode, 0, 0xff, 0xff};  // the default partition
        bytes[8] = static_cast<std::uint8_t>((isAsking ? 0x80 : 0) | (isSelective ? 0x01 : 0));
        write_big_endian<3>(&bytes[9], number % kNumbers);
        if (opcode == kAnswer) {
            bytes[12] = isMissing ? 0x60 : 0x1f;  // a sequence error, or an acknowledgement without credits
            write_big_endian<3>(&bytes[13], early % kNumbers);
        }
        const auto packet = ns3::Create<ns3::Packet>(bytes.data(), opcode == kAnswer ? kAnswerSize : kSize);
        if (payload > 0) packet->AddPaddingAtEnd(payload);
        return packet;
    }
    /// @return nothing if it is none; the numbers have 24 bits
    static std::optional<Transport> Read(const ns3::Packet& packet) {
        std::array<std::uint8_t, kAnswerSize> bytes{};
        const std::uint32_t size = packet.CopyData(bytes.data(), kAnswerSize);
        if (size < kSize || bytes[2] != 0xff || bytes[3] != 0xff) return std::nullopt;
        return Transport{bytes[0],          (bytes[8] & 0x80) != 0,        (bytes[8] & 0x01) != 0,
                         bytes[12] == 0x60, read_big_endian<3>(&bytes[9]), read_big_endian<3>(&bytes[13])};
    }
    /// The number nearest to another of which 24 bits were read.
    static std::uint64_t Nearest(std::uint64_t bits, std::uint64_t to) {
        const std::uint64_t ahead = (bits - to) % kNumbers;
        return to + ahead - (ahead < kNumbers / 2 ? 0 : kNumbers);
    }
};

}  // namespace watershed
