// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "calibrate/fit/fit.h"
#include "calibrate/posterior/burst-likelihood.h"
#include "calibrate/report/fit-report.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

const HiddenSwitch kHidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3080};

Fit fit_of(const std::vector<LossMapRow>& rows, const FitOptions& options = {}) {
    return fit_loss_map({"map", rows}, default_conditions(), options);
}

/// The last of the models that nobody can tell apart, and what would.
std::string indistinguishable(const Diagnosis& diagnosis) {
    std::string all;
    for (const Indistinguishable& one : diagnosis.indistinguishable)
        all += one.models.back() + ": " + one.separated_by + "; ";
    return all;
}

}  // namespace

TEST_CASE("Of four ways to count a frame's bytes the wire slot fits a 10 Gb/s link, and payload misses by 6 %") {
    const Diagnosis diagnosis = diagnose(fit_of(measured_grid(kHidden)), 1);
    CHECK(diagnosis.nominal_rate == 10e9);
    REQUIRE(diagnosis.framing.size() == 4);
    CHECK(diagnosis.framing[0].off_nominal == Approx(1024.0 / 1090 - 1).margin(1e-4));  // payload
    for (const FramingCheck& one : diagnosis.framing) CHECK(one.fits == (one.convention == "wire slot"));
    // rho = 9 us * 10 Gb/s / (44 * 8720 b): d ln B / d ln c = - rho / (1 - rho)
    const double rho = 9e-6 * 1e10 / (44 * 8720.0);
    CHECK(diagnosis.sensitivity == Approx(-rho / (1 - rho)).epsilon(1e-3));
}

TEST_CASE("One payload and one number of ports leave models open, and it is said what would tell them apart") {
    const Diagnosis diagnosis = diagnose(fit_of(measured_grid(kHidden)), 1);
    REQUIRE_FALSE(diagnosis.indistinguishable.empty());
    CHECK_THAT(diagnosis.indistinguishable.front().separated_by,
               Contains("second payload size") && Contains("number of ports"));
}

TEST_CASE("Without a binding burst the hard limits are no narrower") {
    const Fit fit = fit_of(as_flags(measured_grid(kHidden)));
    const Diagnosis diagnosis = diagnose(fit, 1);
    REQUIRE_FALSE(diagnosis.leave_one_out.empty());
    bool wider = false;
    for (const LeaveOneOut& one : diagnosis.leave_one_out) {
        CHECK(*one.depth.low <= *fit.best().depth.hard.low);
        CHECK((!one.depth.high || *one.depth.high >= *fit.best().depth.hard.high));
        wider |= *one.depth.low < *fit.best().depth.hard.low || !one.depth.high ||
                 *one.depth.high > *fit.best().depth.hard.high;
    }
    CHECK(wider);
}

TEST_CASE("Two statements that no one depth meets are set against each other") {
    HiddenSwitch other = kHidden;
    other.depth = 4000;
    std::vector<LossMapRow> rows = as_flags(measured_grid(kHidden, {20}, {100, 130, 134, 160}));
    rows.push_back(as_flag(measured(other, 44, 1024, Time{20'000'000}, 180)));
    FitOptions options;
    options.service_rate = BitRate{10'000'000'000};
    const Fit fit = fit_of(rows, options);
    REQUIRE(fit.status == FitStatus::Inconsistent);
    const Diagnosis diagnosis = diagnose(fit, 1);
    REQUIRE(diagnosis.contradiction);
    CHECK(*diagnosis.contradiction->depth_of_exceptions.low > *diagnosis.contradiction->depth_of_rest.high);
    CHECK(diagnosis.violations.size() == 1);
    CHECK(diagnosis.framing.empty());  // a rate that was given proves nothing
}

TEST_CASE("Rows that contradict the others in the rate, and not in the depth, are no statements of two depths") {
    // 28 ports lose nothing of 2216 events, 14 ports a frame of 63: with a frame of memory or with hundreds the first
    // asks for a faster uplink than the second.
    const auto row = [](int ports, std::int64_t events, std::int64_t lost) {
        LossMapRow one;
        one.ports = ports, one.events = events, one.payload = Bytes{64}, one.separation = Time{292'116'000};
        one.frames_sent = ports * events, one.frames_received = one.frames_sent - lost;
        return one;
    };
    FitOptions exact;
    exact.noise = KnownNoise{};
    exact.loss = exact.bucket = exact.traffic = KnownRange{};
    const Fit fit = fit_of({row(28, 2216, 0), row(14, 63, 1)}, exact);
    REQUIRE(fit.status == FitStatus::Inconsistent);
    CHECK_FALSE(diagnose(fit, 1).contradiction);
}

TEST_CASE("A diagnosis repeats itself, and fits its own noise") {
    std::vector<LossMapRow> rows = measured_grid(kHidden);
    std::uint64_t state = 1;
    for (LossMapRow& row : rows) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        const auto noise = static_cast<std::int64_t>(state >> 60) - 8;  // -8 ... 7 frames
        if (!row.lossless()) row.frames_received = std::min(row.frames_sent - 1, row.frames_received + noise);
    }
    FitOptions alone;
    alone.traffic = KnownRange{};  // other traffic scatters counts alike
    const Fit fit = fit_of(rows, alone);
    REQUIRE(fit.best().noise);
    const Diagnosis one = diagnose(fit, 7), two = diagnose(fit, 7);
    CHECK(one.goodness.replicas > 0);
    CHECK(one.goodness.p_value == two.goodness.p_value);
    CHECK(one.goodness.p_value > 0.01);
    CHECK_FALSE(one.goodness.residuals.empty());
    const nlohmann::json json = to_json(fit, one);
    CHECK(json["goodness_of_fit"]["p_value"] == one.goodness.p_value);
    CHECK(json["noise"]["estimate"].get<double>() > 0);
    CHECK_FALSE(marginals_of(fit, 8720)["depth"].empty());
}

