// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ns3/packet.h>

#include <array>
#include <cstdint>
#include <optional>

#include "model/base/rate-law.h"
#include "model/base/roce-header.h"
#include "model/ns3/frame/watershed-raw-header.h"

namespace watershed {

/// Contents of a packet of a reliable queue pair: its base transport header (BTH) and, if it is an answer, its
/// acknowledgement (AETH); or of a notification. Room for telemetry and the bytes of its ICRC stand behind them.
struct Transport {
    static constexpr std::uint32_t kSize = roce::kBth + roce::kIcrc;
    static constexpr std::uint64_t kNumbers = 1 << 24;
    static constexpr std::uint8_t kMissing = 0x60, kTrimmed = 0x7f;

    roce::Opcode opcode = roce::Opcode::SendMiddle;
    bool isAsking = false;      ///< for an acknowledgement
    bool isSelective = false;   ///< its sender repeats what is missing alone; the lowest of the reserved bits
    bool hasTelemetry = false;  ///< it has room for it; the next of them
    bool isMissing = false;     ///< an answer to a packet that came too early
    bool isTrimmed = false;     ///< an answer to one of which the header alone came
    std::uint64_t number = 0;   ///< number of the packet; in an answer, of the one that is expected
    std::uint64_t early = 0;    ///< packet that is answered, as IRN's answers say it

    ns3::Ptr<ns3::Packet> MakePacket(std::uint32_t payload) const {
        std::array<std::uint8_t, roce::kBth + roce::kAeth> bytes{};
        const int flags = (isAsking ? 0x80 : 0) | (hasTelemetry ? 0x02 : 0) | (isSelective ? 0x01 : 0);
        roce::write(roce::BaseHeader{opcode, 0, static_cast<std::uint32_t>(number % kNumbers),
                                     static_cast<std::uint8_t>(flags)},
                    bytes.data());
        std::uint32_t size = roce::kBth;
        if (opcode == roce::Opcode::Acknowledge) {
            // A sequence error, a code that InfiniBand reserves, or an acknowledgement without credits.
            bytes[size] = isMissing ? kMissing : isTrimmed ? kTrimmed : 0x1f;
            write_big_endian<3>(&bytes[size + 1], early % kNumbers);
            size += roce::kAeth;
        }
        // Zeros that ns-3 knows of: of its own padding it does not, and then it cuts no packet that it can print.
        const auto packet = ns3::Create<ns3::Packet>(payload + GetTelemetrySize() + std::uint32_t{roce::kIcrc});
        packet->AddHeader(WatershedRawHeader(bytes.data(), size));
        return packet;
    }
    std::uint32_t GetTelemetrySize() const { return hasTelemetry ? kTelemetryBytes : 0; }
    /// @return nothing if it is none; the numbers have 24 bits
    static std::optional<Transport> Read(const ns3::Packet& packet) {
        std::array<std::uint8_t, roce::kBth + roce::kAeth> bytes{};
        const std::uint32_t size = packet.CopyData(bytes.data(), static_cast<std::uint32_t>(bytes.size()));
        if (size < kSize || !roce::is_default_partition(bytes.data())) return std::nullopt;
        const roce::BaseHeader base = roce::read_base_header(bytes.data());
        Transport read{base.opcode, (base.flags & 0x80) != 0, (base.flags & 0x01) != 0, (base.flags & 0x02) != 0};
        read.isMissing = bytes[roce::kBth] == kMissing;
        read.isTrimmed = bytes[roce::kBth] == kTrimmed;
        read.number = base.number;
        read.early = read_big_endian<3>(&bytes[roce::kBth + 1]);
        return read;
    }
    /// The number nearest to another of which 24 bits were read.
    static std::uint64_t Nearest(std::uint64_t bits, std::uint64_t to) {
        const std::uint64_t ahead = (bits - to) % kNumbers;
        return to + ahead - (ahead < kNumbers / 2 ? 0 : kNumbers);
    }
};

}  // namespace watershed
