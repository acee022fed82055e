// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <cstdint>

/// Numbers of 16 bits in network byte order.
namespace watershed {

inline std::uint16_t Read16(const std::uint8_t* bytes) { return static_cast<std::uint16_t>(bytes[0] << 8 | bytes[1]); }

/// The lowest 16 bits of a value.
inline void Write16(std::uint8_t* bytes, std::size_t value) {
    bytes[0] = static_cast<std::uint8_t>(value >> 8);
    bytes[1] = static_cast<std::uint8_t>(value);
}

}  // namespace watershed
