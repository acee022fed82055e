// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/dcqcn.h"

#include <rapidcheck.h>

#include <cmath>

#include "test/catch.h"

using namespace watershed;

namespace {

constexpr Time us(std::int64_t n) { return Time{n * 1'000'000}; }

/// Timers so far apart that only what a test wants happens.
Dcqcn quiet() {
    Dcqcn dcqcn;
    dcqcn.gain = {1, 16};
    dcqcn.alpha_timer = us(1'000'000);
    dcqcn.rate_timer = us(1'000'000);
    return dcqcn;
}

constexpr BitRate kLink{100'000'000'000};

}  // namespace

TEST_CASE("The first notification halves the rate of a flow, the second takes a half of alpha off what is left") {
    // alpha = 1: R = 100 / 2 = 50; alpha stays (1 - g) 1 + g = 1, so that R = 25 and the target is 50
    DcqcnFlow flow(quiet(), kLink);
    CHECK_FALSE(flow.is_limited(us(0)));
    flow.notified(us(1));
    CHECK(flow.rate(us(1)) == 50e9);
    CHECK(flow.target() == 100e9);
    CHECK(flow.alpha() == 1);
    flow.notified(us(2));
    CHECK(flow.rate(us(2)) == 25e9);
    CHECK(flow.target() == 50e9);
}

TEST_CASE("Alpha falls by 1 - g each time its timer runs out, and the next cut is that much smaller") {
    Dcqcn dcqcn = quiet();
    dcqcn.alpha_timer = us(55);
    DcqcnFlow flow(dcqcn, kLink);
    flow.notified(us(0));
    flow.rate(us(54));
    CHECK(flow.alpha() == 1);
    flow.rate(us(3 * 55));
    const double alpha = 15.0 / 16 * (15.0 / 16) * (15.0 / 16);
    CHECK(flow.alpha() == Approx(alpha));
    flow.notified(us(3 * 55));
    CHECK(flow.rate(us(3 * 55)) == Approx(50e9 * (1 - alpha / 2)));
    CHECK(flow.alpha() == Approx(15.0 / 16 * alpha + 1.0 / 16));
}

TEST_CASE("A flow recovers by halves, then additively, and at last faster") {
    Dcqcn dcqcn = quiet();
    dcqcn.fast_recovery = 2;
    dcqcn.rate_timer = us(100);
    dcqcn.byte_counter = Bytes{1000};
    dcqcn.additive_increase = BitRate{1'000'000'000};
    dcqcn.hyper_increase = BitRate{5'000'000'000};
    DcqcnFlow flow(dcqcn, kLink);
    flow.notified(us(0));
    flow.notified(us(0));                   // R = 25, target = 50
    CHECK(flow.rate(us(100)) == 37.5e9);    // timer 1: (25 + 50) / 2
    CHECK(flow.rate(us(200)) == 43.75e9);   // timer 2
    CHECK(flow.rate(us(300)) == 47.375e9);  // timer 3 > F: target = 51, (43.75 + 51) / 2
    CHECK(flow.target() == 51e9);
    for (int i = 0; i < 2; ++i) flow.sent(Bytes{1000}, us(310));
    CHECK(flow.target() == 53e9);  // bytes 1 and 2, timer 3: additive
    flow.sent(Bytes{1000}, us(320));
    CHECK(flow.target() == 58e9);  // both beyond F: hyper
}

TEST_CASE("A flow that has recovered is not limited, however long ago that was") {
    Dcqcn dcqcn;
    dcqcn.rate_timer = us(10);
    DcqcnFlow flow(dcqcn, kLink);
    flow.notified(us(0));
    CHECK(flow.is_limited(us(5)));
    CHECK_FALSE(flow.is_limited(us(3'600'000'000)));
    CHECK(flow.rate(us(3'600'000'000)) == 100e9);
}

// Zhu et al. start alpha at 1 once: it falls by 1 - g for each alpha timer without a notification, at the rate of the
// link, too. Of 10 Gb/s, with g = 1/256 and both timers 55 us, three notifications 55 us apart and then one every 9 ms,
// each of which finds a flow that has recovered: 7890 us hold 143 timers, 9000 us 163.
TEST_CASE("Alpha goes on falling while a flow is as fast as its link, so that rare notifications cut little") {
    Dcqcn dcqcn;
    dcqcn.rate_timer = us(55);
    dcqcn.fast_recovery = 5;
    dcqcn.additive_increase = BitRate{40'000'000};
    dcqcn.hyper_increase = BitRate{400'000'000};
    DcqcnFlow flow(dcqcn, BitRate{10'000'000'000});
    const double kept = 255.0 / 256;
    double alpha = 1;
    const auto one_more = [&](int timers) { return alpha = (kept * alpha + 1.0 / 256) * std::pow(kept, timers); };
    for (const int at : {1000, 1055, 1110}) flow.notified(us(at));
    one_more(1);
    one_more(1);
    for (const int at : {9000, 18000, 27000}) {
        one_more(at == 9000 ? 143 : 163);
        CHECK_FALSE(flow.is_limited(us(at)));
        flow.notified(us(at));
        CHECK(flow.rate(us(at)) == Approx(10e9 * (1 - alpha / 2)));
    }
    CHECK(flow.rate(us(27000)) == Approx(9.199e9).epsilon(1e-4));
}

TEST_CASE("A rate never leaves [least, link], and looking at it in between changes nothing") {
    REQUIRE(rc::check([] {
        Dcqcn dcqcn;
        dcqcn.rate_timer = us(40);
        DcqcnFlow flow(dcqcn, kLink), watched(dcqcn, kLink);
        Time now{0};
        for (int i = *rc::gen::inRange(1, 60); i > 0; --i) {
            const auto step = *rc::gen::inRange<std::int64_t>(0, 200);
            for (int look = 0; look < 4; ++look) watched.rate(now + us(step) * look / 4);
            now += us(step);
            if (*rc::gen::arbitrary<bool>()) {
                flow.notified(now);
                watched.notified(now);
            } else {
                flow.sent(Bytes{4'000'000}, now);
                watched.sent(Bytes{4'000'000}, now);
            }
            const double rate = flow.rate(now);
            RC_ASSERT(rate == watched.rate(now));
            RC_ASSERT(rate >= 100e6);
            RC_ASSERT(rate <= 100e9);
        }
    }));
}
