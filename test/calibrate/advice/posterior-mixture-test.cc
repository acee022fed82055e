// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <numeric>

#include "calibrate/advice/burst-planner.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

const HiddenSwitch kHidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3080, 10'000'000'000, 1};

Scenario scenario() {
    Scenario one;
    one.network_switch.buffer.size = {1000, MemorySize::Unit::Frame};
    return one;
}

Conditions conditions() { return conditions_of(scenario(), "s.toml"); }
Prior prior() { return prior_of(scenario(), conditions()); }
std::optional<Fit> fit_of(const std::vector<LossMapRow>& rows) { return fit_loss_map({"map", rows}, conditions(), {}); }

double total(const PosteriorMixture& mixture) {
    return std::accumulate(mixture.points.begin(), mixture.points.end(), 0.0,
                           [](double sum, const PosteriorPoint& point) { return sum + point.weight; });
}

}  // namespace

TEST_CASE("What is held possible before the first burst spans the prior") {
    const PosteriorMixture mixture = posterior_mixture_of(std::nullopt, prior());
    CHECK_FALSE(mixture.measured);
    CHECK(total(mixture) == Approx(1));
    double least = 1e300, most = 0;
    for (const PosteriorPoint& point : mixture.points)
        least = std::min(least, point.depth), most = std::max(most, point.depth);
    CHECK(least < 50);     // from 44 frames, one of each port
    CHECK(most > 90'000);  // to 100 times the scenario's
}

TEST_CASE("A lossless burst leaves every possible depth able to hold it") {
    // 60 events at wire speed need 44 60 - floor(59 10) = 2050 places at 10 Gb/s, fewer at a higher rate, up to all of
    // 44 frames a separation.
    const PosteriorMixture mixture =
        posterior_mixture_of(fit_of({measured(kHidden, 44, 1024, Time{8'720'000}, 60)}), prior());
    CHECK_FALSE(mixture.measured);
    CHECK(total(mixture) == Approx(1));
    bool near = false, far = false;
    for (const PosteriorPoint& point : mixture.points) {
        CHECK(point.depth >= std::max(44.0, 44 * 60 - std::floor(590 * point.rate / 10e9 * (1 + 1e-9))));
        near = near || point.rate == Approx(10e9);
        far = far || point.rate == Approx(20e9);
    }
    CHECK((near && far));  // the scenario's rate is believed, and may be wrong
}

TEST_CASE("A number of lost frames leaves one depth for each rate") {
    std::vector<LossMapRow> rows{measured(kHidden, 44, 1024, Time{8'720'000}, 200)};
    std::optional<Fit> fit = fit_of(rows);
    fit->models[0].depth.value.reset();  // as where the map alone does not bound it
    const PosteriorMixture mixture = posterior_mixture_of(fit, prior());
    CHECK(mixture.counts);
    REQUIRE_FALSE(mixture.points.empty());
    // 44 200 - 3080 - floor(199 10 c) frames are lost, where c is the rate over 10 Gb/s; a frame more or less is not
    // taken as a contradiction.
    for (const PosteriorPoint& point : mixture.points)
        CHECK(point.depth == Approx(3080 - 1990 * (point.rate / 1e10 - 1)).margin(3));
}

TEST_CASE("Where the map bounds depth and rate the fit is believed") {
    std::vector<LossMapRow> rows = measured_grid(kHidden, {9, 20, 33});
    const auto fit = fit_of(rows);
    const PosteriorMixture mixture = posterior_mixture_of(fit, prior());
    CHECK(mixture.measured);
    CHECK(total(mixture) == Approx(1));
    // 3080 frames are 70 for each of 44 inputs: either kind keeps its share of the mixture, and its own depths.
    std::vector<double> share(mixture.kinds.size(), 0);
    for (const PosteriorPoint& point : mixture.points) share[point.kind] += point.weight;
    REQUIRE(mixture.kinds.size() >= 2);
    double all = 0;
    for (const ModelFit& one : fit->models)
        if (one.probability >= kLeastProbable) all += one.probability;
    for (std::size_t kind = 0; kind < mixture.kinds.size(); ++kind) {
        CHECK(share[kind] == Approx(mixture.kinds[kind].probability));
        const auto one = std::find_if(fit->models.begin(), fit->models.end(), [&](const ModelFit& model) {
            return model.model.name() == mixture.kinds[kind].model.name();
        });
        CHECK(mixture.kinds[kind].probability == Approx(one->probability / all));
        for (const PosteriorPoint& point : mixture.points)
            if (point.kind == kind) CHECK(point.depth == Approx(*one->depth.value).epsilon(0.2));
    }
}

TEST_CASE("A kind that is next to impossible is not reckoned with") {
    std::optional<Fit> fit =
        fit_of({measured(kHidden, 44, 1024, Time{9'000'000}, 130), measured(kHidden, 44, 1024, Time{20'000'000}, 400),
                measured(kHidden, 44, 1024, Time{33'000'000}, 700)});
    for (ModelFit& one : fit->models)
        one.probability = &one == &fit->models.front() ? 0.9995 : 0.0005 / static_cast<double>(fit->models.size() - 1);
    const PosteriorMixture mixture = posterior_mixture_of(fit, prior());
    CHECK(mixture.kinds.size() == 1);
    CHECK(mixture.kinds[0].probability == Approx(1));
    CHECK(mixture.points.size() == fit->best().support.size());
}

TEST_CASE("What disturbs the bursts more likely than not is believed") {
    std::optional<Fit> fit =
        fit_of({measured(kHidden, 44, 1024, Time{9'000'000}, 130), measured(kHidden, 44, 1024, Time{20'000'000}, 400)});
    fit->models.front().disturbances = {{"loss", "of the frames", 0.9, 0.01, {0.008, 0.012}, false},
                                        {"noise-frames", "frames", 0.2, 3, {1, 5}, false},
                                        {"loss-ahead", "of the frames", 0.6, 0.01, {0, 0.012}, false}};
    const PosteriorMixture mixture = posterior_mixture_of(fit, prior());
    CHECK(mixture.kinds[0].loss == Approx(0.01));
    CHECK(mixture.kinds[0].loss_ahead);
    CHECK(mixture.kinds[0].noise.frames == 0);
    CHECK(mixture.kinds[0].is_noisy());
    fit->models.front().disturbances[1].known = true;
    CHECK(posterior_mixture_of(fit, prior()).kinds[0].noise.frames == 3);
}
