// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/ingest/ingest.h"

#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

namespace {

CapturedFragment fragment(std::int64_t microseconds, std::int64_t event, int module, std::uint32_t run = 1) {
    CapturedFragment one;
    one.nanoseconds = microseconds * 1000;
    one.flow.source_port = static_cast<std::uint16_t>(module);
    one.payload = 1024;
    one.header = EventHeader{run, {event, module, 0}};
    one.place = {"c.pcap", microseconds + 1};
    return one;
}

CapturedFragment without_header(std::int64_t microseconds, int module) {
    CapturedFragment one = fragment(microseconds, 1, module);
    one.header.reset();
    return one;
}

Capture capture(std::vector<CapturedFragment> fragments) {
    Capture one;
    one.packets = static_cast<std::int64_t>(fragments.size());
    one.fragments = std::move(fragments);
    return one;
}

SentBursts sent(int ports, std::int64_t events) {
    SentBursts one;
    one.ports = ports;
    one.separations = {Time{20'000'000}};
    one.events = {events};
    return one;
}

/// Frames that arrived of each burst.
std::vector<std::int64_t> received_of(const std::vector<LossMapRow>& rows) {
    std::vector<std::int64_t> frames;
    for (const LossMapRow& row : rows) frames.push_back(row.frames_received);
    return frames;
}
using Frames = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("Named fragments are counted by burst, and what is missing was lost") {
    Capture received = capture({fragment(0, 1, 1), fragment(1, 1, 2), fragment(20, 2, 2)});
    const auto rows = ingest(received, sent(2, 3));
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].ports == 2);
    CHECK(rows[0].payload == Bytes{1024});
    CHECK(rows[0].separation == Time{20'000'000});
    CHECK(rows[0].events == 3);
    CHECK(rows[0].frames_sent == 6);
    CHECK(rows[0].frames_received == 3);
    CHECK(received.refusals.entries().empty());
}

TEST_CASE("Bursts that are numbered on, that begin anew, and of another run are bursts of their own") {
    Capture received = capture({fragment(0, 1, 1), fragment(20, 2, 1), fragment(10'000, 3, 1), fragment(20'000, 1, 1),
                                fragment(20'020, 2, 1), fragment(20'040, 1, 1, 2)});
    CHECK(received_of(ingest(received, sent(1, 2))) == Frames{2, 1, 2, 1});
}

