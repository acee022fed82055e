// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <random>

#include "calibrate/fit/fit-steps.h"
#include "calibrate/fit/fit.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

const HiddenSwitch kHidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3080, 10'000'000'000, 1};

/// Counts with noise of four frames, and a bend: so many frames more are lost for each tenth of ln(events) beyond 300.
Fit fit_of(double bend, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise(0, 4);
    std::vector<LossMapRow> rows;
    for (const std::int64_t microseconds : {9, 15, 21})
        for (std::int64_t events = 150; events <= 700; events += 55) {
            rows.push_back(measured(kHidden, 44, 1024, Time{microseconds * 1'000'000}, events));
            const double off = noise(random) + bend * std::abs(static_cast<double>(events) - 425) / 100;
            if (!rows.back().lossless())
                rows.back().frames_received = std::min<std::int64_t>(rows.back().frames_sent - 1,
                                                                     rows.back().frames_received - std::llround(off));
        }
    return fit_loss_map({"map", rows}, default_conditions(), {});
}

Goodness check_of(const Fit& fit, std::uint64_t seed) { return predictive_check(fit.best(), fit.bursts, seed, 200); }

}  // namespace

TEST_CASE("Maps of the fitted kind look like those that its posterior predicts") {
    for (const std::uint64_t seed : {1, 2, 3}) {
        const Fit fit = fit_of(0, seed);
        REQUIRE_FALSE(fit.best().parameters.empty());
        const Goodness check = check_of(fit, 1);
        CHECK(check.replicas == 200);
        CHECK(check.p_value > 0.02);
        CHECK(check.residuals.size() >= 25);
    }
}

TEST_CASE("A bend that no depth and rate explain is unusual, however large noise is taken to be") {
    std::vector<double> p_values;
    for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
        const Fit fit = fit_of(25, seed);
        REQUIRE_FALSE(fit.best().parameters.empty());
        const Goodness check = check_of(fit, 1);
        p_values.push_back(check.p_value);
        CHECK(check.p_value < 0.1);
        CHECK_FALSE(check.unusual.empty());
    }
    std::sort(p_values.begin(), p_values.end());
    CHECK(p_values[2] < 0.05);
}

TEST_CASE("The check is the same for one seed, and too few bursts are not judged") {
    const Fit fit = fit_of(0, 4);
    CHECK(check_of(fit, 7).p_value == check_of(fit, 7).p_value);
    CHECK(predictive_check(fit.best(), {fit.bursts[0], fit.bursts[1]}, 1, 200).replicas == 0);
}
