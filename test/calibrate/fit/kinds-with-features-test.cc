// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>

#include "calibrate/fit/fit-steps.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// The kinds with features for these bursts, beside a shared memory in bytes.
std::vector<ModelFit> found_beside_bytes(const std::vector<Burst>& bursts) {
    Fit fit;
    fit.conditions = default_conditions();
    fit.bursts = bursts;
    fit.counts_used = true;
    fit.models.resize(1);
    fit.models.front().model.unit = MemorySize::Unit::Byte;
    const FitInput map(fit.bursts, fit.options);
    explain(fit.models, map, map.flags);
    infer(fit.models, map);
    return kinds_with_features(fit, map);
}

}  // namespace

TEST_CASE("A limit on frames is found beside a memory in bytes that does not explain the small frames") {
    const std::vector<ModelFit> found = found_beside_bytes(bursts_with_descriptors());
    const auto likeliest = std::max_element(found.begin(), found.end(), [](const ModelFit& a, const ModelFit& b) {
        return a.log_evidence < b.log_evidence;
    });
    REQUIRE(likeliest != found.end());
    CHECK(likeliest->model.name() == "shared-bytes-descriptors");
    REQUIRE(likeliest->feature);
    CHECK(*likeliest->feature->value == Approx(3500).epsilon(0.002));
}

TEST_CASE("No feature is sought where a plain memory explains the bursts, nor of a handful of them") {
    QueueModel bytes;
    bytes.unit = MemorySize::Unit::Byte;
    std::vector<Burst> plain = bursts_with_descriptors();
    for (Burst& burst : plain) burst = ended(bytes, burst, 3'000'000, 10e9);
    CHECK(found_beside_bytes(plain).empty());
    std::vector<Burst> few = bursts_with_descriptors();
    few.resize(kFewestBursts - 1);
    CHECK(found_beside_bytes(few).empty());
}
