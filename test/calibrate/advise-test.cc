// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/advise.h"

#include <algorithm>
#include "test/catch.h"

#include <cmath>
#include <set>

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
    Prior prior = prior_of(scenario(), conditions_of(scenario(), "s.toml"));
    prior.counts = false;
    const Advice advice = advise(std::nullopt, prior, {});
    REQUIRE_FALSE(advice.points.empty());
    CHECK_FALSE(advice.stop);
    CHECK_FALSE(advice.estimate);
    CHECK(advice.points[0].probability_of_loss == Approx(0.5).margin(0.1));
    CHECK(advice.points[0].information_bits > 0.8);
    CHECK(advice.points[0].information_bits <= 1);
    CHECK_FALSE(advice.points[0].frames_lost);
}

TEST_CASE("A burst whose losses are counted tells more than a coin toss") {
    const Advice advice = advise(std::nullopt, prior_of(scenario(), conditions_of(scenario(), "s.toml")), {});
    REQUIRE_FALSE(advice.points.empty());
    CHECK(advice.points[0].information_bits > 1.5);
    CHECK(*advice.points[0].frames_lost > 0);
}

TEST_CASE("Each advised point says what it is worth per second, the best first") {
    const Advice advice = advise(std::nullopt, prior_of(scenario(), conditions_of(scenario(), "s.toml")), {});
    for (std::size_t i = 0; i < advice.points.size(); ++i) {
        const AdvisedPoint& point = advice.points[i];
        CHECK(point.seconds == Approx(1 + static_cast<double>(point.events) * static_cast<double>(point.separation.count()) / 1e12));
        CHECK_FALSE(point.reason.empty());
        if (i > 0) CHECK(point.bits_per_second() <= advice.points[i - 1].bits_per_second());
    }
}

