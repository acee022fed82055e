// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>

#include "calibrate/closed-form/feasible-region.h"
#include "calibrate/fit/fit-steps.h"
#include "calibrate/fit/fit.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("A row that contradicts all others is left out and named") {
    std::vector<Burst> bursts = bursts_of_3080();
    REQUIRE(bursts[7].lossy);
    bursts[7].lossy = false, bursts[7].lost = 0;
    const FitInput map(bursts, kUnknown);
    CHECK_FALSE(map.region({}, map.flags).feasible());
    CHECK(map.region({}, without(map.flags, {8})).feasible());
    ModelFit one;
    remove_contradictions(one, map);
    CHECK(one.violating == std::vector<int>{8});
    CHECK(one.region.depth_low <= 3080);
    CHECK(one.region.depth_high >= 3080);
}

TEST_CASE(
    "An exception near the watershed is noise, one far from it is none, and where bursts cannot scatter none is") {
    const std::vector<Burst> exact = bursts_of_3080();
    const double near = static_cast<double>(*longest_lossless({}, exact[8], exact[8].spacing, 3080, 10e9));
    const auto noisy = [&](double length, const FitOptions& options) {
        std::vector<Burst> bursts = exact;
        bursts[8].events = std::llround(near * length);
        bursts[8].lossy = length < 1, bursts[8].lost = bursts[8].lossy;
        const FitInput map(bursts, options);
        ModelFit one;
        one.depth.value = 3080, one.rate.value = 10e9, one.violating = {9};
        return are_noise(one, map, false);
    };
    FitOptions none;
    none.noise = KnownNoise{};
    CHECK(noisy(0.95, {}));
    CHECK(noisy(1.05, {}));
    CHECK_FALSE(noisy(0.8, {}));  // |ln 0.8| = 0.22, beyond a reach of 0.1
    CHECK_FALSE(noisy(1.3, {}));
    CHECK_FALSE(noisy(0.95, none));
}

TEST_CASE("A burst that loses far below the watershed is no contradiction where frames are lost at random") {
    std::vector<Burst> bursts = bursts_of_3080();
    REQUIRE_FALSE(bursts[8].lossy);
    bursts[8].lossy = true, bursts[8].lost = 40;  // of 2640, at a third of the length that fills the memory
    const FitInput map(bursts, kUnknown);
    ModelFit one;
    one.depth.value = 3080, one.rate.value = 10e9, one.violating = {9};
    CHECK_FALSE(are_noise(one, map, true));
    BurstParameters fitted{3080, 10e9};
    one.parameters = {fitted};
    CHECK_FALSE(are_noise(one, map, true));
    one.parameters.front().loss = 0.01;
    CHECK(are_noise(one, map, true));
    // Seven bursts are enough where their counts were fitted.
    const std::vector<Burst> seven(bursts.begin() + 3, bursts.begin() + 10);
    const FitInput few(seven, kUnknown);
    CHECK(are_noise(one, few, true));
    CHECK_FALSE(are_noise(one, few, false));
    one.strays = {9};  // which the loss does not explain
    CHECK_FALSE(are_noise(one, map, true));
}

TEST_CASE("A map of which every row contradicts all memories leaves no region, and all rows are named") {
    // Two bursts of a single frame, both lost: no memory is smaller than a frame.
    std::vector<Burst> bursts(2, burst_of_44(1));
    for (std::size_t i = 0; i < bursts.size(); ++i) {
        bursts[i].row = static_cast<int>(i) + 1;
        bursts[i].ports = 1, bursts[i].lossy = true;
    }
    const FitInput map(bursts, kUnknown);
    for (const bool per_packet : {false, true}) {
        ModelFit one;
        one.model.per_packet = per_packet;
        remove_contradictions(one, map);
        CHECK(one.violating == std::vector<int>{1, 2});
        CHECK_FALSE(one.region.feasible());
    }
}

TEST_CASE("A burst with a trigger later than half a separation is set aside and says why") {
    Burst late, in_time;
    late.row = 3, late.line = 4, late.events = 10, late.spacing = late.separation = Time{2'000'000'000},
    late.lateness = Time{45'000'000'000};
    in_time = late;
    in_time.row = 4, in_time.lateness = Time{90'000'000};
    std::vector<Burst> bursts{late, in_time};
    const auto aside = set_aside_unusable(bursts);
    REQUIRE(aside.size() == 1);
    CHECK(aside[0].row == 3);
    CHECK(aside[0].line == 4);
    CHECK_THAT(aside[0].reason, Contains("45 ms late"));
    REQUIRE(bursts.size() == 1);
    CHECK(bursts[0].row == 4);
}

TEST_CASE("Where it is known when the triggers were, they are spaced as they were, and late ones set nothing aside") {
    LossMapRow row{44, Bytes{1024}, Time{2'000'000'000}, 11, 484, 484, Time{45'000'000'000}};
    const auto spacing = [&](std::optional<Time> span) {
        row.span = span;
        auto bursts = bursts_of({"map", {row}}, default_conditions(), CountUse::Auto);
        CHECK(set_aside_unusable(bursts).size() == (span ? 0 : 1));
        return bursts.empty() ? Time{0} : bursts.front().spacing;
    };
    CHECK(spacing(std::nullopt) == Time{0});
    CHECK(spacing(Time{65'000'000'000}) == Time{6'500'000'000});
    CHECK(spacing(Time{20'010'000'000}) == Time{2'000'000'000});  // less than half of the time in which a frame comes
}

TEST_CASE("A single trigger has none to be late after") {
    Burst one;
    one.events = 1, one.spacing = Time{1'000'000}, one.lateness = Time{45'000'000'000};
    std::vector<Burst> bursts{one};
    CHECK(set_aside_unusable(bursts).empty());
}

TEST_CASE("The fewest rows that contradict the others are found, and none in a consistent map") {
    const HiddenSwitch hidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3080, 10'000'000'000, 1};
    std::vector<LossMapRow> rows = as_flags(measured_grid(hidden, {9, 20, 30}, {60, 80, 100, 120, 140, 180, 240, 300}));
    const auto contradiction = [&] {
        const auto bursts = bursts_of({"map", rows}, default_conditions(), CountUse::Flag);
        return least_contradiction({}, bursts, {1, 13200, 0, 44e9 * 1.09}).rows;
    };
    CHECK(contradiction().empty());
    REQUIRE(rows[7].frames_lost() > 0);
    rows[7].frames_received = rows[7].frames_sent;
    CHECK(contradiction() == std::vector<int>{8});
}

TEST_CASE("Where the depth is known, the fewest rows that contradict the others are those that do at this depth") {
    // At 3080 frames and 10 Gb/s every burst ends as it was measured but row 8: at other rates more contradict.
    std::vector<Burst> bursts = bursts_of_3080();
    REQUIRE(bursts[7].lossy);
    bursts[7].lossy = false;
    CHECK(least_contradiction({}, bursts, {3080, 3080, 0, 44e9}).rows == std::vector<int>{8});
}

TEST_CASE("That a single frame was lost contradicts every memory, and nothing else") {
    // The least memory holds one frame, and a lossless burst fits into some: one row is the fewest, not both.
    Burst lost = burst_of_44(1), kept = burst_of_44(100);
    lost.row = 1, lost.ports = 1, lost.lossy = true;
    kept.row = 2;
    for (const auto sharing : {Buffer::Sharing::Shared, Buffer::Sharing::PerInput})
        CHECK(least_contradiction({sharing}, {lost, kept}, {1, 4400, 0, 48e9}).rows == std::vector<int>{1});
}
