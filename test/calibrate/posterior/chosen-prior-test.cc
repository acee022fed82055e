// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/fit-steps.h"
#include "calibrate/posterior/parameter-posterior.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// A burst of one event that needs as many frames of room as it has ports, lossy or not.
Burst one_event(std::int64_t ports, bool lossy, int row) {
    Burst burst = burst_of_44(1);
    burst.ports = ports;
    burst.row = row;
    burst.lossy = lossy;
    burst.sent = burst.fragments();
    return burst;
}

/// Nothing but depth and strays is left to infer.
FitOptions depth_alone() {
    FitOptions options;
    options.noise = KnownNoise{};
    options.loss = options.bucket = options.traffic = KnownRange{};
    options.service_rate = BitRate{10'000'000'000};
    return options;
}

}  // namespace

TEST_CASE("The evidence of two bursts and the probability of a depth are those of an integral by hand") {
    // 40 frames are held, and 60 are not: a depth in [40, 60) explains both bursts. Of the others one explains neither
    // more than one. A stray burst, of a share s whose logarithm is even from 0.001 to 0.2, loses as often as not.
    const std::vector<Burst> bursts{one_event(40, false, 1), one_event(60, true, 2)};
    FitOptions options = depth_alone();
    options.depth_prior = ChosenPrior{ChosenPrior::Family::LogNormal, 50, 0.3, MemorySize::Unit::Frame};
    const auto below = [](double depth) { return normal_cdf(std::log(depth / 50) / 0.3); };
    const double both = below(60) - below(40);
    double evidence = 0, between = 0;
    constexpr int kSteps = 20'000;
    for (int i = 0; i < kSteps; ++i) {
        const double s = 0.001 * std::pow(200, (i + 0.5) / kSteps), as_expected = 1 - s + s / 2, stray = s / 2;
        between += both * as_expected * as_expected / kSteps;
        evidence += (both * as_expected * as_expected + (1 - both) * as_expected * stray) / kSteps;
    }
    const QueueModel model;
    const KindInference question(model, bursts, known_box(model, bursts, options), options);
    double log_evidence = 0, share = 0;
    constexpr int kRuns = 4;
    for (int seed = 1; seed <= kRuns; ++seed) {
        const ParameterPosterior posterior = question.posterior({}, std::uint64_t(seed));
        log_evidence += std::exp(posterior.log_evidence) / kRuns;
        for (const BurstParameters& one : posterior.samples)
            share += (one.depth >= 40 && one.depth < 60) / double(posterior.samples.size()) / kRuns;
        for (std::size_t i = 0; i < posterior.samples.size(); i += 500) {
            const double z = std::log(posterior.samples[i].depth / 50) / 0.3;
            CHECK(posterior.log_priors[i] == Approx(-z * z / 2 - std::log(0.3 * std::sqrt(2 * M_PI))).margin(1e-3));
        }
    }
    CHECK(log_evidence == Approx(evidence).epsilon(0.05));
    CHECK(share == Approx(between / evidence).margin(0.02));
}

TEST_CASE("A prior in bytes is one of as many frames of the largest payload, and of the same evidence") {
    const std::vector<Burst> bursts{one_event(40, false, 1), one_event(60, true, 2)};
    FitOptions options = depth_alone();
    options.depth_prior = ChosenPrior{ChosenPrior::Family::Uniform, 30 * 1070.0, 90 * 1070.0, MemorySize::Unit::Byte};
    QueueModel in_bytes;
    in_bytes.unit = MemorySize::Unit::Byte;
    std::vector<double> evidence;
    for (const QueueModel& model : {QueueModel{}, in_bytes}) {
        const KindInference question(model, bursts, known_box(model, bursts, options), options);
        evidence.push_back(question.posterior({}, 1).log_evidence);
    }
    // A third of the depths from 30 to 90 frames explains both.
    CHECK(evidence[0] == Approx(std::log(1.0 / 3)).margin(0.15));
    CHECK(evidence[1] == Approx(evidence[0]).margin(0.15));
}

TEST_CASE("A fit has the prior of the rate in its interval, and says that it was given") {
    const HiddenSwitch hidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3080};
    std::vector<LossMapRow> rows;
    for (const LossMapRow& row : measured_grid(hidden)) rows.push_back(as_flag(row));
    FitOptions options;
    options.rate_prior = ChosenPrior{ChosenPrior::Family::Normal, 10e9, 1e6};
    const Fit fit = fit_loss_map({"map.csv", rows}, default_conditions(), options);
    REQUIRE((fit.best().rate.interval95.low && fit.best().rate.interval95.high));
    // Flags know the rate to a per cent; the prior to 0.01 %.
    CHECK(*fit.best().rate.interval95.low > 10e9 - 3e6);
    CHECK(*fit.best().rate.interval95.high < 10e9 + 3e6);
}
