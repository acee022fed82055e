// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/feature/feature-search.h"

#include <algorithm>
#include <cmath>

#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// A plain memory in bytes, some way off: as a fit leaves it that had to explain what a feature did.
ModelFit plain_fit() {
    ModelFit plain;
    plain.model.unit = MemorySize::Unit::Byte;
    plain.depth.value = 2.5e6, plain.rate.value = 10.3e9;
    return plain;
}

std::optional<FoundFeature> search(Feature feature, const std::vector<Burst>& bursts, bool counts,
                                   const FitOptions& options = {}) {
    const ModelFit plain = plain_fit();
    return search_feature(FeatureModels({plain, feature, bursts, bursts, options, counts}));
}

}  // namespace

TEST_CASE("Descriptors are found, and depth and rate where a plain memory had to be too small and too fast") {
    const auto found = search(Feature::Descriptors, bursts_with_descriptors(), true);
    REQUIRE(found);
    CHECK(std::exp(found->best) == Approx(3500).epsilon(0.001));
    CHECK(found->place.depth == Approx(3e6).epsilon(0.001));
    CHECK(found->place.rate == Approx(10e9).epsilon(0.001));
    CHECK(found->low < found->best);
    CHECK(found->best < found->high);
    // As many values matter as a posterior is made of, and each has a place within reach of the best one.
    const auto within = std::count_if(found->places.begin(), found->places.end(), [&](const auto& one) {
        return found->low <= one.first && one.first <= found->high;
    });
    CHECK(within >= FoundFeature::kValues);
    for (const auto& [value, place] : found->places) CHECK(place.depth == Approx(found->place.depth).epsilon(0.1));
    CHECK(found->orders == std::vector<AskingOrder>{AskingOrder::Unknown});
    CHECK(found->log_order_prior == 0);
}

TEST_CASE("What is known of depth and rate holds for every place") {
    FitOptions known;
    known.depth = MemorySize{3'000'000, MemorySize::Unit::Byte};
    known.service_rate_bounds = {{BitRate{9'990'000'000}, BitRate{10'010'000'000}}};
    const auto found = search(Feature::Descriptors, bursts_with_descriptors(), true, known);
    REQUIRE(found);
    for (const auto& [value, place] : found->places) {
        CHECK(place.depth == Approx(3e6).epsilon(1e-9));
        CHECK(place.rate > 9.989e9);
        CHECK(place.rate < 10.011e9);
    }
}

TEST_CASE("No feature is worth a posterior where a plain memory explains as much") {
    std::vector<Burst> bursts = bursts_with_descriptors();
    for (Burst& burst : bursts) burst = ended(plain_fit().model, burst, 3'000'000, 10e9);
    for (const bool counts : {true, false}) CHECK_FALSE(search(Feature::Descriptors, bursts, counts));
    // Half an event of 44 frames is the least that a resume level scatters: from the right place of a plain memory
    // nothing does.
    ModelFit right = plain_fit();
    right.depth.value = 3e6, right.rate.value = 10e9;
    CHECK_FALSE(search_feature(FeatureModels({right, Feature::Resume, bursts, bursts, {}, true})));
}

TEST_CASE(
    "Of six orders in which the modules of uneven uplinks may ask, the likely ones are kept, each with a sixth of the "
    "prior") {
    QueueModel hidden = plain_fit().model;
    hidden.feature = Feature::UnevenUplinks, hidden.value = 26.0 / 44, hidden.order = AskingOrder::FullestFirst;
    std::vector<Burst> bursts;
    for (int i = 0; i < 24; ++i) {
        Burst burst = burst_of_44(100 + 29 * i);
        burst.row = i + 1, burst.uplinks = 2, burst.spacing = Time{(12 + i * 5 % 8) * 1'000'000};
        bursts.push_back(ended(hidden, burst, 3'000'000, 10e9));
    }
    const auto found = search(Feature::UnevenUplinks, bursts, true);
    REQUIRE(found);
    CHECK(found->best == Approx(26.0 / 44).epsilon(0.03));
    CHECK(found->orders.front() == AskingOrder::FullestFirst);
    CHECK(found->log_order_prior == Approx(-std::log(6)));
}
