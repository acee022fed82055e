// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>

#include "calibrate/fit/fit-steps.h"
#include "calibrate/posterior/statistics.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// Depths 1 to 100, each with the same rates.
ModelFit rectangle(bool open) {
    ModelFit fit;
    for (std::int64_t depth = 1; depth <= 100; ++depth) fit.region.slices.push_back({depth, depth, 1, 1000, 2000});
    fit.region.depth_low = 1, fit.region.depth_high = 100, fit.region.rate_low = 1000, fit.region.rate_high = 2000;
    fit.region.depth_open = open;
    return fit;
}

}  // namespace

TEST_CASE("In a rectangle depths are equally likely per factor, and rates where no two bursts differ") {
    // ln((d + 1) / d) over d from 1 to 100 sums to ln 101: a share q lies below 101^q
    ModelFit fit = rectangle(false);
    estimate_from_region(fit, {});
    CHECK(*fit.depth.value == Approx(std::sqrt(101)).margin(1.1));
    CHECK(*fit.depth.interval95.low == Approx(std::pow(101, 0.025)).margin(1.1));
    CHECK(*fit.depth.interval95.high == Approx(std::pow(101, 0.975)).margin(1.1));
    CHECK(*fit.rate.value == Approx(1500));
    CHECK(*fit.rate.interval68.low == Approx(1160));
    CHECK(*fit.rate.interval68.high == Approx(1840));
    CHECK(*fit.rate.hard.high == 2000);
    CHECK(fit.correlation == Approx(0).margin(0.01));
}

TEST_CASE("Rates near saturation, where bursts tell more of them, weigh more") {
    // Loads of 2 and 4 tenths of the lower rate are 4 and 8 tenths of the upper one: slopes 1/4 and 2/3 there, 2/3 and
    // 4 here.
    ModelFit fit = rectangle(false);
    Burst one;
    one.ports = 1, one.uplinks = 1, one.events = 1'000'001, one.wire = 1;
    one.spacing = Time{8'000'000'000 / 5};
    Burst other = one;
    other.spacing = Time{8'000'000'000 / 5 * 2};
    other.lossy = true;
    CHECK(sent_per_rate(one) * 1000 == Approx(0.2));
    estimate_from_region(fit, {one, other});
    CHECK(*fit.rate.value > 1650);
    CHECK(*fit.rate.interval68.low > 1250);
}

TEST_CASE("Where all bursts are lossy depths and rates are equally likely as they are") {
    ModelFit fit = rectangle(false);
    Burst lossy;
    lossy.ports = 1, lossy.events = 2, lossy.wire = 1, lossy.spacing = Time{1000}, lossy.lossy = true;
    estimate_from_region(fit, {lossy});
    CHECK(*fit.depth.value == Approx(50).margin(1.1));
    CHECK(*fit.rate.value == Approx(1500));
}

TEST_CASE("Where the depth has no upper limit only the lower one is stated") {
    ModelFit fit = rectangle(true);
    estimate_from_region(fit, {});
    CHECK_FALSE(fit.depth.value);
    CHECK(*fit.depth.hard.low == 1);
    CHECK_FALSE(fit.depth.hard.high);
    CHECK_FALSE(fit.depth.interval95.high);
}

TEST_CASE(
    "Of memories of inputs any share of lossy bursts may lose more than the closed form says, of other memories none") {
    ModelFit one;
    one.model.sharing = Buffer::Sharing::PerInput;
    one.region.slices = {{70, 70, 1, 10e9, 10e9}};
    std::vector<Burst> bursts;
    for (const std::int64_t events : {10, 200, 300, 400})
        bursts.push_back(ended(one.model, burst_of_44(events), 70, 10e9));
    REQUIRE_FALSE(bursts.front().lossy);
    // int s^-1/2 (1 - s)^(5/2) ds / int s^-1/2 (1 - s)^-1/2 ds = B(1/2, 7/2) / B(1/2, 1/2) = 5/16, by Jeffreys's prior
    // of a share.
    CHECK(log_evidence_of_excess(one, bursts) == Approx(std::log(5.0 / 16)));
    // Beyond it each number up to the excess that is possible is as likely: B(3/2, 5/2) / B(1/2, 1/2) = 1/16.
    const auto most = static_cast<double>(excess_loss(one.model, bursts.back()));
    REQUIRE(most >= 1);
    bursts.back().lost += 1;
    CHECK(log_evidence_of_excess(one, bursts) == Approx(std::log(1.0 / 16 / (most + 1))));
    one.model.sharing = Buffer::Sharing::Shared;
    CHECK(log_evidence_of_excess(one, bursts) == 0);
}
