// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/fit.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "test/calibrate/fit-checks.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

std::string source_file(const std::string& name) {
    const char* folder = std::getenv("WATERSHED_SOURCE");
    return (folder ? std::string(folder) + "/" : std::string()) + name;
}

Fit fit_measured(const std::string& map) {
    const std::string scenario = source_file("scenarios/kernel-queue.toml");
    return fit_loss_map(read_loss_map(source_file("scenarios/data/" + map)),
                        conditions_of(read_scenario(scenario), scenario), {});
}

const HiddenSwitch kHidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3071, 10'000'000'000, 1};

LossMapRow late(LossMapRow row) {
    row.worst_trigger_lateness = row.separation;
    return row;
}

}  // namespace

TEST_CASE("The deep kernel queue comes out as it was configured: 50 Mb/s, 1876 to 1879 frames") {
    const Fit fit = fit_measured("kernel-queue-deep.csv");
    CHECK(fit.status == FitStatus::Separated);
    CHECK(fit.counts_used);
    const ModelFit& frames = model_of(fit, "shared-frames");
    CHECK(*frames.rate.value == Approx(50e6).epsilon(0.003));
    CHECK(*frames.depth.value == Approx(1877.5).epsilon(0.005));
    CHECK(*model_of(fit, "shared-bytes").depth.value / 1066 == Approx(1877.5).epsilon(0.005));
    CHECK(holds(frames.rate.interval95, 50e6));
    CHECK(holds(model_of(fit, "shared-bytes").rate.interval95, 50e6));
    CHECK(holds(model_of(fit, "shared-bytes").depth.interval95, 2'003'000));
    CHECK(fit.best().model.sharing == Buffer::Sharing::Shared);
    // One payload cannot tell bytes from frames, and one number of ports not shared from per-input memory.
    CHECK(fit.best().probability < 0.9);  // 4 to 1 for the kind that the scenario names
    std::vector<int> late;
    for (const RowSetAside& row : fit.set_aside) late.push_back(row.row);
    CHECK(late == std::vector<int>{1, 14, 30, 61, 85, 88, 122});
}

