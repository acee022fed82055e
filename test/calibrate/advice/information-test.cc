// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>

#include "calibrate/advice/burst-planner.h"
#include "test/catch.h"

using namespace watershed;

namespace {

constexpr Time kWireSpeed{8'720'000};

/// A memory of 1000 … 1999 frames, all as likely, at a known rate that drains 10 frames between two triggers of 44.
PosteriorMixture flat() {
    PosteriorMixture mixture;
    mixture.counts = false;
    for (int depth = 1000; depth < 2000; ++depth) mixture.points.push_back({static_cast<double>(depth), 1e10, 1e-3});
    return mixture;
}

Burst like() {
    Burst burst;
    burst.ports = 44;
    burst.payload = 1024, burst.wire = 1090, burst.buffer = 1070;
    return burst;
}

std::vector<double> depths(const PosteriorMixture& mixture) {
    std::vector<double> values;
    for (const PosteriorPoint& point : mixture.points) values.push_back(point.depth);
    return values;
}

InformationGain gain(const PosteriorMixture& mixture, double resolution = 1e-6) {
    return {mixture, like(), kWireSpeed, kWireSpeed, depths(mixture), resolution};
}

}  // namespace

TEST_CASE("A burst that half of the possible switches lose tells nearly one bit") {
    // The longest lossless m has 34 m + 10 <= B: the median, 1500 frames, allows 43 events.
    const PosteriorMixture mixture = flat();
    const InformationGain at_wire_speed = gain(mixture);
    CHECK(*at_wire_speed.longest_lossless_quantile(0.5) == 43);
    const Information half = at_wire_speed.expected(44);
    CHECK(half.probability_of_loss == Approx(0.5).margin(0.02));
    CHECK(half.bits > 0.85);  // 0.5 % of outcomes that are not reported cost 0.045 bit
    CHECK(half.bits < 1);
    CHECK(half.count_bits == 0);
}

TEST_CASE("A burst whose outcome is certain tells nothing") {
    const PosteriorMixture mixture = flat();
    CHECK(gain(mixture).expected(20).bits == Approx(0).margin(1e-9));
    CHECK(gain(mixture).expected(20).probability_of_loss == 0);
    CHECK(gain(mixture).expected(100).bits == Approx(0).margin(1e-9));
    CHECK(gain(mixture).expected(100).probability_of_loss == Approx(1));
}

TEST_CASE("Noise of the threshold takes information from an outcome") {
    PosteriorMixture mixture = flat();
    const double sharp = gain(mixture).expected(44).bits;
    mixture.kinds[0].noise.length = 0.2;
    const double soft = gain(mixture).expected(44).bits;
    CHECK(soft < sharp / 2);
    CHECK(soft > 0);
}

TEST_CASE("A counted loss tells as many bits as halvings to the wanted resolution") {
    // ln B between 1000 and 2000 frames has a standard deviation of about 0.2; half a frame, the least noise of a
    // count, is 0.00035 of 1443.
    PosteriorMixture mixture = flat();
    mixture.counts = true;
    const Information fine = gain(mixture).expected(100);
    CHECK(fine.bits == Approx(std::log2(0.2 / 0.00035)).margin(1));
    CHECK(fine.count_bits == Approx(fine.bits).margin(0.01));
    // 44 100 - 990 - B, on average over the depths.
    CHECK(fine.frames_lost == Approx(4400 - 990 - 1499.5).margin(1));
    const Information coarse = gain(mixture, 0.01).expected(100);
    CHECK(coarse.bits == Approx(std::log2(0.2 / 0.01)).margin(0.3));
}

TEST_CASE("A number that rate and depth share tells less of the depth the longer the switch drains") {
    PosteriorMixture mixture;
    for (int depth = 1000; depth < 2000; depth += 10)
        for (int sigma = -5; sigma <= 5; ++sigma)
            mixture.points.push_back({static_cast<double>(depth), 1e10 * (1 + 0.01 * sigma), 1.0 / 1100});
    const double close = gain(mixture).expected(100).bits;
    const InformationGain apart(mixture, like(), Time{30'000'000}, Time{30'000'000}, depths(mixture), 1e-6);
    CHECK(close > apart.expected(400).bits + 1);
}

