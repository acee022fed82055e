// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/count-fit.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "test/catch.h"

using namespace watershed;

namespace {

/// Bursts whose losses scatter about M N - B - floor((M - 1) r) by `scatter` frames; 44 ports, 1090 B slots.
std::vector<Burst> scattered(double depth, double rate, double scatter, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise(0, scatter);
    std::vector<Burst> bursts;
    for (int i = 0; i < 60; ++i) {
        Burst burst;
        burst.row = i + 1;
        burst.ports = 44;
        burst.wire = 1090;
        burst.spacing = Time{(9 + i % 3 * 11) * 1'000'000};
        burst.events = 150 + 10 * i;
        const double kept = depth + std::floor(burst.drain() * rate) + noise(random);
        burst.lost = std::max<std::int64_t>(0, burst.fragments() - std::llround(kept));
        burst.lossy = burst.lost > 0;
        burst.counted = true;
        bursts.push_back(burst);
    }
    return bursts;
}

}  // namespace

TEST_CASE("Scattered counts give depth and rate with errors that cover the truth") {
    // 100 maps: pulls beyond two standard deviations should be about 5; the systematic half frame makes them fewer.
    int far = 0;
    double scatter = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const auto fit = fit_counts({}, scattered(3080, 1e10, 4, seed), std::nullopt);
        REQUIRE(fit);
        far += std::abs(fit->depth - 3080) > 2 * fit->depth_sigma || std::abs(fit->rate - 1e10) > 2 * fit->rate_sigma;
        scatter += fit->scatter / 100;
    }
    CHECK(scatter == Approx(4).epsilon(0.1));
    CHECK(far <= 16);
    CHECK(far >= 1);
}

TEST_CASE("Wild counts are named and do not move the fit") {
    std::vector<Burst> bursts = scattered(3080, 1e10, 1, 7);
    for (const std::size_t i : {30u, 40u, 45u}) bursts[i].lost += 300;
    const auto fit = fit_counts({}, bursts, std::nullopt);
    REQUIRE(fit);
    CHECK(fit->outliers == std::vector<int>{31, 41, 46});
    CHECK(fit->depth == Approx(3080).margin(5));
}

TEST_CASE("One separation cannot give depth and rate, but depth alone where the rate is known") {
    std::vector<Burst> bursts = scattered(3080, 1e10, 1, 7);
    for (Burst& burst : bursts) {
        burst.spacing = Time{9'000'000};
        burst.events = 300;
        burst.lost = burst.fragments() - 3080 - static_cast<std::int64_t>(burst.drain() * 1e10);
    }
    CHECK_FALSE(fit_counts({}, bursts, std::nullopt));
    const auto fit = fit_counts({}, bursts, 1e10);
    REQUIRE(fit);
    CHECK(fit->depth == Approx(3080).margin(1));
}

TEST_CASE("A depth that is known leaves the rate, and both leave the scatter") {
    const std::vector<Burst> bursts = scattered(3080, 1e10, 2, 7);
    const auto rate = fit_counts({}, bursts, std::nullopt, 3080);
    REQUIRE(rate);
    CHECK(rate->depth == 3080);
    CHECK(rate->depth_sigma == 0);
    CHECK(std::abs(rate->rate - 1e10) < 3 * rate->rate_sigma);
    const auto scatter = fit_counts({}, bursts, 1e10, 3080);
    REQUIRE(scatter);
    CHECK(scatter->rate == 1e10);
    CHECK(scatter->scatter == Approx(2).epsilon(0.3));
    // 500 frames too many are taken for scatter, each of them.
    CHECK(fit_counts({}, bursts, 1e10, 3580)->scatter == Approx(500 / 0.6745).epsilon(0.02));
}
