// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>

#include "calibrate/fit/fit-steps.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// Losses of a switch of this kind, to the frame by the closed form.
LossMapRow row_of(const QueueModel& model, int ports, std::int64_t payload, std::int64_t microseconds,
                  std::int64_t events, std::int64_t depth, double rate) {
    Burst burst;
    burst.ports = ports;
    burst.payload = payload;
    burst.wire = model.per_packet ? 1090 : payload + 66;
    burst.buffer = payload + 46;
    burst.spacing = std::max(Time{microseconds * 1'000'000}, Time{(payload + 66) * 8000});
    burst.events = events;
    const std::int64_t lost =
        frames_lost(model, burst, model.room(burst, depth), static_cast<std::int64_t>(burst.drain() * rate));
    return {ports, Bytes{payload}, Time{microseconds * 1'000'000}, events, ports * events, ports * events - lost, {},
            0};
}

std::vector<LossMapRow> map_of(const QueueModel& model, std::int64_t depth, const std::vector<std::int64_t>& payloads) {
    std::vector<LossMapRow> rows;
    for (const std::int64_t payload : payloads)
        for (const int ports : {30, 44})
            for (const std::int64_t microseconds : {12, 16})
                for (const std::int64_t events : {30, 60, 90, 140, 250})
                    rows.push_back(row_of(model, ports, payload, microseconds, events, depth, 8e9));
    return rows;
}

}  // namespace

TEST_CASE("Cells are found with the sizes that explain two payloads, and with those that a scenario knows") {
    QueueModel cells;
    cells.unit = MemorySize::Unit::Cell;
    cells.cell = 208;
    cells.header = 64;
    const Fit fit = fit_loss_map({"map", map_of(cells, 12'000, {200, 500, 1024})}, default_conditions(), {});
    CHECK(fit.status == FitStatus::Separated);
    CHECK(fit.best().model.name() == "shared-cells");
    for (const Burst& burst : fit.bursts) REQUIRE(fit.best().model.cost(burst) == cells.cost(burst));
    CHECK(*fit.best().depth.value == Approx(12'000).epsilon(0.002));
    Conditions known = default_conditions();
    known.cell = 208;
    known.cell_header = 64;
    known.unit = MemorySize::Unit::Cell;
    const Fit one_payload = fit_loss_map({"map", map_of(cells, 12'000, {500})}, known, {});
    CHECK(one_payload.best().model.name() == "shared-cells");
    CHECK(*one_payload.best().depth.hard.low <= 12'000);
    CHECK(*one_payload.best().depth.hard.high >= 12'000);
}

TEST_CASE("Where the scenario names the cell and no header, one is found, at a quarter of the prior odds without") {
    // Cells of 80 B: 1024 + 46 B take 14 of them, with 32 B beside each frame and without; but 430 + 46 B take 7 in
    // place of 6, and 570 + 46 B 9 in place of 8.
    QueueModel cells;
    cells.unit = MemorySize::Unit::Cell;
    cells.cell = 80;
    cells.header = 32;
    Conditions known = default_conditions();
    known.scenario = "cells.toml";
    known.cell = 80;
    known.unit = MemorySize::Unit::Cell;
    const std::vector<std::int64_t> payloads{430, 570, 1024};
    const Fit fit = fit_loss_map({"map", map_of(cells, 12'000, payloads)}, known, {});
    CHECK(fit.best().model.name() == "shared-cells-header");
    for (const Burst& burst : fit.bursts) REQUIRE(fit.best().model.cost(burst) == cells.cost(burst));
    CHECK(*fit.best().depth.value == Approx(12'000).epsilon(0.002));
    const std::vector<Burst> bursts = bursts_of({"map", map_of(cells, 12'000, payloads)}, known, CountUse::Auto);
    const auto count = [&](const Conditions& conditions) {
        const std::vector<ModelFit> kinds = candidates(bursts, conditions, {});
        return boost::count_if(kinds, [](const ModelFit& one) { return one.model.header_found; });
    };
    CHECK(count(known) == 2);  // shared, and by input
    known.cell_header = 32;
    CHECK(count(known) == 0);
    FitOptions fixed;
    fixed.kind = "shared-cells-header";
    known.cell_header = 0;
    CHECK(candidates(bursts, known, fixed).size() == 1);
}

TEST_CASE("Where rounding to cells is below what bursts tell, bytes are not proven against cells") {
    // Cells of 64 B take 17 for 1024 B and 6 for 320 B: 1.7 % more than bytes do. Flags some per cent apart do not
    // tell.
    QueueModel cells;
    cells.unit = MemorySize::Unit::Cell;
    cells.cell = 64;
    std::vector<LossMapRow> rows;
    for (const std::int64_t payload : {320, 1024})
        for (const std::int64_t microseconds : {10, 14})
            for (int i = -3; i <= 3; ++i) {
                const double length = (payload == 1024 ? 110 : 260) * (microseconds == 10 ? 1 : 1.6) * std::pow(1.2, i);
                LossMapRow row = row_of(cells, 30, payload, microseconds, std::llround(length), 34'000, 8e9);
                if (!row.lossless()) row.frames_received = row.frames_sent - 1;
                rows.push_back(row);
            }
    FitOptions flags;
    flags.counts = CountUse::Flag;
    for (const bool told : {false, true}) {
        if (told) flags.noise = KnownNoise{0, 0, true};
        const Fit fit = fit_loss_map({"map", rows}, default_conditions(), flags);
        double in_bytes = 0, in_cells = 0;
        for (const ModelFit& one : fit.models) {
            if (one.model.name() == "shared-bytes") in_bytes = one.probability;
            if (one.model.name() == "shared-cells") in_cells = one.probability;
        }
        CHECK(in_cells > 0.1 * in_bytes);
        CHECK(in_cells > 0.02);
    }
}

TEST_CASE("A receiver that takes frames per second is told from a link that takes bytes") {
    QueueModel receiver;
    receiver.per_packet = true;
    const Fit fit = fit_loss_map({"map", map_of(receiver, 1500, {1024, 300})}, default_conditions(), {});
    CHECK(fit.best().model.name() == "shared-frames-receiver-limited");
    CHECK(*fit.best().depth.value == Approx(1500).epsilon(0.002));
    CHECK(*fit.best().rate.value / 8720 == Approx(8e9 / 8720).epsilon(0.002));  // frames/s of the first row's payload
}

TEST_CASE("One payload gives frames and bytes to choose from, and no cells to fix a depth in") {
    const LossMap map{"map", map_of({}, 1500, {1024})};
    const std::vector<Burst> bursts = bursts_of(map, default_conditions(), CountUse::Auto);
    CHECK(candidates(bursts, default_conditions(), {}).size() == 4);
    FitOptions options;
    options.depth = MemorySize{100, MemorySize::Unit::Cell};
    CHECK_THROWS_AS(candidates(bursts, default_conditions(), options), InputError);
}
