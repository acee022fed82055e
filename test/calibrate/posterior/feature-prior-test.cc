// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/feature-prior.h"

#include <rapidcheck.h>

#include <cmath>

#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

QueueModel with(Feature feature, MemorySize::Unit unit = MemorySize::Unit::Frame) {
    QueueModel model;
    model.feature = feature;
    model.unit = unit;
    return model;
}

/// One lossy burst towards one uplink, two towards two; lossless ones towards three have no say.
std::vector<Burst> bursts() {
    std::vector<Burst> all;
    for (const int uplinks : {1, 2, 2, 3, 3, 3}) {
        Burst burst = burst_of_44(uplinks == 3 ? 10 : 300);
        burst.uplinks = uplinks, burst.lossy = uplinks != 3;
        all.push_back(burst);
    }
    return all;
}

}  // namespace

TEST_CASE("A number between 0 and 1 and the value of a feature stand for each other") {
    REQUIRE(rc::check([] {
        const double share = *rc::gen::inRange(1, 1000) / 1000.0, depth = *rc::gen::inRange(100'000, 100'000'000);
        for (const Feature feature : {Feature::Resume, Feature::DynamicThreshold, Feature::UnevenUplinks}) {
            const FeaturePrior prior(with(feature), bursts());
            RC_ASSERT(std::abs(prior.share(prior.value(share, depth), depth) - share) < 1e-9);
        }
        // Descriptors are a whole number: one more or less of them lies in between.
        const FeaturePrior prior(with(Feature::Descriptors, MemorySize::Unit::Byte), bursts());
        const double count = prior.value(share, depth);
        RC_ASSERT(prior.share(count + 1, depth) <= share && share <= prior.share(count, depth) + 1e-9);
    }));
}

TEST_CASE("What is held possible of a feature is what calibrate/README.md states") {
    const auto range = [](const QueueModel& model, double depth) {
        const FeaturePrior prior(model, bursts());
        return std::pair{prior.value(0, depth), prior.value(1, depth)};
    };
    CHECK(range(with(Feature::Resume), 1) == std::pair{0.0, 0.995});
    CHECK(range(with(Feature::UnevenUplinks), 1).first == Approx(1.0 / 3));
    CHECK(range(with(Feature::UnevenUplinks), 1).second == Approx(1));
    CHECK(range(with(Feature::DynamicThreshold), 1).first == Approx(1.0 / 64));
    CHECK(range(with(Feature::DynamicThreshold), 1).second == Approx(16));
    // 64 to 16384 bytes of memory for each descriptor.
    CHECK(range(with(Feature::Descriptors, MemorySize::Unit::Byte), 6.4e6).first == Approx(1e5).margin(1));
    CHECK(range(with(Feature::Descriptors, MemorySize::Unit::Byte), 16'384e3).second == Approx(1000).margin(1));
    QueueModel cells = with(Feature::Descriptors, MemorySize::Unit::Cell);
    cells.cell = 64;
    CHECK(range(cells, 1000).first == Approx(1000).margin(1));
}

TEST_CASE("Under a dynamic threshold most lossy bursts, towards two uplinks, fill 2 alpha / (1 + 2 alpha) of it") {
    const FeaturePrior prior(with(Feature::DynamicThreshold), bursts());
    REQUIRE(rc::check([&] {
        const double alpha = std::exp(*rc::gen::inRange(-4, 3));
        RC_ASSERT(std::abs(prior.fraction_filled(prior.share(alpha, 1)) - 2 * alpha / (1 + 2 * alpha)) < 1e-9);
    }));
    CHECK(FeaturePrior(with(Feature::Resume), bursts()).fraction_filled(0.3) == 1);
}
