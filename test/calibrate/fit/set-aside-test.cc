// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/closed-form/feasible-region.h"
#include "calibrate/fit/fit-steps.h"
#include "calibrate/fit/fit.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

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
    std::vector<LossMapRow> rows;
    for (const std::int64_t microseconds : {9, 20, 30})
        for (const std::int64_t events : {60, 80, 100, 120, 140, 180, 240, 300})
            rows.push_back(as_flag(measured(hidden, 44, 1024, Time{microseconds * 1'000'000}, events)));
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
    std::vector<Burst> bursts;
    for (const std::int64_t microseconds : {9, 20, 30})
        for (const std::int64_t events : {60, 80, 100, 120, 140, 180, 240, 300}) {
            Burst burst = burst_of_44(events);
            burst.row = static_cast<int>(bursts.size()) + 1;
            burst.spacing = Time{microseconds * 1'000'000};
            bursts.push_back(ended({}, burst, 3080, 10e9));
        }
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
