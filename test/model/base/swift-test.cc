// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/swift.h"

#include <cmath>

#include "test/catch.h"

using namespace watershed;

namespace {

constexpr Time us(std::int64_t n) { return Time{n * 1'000'000}; }
constexpr BitRate kFast{100'000'000'000};
constexpr Bytes kPacket{1250};  // 100 ns

Acknowledgement news(Time delay, std::uint64_t newly = 1, std::size_t hops = 0) {
    Acknowledgement made;
    made.newly = newly;
    made.delay = delay;
    made.links.resize(hops);
    return made;
}

/// Base target 20 us, 1 us a hop, and nothing for flows.
Swift plain() {
    Swift swift;
    swift.flow_scaling = Time{0};
    return swift;
}

}  // namespace

// From 0.1 to 100 packets 1 / sqrt(w) falls from 3.1623 to 0.1: a window of 1 gets (1 - 0.1) / 3.0623 of 40 us.
TEST_CASE("The target of Swift grows with hops, and the narrower a window is") {
    Swift swift;
    swift.max_window = swift.min_window = 1;
    CHECK(SwiftFlow(swift, kFast, kPacket).get_target(3).count() == Approx(23e6 + 0.29390 * 40e6).epsilon(1e-4));
    swift.max_window = swift.min_window = 100;
    CHECK(SwiftFlow(swift, kFast, kPacket).get_target(0) == us(20));
    swift.max_window = swift.min_window = 0.05;
    CHECK(SwiftFlow(swift, kFast, kPacket).get_target(0) == us(60));
}

TEST_CASE("A window of Swift grows by a packet in a round trip, and shrinks by part of the excess once in one") {
    SwiftFlow flow(plain(), kFast, kPacket);
    CHECK(flow.get_window() == 200);  // 20 us at 100 Gb/s
    CHECK(flow.window() == 200 * 1250);
    flow.acknowledged(news(us(10)), us(10));
    CHECK(flow.get_window() == 200 + 1.0 / 200);
    flow.acknowledged(news(us(21), 1, 2), us(20));  // two hops: the target is 22 us
    const double grown = 200 + 1.0 / 200 + 1 / (200 + 1.0 / 200);
    CHECK(flow.get_window() == Approx(grown));
    flow.acknowledged(news(us(25)), us(30));  // a fifth above
    CHECK(flow.get_window() == Approx(grown * (1 - 0.8 * 0.2)));
    flow.acknowledged(news(us(1000)), us(54));  // too early, by the round trip that it tells
    CHECK(flow.get_window() == Approx(grown * (1 - 0.8 * 0.2)));
    flow.acknowledged(news(us(1000)), us(1031));  // 0.98 above: a half at most
    CHECK(flow.get_window() == Approx(grown * (1 - 0.8 * 0.2) / 2));
}

TEST_CASE("A window of Swift below a packet is paced, and grows by ai for each packet") {
    Swift swift = plain();
    swift.max_window = 0.25;
    SwiftFlow flow(swift, kFast, kPacket);
    flow.acknowledged(news(us(10)), us(10));
    CHECK(flow.rate(us(10)) == Approx(0.25 * 1250 * 8 / 10e-6));
    CHECK(flow.window() == 1250);
    flow.lost(false, us(20));
    CHECK(flow.get_window() == 0.125);
    flow.lost(true, us(40));
    CHECK(flow.get_window() == 0.0625);
    swift.max_window = 1000;
    SwiftFlow wide(swift, kFast, kPacket);
    for (int i = 1; i <= 4; ++i) wide.lost(true, us(30 * i));
    CHECK(wide.get_window() == Approx(200.0 / 16));
    wide.lost(true, us(150));  // the fifth without an answer
    CHECK(wide.get_window() == 0.001);
    wide.acknowledged(news(us(10), 3), us(160));
    CHECK(wide.get_window() == Approx(3.001));
}
