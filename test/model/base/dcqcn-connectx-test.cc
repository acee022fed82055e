// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/dcqcn-connectx.h"

#include "test/catch.h"

using namespace watershed;

namespace {

constexpr Time us(std::int64_t n) { return Time{n * 1'000'000}; }
constexpr BitRate kLink{100'000'000'000};

/// alpha stays 1 for long, and the rate rises each 100 us: once by halves, then additively.
Dcqcn slow() {
    Dcqcn dcqcn;
    dcqcn.gain = {1, 16};
    dcqcn.alpha_timer = us(1'000'000);
    dcqcn.rate_timer = us(100);
    dcqcn.fast_recovery = 1;
    dcqcn.additive_increase = BitRate{1'000'000'000};
    dcqcn.hyper_increase = BitRate{2'000'000'000};
    return dcqcn;
}

}  // namespace

// The cut timer runs from the first notification on: at 4, 8, 12 us. Many notifications are one cut.
TEST_CASE("ConnectX cuts when its timer runs out, once for all notifications that came since") {
    DcqcnConnectxFlow flow(slow(), {}, kLink);
    flow.notified(us(0));
    CHECK(flow.rate(us(3)) == 100e9);
    flow.notified(us(3));
    CHECK(flow.rate(us(4)) == 50e9);
    CHECK(flow.rate(us(8)) == 50e9);
    flow.notified(us(9));
    CHECK(flow.rate(us(11)) == 50e9);
    CHECK(flow.rate(us(12)) == 25e9);
}

// Cuts at 4 and 8 us, so that the rate timer runs out at 108, 208 and 308 us:
//     the target stays 100   25 -> (25 + 100) / 2, then (62.5 + 100) / 2
//     it is set to 50        25 -> (25 + 50) / 2, + 1: (37.5 + 51) / 2, + 2: (44.25 + 53) / 2
TEST_CASE("Of cuts in a row the first sets the target of ConnectX, or each if it is clamped") {
    for (const bool clamps : {false, true}) {
        DcqcnConnectx connectx;
        connectx.clamps = clamps;
        DcqcnConnectxFlow flow(slow(), connectx, kLink);
        flow.notified(us(0));
        flow.notified(us(5));
        CHECK(flow.rate(us(107)) == 25e9);
        CHECK(flow.target() == (clamps ? 50e9 : 100e9));
        CHECK(flow.rate(us(108)) == (clamps ? 37.5e9 : 62.5e9));
        CHECK(flow.rate(us(208)) == (clamps ? 44.25e9 : 81.25e9));
        if (clamps) CHECK(flow.rate(us(308)) == 48.625e9);
        // A cut after an increase: it is the rate before in both cases.
        const double before = flow.rate(us(308));
        flow.notified(us(309));
        CHECK(flow.rate(us(312)) == before / 2);
        CHECK(flow.target() == before);
    }
}

// The first notification sets alpha to 1, and counts for no timer. Each that ran out without one since takes g off,
// and one with it brings alpha g of the way to 1.
TEST_CASE("Alpha of ConnectX moves each time its timer runs out") {
    Dcqcn dcqcn = slow();
    dcqcn.alpha_timer = us(1);
    DcqcnConnectxFlow flow(dcqcn, {}, kLink);
    flow.rate(us(50));
    CHECK(flow.alpha() == 1);
    flow.notified(us(100));
    flow.rate(us(102));
    CHECK(flow.alpha() == Approx(15.0 / 16 * 15 / 16));
    flow.notified(us(102));
    CHECK(flow.rate(us(103)) == 100e9);
    const double alpha = 15.0 / 16 * (15.0 / 16 * 15 / 16) + 1.0 / 16;
    CHECK(flow.alpha() == Approx(alpha));
    CHECK(flow.rate(us(104)) == Approx(100e9 * (1 - 15.0 / 16 * alpha / 2)));
}
