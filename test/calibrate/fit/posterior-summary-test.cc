// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/posterior-summary.h"

#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

Burst burst() {
    Burst one = burst_of_44(200);
    one.lossy = one.counted = true;
    one.lost = 10;
    return one;
}

/// A thousand samples of depths 1001 to 2000.
HiddenPosterior thousand() {
    HiddenPosterior posterior;
    for (int i = 1; i <= 1000; ++i) {
        Hidden hidden;
        hidden.depth = 1000 + i;
        hidden.rate = 1e10 + i;
        hidden.noise_frames = i <= 400 ? 0 : 2;
        hidden.loss = i <= 990 ? 0 : 0.01;
        posterior.samples.push_back(hidden);
        posterior.log_likelihoods.push_back(0);
    }
    posterior.log_evidence = -12;
    return posterior;
}

}  // namespace

TEST_CASE("Estimates are quantiles of the samples, disturbances have the share of those in which they are") {
    const BurstLaw law({}, {burst()});
    ModelFit one;
    take(one, thousand(), law, known_box({}, {burst()}, {}), {});
    CHECK(one.log_evidence == -12);
    CHECK(*one.depth.value == Approx(1500.5));
    CHECK(*one.depth.interval68.low == Approx(1160).margin(2));
    CHECK(*one.depth.interval95.low == Approx(1020).margin(7));
    CHECK(*one.depth.interval95.high == Approx(1980).margin(7));
    CHECK(*one.rate.value == Approx(1e10 + 500.5));
    for (const Disturbance& disturbance : one.disturbances) {
        if (disturbance.name == "noise-frames") {
            CHECK(disturbance.probability == Approx(0.6));
            CHECK(*disturbance.value == 2);
            CHECK(*disturbance.interval95.low == 0);
        }
        if (disturbance.name == "loss") CHECK(disturbance.probability == Approx(0.01));
    }
    REQUIRE(one.noise);
    CHECK_FALSE(one.noise->value);   // it may be absent
    CHECK(*one.noise->interval95.high == 2);
}

TEST_CASE("A depth that reaches to where the search ends has no limit there") {
    const BurstLaw law({}, {burst()});
    HiddenPosterior posterior = thousand();
    const SearchBox box = known_box({}, {burst()}, {});
    for (std::size_t i = 0; i < 100; ++i) posterior.samples[i].depth = static_cast<double>(box.depth_high);
    ModelFit one;
    take(one, posterior, law, box, {});
    CHECK(one.depth.interval95.low);
    CHECK_FALSE(one.depth.interval95.high);
}

TEST_CASE("The rate is that of all kinds of memory that may be, each with its probability") {
    const auto kind = [](double rate, double probability) {
        ModelFit one;
        one.probability = probability;
        one.rate.value = rate;
        one.hidden.resize(1);
        for (int i = 0; i < 100; ++i) one.support.push_back({1000, rate + i, 1});
        return one;
    };
    std::vector<ModelFit> models{kind(1000, 0.7), kind(5000, 0.3), kind(9000, 0.0001)};
    mix_rates(models);
    CHECK(*models.front().rate.interval95.low < 1100);
    CHECK(*models.front().rate.interval95.high > 5000);
    CHECK(*models.front().rate.interval95.high < 5200);
    CHECK(*models.front().rate.value < 1200);
}