TEST_CASE("Counts that a fit of their own cannot explain are rarer in simulated maps fitted again") {
    // Noise of +-4 frames about a depth that is 40 frames larger at one separation: no depth and rate meet three
    // separations
    std::vector<LossMapRow> rows =
        measured_grid(kHidden, {9, 20, 33}, {90, 130, 160, 200, 240, 290, 340, 400, 460, 520, 600, 700});
    // Separations in turn: else a depth that grows with the row would explain it.
    std::stable_sort(rows.begin(), rows.end(),
                     [](const LossMapRow& a, const LossMapRow& b) { return a.events < b.events; });
    std::vector<LossMapRow> bent = rows;
    HiddenSwitch other = kHidden;
    other.depth += 40;
    std::uint64_t state = 1;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].separation == Time{20'000'000})
            bent[i] = measured(other, 44, 1024, rows[i].separation, rows[i].events);
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        const auto noise = static_cast<std::int64_t>(state >> 61) - 4;
        for (std::vector<LossMapRow>* map : {&rows, &bent}) {
            LossMapRow& row = (*map)[i];
            if (!row.lossless()) row.frames_received = std::min(row.frames_sent - 1, row.frames_received + noise);
        }
    }
    const Fit straight = fit_of(rows);
    CHECK(diagnose(straight, 1).goodness.p_value > 0.05);
    const Diagnosis judged = diagnose(fit_of(bent), 1);
    CHECK(judged.goodness.p_value < 0.05);
}

TEST_CASE("A trunk's shares and a limit on descriptors are named as open, with what would show them") {
    Conditions trunk = default_conditions();
    trunk.uplinks = 2;
    HiddenSwitch hidden = kHidden;
    hidden.uplinks = 2;
    hidden.rate /= 2;
    const Diagnosis diagnosis = diagnose(fit_loss_map({"map", measured_grid(hidden)}, trunk, {}), 1);
    const std::string all = indistinguishable(diagnosis);
    CHECK_THAT(all, Contains("uneven-uplinks: frames received, counted for each uplink"));
    CHECK_THAT(all, Contains("descriptors: a second, smaller payload"));
}

