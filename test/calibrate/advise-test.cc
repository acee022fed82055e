// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/advise.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "test/calibrate/maps.h"

using namespace watershed;

namespace {

const HiddenSwitch kHidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 308'0, 10'000'000'000, 1};

Scenario scenario() {
    Scenario one;
    one.network_switch.buffer.size = {1000, MemorySize::Unit::Frame};   // a wrong guess
    return one;
}

std::optional<Fit> fit_of(const std::vector<LossMapRow>& rows) {
    if (rows.empty()) return std::nullopt;
    return fit_loss_map({"map", rows}, conditions_of(scenario(), "s.toml"), {});
}

}  // namespace

TEST_CASE("Without a burst the first one is a coin toss over the depths that are thought possible") {
    const Advice advice = advise(std::nullopt, prior_of(scenario(), conditions_of(scenario(), "s.toml")), {});
    REQUIRE_FALSE(advice.points.empty());
    CHECK_FALSE(advice.stop);
    CHECK(advice.points[0].probability_of_loss == Approx(0.5).margin(0.1));
    CHECK(advice.points[0].information_bits > 0.8);
    CHECK(advice.points[0].information_bits <= 1);
}

TEST_CASE("Advised points honour the generator's step and the links") {
    AdviceOptions options;
    options.step = Time{70'000};
    for (const AdvisedPoint& point : advise(std::nullopt, prior_of(scenario(), conditions_of(scenario(), "s.toml")), options).points) {
        CHECK(point.separation.count() % 70'000 == 0);
        CHECK(point.separation >= Time{8'720'000});
        CHECK(point.events >= 1);
    }
}

TEST_CASE("Measuring what is advised finds the depth to one per cent in a few bursts and then stops") {
    // A search range of a factor 2300 in depth: bisection alone needs log2(2300 / 0.02), about 17, at a known rate.
    std::vector<LossMapRow> rows;
    const Prior prior = prior_of(scenario(), conditions_of(scenario(), "s.toml"));
    Advice advice = advise(fit_of(rows), prior, {});
    while (!advice.stop && rows.size() < 42) {
        REQUIRE_FALSE(advice.points.empty());
        rows.push_back(as_flag(measured(kHidden, 44, 1024, advice.points[0].separation, advice.points[0].events)));
        advice = advise(fit_of(rows), prior, {});
    }
    CHECK(advice.stop);
    CHECK(rows.size() < 42);   // a quarter of a 12 x 14 grid
    CHECK(std::abs(*fit_of(rows)->best().depth.value / 3080 - 1) < 0.02);
}

TEST_CASE("A full map is enough, and for more it still names the best bursts") {
    std::vector<LossMapRow> rows;
    for (const std::int64_t microseconds : {9, 20, 33})
        for (const std::int64_t events : {60, 90, 130, 200, 400, 700}) rows.push_back(measured(kHidden, 44, 1024, Time{microseconds * 1'000'000}, events));
    const Advice advice = advise(fit_of(rows), prior_of(*fit_of(rows)), {});
    CHECK(advice.stop);
    CHECK(*advice.relative_half_width <= 0.01);
}

TEST_CASE("A map that contradicts itself is to be repeated where it does") {
    const LossMapRow lossless = measured(kHidden, 44, 1024, Time{9'000'000}, 50);
    LossMapRow lossy = measured(kHidden, 44, 1024, Time{9'000'000}, 40);
    lossy.frames_received -= 1;
    const auto fit = fit_of({lossless, lossy});
    const Advice advice = advise(fit, prior_of(*fit), {});
    CHECK_FALSE(advice.stop);
    CHECK_THAT(advice.reason, Catch::Matchers::Contains("repeat rows"));
}
