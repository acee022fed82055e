// SPDX-License-Identifier: GPL-2.0-only
#include "model/ipbus/flashing.h"

#include "test/catch.h"

using namespace watershed;

TEST_CASE("Workers that do not load the server flash in rounds") {
    // ceil(250 / w) * 63.6 s + 40 s while w * 1.95 threads have a core each, that is up to 12 workers
    Flashing flashing;
    for (const std::int64_t workers : {1, 5, 10, 12}) {
        const FlashingResult result = flash(flashing, workers);
        const auto rounds = static_cast<double>((250 + workers - 1) / workers);
        CHECK(result.duration_s == Approx(rounds * 63.6 + 40));
        CHECK(result.units_per_minute == Approx(250 * 60 / (rounds * 63.6 + 40)));
    }
}

TEST_CASE("More threads than cores slow all workers down, more than the processor has more than that") {
    // 24 workers: 46.8 threads do the work of 24 + 0.3 * 22.8 = 30.84; 30 workers: 58.5 threads do that of 31.2, and
    // switching takes a factor 1 + (58.5 - 48) / 48.
    const Flashing flashing;
    CHECK(worker_speed(flashing, 12) == Approx(1));
    CHECK(worker_speed(flashing, 24) == Approx(30.84 / 46.8));
    CHECK(worker_speed(flashing, 30) == Approx(31.2 / 58.5 / (1 + 10.5 / 48)));
}
