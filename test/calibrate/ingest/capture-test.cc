// SPDX-License-Identifier: GPL-2.0-only
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "calibrate/ingest/ingest.h"
#include "scenarios/text/input-error.h"
#include "test/calibrate/ingest/packet-bytes.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// A file that is gone afterwards.
class CaptureFile {
  public:
    explicit CaptureFile(const std::string& bytes)
        : name_((std::filesystem::temp_directory_path() /
                 ("watershed-capture-" + std::to_string(++count_) + "-" + std::to_string(::getpid())))
                    .string()) {
        std::ofstream(name_, std::ios::binary) << bytes;
    }
    ~CaptureFile() { std::filesystem::remove(name_); }
    CaptureFile(const CaptureFile&) = delete;
    CaptureFile& operator=(const CaptureFile&) = delete;
    const std::string& name() const { return name_; }

  private:
    static inline int count_ = 0;
    std::string name_;
};

std::string number(std::uint32_t value, int bytes, bool big_endian) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * (big_endian ? bytes - 1 - i : i));
    return text;
}

struct Format {
    bool big_endian = false;
    bool nanoseconds = true;
};

std::string file_header(const Format& format, std::uint32_t link_type = 1) {
    const auto n = [&](std::uint32_t value, int bytes) { return number(value, bytes, format.big_endian); };
    return n(format.nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4, 4) + n(2, 2) + n(4, 2) + n(0, 4) + n(0, 4) + n(65535, 4) +
           n(link_type, 4);
}

std::string record(const Format& format, const std::string& frame, std::uint32_t fraction,
                   std::size_t captured = std::string::npos) {
    const auto n = [&](std::size_t value) { return number(static_cast<std::uint32_t>(value), 4, format.big_endian); };
    const std::string kept = frame.substr(0, captured);
    return n(3) + n(fraction) + n(kept.size()) + n(frame.size()) + kept;
}

/// Ethernet, IPv4, UDP and event header by hand.
std::string udp_frame(const std::string& type = "0800") { return ethernet(ipv4(datagram()), type); }

/// Returns the refused packets by reason.
std::vector<std::pair<std::string, std::int64_t>> refused(const Capture& capture) {
    std::vector<std::pair<std::string, std::int64_t>> all;
    for (const auto& entry : capture.refusals.entries()) all.emplace_back(entry.reason, entry.packets);
    return all;
}

/// Returns a capture of raw IP whose packets come 1 us after one another, or at the times given in microseconds.
Capture capture_of(const std::vector<std::string>& packets, const std::vector<std::uint32_t>& times = {}) {
    std::string bytes = file_header({}, 101);
    for (std::size_t i = 0; i < packets.size(); ++i) {
        const std::uint32_t time = times.empty() ? std::uint32_t(i) : times[i];
        bytes += number(time / 1'000'000, 4, false) + number(time % 1'000'000 * 1000, 4, false) +
                 number(std::uint32_t(packets[i].size()), 4, false) +
                 number(std::uint32_t(packets[i].size()), 4, false) + packets[i];
    }
    return read_captures({CaptureFile(bytes).name()});
}

/// Returns the 3 pieces of a datagram of 108 bytes.
std::vector<std::string> pieces_of(bool four, int event, std::size_t id) {
    std::vector<std::string> pieces;
    for (const std::size_t begin : {0U, 40U, 80U}) {
        const std::string body = datagram(event).substr(begin, 40);
        const Part part{begin, begin < 80, id};
        pieces.push_back(four ? ipv4(body, part) : ipv6_part(body, part));
    }
    return pieces;
}

/// Block of pcapng, padded to 4 bytes.
std::string block(std::uint32_t type, std::string body) {
    body.resize((body.size() + 3) / 4 * 4);
    const std::string size = number(std::uint32_t(body.size()) + 12, 4, false);
    return number(type, 4, false) + size + body + size;
}
/// Section and interfaces. @param interfaces  link types, each with its resolution: 9 for nanoseconds
std::string pcapng_header(const std::vector<std::pair<int, int>>& interfaces) {
    std::string text = block(
        0x0a0d0d0a, number(0x1a2b3c4d, 4, false) + number(1, 2, false) + number(0, 2, false) + std::string(8, '\xff'));
    for (const auto& [link, resolution] : interfaces)
        text += block(1, number(std::uint32_t(link), 2, false) + number(0, 2, false) + number(65535, 4, false) +
                             number(9, 2, false) + number(1, 2, false) + number(std::uint32_t(resolution), 4, false) +
                             number(0, 4, false));
    return text;
}
std::string pcapng_packet(std::uint32_t interface, std::uint32_t time, const std::string& packet) {
    const auto n = [](std::size_t value) { return number(std::uint32_t(value), 4, false); };
    return block(6, n(interface) + n(0) + n(time) + n(packet.size()) + n(packet.size()) + packet);
}

}  // namespace

