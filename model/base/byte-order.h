// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <cstdint>

/// Numbers in network byte order.
namespace watershed {

template <std::size_t kBytes>
void write_big_endian(std::uint8_t* to, std::uint64_t value) {
    for (std::size_t i = 0; i < kBytes; ++i) to[i] = static_cast<std::uint8_t>(value >> 8 * (kBytes - 1 - i));
}

template <std::size_t kBytes>
std::uint64_t read_big_endian(const std::uint8_t* from) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < kBytes; ++i) value = value << 8 | from[i];
    return value;
}

}  // namespace watershed
