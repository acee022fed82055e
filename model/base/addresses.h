// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <cstdint>

namespace watershed {

/// One end of the UDP flow of a module.
struct Endpoint {
    std::array<std::uint8_t, 6> mac{};
    std::uint32_t ip = 0;
    std::uint16_t port = 0;
};

constexpr std::uint8_t kUserDatagram = 17;  ///< IP's number of the protocol UDP
constexpr int kDynamicPorts = 0xc000;       ///< RFC 6335: 49152 to 65535 are for anybody

/// A locally administered MAC address and one of net 10: 02:00:kind:00:number, 10.kind.number.
constexpr Endpoint local_endpoint(std::uint8_t kind, int number, int port) {
    return {{0x02, 0, kind, 0, static_cast<std::uint8_t>(number >> 8), static_cast<std::uint8_t>(number)},
            0x0a000000U | std::uint32_t{kind} << 16 | (static_cast<std::uint32_t>(number) & 0xffffU),
            static_cast<std::uint16_t>(port)};
}

/// The server's end of an uplink, from 0. Uplinks that are chosen by hash end in one address, that of uplink 0.
constexpr Endpoint server_endpoint(int uplink) { return local_endpoint(0, uplink + 1, kDynamicPorts); }

}  // namespace watershed