TEST_CASE("Both byte orders and both resolutions of time are read") {
    for (const bool big_endian : {false, true})
        for (const bool nanoseconds : {false, true}) {
            const Format format{big_endian, nanoseconds};
            const CaptureFile file(file_header(format) + record(format, udp_frame(), 250));
            const Capture capture = read_captures({file.name()});
            REQUIRE(capture.fragments.size() == 1);
            const CapturedFragment& fragment = capture.fragments[0];
            CHECK(fragment.nanoseconds == 3'000'000'000 + (nanoseconds ? 250 : 250'000));
            CHECK(fragment.payload == 100);
            CHECK(fragment.flow.source == IpAddress{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 1, 0, 5});
            CHECK(fragment.flow.destination_port == 49152);
            REQUIRE(fragment.header);
            CHECK(fragment.header->run == 77);
            CHECK(fragment.header->frame == FrameId{12, 5, 0});
            CHECK(capture.refusals.entries().empty());
        }
}

TEST_CASE("A packet that was cut short still counts while its UDP header is there") {
    const CaptureFile file(file_header({}) + record({}, udp_frame(), 0, 42) + record({}, udp_frame(), 1, 41) +
                           record({}, udp_frame(), 2, 58));
    const Capture capture = read_captures({file.name()});
    REQUIRE(capture.fragments.size() == 2);
    CHECK_FALSE(capture.fragments[0].header);
    CHECK(capture.fragments[1].header);
    REQUIRE(capture.refusals.entries().size() == 1);
    CHECK_THAT(capture.refusals.entries()[0].reason, Contains("cut off before the end of its UDP header"));
    CHECK(capture.refusals.entries()[0].first.packet == 2);
}

TEST_CASE("A file that ends within a packet gives those before") {
    const std::string whole = file_header({}) + record({}, udp_frame(), 0) + record({}, udp_frame(), 1);
    const CaptureFile file(whole.substr(0, whole.size() - 10));
    const Capture capture = read_captures({file.name()});
    CHECK(capture.fragments.size() == 1);
    CHECK(capture.packets == 2);
    REQUIRE(capture.refusals.entries().size() == 1);
    CHECK_THAT(capture.refusals.entries()[0].reason, Contains("ends"));
}

TEST_CASE("The files of several uplinks are one capture, by time") {
    const CaptureFile late(file_header({}) + record({}, udp_frame(), 20) + record({}, udp_frame(), 40)),
        early(file_header({}) + record({}, udp_frame(), 30));
    const Capture capture = read_captures({late.name(), early.name()});
    REQUIRE(capture.fragments.size() == 3);
    CHECK(capture.fragments[1].place.file == early.name());
}

TEST_CASE("A fragmented datagram arrived once all its pieces are there, in any order") {
    for (const bool four : {true, false}) {
        std::vector<int> order{0, 1, 2};
        do {
            // Another datagram's pieces between them, of the same addresses.
            const auto mine = pieces_of(four, 12, 7), other = pieces_of(four, 13, 8);
            std::vector<std::string> packets;
            for (const int i : order) packets.push_back(mine[i]), packets.push_back(other[2 - i]);
            const Capture capture = capture_of(packets);
            REQUIRE(capture.fragments.size() == 2);
            CHECK(capture.packets == 6);
            CHECK(capture.further_pieces == 4);
            CHECK(refused(capture).empty());
            // The last pieces come at 4 us and 5 us.
            CHECK(capture.fragments[0].nanoseconds == 4000);
            CHECK(capture.fragments[0].header->frame.event == 12);
            CHECK(capture.fragments[1].nanoseconds == 5000);
            CHECK(capture.fragments[1].header->frame.event == 13);
            CHECK(capture.fragments[1].payload == 100);
        } while (std::next_permutation(order.begin(), order.end()));
    }
}

TEST_CASE("A datagram with a missing piece did not arrive, and its pieces are counted") {
    const std::string missing = "a piece of a fragmented datagram of which others are missing";
    for (const bool four : {true, false})
        for (int lost = 0; lost < 3; ++lost) {
            std::vector<std::string> packets = pieces_of(four, 12, 7);
            packets.erase(packets.begin() + lost);
            packets.push_back(four ? ipv4(datagram(14)) : ipv6(datagram(14)));
            const Capture capture = capture_of(packets);
            REQUIRE(capture.fragments.size() == 1);
            CHECK(capture.fragments[0].header->frame.event == 14);
            CHECK(capture.further_pieces == 0);
            CHECK(refused(capture) == std::vector<std::pair<std::string, std::int64_t>>{{missing, 2}});
            CHECK(capture.refusals.entries()[0].first.packet == 1);
        }
}

