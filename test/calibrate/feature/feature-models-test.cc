// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/feature/feature-models.h"

#include <rapidcheck.h>

#include <cmath>
#include <random>

#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

ModelFit plain_fit(double depth) {
    ModelFit plain;
    plain.depth.value = depth, plain.rate.value = 10e9;
    return plain;
}

}  // namespace

TEST_CASE("A dynamic threshold is placed where it leaves most lossy bursts what the plain memory leaves them") {
    // Towards two uplinks, each of two queues holds alpha / (1 + 2 alpha) of the depth B': 2 B' alpha / (1 + 2 alpha) =
    // B.
    std::vector<Burst> bursts;
    for (const int uplinks : {1, 2, 2}) {
        Burst burst = burst_of_44(300);
        burst.uplinks = uplinks, burst.lossy = true;
        bursts.push_back(burst);
    }
    bursts.push_back(burst_of_44(10)), bursts.push_back(bursts.back());  // lossless ones have no say
    const ModelFit plain = plain_fit(3000);
    FitOptions unknown, known;
    known.depth = MemorySize{3000, MemorySize::Unit::Frame};
    REQUIRE(rc::check([&] {
        const double alpha = std::exp(*rc::gen::inRange(-4, 4));
        const FeatureModels models({plain, Feature::DynamicThreshold, bursts, bursts, unknown, true}),
            told({plain, Feature::DynamicThreshold, bursts, bursts, known, true});
        const QueueModel model = models.with(alpha, AskingOrder::Unknown);
        const Place place = models.place(model, {3000, 10e9});
        RC_ASSERT(std::abs(2 * place.depth * alpha / (1 + 2 * alpha) - 3000) < 1e-6);
        RC_ASSERT(place.rate == 10e9);
        RC_ASSERT(told.place(model, {3000, 10e9}).depth == 3000);  // which is no longer free to replace alpha
    }));
    const FeatureModels uneven({plain, Feature::UnevenUplinks, bursts, bursts, unknown, true});
    CHECK(uneven.place(uneven.with(0.7, AskingOrder::InTurn), {3000, 10e9}).depth == 3000);
    CHECK(uneven.with(0.7, AskingOrder::InTurn).order == AskingOrder::InTurn);
}

TEST_CASE("The scatter of counts is that of most of them, and never less than rounding leaves") {
    std::vector<Burst> bursts;
    for (std::int64_t events = 200; events < 260; ++events)
        bursts.push_back(ended({}, burst_of_44(events), 3000, 10e9));
    const ModelFit plain = plain_fit(3000);
    const auto scatter = [&] {
        return FeatureModels({plain, Feature::Resume, bursts, bursts, {}, true}).scatter_at({}, {3000, 10e9});
    };
    CHECK(scatter() < 1);
    CHECK(scatter() >= 0.2887);  // 1 / sqrt(12)
    std::mt19937_64 random(1);
    std::normal_distribution<double> noise(0, 20);
    for (Burst& burst : bursts) burst.lost += std::llround(noise(random));
    CHECK(scatter() == Approx(20).epsilon(0.3));  // of 60: 20 / sqrt(2 x 60), a half more for a median
    for (std::size_t i = 0; i < bursts.size(); i += 10) bursts[i].lost += 5000;
    CHECK(scatter() == Approx(20).epsilon(0.4));
    for (Burst& burst : bursts) burst.counted = false;
    CHECK(scatter() == 0.2887);
}

TEST_CASE("Bursts that are looked at in six orders of asking are fewer, those without numbers more") {
    const std::vector<Burst> bursts(1000, ended({}, burst_of_44(300), 3000, 10e9));
    const ModelFit plain = plain_fit(3000);
    const auto size = [&](Feature feature, bool counts) {
        return FeatureModels({plain, feature, bursts, bursts, {}, counts}).sample().size();
    };
    CHECK(size(Feature::UnevenUplinks, true) < size(Feature::Resume, true));
    CHECK(size(Feature::Resume, true) < size(Feature::Descriptors, false));
    CHECK(size(Feature::Descriptors, false) < 200);
}
