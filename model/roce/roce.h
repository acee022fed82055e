// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "model/base/addresses.h"
#include "model/base/quantities.h"
#include "model/base/roce-header.h"

/// Frames of RoCE v2: Ethernet, IPv4, UDP to port 4791, the base transport header of InfiniBand (BTH), in the first of
/// a write the extended one (RETH), data, ICRC. InfiniBand architecture specification, release 1.2.1, annex A17.
namespace watershed::roce {

constexpr std::int64_t kMac = 14, kIp = 20, kUdp = 8, kFcs = 4, kPreamble = 8, kGap = 12;
/// Bytes in front of the data of a first frame; a CNP has as many.
constexpr std::size_t kLongestHeaders = kMac + kIp + kUdp + kBth + kReth;
/// Traffic class of a CNP: that of DSCP 48, to which adapters set it.
constexpr int kControlClass = 6;

constexpr bool begins_message(Opcode opcode) { return opcode == Opcode::WriteFirst || opcode == Opcode::WriteOnly; }

/// Bytes of a frame with `data` on a link, preamble and gap included.
constexpr Bytes slot(Bytes data, bool first) {
    return Bytes{kPreamble + kMac + kIp + kUdp + kBth + (first ? kReth : 0) + data.count + kIcrc + kFcs + kGap};
}
/// Bytes of a frame without FCS.
constexpr Bytes frame_size(Bytes data, bool first) { return slot(data, first) - Bytes{kPreamble + kFcs + kGap}; }

/// Number of frames of a message.
constexpr std::int64_t frames_of(Bytes message, Bytes mtu) { return ceil_div(message.count, mtu.count); }
/// Bytes of all frames of a message on a link, preambles and gaps included.
constexpr Bytes slots_of(Bytes message, Bytes mtu) {
    return message + slot(Bytes{0}, false) * frames_of(message, mtu) + Bytes{kReth};
}

/// Fields of a frame's headers that the hosts and the switch here look at.
struct Headers {
    Opcode opcode = Opcode::WriteMiddle;
    int source = 0;  ///< hosts have numbers
    int destination = 0;
    std::uint32_t queue_pair = 0, number = 0;  ///< see BaseHeader
    Bytes data{0};
    Bytes message{0};        ///< with the first frame of one
    bool congested = false;  ///< ECN says that congestion was experienced

    std::size_t size() const {
        return static_cast<std::size_t>(kMac + kIp + kUdp + kBth) + (begins_message(opcode) ? kReth : 0);
    }
};

/// The bytes in front of the data, of which size() count.
std::array<std::uint8_t, kLongestHeaders> to_bytes(const Headers& headers);
/// @return nothing if the bytes are no RoCE v2 frame between hosts that have numbers
std::optional<Headers> from_bytes(const std::uint8_t* bytes, std::size_t size);

constexpr Endpoint host(int number) { return local_endpoint(2, number, kPort); }

}  // namespace watershed::roce
