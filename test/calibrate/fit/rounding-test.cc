// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>
#include <random>
#include <sstream>

#include "calibrate/fit/fit-steps.h"
#include "calibrate/fit/rate-doubt.h"
#include "calibrate/report/fit-report.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

Time step_of(const std::string& separations) {
    std::istringstream in("ports,payload_bytes,separation_us,events,frames_sent,frames_received\n" + separations);
    return read_loss_map(in, "map").separation_step;
}

const HiddenSwitch kHidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 1500, 9'980'000'000};

/// Bursts at two separations with noise of some frames; the separations are noted to `step`.
LossMap rounded_map(Time step, std::uint64_t seed, double frames = 3) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise(0, frames);
    LossMap map{"map", {}, step};
    for (const std::int64_t nanoseconds : {12'000, 27'000}) {
        const Time separation{nanoseconds * 1000 + static_cast<std::int64_t>(random() % 1'000'000)};
        for (const std::int64_t events : {110, 150, 220, 300, 400, 550, 700}) {
            LossMapRow row = measured(kHidden, 44, 1024, separation, events);
            if (!row.lossless())
                row.frames_received =
                    std::min<std::int64_t>(row.frames_sent - 1, row.frames_received + std::llround(noise(random)));
            row.separation = Time{(separation.count() + step.count() / 2) / step.count() * step.count()};
            map.rows.push_back(row);
        }
    }
    return map;
}

/// Nothing but scatter disturbs a shared memory in frames.
FitOptions only_scatter() {
    FitOptions known;
    known.kind = "shared-frames";
    known.loss = known.bucket = known.traffic = KnownRange{};
    return known;
}

}  // namespace