TEST_CASE("A burst that was lost as a whole is seen by the numbers of the next") {
    Capture received = capture({fragment(0, 1, 1), fragment(20'000, 5, 1)});
    CHECK(received_of(ingest(received, sent(1, 2))) == Frames{1, 0, 1});
}

TEST_CASE("What belongs to no burst is refused by its reason") {
    CapturedFragment small = fragment(3, 1, 1), plain = without_header(4, 1), zero = fragment(5, 0, 1);
    small.payload = 100;
    Capture received = capture({fragment(0, 1, 1), fragment(1, 1, 1), small, plain, zero, fragment(7, 2, 1)});
    CHECK(received_of(ingest(received, sent(2, 2))) == Frames{2});
    std::vector<std::string> reasons;
    for (const auto& entry : received.refusals.entries()) reasons.push_back(entry.reason);
    CHECK(reasons == std::vector<std::string>{"captured twice", "a UDP payload other than 1024 B",
                                              "without an event header", "an event header that counts from 0"});
    CHECK(received.refusals.packets() == 4);
    CHECK(received.refusals.entries()[1].first.packet == 4);
    CHECK(received.warnings.empty());
}

TEST_CASE("A capture of longer bursts, or of more modules, than are said to have been sent gives no row") {
    std::vector<CapturedFragment> fragments, flows;
    for (int event = 1; event <= 128; ++event)
        for (int module = 1; module <= 40; ++module) {
            fragments.push_back(fragment(20 * event, event, module));
            flows.push_back(without_header(20 * event, module));
        }
    const auto named = [&] { return capture(fragments); };
    Capture received = named();
    CHECK_THROWS_WITH(ingest(received, sent(40, 100)),
                      Contains("packet 2021") && Contains("in 1120 packets") &&
                          Contains("the capture has 128 events of 40 modules in 1 burst") &&
                          Contains("expected --events 100"));
    received = named();
    CHECK_THROWS_WITH(ingest(received, sent(28, 128)), Contains("the capture has 128 events of 40 modules") &&
                                                           Contains("expected front_end.modules = 28"));
    received = capture(flows);
    CHECK_THROWS_WITH(ingest(received, sent(40, 100)),
                      Contains("the capture has 40 flows of up to 128 packets") && Contains("expected --events 100"));
    received = named();
    CHECK(ingest(received, sent(40, 128)).front().lossless());
    CHECK(received.warnings.empty());
}

TEST_CASE(
    "A capture of shorter bursts gives rows and a warning, because the last events may be lost, or no row where a "
    "silence shows the end") {
    Capture received = capture({fragment(0, 1, 1), fragment(1, 1, 2), fragment(20, 2, 2)});
    CHECK(ingest(received, sent(2, 5)).front().frames_received == 3);
    REQUIRE(received.warnings.size() == 1);
    CHECK_THAT(received.warnings.front(), Contains("nothing arrived after event 2 of 5"));
    Capture flows = capture({without_header(0, 1), without_header(1, 2), without_header(20, 2)});
    CHECK(ingest(flows, sent(2, 5)).front().frames_received == 3);
    REQUIRE(flows.warnings.size() == 1);
    CHECK_THAT(flows.warnings.front(), Contains("no flow has more than 2 packets of 5"));
    // Two bursts of two events, numbered on, said to be one of four.
    Capture two = capture({fragment(0, 1, 1), fragment(20, 2, 1), fragment(10'000, 3, 1), fragment(10'020, 4, 1)});
    CHECK_THROWS_WITH(ingest(two, sent(1, 4)),
                      Contains("packet 10001") && Contains("a silence before event 3, within a burst of 4"));
}

TEST_CASE("Another payload than was sent is named, with both sizes") {
    std::vector<CapturedFragment> small;
    for (int event = 1; event <= 3; ++event) {
        small.push_back(fragment(20 * event, event, 1));
        small.back().payload = 512;
    }
    SentBursts of_scenario = sent(1, 3);
    of_scenario.payload = Bytes{1024};
    Capture received = capture(small);
    CHECK_THROWS_WITH(ingest(received, of_scenario),
                      Contains("UDP payload: found 512 B, in 3 packets, expected 1024 B"));
    for (CapturedFragment& one : small) one.header.reset();
    received = capture(small);
    received.refusals.add("not UDP", {"c.pcap", 1});
    CHECK_THROWS_WITH(ingest(received, of_scenario),
                      Contains("UDP payload: found 512 B, in 3 packets, expected 1024 B") && !Contains("not UDP"));
}

TEST_CASE("A capture that ends in the middle of a packet gives no row") {
    Capture received = capture({fragment(0, 1, 1)});
    received.damage = PacketPlace{"c.pcap", 7};
    CHECK_THROWS_WITH(ingest(received, sent(1, 2)), Contains("c.pcap: packet 7: the file ends or is damaged"));
}

TEST_CASE("A damaged event number makes no bursts") {
    // Four thousand million events, two in a burst, were two thousand million bursts of which nothing arrived.
    Capture received =
        capture({fragment(0, 1, 1), fragment(10'000, EventHeader::kLargestEvent, 1), fragment(20'000, 3, 1)});
    CHECK(received_of(ingest(received, sent(1, 2))) == Frames{1, 1});
    REQUIRE(received.refusals.entries().size() == 1);
    CHECK(received.refusals.entries()[0].first.packet == 10'001);
    CHECK_THAT(received.refusals.entries()[0].reason, Contains("beyond the 100000"));
}

TEST_CASE("Without event headers the packets of each flow are counted, and a silence separates bursts") {
    Capture received = capture({without_header(0, 1), without_header(1, 2), without_header(20, 1),
                                without_header(21, 2), without_header(10'000, 2)});
    CHECK(received_of(ingest(received, sent(2, 2))) == Frames{4, 1});
    CHECK(received.refusals.entries().empty());
}

TEST_CASE("Each burst may have settings of its own, as many as there are bursts") {
    SentBursts one = sent(1, 1);
    one.separations = {Time{10}, Time{20}};
    one.events = {1, 3};
    Capture received = capture({fragment(0, 1, 1), fragment(10'000, 2, 1), fragment(10'020, 3, 1)});
    const auto rows = ingest(received, one);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].frames_sent == 1);
    CHECK(rows[1].frames_sent == 3);
    CHECK(rows[1].frames_received == 2);
    CHECK(rows[1].separation == Time{20});
    one.separations = {Time{10}, Time{20}, Time{30}};
    Capture again = capture({fragment(0, 1, 1), fragment(10'000, 2, 1)});
    CHECK_THROWS_WITH(ingest(again, one), Contains("--separation: found 3 values for 2 bursts"));
}

TEST_CASE("A flow too many and a capture without fragments are errors") {
    Capture flows = capture({without_header(0, 1), without_header(1, 2), without_header(2, 3)});
    CHECK_THROWS_WITH(ingest(flows, sent(2, 2)), Contains("c.pcap: packet 3") && Contains("beyond the 2 ports"));
    Capture nothing = capture({});
    CHECK_THROWS_WITH(ingest(nothing, sent(2, 2)), Contains("found no fragment"));
}
