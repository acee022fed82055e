// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/advice/burst-planner.h"
#include "calibrate/posterior/burst-likelihood.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// 1500 frames behind 10 Gb/s: at 8.72 us between triggers of 44 ports 10 frames leave per event, and M events want 44
/// M - 10 (M - 1) places.
PosteriorMixture one_switch() {
    PosteriorMixture mixture;
    mixture.points.push_back({1500, 1e10, 1});
    return mixture;
}

Burst burst(std::int64_t events) {
    Burst one = burst_of_44(events);
    one.separation = one.spacing = Time{8'720'000};
    return ended({}, one, 1500, 1e10);
}

}  // namespace

TEST_CASE("The outcome of a burst is predicted where all that is believed agrees") {
    const PredictedLoss shorter = predict_loss(one_switch(), burst(43)), longer = predict_loss(one_switch(), burst(44));
    CHECK(shorter.probability_of_loss == 0);  // 44 43 - 10 42 = 1472 places
    CHECK(longer.probability_of_loss == 1);   // 1506
    CHECK(shorter.certain());
    CHECK(longer.certain());
    CHECK(shorter.agrees(burst(43)));
    CHECK(longer.agrees(burst(44)));
    CHECK_FALSE(shorter.agrees(burst(44)));
    CHECK_FALSE(longer.agrees(burst(43)));
}

TEST_CASE("A number of lost frames far from the one predicted is a failed check") {
    Burst one = burst(100);  // 44 100 - 10 99 - 1500 = 1910
    CHECK(one.lost == 1910);
    const PredictedLoss predicted = predict_loss(one_switch(), one);
    CHECK(predicted.agrees(one));
    one.lost = 1900;
    CHECK_FALSE(predicted.agrees(one));
    one.counted = false;
    CHECK(predicted.agrees(one));  // that it lost frames is all that is known
    PosteriorMixture noisy = one_switch();
    noisy.kinds[0].noise.frames = 4;
    one.counted = true;
    CHECK(predict_loss(noisy, one).agrees(one));
}

TEST_CASE("Random loss makes a short burst lose what it is predicted to lose") {
    PosteriorMixture mixture = one_switch();
    mixture.kinds[0].loss = 0.01;
    Burst one = burst(20);
    const PredictedLoss predicted = predict_loss(mixture, one);
    CHECK(predicted.probability_of_loss == Approx(1 - std::pow(0.99, 880)));
    one.lossy = true, one.lost = 9;  // of 880
    CHECK(predicted.agrees(one));
    one.lost = 60;
    CHECK_FALSE(predicted.agrees(one));
    // A shorter one may lose nothing or a few: its number is predicted though a loss is not.
    one = burst(1);
    const PredictedLoss few = predict_loss(mixture, one);
    CHECK(few.probability_of_loss == Approx(1 - std::pow(0.99, 44)));  // 0.36
    CHECK(few.certain());
    CHECK(few.agrees(one));
    one.lossy = true, one.lost = 2;
    CHECK(few.agrees(one));
    one.lost = 9;
    CHECK_FALSE(few.agrees(one));
    mixture.counts = false;
    CHECK_FALSE(predict_loss(mixture, one).certain());
}

namespace {

/// 101 bursts, the first of a separation of its own, and two kinds of memory of which 60 switches each are held
/// possible: of one half lose that burst every second time, all others nearly always.
Fit two_kinds() {
    Fit fit;
    fit.bursts.assign(101, burst(20));
    fit.bursts.front() = burst(44);
    fit.bursts.front().counted = false;
    fit.bursts.front().separation = Time{8'000'000};
    for (const double share : {0.6, 0.4}) {
        ModelFit& one = fit.models.emplace_back();
        one.probability = share;
        one.noise.emplace().value = 4;
        one.mixes = BurstLikelihood::mixes_of(fit.bursts);
        for (int i = 0; i < 60; ++i) {
            BurstParameters& point = one.parameters.emplace_back();
            point.rate = 1e10, point.noise_frames = 4;
            point.depth = share == 0.6 && i < 30 ? 1505 : 1400;  // wanted are 1506 places, less half a frame
        }
    }
    return fit;
}

}  // namespace

TEST_CASE("Without a burst each switch counts the less the likelier it makes this one") {
    Fit fit = two_kinds();
    const auto without = fit_without(fit, fit.bursts, Time{8'000'000});
    REQUIRE(without);
    const BurstLikelihood law(fit.models[0].model, fit.bursts);
    const double overflow = law.overflow(0, fit.models[0].parameters[0]);
    const double often = std::erfc(-(overflow - 0.5) / 4 / std::sqrt(2)) / 2;  // lost frames are rounded: one is
    CHECK(overflow == Approx(1.5).margin(1));
    const double first = 0.3 / often + 0.3, second = 0.4;
    CHECK(without->models[0].probability == Approx(first / (first + second)));
    CHECK(without->models[1].probability == Approx(second / (first + second)));
    const auto& support = without->models[0].support;
    CHECK(support.front().weight * often == Approx(support.back().weight));
    CHECK(support.front().depth == 1505);
    SECTION("a small map is fitted anew") {
        fit.bursts.pop_back();
        CHECK_FALSE(fit_without(fit, fit.bursts, Time{8'000'000}));
    }
    SECTION("and where nothing scatters: no switch is left that the burst rules out") {
        fit.models[1].noise->value.reset();
        CHECK_FALSE(fit_without(fit, fit.bursts, Time{8'000'000}));
    }
    SECTION("and where few switches speak for all: a loss that few explain") {
        for (std::size_t i = 1; i < 60; ++i) fit.models[0].parameters[i].depth = 1400;
        fit.models[0].parameters[0].depth = 1520;
        CHECK_FALSE(fit_without(fit, fit.bursts, Time{8'000'000}));
    }
}