TEST_CASE("A receiver with a cost per packet takes as long for frames of any size") {
    // 500 places, 10 Gb/s worth of frames of 1090 B: frames of 512 B payload leave no faster, a link would send
    // them 1.886 times as fast.
    PosteriorMixture mixture;
    mixture.points.push_back({500, 1e10, 1});
    mixture.wire = 1090;
    Burst small = like();
    small.payload = 512, small.wire = 578, small.buffer = 558;
    small.events = 40, small.spacing = small.separation = kWireSpeed;
    // 44 40 - 39 8.72 us / 872 ns - 500 = 870; a link of 462.4 ns a frame drains 735 instead of 390.
    CHECK(expected_loss(mixture, mixture.points[0], small) == 44 * 40 - 735 - 500);
    mixture.kinds[0].model.per_packet = true;
    CHECK(expected_loss(mixture, mixture.points[0], small) == 44 * 40 - 390 - 500);
}

TEST_CASE("Random loss ahead of a memory adds nothing to what a full one loses") {
    PosteriorMixture mixture;
    mixture.points.push_back({500, 1e10, 1});
    mixture.wire = 1090;
    MixtureKind& kind = mixture.kinds[0];
    kind.loss = 0.1;
    Burst burst = like();
    burst.spacing = burst.separation = kWireSpeed;
    burst.events = 40;
    // 44 40 - 390 - 500 = 870 find no room, as above; 890 are kept.
    CHECK(expected_loss(mixture, mixture.points[0], burst) == Approx(870 + 89));
    kind.loss_ahead = true;
    CHECK(expected_loss(mixture, mixture.points[0], burst) == 870);
    burst.events = 10;  // 440 - 90 frames find room
    CHECK(expected_loss(mixture, mixture.points[0], burst) == Approx(44));
}

namespace {

/// As likely a shared memory of 1000 … 1999 frames as inputs with memories of a 44th of that: with 44 ports no burst
/// tells the two.
PosteriorMixture two_kinds() {
    PosteriorMixture mixture;
    mixture.kinds.resize(2);
    mixture.kinds[0].probability = mixture.kinds[1].probability = 0.5;
    mixture.kinds[1].model.sharing = Buffer::Sharing::PerInput;
    for (int depth = 23; depth < 46; ++depth) {
        mixture.points.push_back({44.0 * depth, 1e10, 0.5 / 23, 0, 0});
        mixture.points.push_back({static_cast<double>(depth), 1e10, 0.5 / 23, 0, 1});
    }
    return mixture;
}

}  // namespace

TEST_CASE("A counted loss is worth what it tells of each kind's depth, though it does not tell the kinds apart") {
    const PosteriorMixture mixture = two_kinds();
    PosteriorMixture one;
    for (const PosteriorPoint& point : mixture.points)
        if (point.kind == 0) one.points.push_back({point.depth, point.rate, 1.0 / 23});
    CHECK(gain(mixture, 0.01).expected(100).count_bits == Approx(gain(one, 0.01).expected(100).count_bits).margin(0.2));
}

TEST_CASE("With half the ports a burst tells one bit more: which of two kinds it is") {
    const PosteriorMixture mixture = two_kinds();
    Burst half = like();
    half.ports = 22;
    const InformationGain informant_of_half(mixture, half, kWireSpeed, kWireSpeed, depths(mixture), 0.01);
    // 22 inputs hold half of what a shared memory does: up to 990 frames against 1012 and more.
    const Information told = informant_of_half.expected(200), untold = gain(mixture, 0.01).expected(100);
    CHECK(told.probability_of_loss == Approx(1));
    CHECK(told.count_bits == Approx(untold.count_bits + 1).margin(0.4));
}