TEST_CASE("A number that comes again is a later datagram") {
    const auto early = pieces_of(true, 12, 7), late = pieces_of(true, 13, 7);
    // The first piece alone of the early one; the late one's takes its place.
    Capture capture = capture_of({early[0], late[0], late[1], late[2]});
    REQUIRE(capture.fragments.size() == 1);
    CHECK(capture.fragments[0].header->frame.event == 13);
    CHECK(capture.refusals.packets() == 1);
    // Pieces that are more than 30 s apart are of two datagrams.
    for (const std::uint32_t apart : {30'000'000U, 30'000'001U}) {
        capture = capture_of({early[0], early[1], late[2]}, {5, 6, 5 + apart});
        CHECK(capture.fragments.size() == (apart == 30'000'000U ? 1 : 0));
        CHECK(capture.refusals.packets() == (apart == 30'000'000U ? 0 : 3));
    }
}

TEST_CASE("Pieces may come over several links") {
    const auto pieces = pieces_of(true, 12, 7);
    const CaptureFile one(file_header({}, 101) + record({}, pieces[2], 30) + record({}, pieces[0], 50)),
        other(file_header({}, 228) + record({}, pieces[1], 40));
    const Capture capture = read_captures({one.name(), other.name()});
    REQUIRE(capture.fragments.size() == 1);
    CHECK(capture.fragments[0].nanoseconds == 3'000'000'050);
}

TEST_CASE("pcapng gives nanoseconds, of interfaces with resolutions of their own") {
    // 2500 us and 2600 us in units of 1 ns and 1 us.
    const CaptureFile file(pcapng_header({{1, 9}, {1, 6}}) + pcapng_packet(0, 2'500'123, udp_frame()) +
                           pcapng_packet(1, 2600, udp_frame()));
    const Capture capture = read_captures({file.name()});
    REQUIRE(capture.fragments.size() == 2);
    CHECK(capture.fragments[0].nanoseconds == 2'500'123);
    CHECK(capture.fragments[1].nanoseconds == 2'600'000);
    const CaptureFile mixed(pcapng_header({{1, 9}}) + pcapng_packet(0, 1, udp_frame()) +
                            pcapng_header({{101, 9}}).substr(28) + pcapng_packet(1, 2, ipv4(datagram())));
    CHECK_THROWS_WITH(read_captures({mixed.name()}),
                      Contains(mixed.name() + ": packet 2: found an interface of another link type"));
    const CaptureFile cut(pcapng_header({{1, 9}}) + pcapng_packet(0, 1, udp_frame()) + std::string("\x06\0\0\0", 4));
    CHECK(read_captures({cut.name()}).damage->packet == 2);
}

TEST_CASE("A capture that comes through a pipe is read once, and one that is cut off is named") {
    const std::string whole = file_header({}) + record({}, udp_frame(), 0);
    for (const std::size_t missing : {0U, 10U, 150U, 170U, 182U}) {
        int ends[2];
        REQUIRE(::pipe(ends) == 0);
        REQUIRE(::write(ends[1], whole.data(), whole.size() - missing) == ssize_t(whole.size() - missing));
        ::close(ends[1]);
        const std::string name = "/dev/fd/" + std::to_string(ends[0]);
        // 24 bytes of the file, 16 of the record, 142 of the frame: 182.
        if (missing < 158) {
            const Capture capture = read_captures({name});
            CHECK(capture.fragments.size() == (missing == 0 ? 1 : 0));
            CHECK(capture.damage.has_value() == (missing > 0));
            if (missing > 0) CHECK(capture.damage->file == name);
        } else {
            CHECK_THROWS_WITH(read_captures({name}), Contains(name));
        }
        ::close(ends[0]);
    }
}

TEST_CASE("What is no capture of a known link is refused by name") {
    const CaptureFile pcapng(std::string("\x0a\x0d\x0d\x0a", 4) + std::string(24, '\0')),
        text("ports,payload_bytes\n44,1024\n"), empty(""), air(file_header({}, 105));
    CHECK_THROWS_WITH(read_captures({pcapng.name()}), Contains("expected a pcap capture"));
    CHECK_THROWS_WITH(read_captures({text.name()}), Contains("expected a pcap capture"));
    CHECK_THROWS_WITH(read_captures({empty.name()}), Contains("empty"));
    CHECK_THROWS_WITH(read_captures({air.name()}), Contains("link type: found IEEE802_11"));
    CHECK_THROWS_WITH(read_captures({"/nonexistent.pcap"}),
                      Contains("/nonexistent.pcap: cannot be read: No such file"));
    CHECK_THROWS_WITH(read_captures({"/"}), Contains("/: cannot be read: Is a directory"));
}
