// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/feature/feature-posterior.h"

#include <rapidcheck.h>

#include <cmath>

#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// One point at a depth, with an evidence.
GridPosterior at(double depth, double log_evidence) { return {{{depth, 10e9, 1}}, {0.25, 0.75}, log_evidence}; }

}  // namespace

TEST_CASE("A mixture weighs each posterior by its evidence, and has all their evidence") {
    // Evidences of 1 and 3, far below what exp() can hold: weights of 1/4 and 3/4, and 4 in all. A part without points
    // has no part in it.
    GridPosterior none = at(7, 5);
    none.points.clear();
    const GridPosterior all = mixture({none, at(100, -2000), at(200, -2000 + std::log(3))});
    REQUIRE(all.points.size() == 2);
    CHECK(all.points[0].weight == Approx(0.25));
    CHECK(all.points[1].weight == Approx(0.75));
    CHECK(all.log_evidence == Approx(-2000 + std::log(4)));
    CHECK(all.nuisance_weights[1] == Approx(0.75));
    CHECK(mixture({none, none}).points.empty());
    CHECK(mixture({none}).log_evidence == -HUGE_VAL);
    REQUIRE(rc::check([] {
        std::vector<GridPosterior> parts;
        for (const int evidence : *rc::gen::nonEmpty<std::vector<int>>()) parts.push_back(at(1, evidence % 50));
        double sum = 0;
        const GridPosterior mixed = mixture(parts);
        for (const SupportPoint& point : mixed.points) sum += point.weight;
        RC_ASSERT(std::abs(sum - 1) < 1e-9);
        RC_ASSERT(std::abs(mixed.nuisance_weights[0] - 0.25) < 1e-9);
    }));
}

TEST_CASE("Posteriors of all values together hold the truth, and what even the likeliest leaves unexplained is named") {
    std::vector<Burst> bursts = bursts_with_descriptors();
    ModelFit plain;
    const FitOptions unknown;
    plain.model.unit = MemorySize::Unit::Byte;
    plain.depth.value = 2.8e6, plain.rate.value = 10e9, plain.log_prior = -1;
    for (const bool wrong : {false, true}) {
        if (wrong) bursts[8].lost -= 900;  // of a burst that loses thousands
        const FeatureModels models({plain, Feature::Descriptors, bursts, bursts, unknown, true});
        const auto found = search_feature(models);
        REQUIRE(found);
        const auto fit = feature_posterior(models, *found);
        REQUIRE(fit);
        CHECK(fit->model.name() == "shared-bytes-descriptors");
        CHECK(fit->log_prior == Approx(-1 + std::log(0.1)));  // one switch in ten has one
        REQUIRE(fit->feature);
        for (const auto& [estimate, truth] :
             {std::pair{fit->feature, 3500.0}, std::pair{std::optional(fit->depth), 3e6},
              std::pair{std::optional(fit->rate), 10e9}}) {
            CHECK(*estimate->interval95.low <= truth);
            CHECK(*estimate->interval95.high >= truth);
            CHECK(*estimate->interval95.high - *estimate->interval95.low < 0.01 * truth);
        }
        CHECK(fit->violating == (wrong ? std::vector<int>{9} : std::vector<int>{}));
        double weight = 0;
        for (const SupportPoint& point : fit->support) weight += point.weight;
        CHECK(weight == Approx(1));
    }
}
