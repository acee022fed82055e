// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/burst-likelihood.h"

#include <rapidcheck.h>

#include <cmath>

#include "calibrate/fit/fit.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

Burst burst_of(std::int64_t events, bool lossy) {
    Burst burst = burst_of_44(events);
    burst.lossy = lossy;
    return burst;
}

}  // namespace

TEST_CASE("The threshold is the longest lossless burst before rounding, for either sharing and several uplinks") {
    REQUIRE(rc::check([] {
        QueueModel model;
        model.sharing = *rc::gen::element(Buffer::Sharing::Shared, Buffer::Sharing::PerInput);
        Burst burst = burst_of(2, false);
        burst.uplinks = *rc::gen::inRange(1, 4);
        burst.ports = *rc::gen::inRange(8, 60);
        burst.spacing = Time{*rc::gen::inRange(9, 40) * 1'000'000};
        const double depth = *rc::gen::inRange(500, 5000), rate = *rc::gen::inRange(1, 10) * 1e9;
        const auto longest = longest_lossless(model, burst, burst.spacing, depth, rate);
        const double threshold = threshold_events(model, burst, depth, rate);
        if (!longest) {
            RC_ASSERT(std::isinf(threshold) || threshold > 1e6);
        } else if (*longest < 100'000) {
            // floor() of what each uplink drains moves it by at most a few frames
            RC_ASSERT(std::abs(threshold - static_cast<double>(*longest)) <= 2 + 0.2 * static_cast<double>(*longest));
        }
    }));
}

TEST_CASE("Flags are likely where the model says so, and repeats count as often as they were made") {
    std::vector<Burst> bursts;
    for (int i = 0; i < 3; ++i) bursts.push_back(burst_of(100, true)), bursts.push_back(burst_of(40, false));
    const FlagLikelihood likelihood({}, bursts, 1e10);
    const auto most = [&](double depth) {
        std::vector<double> sums(likelihood.nuisances().size(), 0);
        likelihood.add(depth, 1e10, sums);
        return *std::max_element(sums.begin(), sums.end());
    };
    // 44 M - 22.9 (M - 1) frames: 870 after 40 events, 2132 after 100
    CHECK(most(1500) > -0.1);
    CHECK(most(800) < -1);
    CHECK(most(2500) < -1);
    const Nuisance nuisance{0.1, true, 0, 0, 0};
    CHECK(FlagLikelihood::probability(0, nuisance) == Approx(0.4995));
    CHECK(FlagLikelihood::probability(0.1, nuisance) == Approx(0.999 * 0.841345).epsilon(1e-5));
}

TEST_CASE("Rates are as likely beforehand as the bursts can tell them apart") {
    // The threshold is B / (1 - x), of a load x that is proportional to the rate: d ln(threshold) / d ln(rate) = x / (1
    // - x)
    Burst near = burst_of(100, true), far = near;
    far.spacing = Time{30'000'000};
    const FlagLikelihood likelihood({}, {near, far}, 1e10);
    const auto slope = [](const Burst& burst, double rate) {
        const double load = burst.drain() * rate / (99.0 * 44);
        return load / (1 - load);
    };
    const auto apart = [&](double rate) { return slope(far, rate) - slope(near, rate); };
    for (const double rate : {0.9e10, 1e10, 1.1e10})
        CHECK(likelihood.log_prior(1500, rate) == Approx(std::log(apart(rate) / apart(1e10))).margin(1e-9));
    CHECK(FlagLikelihood({}, {near, near}, 1e10).log_prior(1500, 0.9e10) ==
          Approx(0).margin(1e-9));  // one separation tells no rates apart
}

TEST_CASE("Noise that is known is the only one") {
    const FlagLikelihood told({}, {burst_of(100, true), burst_of(40, false)}, 1e10, KnownNoise{0.02, 0.02, true});
    double sum = 0;
    for (const Nuisance& nuisance : told.nuisances()) {
        CHECK(nuisance.noise == Approx(0.02));
        sum += std::exp(nuisance.log_prior);
    }
    CHECK(sum == Approx(1));
}

TEST_CASE("Nuisances that weigh nothing may be left out, and the others stay as likely") {
    FlagLikelihood all({}, {burst_of(100, true), burst_of(40, false)}, 1e10), few = all;
    std::vector<double> weights(all.nuisances().size(), 0), sums(weights.size(), 0), kept(2, 0);
    weights[0] = 0.4, weights[3] = 0.6;
    few.keep_likely(weights);
    REQUIRE(few.nuisances().size() == 2);
    all.add(1600, 1e10, sums);
    few.add(1600, 1e10, kept);
    CHECK(kept[0] == Approx(sums[0]));
    CHECK(kept[1] == Approx(sums[3]));
}

TEST_CASE("The same bursts may be asked for another kind of memory") {
    const std::vector<Burst> bursts{burst_of(100, true), burst_of(40, false)};
    QueueModel inputs;
    inputs.sharing = Buffer::Sharing::PerInput;
    const FlagLikelihood made(inputs, bursts, 1e10), taken = FlagLikelihood({}, bursts, 1e10).of(inputs);
    std::vector<double> expected(made.nuisances().size(), 0), found = expected;
    made.add(31, 1e10, expected);
    taken.add(31, 1e10, found);
    CHECK(found == expected);
}

TEST_CASE("Many repeats are as likely as the product over them that their dispersion makes") {
    // 40 of 100 at p, where each repeat follows the ones before: prod (p + j d) / (1 + j d), losses first
    std::vector<Burst> bursts;
    for (int i = 0; i < 100; ++i) bursts.push_back(burst_of(70, i < 40));
    const FlagLikelihood likelihood({}, bursts, 1e10);
    const auto& nuisances = likelihood.nuisances();
    std::vector<double> sums(nuisances.size(), 0);
    const double depth = 1520;
    likelihood.add(depth, 1e10, sums);
    for (std::size_t i = 0; i < nuisances.size(); ++i) {
        if (nuisances[i].noise < 0.01) continue;
        const double p = FlagLikelihood::probability(
                         std::log(70 / threshold_events({}, burst_of(70, true), depth, 1e10)), nuisances[i]),
                     d = nuisances[i].dispersion;
        double log_product = 0;
        for (int j = 0; j < 40; ++j) log_product += std::log((p + j * d) / (1 + j * d));
        for (int j = 0; j < 60; ++j) log_product += std::log((1 - p + j * d) / (1 + (40 + j) * d));
        CHECK(sums[i] == Approx(log_product).margin(0.05).epsilon(1e-4));
    }
}
