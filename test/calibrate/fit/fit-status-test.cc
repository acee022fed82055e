// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/fit-steps.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// Bursts of these lengths into 3000 frames, which are full after 142 events.
std::vector<Burst> of_lengths(const std::vector<std::int64_t>& lengths) {
    std::vector<Burst> bursts;
    for (const std::int64_t events : lengths) {
        bursts.push_back(ended({}, burst_of_44(events), 3000, 10e9));
        bursts.back().row = static_cast<int>(bursts.size());
    }
    return bursts;
}

/// A shared memory with its region, the map's own.
Fit explained(const std::vector<Burst>& bursts) {
    Fit fit;
    fit.bursts = bursts;
    fit.models.resize(1);
    const FitInput map(fit.bursts, fit.options);
    explain(fit.models, map, map.flags);
    return fit;
}

FitStatus status(const Fit& fit) { return status_of(fit, FitInput(fit.bursts, fit.options)); }

}  // namespace

TEST_CASE("A threshold that tells all bursts apart separates them; a misfit is one all the same, a single side open") {
    Fit fit = explained(of_lengths({100, 120, 140, 145, 160, 200}));
    CHECK(status(fit) == FitStatus::Separated);
    fit.misfit = "a trend";
    CHECK(status(fit) == FitStatus::Misfit);
    Fit lossy = explained(of_lengths({160, 200}));
    lossy.misfit = "a trend";
    CHECK(status(lossy) == FitStatus::Unbounded);
    lossy.counts_used = true;  // it is their numbers of lost frames that do not fit
    CHECK(status(lossy) == FitStatus::Misfit);
}

TEST_CASE("Where all bursts lose and none is counted the depth has its limits alone") {
    Fit fit = explained(of_lengths({160, 200}));
    fit.models.front().depth = {2000, {std::nullopt, 3010}, {1900, 2100}, {1800, 2200}};
    discard_unidentified_depths(fit.models, FitInput(fit.bursts, fit.options), false);
    const Estimate& depth = fit.best().depth;
    CHECK_FALSE(depth.value);
    CHECK_FALSE(depth.interval95.low);
    CHECK(*depth.interval95.high == 3010);
}

TEST_CASE("Counts of lossy bursts alone keep a depth that has two ends, and lose one that has not") {
    Fit fit = explained(of_lengths({160, 200}));
    ModelFit& one = fit.models.front();
    one.parameters.resize(1);
    const Estimate told{2000, {}, {1900, 2100}, {1800, 2200}};
    one.depth = told;
    const FitInput map(fit.bursts, fit.options);
    discard_unidentified_depths(fit.models, map, true);
    CHECK(*one.depth.value == 2000);
    one.depth.interval95.high.reset();
    discard_unidentified_depths(fit.models, map, true);
    CHECK_FALSE(one.depth.value);
    CHECK(*one.depth.interval95.low == 1800);
}

TEST_CASE("Less than a frame of memory is none") {
    Fit fit = explained(of_lengths({100, 120, 140, 145, 160, 200}));
    fit.models.front().depth.value = 0.5;
    discard_unidentified_depths(fit.models, FitInput(fit.bursts, fit.options), true);
    CHECK_FALSE(fit.best().depth.value);
    CHECK(fit.best().support.empty());
}

TEST_CASE("Two stray bursts and seven per cent of the map are few, more are many") {
    ModelFit one;
    one.parameters.resize(1);
    one.strays = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    CHECK_FALSE(many_strays(one, 100));  // 2 + 7
    CHECK(many_strays(one, 99));
    one.parameters.clear();
    CHECK_FALSE(many_strays(one, 99));  // nothing was inferred
}

TEST_CASE("The scatter of counts is a part of what the memory holds, unless it is known") {
    std::vector<Burst> bursts{ended({}, burst_of_44(300), 3000, 10e9), ended({}, burst_of_44(400), 3000, 10e9)};
    REQUIRE(bursts.front().counted);
    ModelFit one;
    one.depth.value = 3000;
    CHECK(scatter_of_memory(one, bursts) == 0);
    one.scatter = 600;
    CHECK(scatter_of_memory(one, bursts) == Approx(0.2));
    one.noise.emplace();
    one.noise->known = true;
    CHECK(scatter_of_memory(one, bursts) == 0);
}

TEST_CASE("Counts that scatter by a fifth of the memory are a misfit, and its p-value stays what was simulated") {
    std::vector<LossMapRow> rows;
    int i = 0;
    for (const std::int64_t microseconds : {9, 15, 21})
        for (const std::int64_t events : {4, 150, 220, 300, 400, 500, 600, 700}) {
            rows.push_back(measured({Buffer::Sharing::Shared, MemorySize::Unit::Frame, 200, 10'000'000'000, 1}, 44,
                                    1024, Time{microseconds * 1'000'000}, events));
            if (rows.back().lossless()) continue;
            rows.back().frames_received += (i++ * 7 % 11 - 5) * 14;  // -70 to 70 frames, in no order
        }
    const Fit fit = fit_loss_map({"map", rows}, default_conditions(), {});
    CHECK(fit.status == FitStatus::Misfit);
    CHECK_FALSE(fit.misfit.empty());
    REQUIRE(fit.goodness);
    CHECK(*fit.goodness == fit.check.p_value);
}
