// SPDX-License-Identifier: GPL-2.0-only
#include <boost/range/algorithm_ext/erase.hpp>

#include "calibrate/fit/fit-steps.h"
#include "test/calibrate/feature-study.h"
#include "test/catch.h"

using namespace watershed;

namespace {

recovery::Campaign campaign_of(Feature feature, double frames_of_noise, std::uint64_t seed, int bursts = 60) {
    SetupImperfections apparatus;
    apparatus.noise.frames = frames_of_noise;
    return recovery::feature_campaign({"", feature, false}, apparatus, seed, bursts);
}

}  // namespace

TEST_CASE("Least squares of counts towards several numbers of uplinks find a dynamic threshold") {
    for (const double noise : {0.0, 3.0})
        for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
            CAPTURE(noise, seed);
            const recovery::Campaign made = campaign_of(Feature::DynamicThreshold, noise, seed);
            const auto hint = threshold_hint(made.truth, bursts_of(made.map, default_conditions(), CountUse::Count));
            REQUIRE(hint);
            CHECK(hint->depth == Approx(made.depth).epsilon(0.02));
            CHECK(hint->rate == Approx(made.rate).epsilon(0.002));
            CHECK(hint->feature == Approx(made.truth.value).epsilon(0.1));
        }
}

TEST_CASE("One number of uplinks tells no threshold, nor does a memory that all share alike") {
    const recovery::Campaign made = campaign_of(Feature::DynamicThreshold, 0, 1);
    std::vector<Burst> one = bursts_of(made.map, default_conditions(), CountUse::Count);
    boost::remove_erase_if(one, [](const Burst& burst) { return burst.uplinks > 1; });
    REQUIRE(one.size() > 6);
    CHECK(threshold_hint(made.truth, one) == std::nullopt);
    const recovery::Campaign uneven = campaign_of(Feature::UnevenUplinks, 0, 1);
    CHECK(threshold_hint(uneven.truth, bursts_of(uneven.map, default_conditions(), CountUse::Count)) == std::nullopt);
}

TEST_CASE("A dynamic threshold is found though its peak is narrow") {
    const recovery::Campaign made = campaign_of(Feature::DynamicThreshold, 0, 5117, 34);
    const Fit fit = fit_loss_map(made.map, default_conditions(), {});
    CHECK(fit.best().model.feature == Feature::DynamicThreshold);
    CHECK(recovery::judged_feature(made, fit).depth95);
}
