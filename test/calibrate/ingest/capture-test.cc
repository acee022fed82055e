// SPDX-License-Identifier: GPL-2.0-only
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "calibrate/ingest/ingest.h"
#include "scenarios/text/input-error.h"
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
std::string udp_frame(const std::string& tags = "", std::uint8_t protocol = 17, std::uint16_t fragment_field = 0x4000) {
    const auto n = [](std::uint32_t value, int bytes) { return number(value, bytes, true); };
    std::string frame(12, '\x02');
    frame += tags + n(0x0800, 2);
    frame += n(0x45, 1) + n(0, 1) + n(20 + 8 + 100, 2) + n(0, 2) + n(fragment_field, 2) + n(64, 1) + n(protocol, 1) +
             n(0, 2) + n(0x0a010005, 4) + n(0x0a000001, 4);
    frame += n(49157, 2) + n(49152, 2) + n(8 + 100, 2) + n(0, 2);
    frame += n(0x5753, 2) + n(1, 2) + n(77, 4) + n(12, 4) + n(5, 2) + n(0, 2);
    return frame + std::string(84, '\0');
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
            CHECK(fragment.flow.source == 0x0a010005);
            CHECK(fragment.flow.destination_port == 49152);
            REQUIRE(fragment.header);
            CHECK(fragment.header->run == 77);
            CHECK(fragment.header->frame == FrameId{12, 5, 0});
            CHECK(capture.refusals.entries().empty());
        }
}

TEST_CASE("VLAN tags are skipped, two of them as well") {
    const std::string tag = std::string("\x81\x00\x00\x07", 4), service = std::string("\x88\xa8\x00\x07", 4);
    for (const std::string& tags : {tag, service + tag}) {
        const CaptureFile file(file_header({}) + record({}, udp_frame(tags), 0));
        CHECK(read_captures({file.name()}).fragments.at(0).header->frame.event == 12);
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

TEST_CASE("Packets that are no UDP in IPv4 are refused by name") {
    std::string arp(60, '\0'), bad = udp_frame();
    arp[12] = '\x08', arp[13] = '\x06';
    bad[14] = '\x41';
    const CaptureFile file(file_header({}) + record({}, arp, 0) + record({}, udp_frame("", 6), 0) +
                           record({}, udp_frame("", 17, 0x2000), 0) + record({}, bad, 0) + record({}, arp, 0));
    const Capture capture = read_captures({file.name()});
    CHECK(capture.packets == 5);
    CHECK(capture.fragments.empty());
    std::vector<std::pair<std::string, std::int64_t>> refused;
    for (const auto& entry : capture.refusals.entries()) refused.emplace_back(entry.reason, entry.packets);
    CHECK(refused == std::vector<std::pair<std::string, std::int64_t>>{{"not IPv4", 2},
                                                                       {"not UDP", 1},
                                                                       {"a part of a fragmented IP packet", 1},
                                                                       {"not a valid IPv4 header", 1}});
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

TEST_CASE("What is no Ethernet capture is refused by name") {
    const CaptureFile pcapng(std::string("\x0a\x0d\x0d\x0a", 4) + std::string(24, '\0')),
        text("ports,payload_bytes\n44,1024\n"), empty(""), raw(file_header({}, 101));
    CHECK_THROWS_WITH(read_captures({pcapng.name()}), Contains("pcapng"));
    CHECK_THROWS_WITH(read_captures({text.name()}), Contains("expected a pcap capture"));
    CHECK_THROWS_WITH(read_captures({empty.name()}), Contains("empty"));
    CHECK_THROWS_WITH(read_captures({raw.name()}), Contains("link type: found RAW"));
    CHECK_THROWS_AS(read_captures({"/nonexistent.pcap"}), InputError);
}
