// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <set>

#include "calibrate/closed-form/burst.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// Bursts of 1 to 1000 events at `separations` separations; those of more than 400 are lossy.
std::vector<Burst> map_of(int separations) {
    std::vector<Burst> bursts;
    for (int separation = 0; separation < separations; ++separation)
        for (std::int64_t events = 1; events <= 1000; ++events) {
            Burst burst = burst_of_44(events);
            burst.spacing += Time{1000 * separation};
            burst.lossy = events > 400;
            bursts.push_back(burst);
        }
    return bursts;
}

std::set<std::int64_t> events_of(const std::vector<Burst>& bursts) {
    std::set<std::int64_t> events;
    for (const Burst& burst : bursts) events.insert(burst.events);
    return events;
}

}  // namespace

TEST_CASE("A sample is no larger than it may be, and small maps are taken whole") {
    const std::vector<Burst> bursts = map_of(1);
    for (const std::size_t most : {1, 7, 60, 99, 350, 1000, 5000}) {
        CHECK(sample_of(bursts, most).size() <= most);
        CHECK(sample_of(bursts, most).size() * 2 > std::min(most, bursts.size()));
        CHECK(bursts_near_loss(bursts, most).size() <= most);
    }
    CHECK(sample_of(bursts, 1000).size() == 1000);
    CHECK(bursts_near_loss(bursts, 1000).size() == 1000);
}

TEST_CASE("Without exceptions the bursts within 1 % of where loss begins are kept, and the next ones on either side") {
    // 400.5 / 1.01 = 396.5, 400.5 x 1.01 = 404.5
    CHECK(events_of(bursts_near_loss(map_of(1), 350)) ==
          std::set<std::int64_t>{397, 398, 399, 400, 401, 402, 403, 404});
    std::vector<Burst> coarse;
    for (const Burst& burst : map_of(100))
        if (burst.events % 100 == 0) coarse.push_back(burst);
    CHECK(events_of(bursts_near_loss(coarse, 350)) == std::set<std::int64_t>{400, 500});
}

TEST_CASE("Exceptions widen what is kept to three times their distance, single ones do not move where loss begins") {
    std::vector<Burst> bursts = map_of(1);
    bursts[380 - 1].lossy = true;  // and bursts of up to 400 events are lossless
    const std::set<std::int64_t> kept = events_of(bursts_near_loss(bursts, 350));
    // 400.5 x (380 / 400.5)^3 = 342.1, 400.5 x (400.5 / 380)^3 = 468.9
    CHECK(*kept.begin() == 343);
    CHECK(*kept.rbegin() == 468);
    CHECK(kept.size() == 468 - 343 + 1);
}

TEST_CASE("Of many separations every so many settings are kept, with all their repeats") {
    std::vector<Burst> bursts = map_of(100), twice = bursts;
    twice.insert(twice.end(), bursts.begin(), bursts.end());
    const std::vector<Burst> once = bursts_near_loss(bursts, 350), repeated = bursts_near_loss(twice, 350);
    CHECK(once.size() == 350);
    CHECK(repeated.size() == 2 * once.size());
    std::set<Time> separations;
    for (const Burst& burst : once) separations.insert(burst.spacing);
    CHECK(separations.size() == 100);
}

TEST_CASE("Separations with few lengths are taken together with their neighbours") {
    std::vector<Burst> bursts;
    for (int separation = 0; separation < 1000; ++separation) {
        Burst burst = burst_of_44(1 + 617 * separation % 1000);
        burst.spacing += Time{separation};
        burst.lossy = burst.events > 400;
        bursts.push_back(burst);
    }
    // Eight lengths of a thousand in each block: those next to 400 are on average some 60 away.
    const std::vector<Burst> kept = bursts_near_loss(bursts, 350);
    CHECK(kept.size() == 250);
    for (const Burst& burst : kept) CHECK((burst.events > 150 && burst.events < 650));
}

TEST_CASE(
    "Where all bursts of a separation are lossy, or none, the shortest or the longest is next to where loss would "
    "begin") {
    std::vector<Burst> lossy = map_of(1), lossless = lossy;
    for (Burst& burst : lossy) burst.lossy = true;
    for (Burst& burst : lossless) burst.lossy = false;
    CHECK(events_of(bursts_near_loss(lossy, 350)) == std::set<std::int64_t>{1});
    CHECK(*events_of(bursts_near_loss(lossless, 350)).rbegin() == 1000);
    CHECK(*events_of(bursts_near_loss(lossless, 350)).begin() == 991);
}
