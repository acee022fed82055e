// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/advice/fit-concerns.h"

#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

const HiddenSwitch kHidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3071, 10'000'000'000, 1};

std::optional<Fit> fit() {
    std::vector<LossMapRow> rows = measured_grid(kHidden, {9, 20, 33});
    return fit_loss_map({"map", rows}, default_conditions(), {});
}

}  // namespace

TEST_CASE("A map that the model explains leaves no doubt") {
    const FitConcerns concerns = fit_concerns(*fit());
    CHECK_FALSE(concerns.any());
    CHECK(concerns.text().empty());
}

TEST_CASE("One doubt is enough, and says what it is") {
    FitConcerns concerns;
    concerns.goodness = 0.02;
    CHECK_FALSE(concerns.any());
    concerns.goodness = 0.0011;
    CHECK(concerns.any());
    CHECK_THAT(concerns.text(), Contains("only 0.11 % of maps"));
    concerns.goodness.reset();
    concerns.trend = RunsTest{"separation", 40, 5, 1e-6};
    CHECK(concerns.any());
    CHECK_THAT(concerns.text(), Contains("in the order of separation"));
    concerns.misfit = true;
    CHECK_THAT(concerns.text(), Contains("no kind of memory"));
}

TEST_CASE("Bursts that would tell lie far on both sides of the watershed, those not yet seen first") {
    const std::optional<Fit> one = fit();
    const Prior prior = prior_of(*one);
    const AdviceOptions options;
    const BurstPlanner planner(one, prior, options);
    FitConcerns concerns;
    concerns.misfit = true;
    concerns.residuals = {{3, 0.1}, {8, -4}, {11, 2}};
    const std::vector<AdvisedPoint> points = diagnostic_bursts(planner, *one, concerns, options).points;
    REQUIRE(points.size() == options.points);
    // At 8.72 us (44 - 10) m + 10 <= 3071 holds to m = 90.
    CHECK(points[0].separation == Time{8'720'000});
    CHECK(points[0].events == 45);
    CHECK(static_cast<double>(points[1].events) == Approx(180).margin(2));  // twice the 90, as far as it is known
    CHECK_THAT(points.back().reason, Contains("repeat of row 8"));
}

TEST_CASE(
    "A burst stands for the diagnostic length that it is nearest to, and one that loses nothing for shorter ones") {
    std::optional<Fit> one = fit();
    const Prior prior = prior_of(*one);
    const AdviceOptions options;
    const auto lengths_asked = [&] {
        const BurstPlanner planner(one, prior, options);
        std::vector<std::int64_t> lengths;
        for (const AdvisedPoint& point : diagnostic_bursts(planner, *one, {}, options).points)
            lengths.push_back(point.events);
        return lengths;
    };
    CHECK(lengths_asked().size() == 4);
    one->bursts.push_back(one->bursts.front());
    Burst& burst = one->bursts.back();
    burst.separation = Time{8'720'000}, burst.events = 60;  // the watershed has 90
    burst.lossy = true;
    CHECK(lengths_asked().size() == 3);  // half of the watershed was tried
    burst.lossy = false;
    CHECK(lengths_asked().size() == 2);  // and a quarter would lose nothing either
    burst.events = 30;
    CHECK(lengths_asked().size() == 3);  // a quarter was tried
}
