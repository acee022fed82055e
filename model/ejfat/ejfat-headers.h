// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "model/base/addresses.h"
#include "model/base/byte-order.h"

namespace watershed {

// EJFAT's headers behind UDP, all in network byte order, as E2SAR and udplbd2 have them.

/// Header that the balancer reads, and takes off:
///
///     0    2         3             4          6          8
///     | LB | version | next header | reserved | entropy  | event number (8 bytes) |
struct EjfatBalancerHeader {
    static constexpr std::size_t kSize = 16;
    static constexpr std::uint8_t kVersion = 2;
    static constexpr std::uint8_t kReassemblyNext = 1;
    static constexpr std::uint16_t kPort = 19522;  ///< "LB"

    std::uint16_t entropy = 0;  ///< spreads packets over the receivers' ports
    std::uint64_t event = 0;

    std::array<std::uint8_t, kSize> bytes() const {
        std::array<std::uint8_t, kSize> b{'L', 'B', kVersion, kReassemblyNext};
        write_big_endian<2>(&b[6], entropy);
        write_big_endian<8>(&b[8], event);
        return b;
    }
    /// @return std::nullopt if the bytes are not such a header
    static std::optional<EjfatBalancerHeader> parse(const std::uint8_t* b, std::size_t size) {
        if (size < kSize || b[0] != 'L' || b[1] != 'B' || b[2] != kVersion || b[3] != kReassemblyNext)
            return std::nullopt;
        return EjfatBalancerHeader{static_cast<std::uint16_t>(read_big_endian<2>(b + 6)), read_big_endian<8>(b + 8)};
    }
};

/// Header by which the receiver puts a source's part of an event together:
///
///     0           2         4        8        12
///     | version*  | data id | offset | length | event number (8 bytes) |
///
/// (*) in the upper 4 of 16 bits, the rest reserved. Offset and length are bytes of the source's part.
struct EjfatReassemblyHeader {
    static constexpr std::size_t kSize = 20;
    static constexpr std::uint8_t kVersion = 1;

    std::uint16_t data_id = 0;
    std::uint32_t offset = 0;
    std::uint32_t length = 0;
    std::uint64_t event = 0;

    std::array<std::uint8_t, kSize> bytes() const {
        std::array<std::uint8_t, kSize> b{kVersion << 4};
        write_big_endian<2>(&b[2], data_id);
        write_big_endian<4>(&b[4], offset);
        write_big_endian<4>(&b[8], length);
        write_big_endian<8>(&b[12], event);
        return b;
    }
    static std::optional<EjfatReassemblyHeader> parse(const std::uint8_t* b, std::size_t size) {
        if (size < kSize || b[0] >> 4 != kVersion) return std::nullopt;
        return EjfatReassemblyHeader{static_cast<std::uint16_t>(read_big_endian<2>(b + 2)),
                                     static_cast<std::uint32_t>(read_big_endian<4>(b + 4)),
                                     static_cast<std::uint32_t>(read_big_endian<4>(b + 8)), read_big_endian<8>(b + 12)};
    }
};

/// Message by which a source tells the control plane its latest event:
///
///     0    2         3          4           8                  16              20
///     | LC | version | reserved | source id | event number (8) | events/s (4)  | Unix time in ns (8) |
struct EjfatSyncHeader {
    static constexpr std::size_t kSize = 28;
    static constexpr std::uint8_t kVersion = 2;

    std::uint32_t source = 0;
    std::uint64_t event = 0;
    std::uint32_t rate_hz = 0;
    std::uint64_t unix_ns = 0;

    std::array<std::uint8_t, kSize> bytes() const {
        std::array<std::uint8_t, kSize> b{'L', 'C', kVersion};
        write_big_endian<4>(&b[4], source);
        write_big_endian<8>(&b[8], event);
        write_big_endian<4>(&b[16], rate_hz);
        write_big_endian<8>(&b[20], unix_ns);
        return b;
    }
    static std::optional<EjfatSyncHeader> parse(const std::uint8_t* b, std::size_t size) {
        if (size < kSize || b[0] != 'L' || b[1] != 'C' || b[2] != kVersion) return std::nullopt;
        return EjfatSyncHeader{static_cast<std::uint32_t>(read_big_endian<4>(b + 4)), read_big_endian<8>(b + 8),
                               static_cast<std::uint32_t>(read_big_endian<4>(b + 16)), read_big_endian<8>(b + 20)};
    }
};

/// Numbers count from 0; addresses from 1.
constexpr Endpoint ejfat_source_end(int source) { return local_endpoint(2, source + 1, kDynamicPorts); }
constexpr Endpoint ejfat_balancer_end() { return local_endpoint(3, 1, EjfatBalancerHeader::kPort); }
/// @param thread of the node that receives what comes to this port
constexpr Endpoint ejfat_node_end(int node, int thread) { return local_endpoint(4, node + 1, kDynamicPorts + thread); }
/// The node and thread that an endpoint stands for.
constexpr int ejfat_node_of(const Endpoint& end) { return static_cast<int>(end.ip & 0xffff) - 1; }
constexpr int ejfat_thread_of(const Endpoint& end) { return end.port - kDynamicPorts; }

}  // namespace watershed
