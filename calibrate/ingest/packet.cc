// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/ingest/packet.h"

#include <pcap/pcap.h>

#include <algorithm>

#include "model/base/byte-order.h"

namespace watershed {
namespace {

constexpr std::size_t kNone = SIZE_MAX;

/// Header of a link type: positions in it, and its size.
struct LinkHeader {
    int type;
    std::size_t size;
    std::size_t ether_type = kNone;  ///< position of the EtherType
    std::size_t family = kNone;      ///< position of an address family of 4 bytes, of either byte order
    std::size_t direction = kNone;   ///< position of the byte that tells frames that this machine sent
};
constexpr LinkHeader kLinks[] = {{DLT_EN10MB, 14, 12},
                                 {DLT_LINUX_SLL, 16, 14, kNone, 1},
                                 {DLT_LINUX_SLL2, 20, 0, kNone, 10},
                                 {DLT_NULL, 4, kNone, 0},
                                 {DLT_LOOP, 4, kNone, 0},
                                 {DLT_RAW, 0},
                                 {DLT_IPV4, 0},
                                 {DLT_IPV6, 0}};
constexpr std::size_t kVlanTag = 4, kUdpHeader = 8, kIpv4Header = 20, kIpv6Header = 40;
constexpr std::uint16_t kIpv4Type = 0x0800, kIpv6Type = 0x86dd, kVlanTypes[] = {0x8100, 0x88a8, 0x9100};
constexpr std::uint8_t kUdp = 17, kFragmentHeader = 44, kOutgoing = 4;
constexpr std::uint8_t kOptions[] = {0, 43, 60};           // hop by hop, routing, destination (RFC 8200)
constexpr std::uint8_t kFamilies[] = {2, 10, 24, 28, 30};  // IPv4; IPv6 of Linux, NetBSD, FreeBSD, Darwin
constexpr const char kCutOff[] = "cut off before the end of its UDP header";

template <class List>
bool is_in(const List& list, std::uint64_t value) {
    return std::find(std::begin(list), std::end(list), value) != std::end(list);
}

const LinkHeader* find_link(int type) {
    const auto found =
        std::find_if(std::begin(kLinks), std::end(kLinks), [&](const LinkHeader& one) { return one.type == type; });
    return found == std::end(kLinks) ? nullptr : found;
}

/// Reads a packet from its front to its UDP payload.
class PacketReader {
  public:
    PacketReader(const std::uint8_t* bytes, std::size_t size, UdpPacket& packet)
        : bytes_(bytes), size_(size), packet_(packet) {}

    const char* read(const LinkHeader& link) {
        int version = 0;
        if (const char* reason = read_link(link, version)) return reason;
        if (!has(1)) return kCutOff;
        if (version == 0) version = bytes_[at_] >> 4;
        if (const char* reason = version == 4 ? read_ipv4() : version == 6 ? read_ipv6() : kNoIp) return reason;
        return packet_.begin == 0 ? read_udp() : nullptr;
    }

  private:
    static constexpr const char* kNoIp = "neither IPv4 nor IPv6";

    bool has(std::size_t bytes) const { return at_ + bytes <= size_; }
    template <std::size_t kBytes>
    std::uint64_t number(std::size_t behind = 0) const {
        return read_big_endian<kBytes>(bytes_ + at_ + behind);
    }

    /// @param version  that of IP, if the link tells it
    const char* read_link(const LinkHeader& link, int& version) {
        if (!has(link.size)) return kCutOff;
        if (link.direction != kNone && bytes_[link.direction] == kOutgoing) return "sent by the machine that captured";
        if (link.family != kNone && !is_in(kFamilies, bytes_[0] + bytes_[1] + bytes_[2] + bytes_[3])) return kNoIp;
        at_ = link.size;
        if (link.ether_type == kNone) return nullptr;
        std::uint64_t type = read_big_endian<2>(bytes_ + link.ether_type);
        for (; is_in(kVlanTypes, type); at_ += kVlanTag) {
            if (!has(kVlanTag)) return kCutOff;
            type = number<2>(2);
        }
        version = type == kIpv4Type ? 4 : type == kIpv6Type ? 6 : 0;
        return version == 0 ? kNoIp : nullptr;
    }

