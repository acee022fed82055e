// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/ingest/packet.h"

#include <vector>

#include "test/calibrate/ingest/packet-bytes.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// Packet taken apart, from a copy whose end a sanitizer guards.
struct Parsed {
    std::string reason;
    UdpPacket packet;
};

Parsed parsed(int link, const std::string& bytes) {
    const std::vector<std::uint8_t> copy(bytes.begin(), bytes.end());
    Parsed one;
    const char* reason = parse_packet(link, copy.data(), copy.size(), one.packet);
    one.reason = reason ? reason : "";
    return one;
}

constexpr IpAddress kFour{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 1, 0, 5},
    kSix{0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5};

/// Header of a link type, as libpcap numbers them and describes them at tcpdump.org/linktypes.html.
struct Link {
    int type;
    std::string header;
    bool four;
};

const std::string kCooked = "0000 0001 0006 020202020202 0000",  // to us, Ethernet, address
    kCooked2 = "0000 00000003 0001 00 06 020202020202 0000";     // reserved, interface, Ethernet, to us

const std::vector<Link> kAll{{1, "020202020202 030303030303 0800", true},
                             {1, "020202020202 030303030303 86dd", false},
                             {1, "020202020202 030303030303 8100 0007 0800", true},
                             {1, "020202020202 030303030303 88a8 0007 8100 0008 86dd", false},
                             {113, kCooked + "0800", true},
                             {113, kCooked + "86dd", false},
                             {113, kCooked + "8100 0007 0800", true},
                             {276, "0800" + kCooked2, true},
                             {276, "86dd" + kCooked2, false},
                             {276, "8100" + kCooked2 + "0007 86dd", false},
                             {12, "", true},
                             {12, "", false},
                             {228, "", true},
                             {229, "", false},
                             {0, "02000000", true},
                             {0, "00000002", true},
                             {0, "1e000000", false},
                             {0, "0a000000", false},
                             {108, "00000002", true},
                             {108, "0000001c", false}};

}  // namespace

TEST_CASE("Every link type gives the datagram of either version of IP") {
    for (const Link& link : kAll) {
        CAPTURE(link.type, link.header);
        REQUIRE(is_link_known(link.type));
        const Parsed one = parsed(link.type, bytes_of(link.header) + (link.four ? ipv4(datagram()) : ipv6(datagram())));
        CHECK(one.reason.empty());
        CHECK(one.packet.is_whole());
        CHECK(one.packet.flow.source == (link.four ? kFour : kSix));
        CHECK(one.packet.flow.destination.back() == 1);
        CHECK(one.packet.flow.source_port == 49157);
        CHECK(one.packet.flow.destination_port == 49152);
        CHECK(one.packet.payload == 100);
        REQUIRE(one.packet.header);
        CHECK(one.packet.header->frame == FrameId{12, 5, 0});
    }
    CHECK_FALSE(is_link_known(105));  // the link type of 802.11
}

TEST_CASE("A packet that is cut off at any byte is named, until its UDP header is there") {
    // The event header takes 16 bytes behind UDP's 8; the datagram has 108.
    for (const Link& link : kAll) {
        const std::string whole = bytes_of(link.header) + (link.four ? ipv4(datagram()) : ipv6(datagram()));
        for (std::size_t size = 0; size <= whole.size(); ++size) {
            CAPTURE(link.type, link.header, size);
            const Parsed one = parsed(link.type, whole.substr(0, size));
            const bool named = size < whole.size() - 108 + 8;
            CHECK(one.reason == (named ? "cut off before the end of its UDP header" : ""));
            CHECK(one.packet.header.has_value() == (size >= whole.size() - 108 + 8 + 16));
        }
    }
}

TEST_CASE("Headers between IPv6 and UDP are skipped") {
    // Each names the one behind it; its length is in units of 8 bytes, less one.
    const std::string hops = bytes_of("3c 00 0502 0000 0100"), destination = bytes_of("2c 01") + std::string(14, '\0'),
                      piece = bytes_of("11 00 0000 00000007"), all = hops + destination + piece;
    const Parsed one = parsed(12, ipv6(all + datagram(), 0));
    CHECK(one.reason.empty());
    CHECK(one.packet.is_whole());  // a fragment header of the one fragment that there is (RFC 6946)
    CHECK(one.packet.header->frame.event == 12);
    const std::string whole = ipv6(all + datagram(), 0);
    for (std::size_t size = 0; size < 40 + all.size() + 8; ++size)
        CHECK(parsed(12, whole.substr(0, size)).reason == "cut off before the end of its UDP header");
}

TEST_CASE("Of a datagram in pieces the first has the headers, and all have their bytes") {
    for (const bool four : {true, false}) {
        const auto part = [&](const std::string& body, const Part& of) {
            return parsed(12, four ? ipv4(body, of) : ipv6_part(body, of)).packet;
        };
        const UdpPacket first = part(datagram().substr(0, 64), {0, true}), last = part(datagram().substr(64), {64});
        CHECK_FALSE(first.is_whole());
        CHECK_FALSE(first.is_last);
        CHECK(first.begin == 0);
        CHECK(first.end == 64);
        CHECK(first.payload == 100);
        CHECK(first.header->frame.event == 12);
        CHECK_FALSE(last.is_whole());
        CHECK(last.is_last);
        CHECK(last.begin == 64);
        CHECK(last.end == 108);
        CHECK(last.identification == 0x1234);
        CHECK_FALSE(last.header);
    }
}

TEST_CASE("Packets that are no UDP in IP are refused by name") {
    const std::string six = ipv6(datagram());
    const std::vector<std::tuple<int, std::string, std::string>> cases{
        {1, ethernet(std::string(46, '\0'), "0806"), "neither IPv4 nor IPv6"},
        {0, bytes_of("07000000") + ipv4(datagram()), "neither IPv4 nor IPv6"},
        {12, bytes_of("50") + std::string(60, '\0'), "neither IPv4 nor IPv6"},
        {1, ethernet(six), "not a valid IPv4 header"},
        {1, ethernet(ipv4(datagram()), "86dd"), "not a valid IPv6 header"},
        {12, bytes_of("44") + ipv4(datagram()).substr(1), "not a valid IPv4 header"},
        {12, ipv4("", {64}), "not a valid IPv4 header"},
        {12, ipv6_part("", {64}), "not a valid IPv6 header"},
        {12, ipv4(datagram(), {}, 6), "not UDP"},
        {12, ipv6(datagram(), 6), "not UDP"},
        {12, ipv6(datagram(), 50), "not UDP"},
        {12, ipv4(bytes_of("c005 c000 0007 0000")), "not a valid UDP header"},
        {113, bytes_of("0004 0001 0006 020202020202 0000 0800") + ipv4(datagram()),
         "sent by the machine that captured"},
        {276, bytes_of("86dd 0000 00000003 0001 04 06 020202020202 0000") + six, "sent by the machine that captured"}};
    for (const auto& [link, bytes, reason] : cases) {
        CAPTURE(link, reason);
        CHECK(parsed(link, bytes).reason == reason);
    }
}