TEST_CASE("Cells whose size two payloads gave may be a limit on descriptors, which a third payload would show") {
    // 3000 frames of 900 B, 4000 of 400 B: no memory in bytes or frames holds these.
    HiddenSwitch large = kHidden, small = kHidden;
    large.depth = 3000, small.depth = 4000;
    std::vector<LossMapRow> rows;
    for (const std::int64_t microseconds : {9, 12, 15})
        for (const std::int64_t events : {80, 110, 140, 180, 230}) {
            rows.push_back(measured(large, 44, 900, Time{microseconds * 1'000'000}, events));
            rows.push_back(measured(small, 44, 400, Time{microseconds * 500'000}, events * 4 / 3));
        }
    const Fit fit = fit_of(rows);
    REQUIRE(fit.best().model.unit == MemorySize::Unit::Cell);
    CHECK_THAT(indistinguishable(diagnose(fit, 1)), Contains("shared-bytes-descriptors: a third payload size"));
}

TEST_CASE("Noise that was given as a number of frames is stated so, and never as a part of a burst's length") {
    FitOptions options;
    options.counts = CountUse::Count;
    options.noise = KnownNoise{3, 3, false};
    const Fit fit = fit_of(measured_grid(kHidden, {9, 20, 33}, {60, 90, 130, 200}), options);
    const Diagnosis diagnosis = diagnose(fit, 1);
    const nlohmann::json json = to_json(fit, diagnosis);
    std::ostringstream text;
    print_report(text, json, true);
    CHECK_THAT(text.str(), Contains("noise            3 frames, as it was given") && !Contains("300 %"));
    CHECK(json["noise"]["kind"] == "frames");
    CHECK(json["noise"]["estimate"] == 3);
    CHECK(json["noise"]["interval95"] == nlohmann::json({3, 3}));
    CHECK(json["noise"]["fixed"] == true);
}

TEST_CASE("A map that leaves the depth open has the goodness that its fit states") {
    // 24 bursts that all lose, by numbers that follow no memory.
    std::vector<LossMapRow> rows;
    for (int i = 0; i < 24; ++i) {
        LossMapRow row;
        row.ports = 44, row.events = 200, row.payload = Bytes{1024}, row.separation = Time{(5 + i) * 1'000'000};
        row.frames_sent = row.ports * row.events, row.frames_received = row.frames_sent - 1 - i * 2711 % 8000;
        rows.push_back(row);
    }
    const Fit fit = fit_of(rows);
    CHECK(fit.status == FitStatus::Misfit);
    REQUIRE_FALSE(fit.best().depth.value);
    REQUIRE(fit.goodness);
    CHECK(diagnose(fit, 1).goodness.p_value == *fit.goodness);
    CHECK(diagnose(fit, 1).goodness.unusual == fit.unusual);
}

TEST_CASE("An exception is told beside what the likeliest sample loses, with drift and token bucket") {
    Fit fit;
    fit.conditions = default_conditions();
    ModelFit one;
    one.depth.value = 1000;
    one.rate.value = 1e10;
    BurstParameters at{1000, 1e10};
    at.nuisances.assign(nuisance_models().size(), 0);
    for (std::size_t i = 0; i < nuisance_models().size(); ++i)
        if (nuisance_models()[i].name == std::string("drift")) at.nuisances[i] = 0.2;
    one.parameters = {at};
    // One event of 2000 frames: the first row finds 900 frames, the last one 1100.
    for (const int row : {1, 3}) {
        Burst burst = burst_of_44(1);
        burst.row = row;
        burst.ports = burst.sent = 2000;
        burst.lost = 1000;
        burst.lossy = burst.counted = true;
        fit.bursts.push_back(burst);
        one.violating.push_back(row);
    }
    one.mixes = BurstLikelihood::mixes_of(fit.bursts);
    fit.models = {one};
    const Diagnosis diagnosis = diagnose(fit, 1);
    REQUIRE(diagnosis.violations.size() == 2);
    CHECK(diagnosis.violations[0].margin_frames == 100);
    CHECK(diagnosis.violations[1].margin_frames == -100);
    at.nuisances.clear();
    at.bucket = 6 * 1090;  // six frames of burst_of_44 on a link leave at once
    fit.models.front().parameters = {at};
    fit.bursts.front().events = 2, fit.bursts.front().ports = 1000;  // they drain 22.9 frames in 20 us
    fit.models.front().mixes = BurstLikelihood::mixes_of(fit.bursts);
    CHECK(diagnose(fit, 1).violations[0].margin_frames == 2000 - 1000 - 22 - 6 - 1000);
}

TEST_CASE("A receiver in doubt beside a link is told from it by payloads further apart") {
    Fit fit;
    fit.bursts = {burst_of_44(100)};
    fit.models.resize(2);
    for (ModelFit& one : fit.models) one.probability = 0.5;
    fit.models.back().model.per_packet = true;
    CHECK_THAT(diagnose(fit, 1).indistinguishable.front().separated_by, Contains("payload sizes further apart"));
}