TEST_CASE("Advised points honour the generator's step and the links") {
    AdviceOptions options;
    options.generator.step = Time{70'000};
    for (const AdvisedPoint& point : advise(std::nullopt, prior_of(scenario(), conditions_of(scenario(), "s.toml")), options).points) {
        CHECK(point.separation.count() % 70'000 == 0);
        CHECK(point.separation >= Time{8'720'000});
        CHECK(point.events >= 1);
    }
}

TEST_CASE("A generator that has only a list of settings is asked for nothing else") {
    AdviceOptions options;
    options.generator.separations = {Time{9'000'000}, Time{20'000'000}, Time{60'000'000}};
    options.generator.lengths = {10, 30, 100, 300, 1000};
    const Advice advice = advise(std::nullopt, prior_of(scenario(), conditions_of(scenario(), "s.toml")), options);
    REQUIRE(advice.points.size() == 2);   // beyond 38.4 us no depth matters
    for (const AdvisedPoint& point : advice.points) {
        CHECK((point.separation == Time{9'000'000} || point.separation == Time{20'000'000}));
        CHECK(std::count(options.generator.lengths.begin(), options.generator.lengths.end(), point.events) == 1);
    }
}

namespace {

/// Measures what is advised, from nothing, until there is to be stopped.
std::vector<LossMapRow> follow(bool counts, std::size_t most) {
    std::vector<LossMapRow> rows;
    Prior prior = prior_of(scenario(), conditions_of(scenario(), "s.toml"));
    prior.counts = counts;
    Advice advice = advise(fit_of(rows), prior, {});
    while (!advice.stop && rows.size() < most) {
        REQUIRE_FALSE(advice.points.empty());
        const LossMapRow row = measured(kHidden, 44, 1024, advice.points[0].separation, advice.points[0].events);
        rows.push_back(counts ? row : as_flag(row));
        advice = advise(fit_of(rows), prior, {});
    }
    CHECK(advice.stop);
    CHECK(advice.checks.size() >= 2);
    return rows;
}

}  // namespace

TEST_CASE("Measuring what is advised finds the depth to one per cent in a few bursts and then stops") {
    // A search range of a factor 2300 in depth: bisection alone needs log2(2300 / 0.02), about 17, at a known rate.
    const auto rows = follow(false, 42);   // a quarter of a 12 x 14 grid
    CHECK(rows.size() < 42);
    CHECK(std::abs(*fit_of(rows)->best().depth.value / 3080 - 1) < 0.01);
}

TEST_CASE("Counting what is lost spares most of these bursts") {
    // Two lossy bursts at different separations are two lines that meet in the answer.
    const auto rows = follow(true, 12);
    CHECK(rows.size() < 12);
    CHECK(std::abs(*fit_of(rows)->best().depth.value / 3080 - 1) < 0.01);
}

TEST_CASE("A map without noise needs no burst twice") {
    std::set<std::pair<Time, std::int64_t>> seen;
    for (const bool counts : {false, true}) {
        seen.clear();
        for (const LossMapRow& row : follow(counts, 42)) CHECK(seen.emplace(row.separation, row.events).second);
    }
}

TEST_CASE("A full map is enough, and a pair of bursts checks it where nothing was measured") {
    std::vector<LossMapRow> rows;
    for (const std::int64_t microseconds : {9, 20, 33})
        for (const std::int64_t events : {60, 90, 130, 200, 400, 700}) rows.push_back(measured(kHidden, 44, 1024, Time{microseconds * 1'000'000}, events));
    const Advice advice = advise(fit_of(rows), prior_of(*fit_of(rows)), {});
    CHECK(advice.stop);
    CHECK(advice.estimate->relative_half_width <= 0.01);
    REQUIRE(advice.checks.size() > 2);
    const AdvisedPoint &shorter = *(advice.checks.end() - 2), &longer = advice.checks.back();
    CHECK(measured(kHidden, 44, 1024, shorter.separation, shorter.events).lossless());
    CHECK_FALSE(measured(kHidden, 44, 1024, longer.separation, longer.events).lossless());
    for (const LossMapRow& row : rows) CHECK(row.separation != shorter.separation);
}

TEST_CASE("The bursts that limit the answer are to be repeated once, where noise would show") {
    std::vector<LossMapRow> rows;
    for (const std::int64_t microseconds : {9, 20, 33})
        for (const std::int64_t events : {60, 90, 130, 200, 400, 700}) rows.push_back(measured(kHidden, 44, 1024, Time{microseconds * 1'000'000}, events));
    const auto fit = fit_of(rows);
    const Advice once = advise(fit, prior_of(*fit), {});
    REQUIRE(once.stop);
    const std::size_t repeats = once.checks.size() - 2;
    CHECK(repeats == fit->best().region.binding.size());
    for (std::size_t i = 0; i < repeats; ++i)
        CHECK(std::any_of(rows.begin(), rows.end(), [&](const LossMapRow& row) { return row.separation == once.checks[i].separation && row.events == once.checks[i].events; }));
    const std::vector<LossMapRow> measured_once = rows;
    rows.insert(rows.end(), measured_once.begin(), measured_once.end());
    const auto again = fit_of(rows);
    CHECK(advise(again, prior_of(*again), {}).checks.size() == 2);
}

TEST_CASE("A map that contradicts itself is to be repeated where it does") {
    const LossMapRow lossless = measured(kHidden, 44, 1024, Time{9'000'000}, 50);
    LossMapRow lossy = measured(kHidden, 44, 1024, Time{9'000'000}, 40);
    lossy.frames_received -= 1;
    const auto fit = fit_of({lossless, lossy});
    const Advice advice = advise(fit, prior_of(*fit), {});
    CHECK_FALSE(advice.stop);
    CHECK_THAT(advice.reason, Contains("repeat"));
    REQUIRE(advice.points.size() == 1);
    CHECK(advice.points[0].separation == Time{9'000'000});
    CHECK((advice.points[0].events == 40 || advice.points[0].events == 50));
}

TEST_CASE("Where no length loses there is no watershed to know, however precisely") {
    std::vector<LossMapRow> rows;
    for (const std::int64_t microseconds : {9, 20, 33})
        for (const std::int64_t events : {60, 90, 130, 200, 400, 700}) rows.push_back(measured(kHidden, 44, 1024, Time{microseconds * 1'000'000}, events));
    const auto fit = fit_of(rows);
    AdviceOptions options;
    options.target = AdviceTarget::Watershed;
    options.watershed_at = Time{100'000'000};   // beyond 44 frames of 872 ns
    const Advice advice = advise(fit, prior_of(*fit), options);
    CHECK(advice.stop);
    CHECK_FALSE(advice.estimate);
    CHECK_THAT(advice.reason, Contains("no burst of any length loses frames"));
}
