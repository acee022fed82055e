// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/ejfat-run.h"

#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// Loses above a bit rate, and processes as much as that.
struct Threshold {
    double highest;  ///< bit/s
    int runs = 0;

    EjfatResult operator()(const EjfatPoint& point) {
        ++runs;
        EjfatResult result;
        result.point = point;
        result.events_sent = 100;
        result.events_processed = static_cast<double>(point.bit_rate.count) > highest ? 99 : 100;
        result.processed_per_s = highest / (8 * static_cast<double>(point.event_size.count));
        return result;
    }
};

EjfatResult find(Threshold& threshold) {
    return find_no_drop({Bytes{1000}, BitRate{10'000'000'000}, Time{0}},
                        [&](const EjfatPoint& point) { return threshold(point); });
}

}  // namespace

TEST_CASE("The search comes within 0.2 % of the highest bit rate without loss, from below") {
    for (const double highest : {1e6, 3.3e7, 9.9e9}) {
        CAPTURE(highest);
        Threshold threshold{highest};
        const double found = static_cast<double>(find(threshold).point.bit_rate.count);
        CHECK(found <= highest);
        CHECK(found > highest / 1.0021);
        CHECK(threshold.runs < 20);
    }
}

TEST_CASE("A first run without loss is the answer; a node that always loses has none") {
    Threshold generous{1e12};
    CHECK(find(generous).point.bit_rate == BitRate{10'000'000'000});
    CHECK(generous.runs == 1);
    Threshold hopeless{0};
    CHECK_THROWS_AS(find(hopeless), InputError);
}
