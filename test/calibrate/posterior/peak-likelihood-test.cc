// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>

#include "calibrate/posterior/proposals.h"
#include "test/catch.h"

using namespace watershed;

namespace {

Burst burst_with(std::int64_t events, std::int64_t lost, std::int64_t amount) {
    Burst burst;
    burst.ports = 10;
    burst.events = events;
    burst.wire = burst.buffer = 100;
    burst.spacing = burst.separation = Time{1'000'000'000};  // in which 8 Mb/s drain 10 frames of 100 B
    burst.sent = burst.fragments();
    burst.lost = lost;
    burst.lossy = lost > 0;
    burst.counted = true;
    burst.peak = PeakReading{amount, false, 1};
    return burst;
}

}  // namespace

TEST_CASE("The peak of a burst without loss has the density of a whole number of frames") {
    const PeakLikelihood law(QueueModel{}, burst_with(5, 0, 3000));
    CHECK(law.frames() == Approx(30));
    // Half a frame of rounding and a byte on either side: 102 B in which any peak is as likely.
    CHECK(law.lossless(30, 0, 100) == Approx(1 / 102.0));
    CHECK(law.lossless(30.5, 0, 100) == Approx(1 / 102.0));
    CHECK(law.lossless(30.6, 0, 100) == 0);
    // A standard deviation of 10 frames leaves 0.0406 of the normal distribution within 0.51 frames about its middle.
    CHECK(law.lossless(30, 10, 1000) == Approx(0.04067 / 102).epsilon(0.001));
    // A memory of 20 frames had no room for it.
    CHECK(law.lossless(30, 10, 20) == 0);
}

TEST_CASE("The peak of a burst that lost frames is the depth, to a frame") {
    const PeakLikelihood law(QueueModel{}, burst_with(5, 7, 3000));
    CHECK(law.lossy(30) == Approx(1 / 102.0));
    CHECK(law.lossy(31) == Approx(1 / 102.0));
    CHECK(law.lossy(29) == 0);
    CHECK(law.lossy(32) == 0);
}

TEST_CASE("Peaks alone say where depth and rate are") {
    // 41 events apart by 10 frames' time, 10 frames each, of which half leave: 410 - 200 = 210 frames are left.
    const std::vector<BurstParameters> places =
        places_of_peaks(QueueModel{}, {burst_with(41, 0, 21000), burst_with(90, 9, 30000)});
    REQUIRE_FALSE(places.empty());
    CHECK(std::any_of(places.begin(), places.end(), [](const BurstParameters& place) {
        return place.rate == Approx(4e6).epsilon(0.01) && place.depth == Approx(300.5);
    }));
}

TEST_CASE("Without a counter there is nothing to say") {
    Burst burst = burst_with(5, 0, 1);
    burst.peak.reset();
    CHECK_FALSE(PeakLikelihood(QueueModel{}, burst).read());
    CHECK(places_of_peaks(QueueModel{}, {burst}).empty());
}