TEST_CASE("The digits of a map's separations tell to what they are rounded; whole microseconds are taken as set") {
    CHECK(step_of("28,1024,12.5,80,2240,2000\n28,1024,20,80,2240,2240\n") == Time{100'000});
    CHECK(step_of("28,1024,12.50,80,2240,2000\n") == Time{10'000});
    CHECK(step_of("28,1024,12,80,2240,2000\n28,1024,20,80,2240,2240\n") == Time{0});
    CHECK(step_of("28,1024,1.25e1,80,2240,2000\n") == Time{1});
}

TEST_CASE("The interval of the rate holds the truth where separations are rounded to a tenth of a microsecond") {
    constexpr int kMaps = 8;
    int held = 0, held_at_their_word = 0;
    for (std::uint64_t seed = 1; seed <= kMaps; ++seed) {
        LossMap map = rounded_map(Time{100'000}, seed);
        const auto holds = [&] {
            const Fit fit = fit_loss_map(map, default_conditions(), only_scatter());
            CHECK(fit.rounding.has_value() == (map.separation_step > Time{0}));
            const Interval& rate = fit.best().rate.interval95;
            return *rate.low <= double(kHidden.rate) && double(kHidden.rate) <= *rate.high;
        };
        held += holds();
        map.separation_step = Time{0};
        held_at_their_word += holds();
    }
    CHECK(held == kMaps);
    CHECK(held_at_their_word < kMaps);
}

TEST_CASE("Frames lost at random are not taken for those of a full memory, which follow the separation") {
    std::mt19937_64 random(7);
    LossMap map{"map", {}, Time{1000}};
    for (const std::int64_t nanoseconds : {12'345, 27'001})
        for (const std::int64_t events : {20, 40, 60, 80, 110, 150, 220, 300, 400, 550, 700}) {
            LossMapRow row = measured(kHidden, 44, 1024, Time{nanoseconds * 1000}, events);
            row.frames_received -= std::binomial_distribution<std::int64_t>(row.frames_received, 0.001)(random);
            map.rows.push_back(row);
        }
    const Fit fit = fit_loss_map(map, default_conditions(), {});
    REQUIRE(likely_loss(fit.best()));
    // Separations are known to 1 ns over the square root of twelve, 2.3e-5 of the shorter; the rate to a few times
    // that.
    CHECK(fit.rounding.value_or(0) < 1e-4);
}

TEST_CASE("A rounding that is widened for is said once, and one that matters to nothing is not") {
    const Fit fit = fit_loss_map(rounded_map(Time{100'000}, 1), default_conditions(), only_scatter());
    REQUIRE(fit.rounding);
    std::ostringstream text;
    print_report(text, to_json(fit, diagnose(fit, 1)));
    const std::string words = "Separations are written to 100 ns: the intervals allow for an error of ";
    const std::size_t said = text.str().find(words);
    REQUIRE(said != std::string::npos);
    CHECK(text.str().find(words, said + 1) == std::string::npos);
    CHECK_FALSE(fit_loss_map(rounded_map(Time{100}, 1), default_conditions(), only_scatter()).rounding);
}

TEST_CASE("A rival place far away does not widen an interval for what separations are rounded by") {
    std::istringstream in(
        "ports,payload_bytes,separation_us,events,frames_sent,frames_received\n44,500,18.13,96,4224,4224\n"
        "44,1000,32.12,79,3476,3475\n44,500,9.19,25,1100,1099\n44,1000,34.6,145,6380,6379\n44,500,18.81,249,10956,"
        "10955\n"
        "44,500,11.34,33,1452,1451\n44,500,9.59,18,792,792\n44,1000,15.55,22,968,967\n44,500,12.62,28,1232,1232\n"
        "44,1000,35.56,280,12320,12319\n44,1000,28.05,55,2420,2419\n44,500,8.55,25,1100,1099\n"
        "44,1000,28.92,50,2200,2199\n44,500,9.95,23,1012,1011\n");
    const LossMap map = read_loss_map(in, "map");
    for (const std::uint64_t seed : {1, 2, 3}) {
        FitOptions options;
        options.seed = seed;
        const Fit fit = fit_loss_map(map, default_conditions(), options);
        // 10 ns of the shortest separation, twice over.
        CHECK(fit.rounding.value_or(0) < 2 * 0.01 / 8.55);
    }
}

TEST_CASE("Counts that agree to the frame at a wrong rate leave room for what their separations are rounded by") {
    // A memory of 3879 frames at 10 Gb/s; 8.8 us stand for 8.8 us and up to 50 ns more or less, as do the others.
    const std::string rows =
                          "28,1024,8.8,558,15624,9475\n28,1024,8.8,231,6468,6190\n14,1024,8.8,1580,22120,19744\n"
                          "28,1024,8.8,238,6664,6260\n",
                      more =
                          "28,1024,10.1,588,16464,10688\n28,1024,22.1,1371,38388,38388\n"
                          "28,1024,17.2,456,12768,12768\n28,1024,14.8,352,9856,9822\n28,1024,14.8,343,9604,9604\n";
    constexpr double kDepth = 3879, kRate = 1e10;
    const auto holds = [](const Interval& interval, double truth) {
        return interval.low.value_or(0) <= truth && truth <= interval.high.value_or(HUGE_VAL);
    };
    for (const bool all : {false, true}) {
        std::istringstream in("ports,payload_bytes,separation_us,events,frames_sent,frames_received\n" + rows +
                              (all ? more : ""));
        Conditions conditions = default_conditions();
        conditions.scenario = "named";
        conditions.uplinks = 1;
        conditions.nominal_rate = BitRate{10'000'000'000};
        const Fit fit = fit_loss_map(read_loss_map(in, "map"), conditions, {});
        CHECK(fit.misfit.empty());
        CHECK(fit.shifts.empty() != all);
        CHECK(fit.rounding);
        CHECK_FALSE(rate_off_nominal(fit));
        const ModelFit& best = fit.best();
        CHECK(holds(best.rate.interval95, kRate));
        CHECK(holds(best.rate.hard, kRate));
        CHECK(holds(best.depth.hard, kDepth * double(best.model.cost(fit.bursts.front()))));
        for (const auto& [separation, shift] : fit.shifts) CHECK(std::abs(shift.count()) <= 50'050);
    }
}

TEST_CASE("Separations are shifted only where all counts are explained then, within what they are rounded by") {
    constexpr double kLittle = 1e-9;
    const Time step{100'000};
    const LossMap exact = rounded_map(Time{1}, 1, kLittle), written = rounded_map(step, 1, kLittle);
    ModelFit one;
    one.depth.value = 0.99 * double(kHidden.depth), one.rate.value = 1.01 * double(kHidden.rate);
    const auto shifts_of = [&](const LossMap& map, Time of) {
        return shifts_within_rounding(one, bursts_of(map, default_conditions(), CountUse::Auto), of);
    };
    const auto shifts = shifts_of(written, step);
    REQUIRE(shifts.size() == 2);
    // Counts tell the ratio of two separations: 1 ns of the longer one is a frame of the longest burst in 1.7.
    const auto ratio = [](Time a, Time b) { return double(a.count()) / double(b.count()); };
    const std::size_t last = exact.rows.size() - 1;
    const Time first = written.rows[0].separation, second = written.rows[last].separation;
    CHECK(ratio(first + shifts.at(first), second + shifts.at(second)) ==
          Approx(ratio(exact.rows[0].separation, exact.rows[last].separation)).epsilon(1e-3));
    for (const auto& [separation, shift] : shifts) CHECK(std::abs(shift.count()) <= 50'050);
    CHECK(shifts_of(written, Time{1000}).empty());
    CHECK(shifts_of(rounded_map(step, 1, 30), step).empty());
}
