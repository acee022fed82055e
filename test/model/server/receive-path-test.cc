// SPDX-License-Identifier: GPL-2.0-only
#include "model/server/receive-path.h"

#include <rapidcheck.h>

#include <algorithm>

#include "test/catch.h"

using namespace watershed;

namespace {

constexpr FrameSizes kFrame{Bytes{1000}, Bytes{1046}, Bytes{1066}, Bytes{1066}};

Receiver ideal() {
    Receiver receiver;
    receiver.path = Receiver::Path::Ideal;
    return receiver;
}

/// When the frames of one interface that arrive at these times have been taken; nothing for those that are lost.
std::vector<std::optional<Time>> taken(const Receiver& receiver, const std::vector<std::int64_t>& arrivals) {
    ReceivePath path(receiver, 1);
    std::vector<std::optional<Time>> times(arrivals.size());
    const auto take = [&](Time now) {
        path.take_until(now, [&](const FrameId& frame, Bytes, Time time) {
            times[static_cast<std::size_t>(frame.event - 1)] = time;
        });
    };
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
        take(Time{arrivals[i]});
        path.arrive({static_cast<std::int64_t>(i) + 1, 1, 0}, kFrame, 0, Time{arrivals[i]});
    }
    take(Time::max());
    return times;
}

using Times = std::vector<std::optional<Time>>;

}  // namespace

TEST_CASE("An ideal server takes a frame the moment it has arrived") {
    CHECK(taken(ideal(), {5, 5, 9}) == Times{Time{5}, Time{5}, Time{9}});
}

TEST_CASE("A core takes one frame after the other, for the cost of frame and bytes") {
    Receiver receiver = ideal();
    receiver.given.frame = Time{1000};
    receiver.given.byte = Time{2};  // 1000 + 2 * 1000 B = 3000
    CHECK(taken(receiver, {0, 100, 10'000}) == Times{Time{3000}, Time{6000}, Time{13'000}});
    receiver.cores = 2;
    CHECK(taken(receiver, {0, 100, 200}) == Times{Time{3000}, Time{3100}, Time{6000}});
}

TEST_CASE("A frame that finds no descriptor is lost, and one that is taken as it comes is no longer there") {
    Receiver receiver = ideal();
    receiver.given.frame = Time{100};
    receiver.given.ring = std::optional(MemorySize{2});
    // The first is taken at 100, just before the fourth comes.
    CHECK(taken(receiver, {0, 1, 2, 100}) == Times{Time{100}, Time{200}, std::nullopt, Time{300}});
}

TEST_CASE("A ring of bytes takes a frame that fits beside what is there") {
    Receiver receiver = ideal();
    receiver.given.frame = Time{100};
    // Two of 1046 B are 2092 B; the third finds 207 B, and at 100 the first has been taken.
    for (const auto& [bytes, third] : {std::pair(2299, false), std::pair(3137, false), std::pair(3138, true)}) {
        receiver.given.ring = std::optional(MemorySize{bytes, MemorySize::Unit::Byte});
        CHECK(taken(receiver, {0, 1, 2, 100})[2].has_value() == third);
        CHECK(taken(receiver, {0, 1, 2, 100})[3] == Time{third ? 400 : 300});
    }
    receiver.given.ring = std::optional(MemorySize{2299, MemorySize::Unit::Byte});
    ReceivePath path(receiver, 1);
    FrameSizes small = kFrame;
    small.buffer = Bytes{207};
    CHECK(path.arrive({1, 1, 0}, kFrame, 0, Time{0}));
    CHECK(path.arrive({2, 1, 0}, kFrame, 0, Time{0}));
    CHECK_FALSE(path.arrive({3, 1, 0}, kFrame, 0, Time{0}));
    CHECK(path.arrive({4, 1, 0}, small, 0, Time{0}));
    small.buffer = Bytes{1};
    CHECK_FALSE(path.arrive({5, 1, 0}, small, 0, Time{0}));
}

TEST_CASE("For frames of one size a ring of bytes is one of descriptors") {
    CHECK(rc::check("that hold so many", [] {
        const std::int64_t frames = *rc::gen::inRange(1, 9), rest = *rc::gen::inRange<std::int64_t>(0, 1046);
        std::vector<std::int64_t> arrivals = *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange(0, 9000));
        std::sort(arrivals.begin(), arrivals.end());
        Receiver receiver = ideal();
        receiver.given.frame = Time{*rc::gen::inRange(0, 3000)};
        receiver.given.interrupt_delay = Time{*rc::gen::inRange(0, 3000)};
        receiver.given.ring = std::optional(MemorySize{frames});
        const Times expected = taken(receiver, arrivals);
        receiver.given.ring = std::optional(MemorySize{frames * 1046 + rest, MemorySize::Unit::Byte});
        RC_ASSERT(taken(receiver, arrivals) == expected);
    }));
}

TEST_CASE("DMA moves the frames of an interface one after the other") {
    Receiver receiver = ideal();
    receiver.given.dma_rate =
        std::optional<BitRate>(BitRate{8'000'000'000});  // a byte each nanosecond: 1046 ns a frame
    CHECK(taken(receiver, {0, 0, 5'000'000}) == Times{Time{1'046'000}, Time{2'092'000}, Time{6'046'000}});
}

TEST_CASE("An interrupt comes a while after the first frame, or at once with so many, and wakes a core once") {
    Receiver receiver = ideal();
    receiver.given.interrupt_delay = Time{100};
    receiver.given.wake_up = Time{10};
    receiver.given.frame = Time{1};
    CHECK(taken(receiver, {0, 50, 150}) == Times{Time{111}, Time{112}, Time{261}});
    receiver.interrupt_frames = 2;
    CHECK(taken(receiver, {0, 50, 150}) ==
          Times{Time{61}, Time{62}, Time{261}});  // the first one's delay is over at 100, in vain
}

TEST_CASE("A program that polls sees frames at multiples of its period") {
    Receiver receiver = ideal();
    receiver.polling = true;
    receiver.poll_period = Time{100};
    CHECK(taken(receiver, {0, 1, 100, 101}) == Times{Time{0}, Time{100}, Time{100}, Time{200}});
}

TEST_CASE("Every frame is taken or lost, each core works at most all the time, and all rings are empty in the end") {
    CHECK(rc::check("for random arrivals", [] {
        Receiver receiver;
        receiver.path = *rc::gen::element(Receiver::Path::Ideal, Receiver::Path::Netmap, Receiver::Path::Socket);
        receiver.given.ring = std::optional(MemorySize{*rc::gen::inRange(1, 20)});
        receiver.cores = *rc::gen::inRange(1, 4);
        ReceivePath path(receiver, 3);
        Time now{0}, last{0};
        int arrived = 0, lost = 0, taken = 0;
        const auto take = [&](Time until) {
            path.take_until(until, [&](const FrameId&, Bytes, Time time) {
                RC_ASSERT(time >= last);
                last = time;
                ++taken;
            });
        };
        for (const int gap : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 3'000'000))) {
            now += Time{gap};
            take(now);
            lost += !path.arrive({++arrived, 1, 0}, kFrame, gap % 3, now);
        }
        take(Time::max());
        RC_ASSERT(arrived == taken + lost);
        Outcome::Server server;
        path.report(server);
        RC_ASSERT(server.busy <= last * receiver.cores);
        for (const auto& each : server.interfaces) RC_ASSERT(!each.ring.recovering());
    }));
}
