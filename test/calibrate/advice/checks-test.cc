// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/advice/checks.h"

#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// 1500 frames behind 10 Gb/s: at 8.72 us between triggers of 44 ports 10 frames leave per event, and M events want 44
/// M - 10 (M - 1) places.
Belief one_switch() {
    Belief belief;
    belief.points.push_back({1500, 1e10, 1});
    return belief;
}

Burst burst(std::int64_t events) {
    Burst one = burst_of_44(events);
    one.separation = one.spacing = Time{8'720'000};
    return ended({}, one, 1500, 1e10);
}

}  // namespace

TEST_CASE("The outcome of a burst is foretold where all that is believed agrees") {
    const Foretold shorter = foretell(one_switch(), burst(43)), longer = foretell(one_switch(), burst(44));
    CHECK(shorter.probability_of_loss == 0);  // 44 43 - 10 42 = 1472 places
    CHECK(longer.probability_of_loss == 1);   // 1506
    CHECK(shorter.certain());
    CHECK(longer.certain());
    CHECK(shorter.agrees(burst(43)));
    CHECK(longer.agrees(burst(44)));
    CHECK_FALSE(shorter.agrees(burst(44)));
    CHECK_FALSE(longer.agrees(burst(43)));
}

TEST_CASE("A number of lost frames far from the one foretold is a failed check") {
    Burst one = burst(100);  // 44 100 - 10 99 - 1500 = 1910
    CHECK(one.lost == 1910);
    const Foretold foretold = foretell(one_switch(), one);
    CHECK(foretold.agrees(one));
    one.lost = 1900;
    CHECK_FALSE(foretold.agrees(one));
    one.counted = false;
    CHECK(foretold.agrees(one));  // that it lost frames is all that is known
    Belief noisy = one_switch();
    noisy.kinds[0].noise.frames = 4;
    one.counted = true;
    CHECK(foretell(noisy, one).agrees(one));
}

TEST_CASE("Random loss makes a short burst lose what it is foretold to lose") {
    Belief belief = one_switch();
    belief.kinds[0].loss = 0.01;
    Burst one = burst(20);
    const Foretold foretold = foretell(belief, one);
    CHECK(foretold.probability_of_loss == Approx(1 - std::pow(0.99, 880)));
    one.lossy = true, one.lost = 9;  // of 880
    CHECK(foretold.agrees(one));
    one.lost = 60;
    CHECK_FALSE(foretold.agrees(one));
    // A shorter one may lose nothing or a few: its number is foretold though a loss is not.
    one = burst(1);
    const Foretold few = foretell(belief, one);
    CHECK(few.probability_of_loss == Approx(1 - std::pow(0.99, 44)));  // 0.36
    CHECK(few.certain());
    CHECK(few.agrees(one));
    one.lossy = true, one.lost = 2;
    CHECK(few.agrees(one));
    one.lost = 9;
    CHECK_FALSE(few.agrees(one));
    belief.counts = false;
    CHECK_FALSE(foretell(belief, one).certain());
}