    const char* read_ipv4() {
        if (!has(kIpv4Header)) return kCutOff;
        const std::size_t header = 4U * (bytes_[at_] & 0x0f);
        const std::int64_t length = std::int64_t(number<2>(2)) - std::int64_t(header);
        const std::uint64_t fragment = number<2>(6);
        constexpr std::uint64_t kMore = 0x2000, kOffset = 0x1fff;
        place_piece(8 * std::int64_t(fragment & kOffset), length, (fragment & kMore) != 0);
        if (bytes_[at_] >> 4 != 4 || header < kIpv4Header || !is_sound()) return "not a valid IPv4 header";
        if (bytes_[at_ + 9] != kUdp) return "not UDP";
        packet_.identification = std::uint32_t(number<2>(4));
        for (IpAddress* address : {&packet_.flow.source, &packet_.flow.destination}) {
            *address = {};
            (*address)[10] = (*address)[11] = 0xff;
        }
        std::copy_n(bytes_ + at_ + 12, 4, packet_.flow.source.begin() + 12);
        std::copy_n(bytes_ + at_ + 16, 4, packet_.flow.destination.begin() + 12);
        at_ += header;
        return nullptr;
    }

    const char* read_ipv6() {
        if (!has(kIpv6Header)) return kCutOff;
        if (bytes_[at_] >> 4 != 6) return "not a valid IPv6 header";
        std::copy_n(bytes_ + at_ + 8, 16, packet_.flow.source.begin());
        std::copy_n(bytes_ + at_ + 24, 16, packet_.flow.destination.begin());
        const std::size_t end = at_ + kIpv6Header + number<2>(4);
        std::uint8_t next = bytes_[at_ + 6];
        at_ += kIpv6Header;
        while (next != kUdp) {
            const bool of_piece = next == kFragmentHeader;
            if (!of_piece && !is_in(kOptions, next)) return "not UDP";
            if (packet_.begin > 0) break;  // the first piece has the options and UDP
            if (!has(8)) return kCutOff;
            next = bytes_[at_];
            const std::uint64_t fragment = number<2>(2);
            if (of_piece) packet_.identification = std::uint32_t(number<4>(4));
            at_ += of_piece ? 8 : 8 * (std::size_t{1} + bytes_[at_ + 1]);
            constexpr std::uint64_t kMore = 1, kOffset = 0xfff8;
            if (of_piece)
                place_piece(std::int64_t(fragment & kOffset), std::int64_t(end) - std::int64_t(at_), fragment & kMore);
        }
        return is_sound() ? nullptr : "not a valid IPv6 header";
    }

    void place_piece(std::int64_t begin, std::int64_t length, bool more) {
        packet_.begin = begin, packet_.end = begin + length, packet_.is_last = !more;
    }
    bool is_sound() const { return packet_.is_whole() || packet_.end > packet_.begin; }

    const char* read_udp() {
        if (!has(kUdpHeader)) return kCutOff;
        if (number<2>(4) < kUdpHeader) return "not a valid UDP header";
        packet_.flow.source_port = std::uint16_t(number<2>());
        packet_.flow.destination_port = std::uint16_t(number<2>(2));
        packet_.payload = std::int64_t(number<2>(4) - kUdpHeader);
        at_ += kUdpHeader;
        // In a frame of minimum size the header runs into the padding.
        if (has(EventHeader::kSize)) packet_.header = EventHeader::parse(bytes_ + at_);
        return nullptr;
    }

    const std::uint8_t* bytes_;
    std::size_t size_, at_ = 0;
    UdpPacket& packet_;
};

}  // namespace

bool is_link_known(int link) { return find_link(link) != nullptr; }

const char* parse_packet(int link, const std::uint8_t* bytes, std::size_t size, UdpPacket& packet) {
    return PacketReader(bytes, size, packet).read(*find_link(link));
}

}  // namespace watershed
