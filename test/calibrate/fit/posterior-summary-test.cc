// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/fit-steps.h"
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
ParameterPosterior thousand() {
    ParameterPosterior posterior;
    for (int i = 1; i <= 1000; ++i) {
        BurstParameters hidden{1000.0 + i, 1e10 + i};
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
    const BurstLikelihood law({}, {burst()});
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
        if (disturbance.name == "loss") {
            CHECK(disturbance.probability == Approx(0.01));
            CHECK_FALSE(disturbance.value);  // 0.01, where it is there: outside of 0 to 0
            CHECK(*disturbance.interval95.high == 0);
        }
    }
    REQUIRE(one.noise);
    CHECK_FALSE(one.noise->value);  // it may be absent
    CHECK(*one.noise->interval95.high == 2);
}

TEST_CASE("A depth of which more than a tail reaches to where the search ends has no limit there") {
    const BurstLikelihood law({}, {burst()});
    ParameterPosterior posterior = thousand();
    const SearchBox box = known_box({}, {burst()}, {});
    for (std::size_t i = 0; i < 100; ++i) posterior.samples[i].depth = static_cast<double>(box.depth_high);
    ModelFit one;
    take(one, posterior, law, box, {});
    CHECK(one.depth.interval95.low);
    CHECK_FALSE(one.depth.interval95.high);
    CHECK(one.depth.interval68.high);  // a tail of 16 %
}

namespace {

/// A kind with a hundred depths and rates from these on.
ModelFit kind_of(Buffer::Sharing sharing, double depth, double rate, double probability) {
    ModelFit one;
    one.model.sharing = sharing;
    one.probability = probability;
    one.depth.value = depth + 50;
    one.depth.interval68 = {depth + 16, depth + 84};
    one.depth.interval95 = {depth + 2, depth + 98};
    one.rate.value = rate + 50;
    one.parameters.resize(1);
    for (int i = 0; i < 100; ++i) one.depths.push_back(depth + i), one.rates.push_back(rate + i);
    return one;
}

}  // namespace

TEST_CASE("Depth and rate reach over all kinds of memory that may be, each with its probability") {
    constexpr auto kShared = Buffer::Sharing::Shared, kPerInput = Buffer::Sharing::PerInput;
    // 44 memories of 100 frames and more hold 4400 and more in all.
    std::vector<ModelFit> models{kind_of(kShared, 1000, 1000, 0.7), kind_of(kPerInput, 100, 5000, 0.3),
                                 kind_of(kShared, 90'000, 90'000, 0.0001)};
    mix(models, burst());
    const ModelFit& best = models.front();
    CHECK(*best.depth.value == 1050);
    CHECK(*best.depth.interval95.low == Approx(1003).margin(2));
    CHECK(*best.depth.interval95.high == Approx(44 * 194).margin(2 * 44));
    CHECK(*best.rate.interval95.low == Approx(1003).margin(2));
    CHECK(*best.rate.interval95.high == Approx(5093).margin(2));
    CHECK(*best.rate.value == Approx(1071).margin(2));  // the middle of the mixture
}

TEST_CASE("A kind that the data do not limit opens the depth if it is likelier than what lies beyond the limit") {
    for (const double open : {0.01, 0.1}) {
        std::vector<ModelFit> models{kind_of(Buffer::Sharing::Shared, 1000, 1000, 1 - open),
                                     kind_of(Buffer::Sharing::Shared, 1000, 1000, open)};
        models.back().deepest = 1;
        mix(models, burst());
        INFO("with a probability of " << open);
        CHECK(models.front().depth.interval95.high.has_value() == (open < 0.02));
        CHECK(models.front().depth.interval95.low);
    }
}

TEST_CASE("Kinds limit the depth together if no more than a tail of all of them lies beyond the limit") {
    for (const double deepest : {0.03, 0.06}) {
        std::vector<ModelFit> models{kind_of(Buffer::Sharing::Shared, 1000, 1000, 0.5),
                                     kind_of(Buffer::Sharing::Shared, 1000, 1000, 0.5)};
        models.back().depth.interval95.high.reset();
        models.back().deepest = deepest;
        mix(models, burst());
        CHECK(models.front().depth.interval95.high.has_value() == (deepest < 0.04));
    }
}

TEST_CASE("A depth of a whole number of frames lies within its interval, however narrow") {
    std::vector<ModelFit> models{kind_of(Buffer::Sharing::Shared, 1000, 1000, 1)};
    for (std::size_t i = 0; i < 100; ++i) models.front().depths[i] = 1000 + static_cast<double>(i) / 100;
    models.front().depth.value = 1000;
    mix(models, burst());
    CHECK(*models.front().depth.interval95.low == 1000);
    CHECK(*models.front().depth.interval95.high == 1000);
}

TEST_CASE("Frames are lost at random where that is as probable as not, or known") {
    ModelFit one;
    CHECK_FALSE(likely_loss(one));
    one.disturbances = {{"bucket", "bytes", 1, 3000, {2000, 4000}, false},
                        {"loss", "of the frames", 0.4, 0.01, {0, 0.02}, false}};
    CHECK_FALSE(likely_loss(one));
    one.disturbances.back().known = true;
    REQUIRE(likely_loss(one));
    CHECK(*likely_loss(one)->value == 0.01);
    one.disturbances.back() = {"loss", "of the frames", 0.97, 0.02, {0, 0.03}, false};
    CHECK_FALSE(likely_loss(one));
    one.disturbances.back().interval95.low = 0.01;
    CHECK(*likely_loss(one)->value == 0.02);
}

TEST_CASE("A depth is not negative, though the closed form of a feature leaves a frame of each queue open") {
    std::vector<ModelFit> models{kind_of(Buffer::Sharing::Shared, 1, 1000, 1)};
    models.front().model.feature = Feature::UnevenUplinks;
    models.front().mixes = {BurstMix{44, 8, 1024}};
    mix(models, burst());
    CHECK(*models.front().depth.interval95.low == 0);  // 3, less one of each of 8 uplinks
    CHECK(*models.front().depth.interval95.high == Approx(107).margin(2));
}