TEST_CASE("Four mixes of ports and payloads show that the shallow kernel queue shares bytes") {
    const Fit fit = fit_measured("kernel-queue-shallow.csv");
    CHECK(fit.best().model.name() == "shared-bytes");
    CHECK(fit.best().probability > 0.95);  // cells of some size are nearly as good
    CHECK(fit.best().feasible);
    CHECK_FALSE(model_of(fit, "shared-frames").feasible);
    CHECK_FALSE(model_of(fit, "per-input-bytes").feasible);
    // limit 100000 B, and the token bucket lets 3000 B more pass at once
    CHECK(*fit.best().depth.value == Approx(103000).epsilon(0.005));
    CHECK(*fit.best().rate.value == Approx(50e6).epsilon(0.003));
    CHECK(holds(fit.best().depth.interval95, 103'000));
    CHECK(holds(fit.best().rate.interval95, 50e6));
    // One burst of 40 events lost nothing, and 5 of 1760 frames when it was repeated: noise at the watershed, no
    // contradiction.
    CHECK(fit.status == FitStatus::Overlap);
}

TEST_CASE("Bursts that lose at random, and not the longest ones, do not limit a depth from above") {
    // One frame in a thousand is lost, whatever the length; no burst comes near the 20000 frames of the memory.
    for (const std::uint64_t seed : {1, 2, 3}) {
        std::mt19937_64 random(seed);
        std::vector<LossMapRow> rows;
        for (int i = 0; i < 16; ++i) {
            rows.push_back(measured({Buffer::Sharing::Shared, MemorySize::Unit::Frame, 20'000, 10'000'000'000, 1}, 44,
                                    1024, Time{9'000'000}, 10 + i));
            REQUIRE(rows.back().lossless());
            std::binomial_distribution<std::int64_t> lost(rows.back().frames_sent, 1e-3);
            if (lost(random) > 0) --rows.back().frames_received;
        }
        FitOptions flags;
        flags.counts = CountUse::Flag;
        const Fit fit = fit_loss_map({"map", rows}, default_conditions(), flags);
        CHECK_FALSE(fit.best().depth.interval95.high);
    }
}

TEST_CASE(
    "A noise-free map with counts gives back the switch, whichever kind it is, or cells that hold as many frames of "
    "each payload") {
    HiddenSwitch hidden;
    hidden.sharing = GENERATE(Buffer::Sharing::Shared, Buffer::Sharing::PerInput);
    hidden.unit = GENERATE(MemorySize::Unit::Frame, MemorySize::Unit::Byte);
    hidden.uplinks = GENERATE(1, 2);
    hidden.rate = 5'000'000'000 / hidden.uplinks;
    hidden.depth = hidden.sharing == Buffer::Sharing::Shared ? 463 : 23;
    if (hidden.unit == MemorySize::Unit::Byte) hidden.depth *= 700;
    std::vector<LossMapRow> rows;
    for (const std::int64_t payload : {400, 900})
        for (const int ports : {12, 20})
            for (const std::int64_t percent : {20, 45, 70})
                for (const std::int64_t events : {5, 20, 60, 100}) {
                    const Time saturation{ports * (payload + 66) * 8'000'000'000'000 / 5'000'000'000};
                    rows.push_back(measured(hidden, ports, payload, saturation * percent / 100, events));
                }
    Conditions conditions = default_conditions();
    conditions.uplinks = hidden.uplinks;
    const Fit fit = fit_loss_map({"map", rows}, conditions, {});
    const QueueModel truth{hidden.sharing, hidden.unit};
    REQUIRE(fit.status == FitStatus::Separated);
    REQUIRE(std::abs(*fit.best().rate.value / static_cast<double>(hidden.rate) - 1) < 0.01);
    if (const QueueModel& cells = fit.best().model; cells.unit == MemorySize::Unit::Cell) {
        REQUIRE(cells.sharing == truth.sharing);
        for (const Burst& burst : bursts_of({"map", rows}, conditions, CountUse::Count))
            REQUIRE(std::abs(static_cast<std::int64_t>(*fit.best().depth.value) / cells.cost(burst) -
                             hidden.depth / truth.cost(burst)) <= 1);
        return;
    }
    REQUIRE(fit.best().model.name() == truth.name());
    REQUIRE(*fit.best().depth.hard.low <= static_cast<double>(hidden.depth));
    REQUIRE(*fit.best().depth.hard.high >= static_cast<double>(hidden.depth));
    REQUIRE(std::abs(*fit.best().depth.value / static_cast<double>(hidden.depth) - 1) < 0.03);
}

TEST_CASE("A depth that grows by a tenth through a campaign is told by the order of the rows, with its middle") {
    HiddenSwitch hidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3000, 10'000'000'000, 1};
    std::vector<LossMapRow> rows;
    for (int i = 0; i < 16; ++i) {
        hidden.depth = 2850 + 20 * i;
        rows.push_back(measured(hidden, 44, 1024, Time{9'000'000 + 4'000'000 * (i % 3)}, 90 + 30 * (i % 5)));
    }
    FitOptions options;
    options.sharing = Buffer::Sharing::Shared;
    const Fit fit = fit_loss_map({"map", rows}, default_conditions(), options);
    const auto drift = std::find_if(fit.best().disturbances.begin(), fit.best().disturbances.end(),
                                    [](const Disturbance& one) { return one.name == "drift"; });
    REQUIRE(drift != fit.best().disturbances.end());
    CHECK(drift->probability > 0.9);
    CHECK(*drift->value == Approx(300.0 / 3000).margin(0.02));
    CHECK(*fit.best().depth.value == Approx(3000).epsilon(0.01));
}

TEST_CASE("Where a memory of bytes shrinks, its kind in frames is no longer equivalent: it rounds otherwise") {
    HiddenSwitch hidden{Buffer::Sharing::Shared, MemorySize::Unit::Byte, 641'500};
    std::vector<LossMapRow> rows;
    constexpr int kRows = 24;
    for (int i = 0; i < kRows; ++i) {
        hidden.depth = 641'500 + 641'500 * 62 * (kRows - 1 - 2 * i) / (2000 * (kRows - 1));
        rows.push_back(measured(hidden, 44, 1024, Time{9'000'000 + 4'000'000 * (i % 3)}, 18 + 5 * (i % 7)));
    }
    Conditions conditions = default_conditions();
    conditions.unit = MemorySize::Unit::Byte;
    const Fit fit = fit_loss_map({"map", rows}, conditions, {});
    CHECK(fit.status != FitStatus::Misfit);
    REQUIRE(fit.best().model.name() == "shared-bytes");
    const auto in_frames =
        boost::find_if(fit.models, [](const ModelFit& one) { return one.model.name() == "shared-frames"; });
    CHECK(in_frames->log_evidence != fit.best().log_evidence);
    CHECK(*fit.best().depth.interval95.high - *fit.best().depth.interval95.low < 1070);  // less than a frame
    CHECK(*fit.best().depth.interval95.low <= 641'500);
    CHECK(*fit.best().depth.interval95.high >= 641'500);
}

TEST_CASE("The log evidence of counts, which is a probability, is no more than 0 for any kind") {
    const HiddenSwitch hidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 441, 4'000'000'000};
    std::vector<LossMapRow> rows;
    for (int i = 0; i < 30; ++i)
        rows.push_back(measured(hidden, 12, 1472, Time{13'000'000 + 2'900'000 * (i % 7)}, 56 + 3 * i));
    const Fit fit = fit_loss_map({"map", rows}, default_conditions(), {});
    for (const ModelFit& one : fit.models) CHECK(one.log_evidence < 0);
}

TEST_CASE("Only lossless or only lossy bursts give a limit on one side") {
    const HiddenSwitch hidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3080, 10'000'000'000, 1};
    const auto at = [&](std::int64_t events) { return as_flag(measured(hidden, 44, 1024, Time{9'000'000}, events)); };
    const Fit none = fit_loss_map({"map", {at(10), at(50)}}, default_conditions(), {});
    CHECK(none.status == FitStatus::Unbounded);
    CHECK_FALSE(none.best().depth.value);
    CHECK_FALSE(none.best().depth.hard.high);
    CHECK(*none.best().depth.hard.low <= 3080);
    const Fit all = fit_loss_map({"map", {at(200), at(500)}}, default_conditions(), {});
    CHECK(all.status == FitStatus::Unbounded);
    CHECK_FALSE(all.best().depth.value);
    CHECK(*all.best().depth.hard.high >= 3080);
    CHECK(fit_loss_map({"map", {at(10)}}, default_conditions(), {}).status == FitStatus::Unbounded);
    std::vector<LossMapRow> many;
    for (int i = 0; i < 20; ++i) many.push_back(at(300 + 20 * i));
    const Fit same = fit_loss_map({"map", many}, default_conditions(), {});
    CHECK(same.status == FitStatus::Unbounded);
    CHECK_FALSE(same.best().noise);  // which takes bursts of either outcome to see
}

TEST_CASE("One lossy burst, its lost frames counted, does not know the depth") {
    // 308000 frames behind 10 Gb/s: of 1.76 million 75888 are lost, whether much memory is drained slowly or little
    // memory fast.
    const Fit fit = fit_loss_map(
        {"one burst",
         {measured({Buffer::Sharing::Shared, MemorySize::Unit::Frame, 308'000}, 44, 1024, Time{30'000'000}, 40'000)}},
        default_conditions(), {});
    const Interval& depth = fit.best().depth.interval95;
    if (depth.low && depth.high) CHECK(*depth.high > 10 * *depth.low);
    CHECK((!depth.low || *depth.low <= 308'000));
    CHECK((!depth.high || *depth.high >= 308'000));
}

TEST_CASE("A known rate is taken as it is and not fitted") {
    const HiddenSwitch hidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3080, 10'000'000'000, 1};
    FitOptions options;
    options.service_rate = BitRate{10'000'000'000};
    const Fit fit = fit_loss_map({"map",
                                  {as_flag(measured(hidden, 44, 1024, Time{20'000'000}, 100)),
                                   as_flag(measured(hidden, 44, 1024, Time{20'000'000}, 200))}},
                                 default_conditions(), options);
    CHECK(fit.status == FitStatus::Separated);
    CHECK(*fit.best().rate.value == Approx(10e9));
    CHECK(*fit.best().rate.hard.high == Approx(10e9));
    CHECK(*fit.best().depth.hard.low <= 3080);
    CHECK(*fit.best().depth.hard.high >= 3080);
}

TEST_CASE("The longest lossless burst is the closed form of the hyperbola") {
    // M* = floor(1 + (B - N) / (N - r)) for r = 10 at 8.72 us: 44 ports, 7000 frames per input.
    Burst like;
    like.ports = 44;
    like.wire = 1090;
    const QueueModel per_input{Buffer::Sharing::PerInput, MemorySize::Unit::Frame};
    CHECK(longest_lossless(per_input, like, Time{8'720'000}, 7000, 1e10) == 9058);
    CHECK(longest_lossless(per_input, like, Time{20'000'000}, 7000, 1e10) == 14620);
    CHECK_FALSE(longest_lossless(per_input, like, Time{38'400'000}, 7000, 1e10));
    CHECK(longest_lossless({}, like, Time{38'400'000}, 43, 1e10) == 0);
}

TEST_CASE("A drift is found where payloads measured one after the other let it look like a memory counted in bytes") {
    // From a queue that moves frame by frame: 1695 cells of 208 B in the middle, growing by 13.8 %, behind 0.9976 Gb/s.
    struct Row {
        int ports;
        std::int64_t payload, separation, events, lost;
    };
    const Row kRows[] = {{48, 900, 222566399, 17, 42}, {48, 900, 222566399, 9, 0},    {48, 900, 222566399, 13, 0},
                         {48, 900, 222566399, 15, 0},  {48, 900, 222566399, 16, 15},  {48, 900, 222566399, 15, 0},
                         {48, 900, 333849600, 70, 60}, {48, 900, 333849600, 35, 0},   {48, 900, 333849600, 52, 0},
                         {48, 900, 333849600, 61, 10}, {48, 900, 333849600, 56, 0},   {48, 900, 333849600, 58, 0},
                         {24, 480, 62899199, 35, 0},   {24, 480, 62899199, 70, 119},  {24, 480, 62899199, 52, 0},
                         {24, 480, 62899199, 61, 27},  {24, 480, 62899199, 56, 0},    {24, 480, 62899199, 58, 0},
                         {24, 480, 83865600, 70, 0},   {24, 480, 83865600, 140, 108}, {24, 480, 83865600, 105, 0},
                         {24, 480, 83865600, 122, 14}, {24, 480, 83865600, 113, 0},   {24, 480, 83865600, 117, 0}};
    LossMap map{"map", {}};
    for (const Row& row : kRows) {
        const std::int64_t sent = row.ports * row.events;
        map.rows.push_back(
            {row.ports, Bytes{row.payload}, Time{row.separation}, row.events, sent, sent - row.lost, std::nullopt});
    }
    Conditions conditions = default_conditions();
    conditions.link_rate = BitRate{100'000'000'000};
    conditions.unit = MemorySize::Unit::Cell;
    conditions.cell = 208;
    const Fit fit = fit_loss_map(map, conditions, {});
    CHECK(fit.best().model.unit == MemorySize::Unit::Cell);
    const auto drift =
        boost::find_if(fit.best().disturbances, [](const Disturbance& one) { return one.name == "drift"; });
    REQUIRE(drift != fit.best().disturbances.end());
    CHECK(*drift->value == Approx(0.138).margin(0.01));
    CHECK(*fit.best().depth.value == Approx(1695).margin(10));
}

TEST_CASE("A map whose only row came late is no error while there is more to measure") {
    const LossMap map{"map", {late(measured(kHidden, 44, 1024, Time{20'000'000}, 200))}};
    CHECK_THROWS_AS(fit_loss_map(map, default_conditions(), {}), InputError);
    const PartialFit so_far = fit_so_far(map, default_conditions(), {});
    CHECK_FALSE(so_far.fit);
    REQUIRE(so_far.set_aside.size() == 1);
    CHECK(so_far.set_aside[0].row == 1);
    CHECK(so_far.bursts.size() == 1);
}

TEST_CASE("Rows in time are fitted, and the late ones named") {
    const PartialFit so_far = fit_so_far({"map",
                                          {late(measured(kHidden, 44, 1024, Time{20'000'000}, 200)),
                                           measured(kHidden, 44, 1024, Time{20'000'000}, 300)}},
                                         default_conditions(), {});
    REQUIRE(so_far.fit);
    CHECK(so_far.fit->bursts.size() == 1);
    CHECK(so_far.set_aside.size() == 1);
    CHECK_FALSE(fit_so_far({"map", {}}, default_conditions(), {}).fit);
}
