// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>

#include "calibrate/fit/fit-steps.h"
#include "calibrate/fit/fit.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

constexpr std::int64_t kDepth = 3080;

/// Bursts into that many frames, on either side of where losses begin.
std::vector<Burst> bursts() {
    std::vector<Burst> all;
    for (const std::int64_t microseconds : {9, 20, 30})
        for (const std::int64_t events : {60, 100, 140, 180, 300}) {
            Burst burst = burst_of_44(events);
            burst.spacing = Time{microseconds * 1'000'000};
            all.push_back(ended({}, burst, kDepth, 10e9));
        }
    return all;
}

std::vector<ModelFit> shared_and_per_input() {
    std::vector<ModelFit> kinds(2);
    kinds[1].model.sharing = Buffer::Sharing::PerInput;
    return kinds;
}

}  // namespace

TEST_CASE("The kind that made the bursts explains them all, with the truth in its region") {
    const std::vector<Burst> all = bursts();
    const FitInput map(all, kUnknown);
    std::vector<ModelFit> kinds = shared_and_per_input();
    REQUIRE(explain(kinds, map, map.flags));
    REQUIRE(kinds.front().feasible);
    CHECK(kinds.front().region.depth_low <= kDepth);
    CHECK(kinds.front().region.depth_high >= kDepth);
    CHECK(kinds.front().depth.value);
    const double width_of_flags = static_cast<double>(kinds.front().region.depth_high - kinds.front().region.depth_low),
                 evidence_of_flags = kinds.front().log_evidence;
    REQUIRE(explain_counts(kinds, map));
    // Numbers of lost frames say more: less of what was possible explains them.
    CHECK(static_cast<double>(kinds.front().region.depth_high - kinds.front().region.depth_low) < width_of_flags);
    CHECK(kinds.front().log_evidence < evidence_of_flags);
    CHECK(kinds.front().undisturbed == kinds.front().log_evidence);
}

TEST_CASE("Counts that no kind explains are not explained, and a single impossible one is enough") {
    std::vector<Burst> all = bursts();
    REQUIRE(all[9].lost > 500);
    all[9].lost -= 500;
    const FitInput map(all, kUnknown);
    std::vector<ModelFit> kinds = shared_and_per_input();
    CHECK_FALSE(explain_counts(kinds, map));
    CHECK(explain(kinds, map, map.flags));  // lossy it is all the same
}

TEST_CASE("The fitted curve rises to the asymptote, lies in its band, and meets the watershed of the switch") {
    const HiddenSwitch hidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3080, 10'000'000'000, 1};
    std::vector<LossMapRow> rows = measured_grid(hidden, {9, 20, 33});
    const Fit fit = fit_loss_map({"map", rows}, default_conditions(), {});
    const Curve curve = fitted_curve(fit, fit.bursts.front());
    REQUIRE(curve.points.size() > 10);
    // 44 slots of 872 ns
    CHECK(static_cast<double>(curve.asymptote->count()) == Approx(38.368e6).epsilon(1e-4));
    std::int64_t last = 0;
    for (const CurvePoint& point : curve.points) {
        REQUIRE(point.events);
        CHECK(*point.events >= last);
        CHECK(*point.events_low <= *point.events);
        if (point.events_high) CHECK(*point.events_high >= *point.events);
        last = *point.events;
    }
    const CurvePoint& first = curve.points.front();
    CHECK(measured(hidden, 44, 1024, first.separation, *first.events).lossless());
    CHECK_FALSE(measured(hidden, 44, 1024, first.separation, *first.events + 2).lossless());
}

TEST_CASE("A limit on one side has no curve") {
    const HiddenSwitch hidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3080, 10'000'000'000, 1};
    const Fit fit = fit_loss_map({"map", {measured(hidden, 44, 1024, Time{9'000'000}, 10)}}, default_conditions(), {});
    const Curve curve = fitted_curve(fit, fit.bursts.front());
    CHECK(curve.points.empty());
}

TEST_CASE("Each mix of ports and payload has a curve of its own, which the switch confirms") {
    const HiddenSwitch hidden{Buffer::Sharing::Shared, MemorySize::Unit::Byte, 3'000'000, 10'000'000'000, 1};
    std::vector<LossMapRow> rows = measured_grid(hidden, {9, 12, 14}, {60, 90, 130, 200, 400}, {44, 28}, {1024, 512});
    const Fit fit = fit_loss_map({"map", rows}, default_conditions(), {});
    REQUIRE(mixes_of(fit).size() == 4);
    for (const Burst& like : mixes_of(fit)) {
        const Curve curve = fitted_curve(fit, like);
        REQUIRE(!curve.points.empty());
        // ports x 8 (payload + 66) bit at 10 Gb/s
        CHECK(static_cast<double>(curve.asymptote->count()) ==
              Approx(800.0 * static_cast<double>(like.ports * (like.payload + 66))).epsilon(1e-2));
        const CurvePoint& first = curve.points.front();
        const int ports = static_cast<int>(like.ports);
        CHECK(measured(hidden, ports, like.payload, first.separation, *first.events_low - 1).lossless());
        CHECK_FALSE(measured(hidden, ports, like.payload, first.separation, *first.events_high + 2).lossless());
    }
}

TEST_CASE("Of many mixes the first row's comes first, then those with most bursts, and the rest is left out") {
    const HiddenSwitch hidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3080, 10'000'000'000, 1};
    std::vector<LossMapRow> rows{measured(hidden, 40, 1024, Time{9'000'000}, 200)};
    for (int ports = 41; ports <= 47; ++ports)  // 41 ports with two bursts, 47 with eight
        for (int burst = 0; burst < ports - 39; ++burst)
            rows.push_back(measured(hidden, ports, 1024, Time{9'000'000}, 100 + burst));
    std::vector<std::int64_t> ports;
    for (const Burst& burst : mixes_of(fit_loss_map({"map", rows}, default_conditions(), {})))
        ports.push_back(burst.ports);
    CHECK(ports == std::vector<std::int64_t>{40, 47, 46, 45, 44, 43});
}
