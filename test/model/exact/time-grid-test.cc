// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/time-grid.h"

#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

namespace {

ExactTimes times(std::int64_t link, std::int64_t uplink, std::vector<ClockTolerance> clock = {}) {
    Scenario s;
    s.front_end.link_rate = BitRate{link};
    s.front_end.clock = std::move(clock);
    s.network_switch.uplink_rate = BitRate{uplink};
    return exact_times(s);
}

}  // namespace

TEST_CASE("A picosecond has as many ticks as the links need for whole bytes") {
    // A byte lasts 8 * 10^12 / R ps: 8000 ps at 1 Gb/s, 8000/7 at 7, 8000/3 at 3, 800000/997 at 9.97.
    CHECK(times(1'000'000'000, 10'000'000'000).grid.ticks == 1);
    CHECK(times(7'000'000'000, 10'000'000'000).grid.ticks == 7);
    CHECK(times(7'000'000'000, 3'000'000'000).grid.ticks == 21);
    CHECK(times(7'000'000'000, 9'970'000'000).grid.ticks == 7 * 997);
    // 8000 / 1.00002 = 8000 * 50000 / 50001.
    CHECK(times(1'000'000'000, 10'000'000'000, {ClockTolerance{20'000}}).grid.ticks == 50001);
    CHECK(times(1'000'000'000, 10'000'000'000, {ClockTolerance{20'000}, ClockTolerance{-20'000}}).grid.ticks ==
          std::uint64_t{50001} * 49999);
}

TEST_CASE("Where the ticks of all links do not fit, those of the uplinks do, and the grid is as fine as it can be") {
    const ExactTimes all = times(999'999'937, 9'999'999'967);  // two primes
    CHECK_FALSE(all.whole);
    CHECK(all.grid.ticks % 9'999'999'967 == 0);
    CHECK(all.grid.ticks > TimeGrid::kFinest / 2);
    CHECK(times(999'999'937, 10'000'000'000).whole);
}
