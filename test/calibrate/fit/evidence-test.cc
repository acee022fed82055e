// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>
#include <random>

#include "calibrate/report/fit-report.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// Bursts around the watershed of a random memory, in random order, with a normal number of frames more or less.
std::vector<LossMapRow> random_map(const HiddenSwitch& hidden, std::size_t bursts, double frames, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise(0, frames);
    std::vector<LossMapRow> rows;
    while (rows.size() < bursts) {
        const Time separation{static_cast<std::int64_t>(9 + random() % 20) * 1'000'000};
        std::int64_t longest = 2;
        while (measured(hidden, 44, 1024, separation, longest).lossless()) longest += 1 + longest / 50;
        const auto events = longest * static_cast<std::int64_t>(80 + random() % 80) / 100;
        LossMapRow row = measured(hidden, 44, 1024, separation, events);
        if (!row.lossless())
            row.frames_received =
                std::min<std::int64_t>(row.frames_sent, row.frames_received + std::llround(noise(random)));
        rows.push_back(row);
    }
    return rows;
}

/// Nothing but scatter disturbs.
FitOptions only_scatter() {
    FitOptions known;
    known.loss = known.bucket = known.traffic = KnownRange{};
    return known;
}

double probability_of(const Fit& fit, Buffer::Sharing sharing) {
    double sum = 0;
    for (const ModelFit& one : fit.models) sum += one.model.sharing == sharing ? one.probability : 0;
    return sum;
}

}  // namespace

TEST_CASE("The probability of the truth does not fall from above one half to below one hundredth as rows come") {
    const std::vector<HiddenSwitch> truths{{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 1800},
                                           {Buffer::Sharing::PerInput, MemorySize::Unit::Frame, 60},
                                           {Buffer::Sharing::Shared, MemorySize::Unit::Frame, 300}};
    for (std::size_t map = 0; map < truths.size(); ++map) {
        const std::vector<LossMapRow> rows = random_map(truths[map], 40, 3, 11 + map);
        double most = 0;
        for (const std::ptrdiff_t known : {10, 20, 30, 40}) {
            const Fit fit =
                fit_loss_map({"map", {rows.begin(), rows.begin() + known}}, default_conditions(), only_scatter());
            const double probability = probability_of(fit, truths[map].sharing);
            INFO("map " << map << ", " << known << " rows");
            CHECK((most <= 0.5 || probability >= 0.01));
            most = std::max(most, probability);
        }
        CHECK(most > 0.5);
    }
}

TEST_CASE("Log evidence lies within its error whatever the seed") {
    const std::vector<LossMapRow> rows = random_map({Buffer::Sharing::Shared, MemorySize::Unit::Frame, 900}, 24, 4, 5);
    FitOptions known = only_scatter();
    known.kind = "shared-frames";
    std::vector<double> logs, errors;
    double mean = 0;
    for (known.seed = 1; known.seed <= 5; ++known.seed) {
        const Fit fit = fit_loss_map({"map", rows}, default_conditions(), known);
        logs.push_back(fit.best().log_evidence), errors.push_back(fit.best().error_of_log_evidence);
        mean += logs.back() / 5;
    }
    for (std::size_t i = 0; i < logs.size(); ++i) {
        CHECK(errors[i] > 0);
        CHECK(errors[i] < 0.6);
        CHECK(std::abs(logs[i] - mean) < errors[i]);
    }
}

TEST_CASE("Log evidence and its error are in JSON and in the table of kinds, and no kind is 0 or 1 within the error") {
    Fit fit = fit_loss_map({"map", measured_grid({Buffer::Sharing::Shared, MemorySize::Unit::Frame, 900})},
                           default_conditions(), {});
    REQUIRE(fit.models.size() > 1);
    for (ModelFit& one : fit.models) one.probability = one.log_evidence = 0;
    ModelFit &best = fit.models[0], &other = fit.models[1];
    best.log_evidence = -12.34, best.error_of_log_evidence = 0.16;
    best.probability = 1 - 1e-6, other.probability = 1e-6;
    const auto texts = [&](double error) {
        best.error_of_log_odds = other.error_of_log_odds = error;
        const auto json = to_json(fit);
        return std::make_pair(json["models"][0]["probability_text"].get<std::string>(),
                              json["models"][1]["probability_text"].get<std::string>());
    };
    CHECK(texts(0) == std::make_pair(std::string("1"), std::string("0")));
    CHECK(texts(3) == std::make_pair(std::string("1"), std::string("0")));            // 20 times
    CHECK(texts(5) == std::make_pair(std::string("> 0.99"), std::string("< 0.01")));  // 148 times
    CHECK(texts(11) == std::make_pair(std::string("> 0.94"), std::string("< 0.06")));
    const auto json = to_json(fit);
    CHECK(json["models"][0]["log_evidence"] == -12.34);
    CHECK(json["models"][0]["log_evidence_error"] == 0.16);
    std::ostringstream text;
    print_report(text, json, true);
    CHECK_THAT(text.str(), Contains("-12.3 +- 0.2"));
    best.log_evidence = -HUGE_VAL;
    CHECK(to_json(fit)["models"][0]["log_evidence"].is_null());
}
