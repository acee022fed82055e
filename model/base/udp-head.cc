// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/udp-head.h"

#include <algorithm>

#include "model/base/byte-order.h"

namespace watershed {

std::uint16_t internet_sum(const std::uint8_t* bytes, std::size_t size, std::uint32_t start) {
    std::uint64_t sum = start;
    for (std::size_t i = 0; i + 1 < size; i += 2) sum += read_big_endian<2>(bytes + i);
    if (size % 2 != 0) sum += std::uint64_t{bytes[size - 1]} << 8;
    while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<std::uint16_t>(sum);
}

std::vector<std::uint8_t> udp_head(const Endpoint& from, const Endpoint& to, const std::vector<std::uint8_t>& begin,
                                   Bytes payload, std::uint8_t hops, std::uint8_t tos) {
    std::vector<std::uint8_t> frame(kUdpHead + begin.size());
    std::copy(begin.begin(), begin.end(), frame.begin() + kUdpHead);
    std::copy(to.mac.begin(), to.mac.end(), frame.begin());
    std::copy(from.mac.begin(), from.mac.end(), frame.begin() + 6);
    write_big_endian<2>(&frame[12], 0x0800);

    const auto udp_length = static_cast<std::uint32_t>(payload.count + 8);
    std::uint8_t* ip = &frame[14];
    ip[0] = 0x45;
    ip[1] = tos;
    write_big_endian<2>(ip + 2, udp_length + 20);
    ip[6] = 0x40;  // not to be fragmented, and so the identification means nothing, RFC 6864
    ip[8] = hops;
    ip[9] = kUserDatagram;
    write_big_endian<4>(ip + 12, from.ip);
    write_big_endian<4>(ip + 16, to.ip);
    write_big_endian<2>(ip + 10, 0xffffU ^ internet_sum(ip, 20));

    std::uint8_t* udp = &frame[34];
    write_big_endian<2>(udp, from.port);
    write_big_endian<2>(udp + 2, to.port);
    write_big_endian<2>(udp + 4, udp_length);
    // The pseudo header has addresses, protocol and length; zeros do not change the sum.
    std::uint32_t sum = internet_sum(ip + 12, 8, kUserDatagram + udp_length);
    sum = internet_sum(udp, 8, sum);
    const std::uint32_t checksum = 0xffffU ^ internet_sum(begin.data(), begin.size(), sum);
    write_big_endian<2>(udp + 6, checksum == 0 ? 0xffff : checksum);  // 0 says that there is none, RFC 768
    return frame;
}

}  // namespace watershed
