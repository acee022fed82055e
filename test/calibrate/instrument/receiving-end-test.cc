// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/instrument/receiving-end.h"

#include <algorithm>
#include <functional>
#include <set>

#include "calibrate/instrument/port-rig.h"
#include "model/base/byte-order.h"
#include "model/base/udp-head.h"
#include "test/catch.h"

using namespace watershed;

namespace {

constexpr std::array<std::uint8_t, 6> kReceiver{2, 3, 4, 5, 6, 7};

constexpr Time kMicrosecond{1'000'000};

/// Frame i arrives at time_of(i).
std::vector<ArrivedFrame> arriving(std::size_t frames, const std::function<Time(std::int64_t)>& time_of) {
    std::vector<ArrivedFrame> arrivals;
    for (std::size_t i = 0; i < frames; ++i) arrivals.push_back({2 * i, time_of(static_cast<std::int64_t>(i))});
    return arrivals;
}

}  // namespace

TEST_CASE("A trigger that is held up half way is as late as the hold-up") {
    Lateness lateness;
    const Nanoseconds usual{40'000};
    lateness.add(Nanoseconds{20}, usual);
    lateness.add(Nanoseconds{10}, usual + Nanoseconds{300'000});
    lateness.add(Nanoseconds{30}, usual);
    CHECK(lateness.median() == Nanoseconds{20});
    CHECK(lateness.median_handover() == usual);
    CHECK(lateness.worst() == Nanoseconds{300'010});
    constexpr Time kApart{1'000'000'000};
    CHECK(lateness.times(kApart) ==
          std::vector<Time>{Time{20'000}, kApart + Time{300'010'000}, kApart * 2 + Time{30'000}});
    CHECK(lateness.mean_handover() == usual + Nanoseconds{100'000});
    // The second frame of two that the trigger held up has.
    CHECK(lateness.handed_over(1, 1, {2, Bytes{1024}, kApart, 3}) == kApart - Time{10'000} + Time{170'000'000});
}

TEST_CASE("A trigger that begins late is late, though it hurries") {
    Lateness lateness;
    for (int i = 0; i < 4; ++i) lateness.add(Nanoseconds{0}, Nanoseconds{40'000});
    lateness.add(Nanoseconds{90'000}, Nanoseconds{10'000});
    CHECK(lateness.worst() == Nanoseconds{90'000});
    CHECK(lateness.median() == Nanoseconds{0});
}

TEST_CASE("From the first frame of a burst to the last of a trigger is its time and the last trigger's handover") {
    Lateness lateness;
    lateness.add(Nanoseconds{10}, Nanoseconds{90'000});
    lateness.add(Nanoseconds{0}, Nanoseconds{60'000});
    lateness.add(Nanoseconds{40}, Nanoseconds{50'000});
    constexpr Time kApart{1'000'000'000};
    const std::vector<Time> times = lateness.times(kApart);
    CHECK(lateness.last_handover() == Nanoseconds{50'000});
    CHECK(times == std::vector<Time>{Time{10'000}, kApart + Time{10'000'000}, kApart * 2 + Time{40'000}});
    CHECK(times[1] + lateness.last_handover() == kApart + Nanoseconds{60'000});
}

TEST_CASE("A stall counts that holds up frames that were sent, until the last of the burst is") {
    Lateness lateness;
    for (int i = 0; i < 5; ++i) lateness.add(Nanoseconds{0}, Nanoseconds{40'000});
    constexpr Time kApart{1'000'000'000}, kHalf = kApart / 2;
    const BurstSetting setting{2, Bytes{1024}, kApart, 5};
    // The first frame of the third trigger was handed over at twice the separation.
    CHECK(lateness.stalled({4, kApart * 2, kHalf}, setting) == kHalf);
    CHECK(lateness.stalled({4, kApart * 2 - Time{1}, kHalf}, setting) == Time{0});
    // The last of all is handed over 20 us after the fifth trigger.
    CHECK(lateness.stalled({4, kApart * 4, kHalf}, setting) == Time{20'000'000});
    CHECK(lateness.stalled({4, kApart * 5, kHalf}, setting) == Time{0});
}

TEST_CASE("A fragment goes to the receiver alone, from an address of nobody, and past no router") {
    Fragments fragments(3, Bytes{100}, kReceiver, 9);
    std::set<std::uint64_t> sources;
    for (int port = 0; port < fragments.ports(); ++port) {
        const auto& frame = fragments.frame(port, 5);
        REQUIRE(frame.size() == 14 + 20 + 8 + 100);
        CHECK(std::equal(kReceiver.begin(), kReceiver.end(), frame.begin()));
        CHECK((frame[6] & 3) == 2);  // locally administered, and one station's
        CHECK(frame[14 + 8] == 1);   // time to live
        CHECK(internet_sum(&frame[14], 20) == 0xffff);
        CHECK(read_big_endian<2>(&frame[38]) == 108);
        CHECK(read_big_endian<2>(&frame[40]) == 0);  // no checksum
        sources.insert(read_big_endian<6>(&frame[6]));
        const auto header = EventHeader::parse(&frame[kUdpHead]);
        REQUIRE(header);
        CHECK(header->run == 9);
        CHECK(header->frame == FrameId{5, port + 1, 1});
    }
    CHECK(sources.size() == 3);
}

TEST_CASE("Arrivals are counted once, by event and module") {
    Fragments fragments(3, Bytes{16}, kReceiver, 9), others(3, Bytes{16}, kReceiver, 8);
    ReceivedFragments arrivals(3, 4, 9);
    arrivals.take(fragments.frame(2, 4).data(), Time{70});
    arrivals.take(fragments.frame(2, 4).data(), Time{80});
    arrivals.take(fragments.frame(0, 1).data(), Time{95});
    CHECK(arrivals.frames() == 2);
    CHECK(arrivals.repeated() == 1);
    CHECK(arrivals.has(4, 3));
    CHECK(arrivals.has(1, 1));
    CHECK_FALSE(arrivals.has(4, 2));
    arrivals.take(others.frame(1, 1).data(), Time{99});     // of another run
    arrivals.take(fragments.frame(1, 5).data(), Time{99});  // of an event that was not sent
    CHECK(arrivals.frames() == 2);
    CHECK(arrivals.spread() == Time{25});
    CHECK(arrivals.of_other_runs() == 1);
}

TEST_CASE("What an output does not make up is lost") {
    // A frame each 10 us, but 3 ms of silence before the 500th and 40 us before the 700th.
    const auto stalls = output_stalls(arriving(
        1000, [](std::int64_t i) { return kMicrosecond * (10 * i + (i >= 500 ? 2990 : 0) + (i >= 700 ? 30 : 0)); }));
    REQUIRE(stalls.size() == 2);
    CHECK(stalls[0].next == 1000);
    CHECK(stalls[0].begin == kMicrosecond * 4990);
    CHECK(stalls[0].lost == kMicrosecond * 2990);
    CHECK(stalls[1].next == 1400);
    CHECK(stalls[1].lost == kMicrosecond * 30);
}

TEST_CASE("A token bucket makes up for a pause, as far as it reaches") {
    // After the pause frames come 1 us apart until 100 of them have made up 900 us, or 55 all of 495 us.
    for (const std::int64_t pause : {2000, 495}) {
        const std::int64_t quick = std::min<std::int64_t>(100, pause / 9);
        const auto stalls = output_stalls(arriving(2000, [&](std::int64_t i) {
            const std::int64_t after = std::clamp<std::int64_t>(i - 1000, 0, quick);
            return kMicrosecond * (10 * i + (i >= 1000 ? pause : 0) - 9 * after);
        }));
        if (pause == 495) {
            CHECK(stalls.empty());
        } else {
            REQUIRE(stalls.size() == 1);
            CHECK(stalls[0].next == 2000);
            CHECK(stalls[0].lost == kMicrosecond * (pause - 900));
        }
    }
}

TEST_CASE("Neither triggers, nor frames that wait in a card, nor a quick beginning are stalls") {
    CHECK(output_stalls(arriving(4400, [](std::int64_t i) { return kMicrosecond * (i / 44 * 500 + i % 44); })).empty());
    CHECK(output_stalls(arriving(4400, [](std::int64_t i) { return kMicrosecond * (i / 30 * 300); })).empty());
    CHECK(output_stalls(arriving(4400, [](std::int64_t i) {
              return kMicrosecond * 10 * std::max<std::int64_t>(0, i - 300);
          })).empty());
    CHECK(output_stalls(arriving(4400, [](std::int64_t i) {
              return kMicrosecond * (10 * i + (i > 2000 ? 2 : 0));
          })).empty());
}

TEST_CASE("A few frames tell of no usual pace") {
    for (const std::size_t frames : {0, 1, 100})
        CHECK(
            output_stalls(arriving(frames, [](std::int64_t i) { return kMicrosecond * (i > 50 ? 9000 : i); })).empty());
    // Nor do frames that were all noted at once.
    CHECK(output_stalls(arriving(1000, [](std::int64_t) { return kMicrosecond; })).empty());
}
