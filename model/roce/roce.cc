// SPDX-License-Identifier: GPL-2.0-only
#include "model/roce/roce.h"

#include <algorithm>

namespace watershed::roce {
namespace {

constexpr std::uint32_t kHostNetwork = 0x0a020000;
constexpr std::uint8_t kProtocolUdp = 17, kEctCapable = 2, kCongestionExperienced = 3;
constexpr int kClassShift = 5;  // class selectors are the upper three bits of the octet, RFC 2474

template <class Int>
void write(std::uint8_t* to, Int value, int bytes) {
    for (int i = bytes - 1; i >= 0; --i, value = static_cast<Int>(value >> 8)) to[i] = static_cast<std::uint8_t>(value);
}

std::uint32_t read(const std::uint8_t* from, int bytes) {
    std::uint32_t value = 0;
    for (int i = 0; i < bytes; ++i) value = value << 8 | from[i];
    return value;
}

/// RFC 1071.
std::uint16_t checksum(const std::uint8_t* ip) {
    std::uint32_t sum = 0;
    for (int i = 0; i < kIp; i += 2) sum += read(ip + i, 2);
    while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<std::uint16_t>(~sum);
}

}  // namespace

std::array<std::uint8_t, kLongestHeaders> to_bytes(const Headers& headers) {
    std::array<std::uint8_t, kLongestHeaders> bytes{};
    const Endpoint from = host(headers.source), to = host(headers.destination);
    const std::int64_t udp_size = static_cast<std::int64_t>(headers.size()) - kMac - kIp + headers.data.count + kIcrc;
    std::copy(to.mac.begin(), to.mac.end(), &bytes[0]);
    std::copy(from.mac.begin(), from.mac.end(), &bytes[6]);
    write(&bytes[12], 0x0800U, 2);

    std::uint8_t* const ip = &bytes[kMac];
    ip[0] = 0x45;
    ip[1] = headers.congested ? kCongestionExperienced : kEctCapable;
    if (headers.opcode == Opcode::Cnp) ip[1] |= kControlClass << kClassShift;
    write(ip + 2, kIp + udp_size, 2);
    write(ip + 6, 0x4000U, 2);  // not to be fragmented
    ip[8] = 64;
    ip[9] = kProtocolUdp;
    write(ip + 12, from.ip, 4);
    write(ip + 16, to.ip, 4);
    write(ip + 10, checksum(ip), 2);

    std::uint8_t* const udp = ip + kIp;
    write(udp, static_cast<std::uint32_t>(kDynamicPorts) | (headers.queue_pair & 0x3fffU),
          2);  // the flow's, for switches that hash
    write(udp + 2, kPort, 2);
    write(udp + 4, udp_size, 2);  // and no checksum: the ICRC covers all

    std::uint8_t* const bth = udp + kUdp;
    write(BaseHeader{headers.opcode, headers.queue_pair, headers.number}, bth);
    if (begins_message(headers.opcode)) write(bth + kBth + 12, headers.message.count, 4);
    return bytes;
}

std::optional<Headers> from_bytes(const std::uint8_t* bytes, std::size_t size) {
    constexpr std::size_t kShort = kMac + kIp + kUdp + kBth;
    if (size < kShort || read(bytes + 12, 2) != 0x0800) return std::nullopt;
    const std::uint8_t *const ip = bytes + kMac, *const udp = ip + kIp, *const bth = udp + kUdp;
    const std::uint32_t from = read(ip + 12, 4), to = read(ip + 16, 4);
    if (ip[0] != 0x45 || ip[9] != kProtocolUdp || read(udp + 2, 2) != kPort || (from >> 16) != kHostNetwork >> 16 ||
        (to >> 16) != kHostNetwork >> 16)
        return std::nullopt;

    Headers headers;
    const BaseHeader base = read_base_header(bth);
    headers.opcode = base.opcode;
    headers.source = static_cast<int>(from & 0xffff);
    headers.destination = static_cast<int>(to & 0xffff);
    headers.queue_pair = base.queue_pair;
    headers.number = base.number;
    headers.congested = (ip[1] & 3) == kCongestionExperienced;
    headers.data = Bytes{static_cast<std::int64_t>(read(udp + 4, 2)) - static_cast<std::int64_t>(headers.size()) +
                         kMac + kIp - kIcrc};
    if (begins_message(headers.opcode)) {
        if (size < headers.size()) return std::nullopt;
        headers.message = Bytes{read(bth + kBth + 12, 4)};
    }
    if (headers.data.count < 0) return std::nullopt;
    return headers;
}

}  // namespace watershed::roce
