// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

#include "model/base/event-header.h"

namespace watershed {

/// Returns the bytes of hexadecimal digits; blanks between them are for the reader.
inline std::string bytes_of(const std::string& digits) {
    std::string bytes, pair;
    for (const char c : digits) {
        if (c == ' ') continue;
        pair += c;
        if (pair.size() == 2) bytes += static_cast<char>(std::stoi(pair, nullptr, 16)), pair.clear();
    }
    return bytes;
}

/// Returns a number in network byte order.
inline std::string big(std::size_t value, int bytes) {
    std::string text;
    for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> 8 * i);
    return text;
}

/// UDP datagram (RFC 768) of 108 bytes from port 49157 to 49152, with the header of event 12 of module 5 in run 77.
inline std::string datagram(int event = 12) {
    return bytes_of("c005 c000 006c 0000") + bytes_of("5753 0001 0000004d") + big(std::size_t(event), 4) +
           bytes_of("0005 0000") + std::string(84, '\0');
}

/// Part of a packet that is a whole one by default.
struct Part {
    std::size_t begin = 0;  ///< in bytes, of the datagram
    bool more = false;      ///< true if another part comes behind it
    std::size_t id = 0x1234;
};

/// IPv4 packet (RFC 791) from 10.1.0.5 to 10.0.0.1.
inline std::string ipv4(const std::string& body, const Part& part = {}, int protocol = 17) {
    return bytes_of("45 00") + big(20 + body.size(), 2) + big(part.id, 2) +
           big((part.more ? 0x2000U : 0U) + part.begin / 8, 2) + bytes_of("40") + big(std::size_t(protocol), 1) +
           bytes_of("0000 0a010005 0a000001") + body;
}

/// IPv6 packet (RFC 8200) from 2001:db8::5 to 2001:db8::1. @param next  what the body begins with, 17 for UDP
inline std::string ipv6(const std::string& body, int next = 17) {
    return bytes_of("60000000") + big(body.size(), 2) + big(std::size_t(next), 1) + bytes_of("40") +
           bytes_of("20010db8 00000000 00000000 00000005 20010db8 00000000 00000000 00000001") + body;
}

/// IPv6 packet with a fragment header (RFC 8200, 4.5).
inline std::string ipv6_part(const std::string& body, const Part& part) {
    return ipv6(bytes_of("11 00") + big(part.begin + (part.more ? 1 : 0), 2) + big(part.id, 4) + body, 44);
}

/// Ethernet frame. @param type  EtherType, with tags before it if there are any
inline std::string ethernet(const std::string& packet, const std::string& type = "0800") {
    return std::string(12, '\x02') + bytes_of(type) + packet;
}

}  // namespace watershed
