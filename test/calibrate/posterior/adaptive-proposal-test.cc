// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/adaptive-proposal.h"

#include <cmath>

#include "calibrate/posterior/parameter-posterior.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

const HiddenSwitch kHidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 500, 10'000'000'000, 1};

/// Enough samples that each cause has some of its own.
const AnnealedEffort kMany{1600};

std::vector<Burst> bursts() {
    constexpr int kScatter[] = {-4, 3, 1, -2, 5};
    std::vector<LossMapRow> rows;
    for (const int payload : {400, 1024})
        for (const std::int64_t events : {20, 40, 60, 80}) {
            rows.push_back(measured(kHidden, 44, payload, Time{15'000'000}, events));
            if (!rows.back().lossless()) rows.back().frames_received -= kScatter[rows.size() % 5];
        }
    return bursts_of({"map", rows}, default_conditions(), CountUse::Count);
}

}  // namespace

TEST_CASE("A density fitted to samples has their causes as often, sums to one, and is the same every time") {
    const FitOptions options;
    const SearchBox box = known_box({}, bursts(), options);
    const KindInference question({}, bursts(), box, options);
    const std::vector<Point> points = question.posterior(kMany, 1).points,
                             half(points.begin(), points.begin() + std::ptrdiff_t(points.size() / 2));
    const BurstLikelihood law({}, bursts());
    ParameterPrior prior(law, {}, box, options);
    prior.keep({}, false);
    REQUIRE(points.front().size() == prior.dimensions());
    const AdaptiveProposal all(prior, points), some(prior, half);
    CHECK(AdaptiveProposal(prior, {}).empty());
    const auto loss = *prior.coordinate(ParameterPrior::Parameter::Loss);
    const auto has_loss = [&](const Point& point) { return prior.component_of(loss, point[loss]).low > 0; };
    double lossy = 0, drawn_lossy = 0, sum = 0;
    for (const Point& point : points) lossy += has_loss(point) / double(points.size());
    RandomBits random(3);
    constexpr int kDraws = 20000;
    for (int i = 0; i < kDraws; ++i) {
        const Point point = all.draw(random);
        for (std::size_t k = prior.leading(); k < point.size(); ++k) REQUIRE((point[k] >= 0 && point[k] <= 1));
        drawn_lossy += has_loss(point) / double(kDraws);
        sum += std::exp(some.log_density(point) - all.log_density(point)) / kDraws;
    }
    CHECK(drawn_lossy == Approx(lossy).margin(0.03));
    CHECK(sum == Approx(1).margin(0.05));
    RandomBits a(3), b(3);
    CHECK(AdaptiveProposal(prior, points).draw(a) == all.draw(b));
}

TEST_CASE("A few depths far from the others are drawn as often, and do not blur these") {
    const SearchBox box = known_box({}, bursts(), {});
    const KindInference question({}, bursts(), box, {});
    std::vector<Point> points = question.posterior(kMany, 1).points;
    double high = -HUGE_VAL;
    for (const Point& point : points) high = std::max(high, point[0]);
    for (std::size_t i = 0; i < points.size(); i += 5) points[i][0] += 2;
    const BurstLikelihood law({}, bursts());
    ParameterPrior prior(law, {}, box, {});
    prior.keep({}, false);
    const AdaptiveProposal density(prior, points);
    RandomBits random(3);
    constexpr int kDraws = 20000;
    double far = 0, between = 0;
    for (int i = 0; i < kDraws; ++i) {
        const double depth = density.draw(random)[0];
        far += depth > high + 1, between += depth > high + 0.2 && depth < high + 1.5;
    }
    CHECK(far / kDraws == Approx(0.2).margin(0.05));
    CHECK(between / kDraws < 0.02);
    std::vector<Point> near;
    for (const Point& point : points)
        if (point[0] <= high) near.push_back(point);
    const AdaptiveProposal of_near(prior, near);
    std::vector<double> less;  // by what a density falls that a fifth of the draws is taken from
    for (std::size_t i = 0; i < near.size(); i += 10)
        if (const double log = of_near.log_density(near[i]); std::isfinite(log))
            less.push_back(density.log_density(near[i]) - log);
    CHECK(median(less) == Approx(std::log(0.8)).margin(0.1));
}

TEST_CASE("Runs that begin with what others found find the same, and their evidence scatters less") {
    const FitOptions options;
    const KindInference question({}, bursts(), known_box({}, bursts(), options), options);
    PooledRuns runs, informed;
    for (int i = 0; i < 4; ++i)
        for (PooledRuns* const each : {&runs, &informed}) each->add(question.posterior({}, each->seed()));
    informed.begin_with_what_was_found();
    CHECK(informed.empty());
    CHECK(informed.seed() == 5);
    CHECK(informed.work() == Approx(runs.work()));
    for (int i = 0; i < 4; ++i) informed.add(question.posterior({}, informed.seed(), informed.found()));
    CHECK(informed.work() > runs.work());
    CHECK(informed.log_evidence() == Approx(runs.log_evidence()).margin(4 * runs.error_of_evidence() + 0.3));
    CHECK(informed.error_of_evidence() < runs.error_of_evidence());
}
