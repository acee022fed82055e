// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "calibrate/advice/campaign.h"
#include "calibrate/fit/fit-steps.h"
#include "calibrate/fit/fit.h"
#include "calibrate/report/fit-report.h"
#include "test/calibrate/maps.h"
#include "test/calibrate/measure-all.h"
#include "test/catch.h"

using namespace watershed;

namespace {

Goodness check(const ModelFit& one, const std::vector<Burst>& bursts) {
    constexpr int kReplicas = 100;
    return predictive_check(one, bursts, 1, kReplicas);
}

/// Rows that a switch of this kind gives, with noise of 2 frames.
Fit fit_of(const Buffer& buffer) {
    Scenario hidden;
    hidden.network_switch.buffer = buffer;
    hidden.network_switch.uplink_rate = BitRate{10'000'000'000};
    SetupImperfections apparatus;
    apparatus.noise.frames = 2;
    std::vector<BurstSetting> wanted;
    for (const int ports : {30, 44})
        for (const std::int64_t microseconds : {9, 14, 19})
            for (std::int64_t events = 150; events < 240; events += 10)
                wanted.push_back({ports, Bytes{1024}, Time{microseconds * 1'000'000}, events});
    FitOptions only;  // every test asks about this kind, which another one may leave out of reach
    only.kind = "shared-frames";
    return fit_loss_map({"simulated", measure_all(SimulatedSwitch(hidden, apparatus), wanted)}, default_conditions(),
                        only);
}

double p_value_of_shared_frames(const Fit& fit) {
    for (const ModelFit& one : fit.models)
        if (one.model.name() == "shared-frames") {
            REQUIRE_FALSE(one.parameters.empty());
            return check(one, fit.bursts).p_value;
        }
    throw std::logic_error("shared-frames");
}

Buffer frames(Buffer::Sharing sharing, std::int64_t size) {
    Buffer buffer;
    buffer.sharing = sharing;
    buffer.size = {size, MemorySize::Unit::Frame};
    return buffer;
}

const HiddenSwitch kHidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3080, 10'000'000'000, 1};

/// Counts with noise of four frames, and a bend: so many frames more are lost for each tenth of ln(events) beyond 300.
Fit fit_of(double bend, std::uint64_t seed, const FitOptions& known = {}) {
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
    return fit_loss_map({"map", rows}, default_conditions(), known);
}

Goodness check_of(const Fit& fit, std::uint64_t seed) { return predictive_check(fit.best(), fit.bursts, seed, 100); }

}  // namespace

TEST_CASE("A switch that the model describes is no surprise") {
    const Fit fit = fit_of(frames(Buffer::Sharing::Shared, 1500));
    CHECK(p_value_of_shared_frames(fit) > 0.05);
}

TEST_CASE("A memory that takes frames again only below a resume level does not look like one that does not") {
    Buffer buffer = frames(Buffer::Sharing::Shared, 1500);
    buffer.resume = MemorySize{1400, MemorySize::Unit::Frame};
    CHECK(p_value_of_shared_frames(fit_of(buffer)) < 0.05);
}

TEST_CASE("Memories of single inputs do not look like a shared one") {
    CHECK(p_value_of_shared_frames(fit_of(frames(Buffer::Sharing::PerInput, 50))) < 0.02);
}

TEST_CASE("A map that a resume level explains without any residual has no unusual shape") {
    Scenario hidden;
    hidden.network_switch.buffer.size = {2803, MemorySize::Unit::Frame};
    hidden.network_switch.buffer.resume = Ratio{70, 100};
    std::vector<BurstSetting> wanted;
    for (const std::int64_t microseconds : {9, 12, 16, 20})
        for (std::int64_t events = 100; events <= 500; events += 50)
            wanted.push_back({28, Bytes{1024}, Time{microseconds * 1'000'000}, events});
    const Fit fit =
        fit_loss_map({"simulated", measure_all(SimulatedSwitch(hidden, {}), wanted)}, default_conditions(), {});
    REQUIRE(fit.best().model.feature == Feature::Resume);
    const Goodness goodness = check(fit.best(), fit.bursts);
    CHECK((goodness.replicas == 0 || goodness.p_value > 0.1));
}

TEST_CASE("Maps of the fitted kind look like those that its posterior predicts") {
    for (const std::uint64_t seed : {1, 2, 3}) {
        const Fit fit = fit_of(0, seed);
        REQUIRE_FALSE(fit.best().parameters.empty());
        const Goodness check = check_of(fit, 1);
        CHECK(check.replicas >= 100);
        CHECK(check.p_value > 0.02);
        CHECK(check.residuals.size() >= 25);
    }
}

TEST_CASE("A bend that no depth and rate explain is unusual, however large noise is taken to be") {
    std::vector<double> p_values;
    for (const std::uint64_t seed : {1, 2, 3}) {
        const Fit fit = fit_of(25, seed);
        REQUIRE_FALSE(fit.best().parameters.empty());
        const Goodness check = check_of(fit, 1);
        p_values.push_back(check.p_value);
        CHECK(check.p_value < 0.1);
        CHECK_FALSE(check.unusual.empty());
    }
    std::sort(p_values.begin(), p_values.end());
    CHECK(p_values[1] < 0.05);
}

TEST_CASE("Where laws are kept the goodness is as often in each tenth") {
    constexpr std::size_t kMaps = 100, kPoints = 400, kKept = 100;
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> uniform(0, 1);
    ModelFit one;
    std::vector<double> p_values;
    while (p_values.size() < kMaps) {
        // The first of many points of a prior makes the map; each is as likely as its likelihood says.
        std::vector<BurstParameters> prior;
        while (prior.size() < kPoints) {
            BurstParameters& point = prior.emplace_back();
            point.depth = 3080 + 12 * uniform(random), point.rate = 1e10 * (1 + 0.002 * uniform(random));
            point.noise_frames = 2 + 4 * uniform(random);
        }
        std::vector<Burst> bursts;
        for (int i = 0; i < 24; ++i) {
            Burst& burst = bursts.emplace_back(burst_of_44(150 + 25 * i));
            burst.row = i + 1;
            burst.spacing = burst.separation = Time{9'000'000 + 6'000'000 * (i % 3)};
        }
        const BurstLikelihood untold(one.model, bursts);
        for (std::size_t i = 0; i < bursts.size(); ++i) {
            const double share = uniform(random);
            bursts[i].lost = first_of(0, bursts[i].fragments(), [&](std::int64_t frames) {
                return untold.at_most(i, frames, prior.front()) >= share;
            });
            bursts[i].lossy = bursts[i].counted = bursts[i].lost > 0;
        }
        const BurstLikelihood likelihood(one.model, bursts);
        const std::vector<double> logs =
            transformed_values(prior, [&](const BurstParameters& point) { return likelihood.log_likelihood(point); });
        const double most = *std::max_element(logs.begin(), logs.end());
        const std::vector<double> weights =
            transformed_values(logs, [&](double value) { return std::exp(value - most); });
        std::discrete_distribution<std::size_t> posterior(weights.begin(), weights.end());
        one.parameters.clear();
        while (one.parameters.size() < kKept) one.parameters.push_back(prior[posterior(random)]);
        const Goodness goodness = predictive_check(one, bursts, p_values.size(), 50);
        REQUIRE(goodness.replicas > 0);
        p_values.push_back(goodness.p_value);
    }
    std::sort(p_values.begin(), p_values.end());
    std::array<int, 10> tenths{};
    for (const double value : p_values) ++tenths[std::size_t(10 * value)];
    std::string numbers;
    for (const int number : tenths) numbers += ' ' + std::to_string(number);
    INFO("maps by their goodness, tenths from the lowest:" << numbers);
    double most = 0;  // Kolmogorov and Smirnov's distance: 0.136 has a probability of 5 % with 100 values
    for (std::size_t i = 0; i < kMaps; ++i)
        most = std::max({most, (double(i) + 1) / kMaps - p_values[i], p_values[i] - double(i) / kMaps});
    CHECK(most < 0.136);
}

TEST_CASE("A map whose every count is explained to the frame has no goodness, and says why") {
    const Fit fit = fit_loss_map({"map", measured_grid(kHidden)}, default_conditions(), {});
    CHECK_FALSE(fit.goodness);
    std::ostringstream text;
    const auto json = to_json(fit, diagnose(fit, 1));
    print_report(text, json, true);
    CHECK(json["goodness"].is_null());
    CHECK(json["goodness_of_fit"]["p_value"].is_null());
    CHECK_THAT(text.str(), Contains("every number of lost frames is explained to the frame: "));
    CHECK_THAT(text.str(), !Contains("look as unusual"));
}

TEST_CASE("The check is the same for one seed, and too few bursts are not judged") {
    const Fit fit = fit_of(0, 4);
    CHECK(check_of(fit, 7).p_value == check_of(fit, 7).p_value);
    CHECK(predictive_check(fit.best(), {fit.bursts[0], fit.bursts[1]}, 1, 100).replicas == 0);
}

TEST_CASE("Repeats that are equal to the frame contradict a scatter of single bursts") {
    for (const bool alike : {false, true}) {
        std::mt19937_64 random(3);
        std::normal_distribution<double> noise(0, 60);  // more than memories of single inputs leave open
        std::vector<LossMapRow> rows;
        for (const std::int64_t microseconds : {9, 15, 21})
            for (std::int64_t events = 260; events <= 700; events += 110)
                for (int repeat = 0; repeat < 2; ++repeat) {
                    if (repeat == 1 && alike) {
                        rows.push_back(rows.back());
                        continue;
                    }
                    rows.push_back(measured(kHidden, 44, 1024, Time{microseconds * 1'000'000}, events));
                    if (!rows.back().lossless())
                        rows.back().frames_received = std::min<std::int64_t>(
                            rows.back().frames_sent - 1, rows.back().frames_received + std::llround(noise(random)));
                }
        const Fit fit = fit_loss_map({"map", rows}, default_conditions(), {});
        REQUIRE(fit.check.alike_repeats);
        CHECK((*fit.check.alike_repeats < 1e-6) == alike);
        CHECK((*fit.check.alike_repeats > 0.02) != alike);
        INFO(fit.misfit);
        CHECK((fit.misfit == "repeats that are more alike than its scatter") == alike);
    }
}
