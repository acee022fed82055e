// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>
#include <random>

#include "calibrate/fit/fit.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE(
    "Whatever a few bursts say, also against each other, a fit ends: in numbers that lie within their own limits") {
    std::mt19937_64 random(1);
    const auto any = [&](std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(least, most)(random);
    };
    const auto ordered = [](const Estimate& one) {
        for (const Interval& limits : {one.hard, one.interval68, one.interval95}) {
            for (const auto& end : {limits.low, limits.high, one.value}) CHECK((!end || std::isfinite(*end)));
            if (limits.low && limits.high) CHECK(*limits.low <= *limits.high);
        }
        for (const Interval& limits : {one.hard, one.interval95}) {
            if (one.value && limits.low) CHECK(*one.value >= *limits.low * (1 - 1e-12));
            if (one.value && limits.high) CHECK(*one.value <= *limits.high * (1 + 1e-12));
        }
    };
    for (int map = 0; map < 16; ++map) {
        FitOptions known;  // mostly all, which leaves the least to explain a contradiction by, and is fast
        if (any(0, 9) > 0) known.noise = KnownNoise{};
        if (any(0, 9) > 0) known.loss = known.bucket = known.traffic = KnownRange{};
        std::vector<LossMapRow> rows;
        for (std::int64_t bursts = any(1, 4); bursts > 0; --bursts) {
            LossMapRow row;
            row.ports = static_cast<int>(any(1, 3) == 1 ? 1 : any(2, 64));
            row.payload = Bytes{any(0, 1) ? 64 : any(65, 1400)};
            row.separation = Time{any(1'000'000, 300'000'000)};
            row.events = any(1, 3) == 1 ? 1 : any(2, 2000);
            row.frames_sent = row.ports * row.events;
            const std::int64_t lost[] = {0, 0, 1, any(1, row.frames_sent)};
            row.frames_received = row.frames_sent - lost[any(0, 3)];
            rows.push_back(row);
        }
        const Fit fit = fit_loss_map({"map", rows}, default_conditions(), known);
        for (const ModelFit& one : fit.models) {
            INFO("map " << map << ", " << one.model.name());
            ordered(one.depth), ordered(one.rate);
        }
        CHECK(std::isfinite(fit.best().probability));
    }
}

TEST_CASE("The order of a map's rows changes no number") {
    LossMap map{"map", {}};
    for (const auto& row : noisy_map(5000, 0.02, 40, 2)) map.rows.push_back(row);
    const Fit fit = fit_loss_map(map, default_conditions(), {});
    std::mt19937_64 random(3);
    for (std::size_t i = map.rows.size() - 1; i > 0; --i) std::swap(map.rows[i], map.rows[random() % (i + 1)]);
    const Fit other = fit_loss_map(map, default_conditions(), {});
    REQUIRE(other.models.size() == fit.models.size());
    for (std::size_t i = 0; i < fit.models.size(); ++i) {
        CHECK(other.models[i].probability == fit.models[i].probability);
        CHECK(other.models[i].depth.value == fit.models[i].depth.value);
        CHECK(other.models[i].rate.interval95.low == fit.models[i].rate.interval95.low);
    }
}

TEST_CASE("Nor does the order of a few noisy rows, of which some order always looks a little like a drift") {
    Conditions conditions = default_conditions();
    conditions.nominal_rate = BitRate{1'000'000'000};
    const std::pair<std::int64_t, std::int64_t> bursts[] = {{1551, 0},   {3102, 0}, {6204, 2926},
                                                            {4387, 748}, {3689, 0}, {4023, 308}};
    const auto fitted = [&](const std::vector<std::size_t>& order) {
        LossMap map{"map", {}};
        for (const std::size_t i : order) {
            LossMapRow row = map.rows.emplace_back();
            row.ports = 8, row.payload = Bytes{1024}, row.separation = Time{59'300'000}, row.events = bursts[i].first;
            row.frames_sent = 8 * row.events, row.frames_received = row.frames_sent - bursts[i].second;
            map.rows.back() = row;
        }
        return fit_loss_map(map, conditions, {});
    };
    const Fit fit = fitted({0, 1, 2, 3, 4, 5});
    for (const std::vector<std::size_t>& order : {std::vector<std::size_t>{2, 3, 5, 0, 4, 1}, {0, 2, 3, 5, 4, 1}}) {
        const Fit other = fitted(order);
        CHECK(other.best().probability == fit.best().probability);
        CHECK(other.best().depth.value == fit.best().depth.value);
        CHECK(other.best().rate.interval95.low == fit.best().rate.interval95.low);
    }
}

TEST_CASE(
    "In random small maps no estimate lies outside its intervals, nor these beyond the hard limits of exact bursts "
    "that leave one kind") {
    std::mt19937_64 random(32);
    const auto any = [&](std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
    };
    const auto inside = [](const Interval& inner, const Interval& outer) {
        return (!inner.low || !outer.low || *inner.low >= *outer.low) &&
               (!inner.high || !outer.high || *inner.high <= *outer.high);
    };
    for (int map = 0; map < 12; ++map) {
        const HiddenSwitch hidden{any(0, 1) ? Buffer::Sharing::Shared : Buffer::Sharing::PerInput,
                                  any(0, 1) ? MemorySize::Unit::Frame : MemorySize::Unit::Byte, any(1, 20'000),
                                  any(1, 10) * 1'000'000'000};
        const bool flags = any(0, 1) == 0;
        std::vector<LossMapRow> rows;
        for (std::int64_t row = any(2, 12); row > 0; --row) {
            const LossMapRow one = measured(hidden, static_cast<int>(any(2, 40)), any(1, 4) * 300,
                                            Time{any(1, 40) * 1'000'000}, any(1, 300));
            rows.push_back(flags ? as_flag(one) : one);
        }
        FitOptions told;
        if (map % 2) told.noise = KnownNoise{};
        INFO("map " << map);
        const Fit fit = fit_loss_map({"map", rows}, default_conditions(), told);
        for (const ModelFit& one : fit.models) {
            INFO(one.model.name());
            for (const Estimate* const each : {&one.depth, &one.rate}) {
                const Interval value{each->value, each->value};
                CHECK(inside(value, each->interval68));
                CHECK(inside(value, each->interval95));
                CHECK(inside(each->interval68, each->interval95));
                CHECK(inside(value, each->hard));
                // Intervals of the named kind are over all that have a thousandth.
                const bool alone = &one == &fit.best() && one.probability > 0.999;
                Interval hard = each->hard;
                if (hard.low && alone) hard.low = std::floor(*hard.low);  // an interval begins with a whole depth
                if (one.feasible && (map % 2 || (alone && !flags && one.violating.empty())))
                    CHECK(inside(each->interval95, hard));
            }
        }
    }
}
