// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/fit.h"
#include "scenarios/text/input-error.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// Two payloads, two numbers of ports and up to so many congested uplinks: what each kind of memory needs to be seen.
std::vector<LossMapRow> rows(int most_uplinks) {
    std::vector<LossMapRow> all;
    for (int uplinks = 1; uplinks <= most_uplinks; ++uplinks)
        for (const int ports : {38, 44})
            for (const std::int64_t payload : {512, 1024})
                for (const std::int64_t events : {90, 350})
                    all.push_back(
                        measured({Buffer::Sharing::Shared, MemorySize::Unit::Byte, 2'000'000, 10'000'000'000, uplinks},
                                 ports, payload, Time{9'000'000}, events));
    return all;
}

}  // namespace

TEST_CASE("Each kind that a fit can report can be given, and is then the one that it reports") {
    for (const QueueModel& kind : reportable_kinds()) {
        Conditions conditions = default_conditions();
        conditions.uplinks = 2;
        // Cells with a feature are those of the scenario; a header is sought beside its cell.
        if (kind.unit == MemorySize::Unit::Cell) conditions.cell = 208;
        FitOptions options;
        options.kind = kind.name();
        options.noise = KnownNoise{{0.02, 0.02}, true};  // else cells that explain nothing are no kind
        options.loss = options.bucket = options.traffic = KnownRange{};
        INFO(kind.name());
        const bool ring = kind.ring_port > 0;  // behind one uplink whose rate is known
        if (ring) conditions.scenario = "bench.toml", conditions.nominal_rate = BitRate{10'000'000'000};
        const Fit fit = fit_loss_map({"map.csv", rows(ring ? 1 : kind.has_reserve() ? 3 : 2)}, conditions, options);
        for (const ModelFit& one : fit.models) CHECK(one.model.name() == kind.name());
    }
}

TEST_CASE("A given feature is that of every kind that may have it, and a plain kind has none") {
    FitOptions options;
    options.noise = KnownNoise{};
    options.loss = options.bucket = options.traffic = KnownRange{};
    options.kind = "descriptors";
    const Fit fit = fit_loss_map({"map.csv", rows(2)}, default_conditions(), options);
    CHECK(fit.best().model.feature == Feature::Descriptors);
}

TEST_CASE("A kind that the bursts cannot show is refused") {
    FitOptions options;
    options.kind = "shared-frames-dynamic-threshold";
    std::vector<LossMapRow> of_one_uplink = rows(1);
    of_one_uplink.resize(6);
    CHECK_THROWS_WITH(fit_loss_map({"map.csv", of_one_uplink}, default_conditions(), options),
                      Contains("kind=shared-frames-dynamic-threshold: these bursts cannot show such a memory"));
}
