// SPDX-License-Identifier: GPL-2.0-only
#include "model/roce/distribution.h"

#include "test/catch.h"

using namespace watershed;

TEST_CASE("A consumer is busy for its fraction of the time, for its mean time on average, from the beginning on") {
    // 4000 cycles: the deviation of a mean of exponentials is 1/sqrt(4000) = 1.6 %, four of which are 6.3 %
    const Time mean{100'000'000};
    BusyProcess process({1, 4}, mean, 1, 0);
    Time busy{0}, idle{0};
    for (int i = 0; i < 8000; ++i) {
        (process.is_busy() ? busy : idle) += process.stay();
        process.change();
    }
    CHECK(static_cast<double>(busy.count()) / 4000 == Approx(1e8).epsilon(0.063));
    CHECK(static_cast<double>(idle.count()) / 4000 == Approx(3e8).epsilon(0.063));
    int at_first = 0;
    for (int consumer = 0; consumer < 4000; ++consumer) at_first += BusyProcess({1, 4}, mean, 1, consumer).is_busy();
    CHECK(at_first == Approx(1000).margin(4 * 27.4));  // binomial, sqrt(4000 / 4 * 3 / 4)
}

TEST_CASE("A fraction of 0 never changes") {
    const BusyProcess process({0, 1}, Time{1}, 1, 0);
    CHECK_FALSE(process.is_busy());
    CHECK_FALSE(process.changes());
}
