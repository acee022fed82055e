// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/fit-steps.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// Bursts of these lengths into 3000 frames.
std::vector<Burst> into_3000(std::int64_t first, std::int64_t last, std::int64_t step = 1) {
    std::vector<Burst> bursts;
    for (std::int64_t events = first; events <= last; events += step)
        bursts.push_back(ended({}, burst_of_44(events), 3000, 10e9));
    return bursts;
}

}  // namespace

TEST_CASE("Flags are the same bursts without their numbers, and a map has one side where all of them end alike") {
    // Each event leaves 44 - 22.9 = 21.1 frames: 3000 are full after 142.
    const std::vector<Burst> both = into_3000(130, 150), none = into_3000(100, 120), all = into_3000(160, 180);
    const FitInput map(both, kUnknown);
    CHECK(map.counted);
    CHECK_FALSE(map.peaks);
    CHECK_FALSE(map.one_sided());
    REQUIRE(map.flags.size() == both.size());
    std::ptrdiff_t lossy = 0;
    for (std::size_t i = 0; i < both.size(); ++i) {
        CHECK_FALSE(map.flags[i].counted);
        CHECK(map.flags[i].lossy == both[i].lossy);
        lossy += both[i].lossy;
    }
    CHECK(map.lossy == lossy);
    CHECK(FitInput(none, kUnknown).one_sided());
    CHECK_FALSE(FitInput(none, kUnknown).counted);  // nothing was lost that could be counted
    CHECK(FitInput(all, kUnknown).one_sided());
    CHECK(FitInput(all, kUnknown).lossy == 21);
}

TEST_CASE("A small map is looked at whole, of a large one a few hundred bursts, the same ones every time") {
    const std::vector<Burst> few = into_3000(50, 200), many = into_3000(50, 2000);
    CHECK(FitInput(few, kUnknown).sample.size() == few.size());
    const std::vector<Burst> first = FitInput(many, kUnknown).sample, second = FitInput(many, kUnknown).sample;
    CHECK(first.size() <= 300);
    CHECK(first.size() > 200);
    REQUIRE(first.size() == second.size());
    for (std::size_t i = 0; i < first.size(); ++i) CHECK(first[i].events == second[i].events);
}

TEST_CASE("A receiver's rate is in frames of the first row, also of a part of the map without it") {
    std::vector<Burst> bursts = into_3000(100, 102);
    for (std::size_t i = 0; i < bursts.size(); ++i) bursts[i].row = static_cast<int>(i) + 1;
    bursts.front().wire = 600;
    const FitInput map(bursts, kUnknown);
    QueueModel receiver;
    const std::int64_t own = bursts.back().wire;
    CHECK(map.seen(receiver, {bursts.back()}).front().wire == own);
    receiver.per_packet = true;
    CHECK(map.seen(receiver, {bursts.back()}).front().wire == 600);
}
