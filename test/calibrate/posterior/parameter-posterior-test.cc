// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/parameter-posterior.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "calibrate/fit/fit-steps.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

const HiddenSwitch kHidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3080, 10'000'000'000, 1};

/// Counts of bursts of 44 ports that scatter by what is given for each, in turn.
std::vector<Burst> bursts_of(const std::vector<int>& scatter, const std::vector<int>& payloads = {1024}) {
    std::vector<LossMapRow> rows;
    std::size_t i = 0;
    for (const int payload : payloads)
        for (const std::int64_t microseconds : {9, 15, 21})
            for (const std::int64_t events : {150, 300, 500, 700}) {
                rows.push_back(measured(kHidden, 44, payload, Time{microseconds * 1'000'000}, events));
                if (!rows.back().lossless()) rows.back().frames_received -= scatter[i++ % scatter.size()];
            }
    return watershed::bursts_of({"map", rows}, default_conditions(), CountUse::Count);
}

struct Interval95 {
    double low = 0, high = 0;
};

Interval95 depths(const ParameterPosterior& posterior) {
    std::vector<double> all;
    for (const BurstParameters& hidden : posterior.samples) all.push_back(hidden.depth);
    std::sort(all.begin(), all.end());
    return {all[all.size() / 40], all[all.size() - 1 - all.size() / 40]};
}

ParameterPosterior posterior_of(const QueueModel& model, const std::vector<Burst>& bursts,
                                const FitOptions& options = {}) {
    return KindInference(model, bursts, known_box(model, bursts, options), options).posterior({}, 1);
}

}  // namespace

TEST_CASE("Exact counts leave the depth to a frame or two, counts that scatter leave more, and both hold the truth") {
    const Interval95 exact = depths(posterior_of({}, bursts_of({0}))),
                     noisy = depths(posterior_of({}, bursts_of({-20, 13, 5, -9, 18, -2, 9})));
    CHECK(exact.low <= 3081);
    CHECK(exact.high >= 3080);
    CHECK(exact.high - exact.low < 8);
    CHECK(noisy.low <= 3081);
    CHECK(noisy.high >= 3080);
    CHECK(noisy.high - noisy.low > 3 * (exact.high - exact.low));
}

TEST_CASE("Two kinds of memory that hold the same frames have the same evidence, whatever unit they count in") {
    const std::vector<Burst> bursts = bursts_of({-20, 13, 5, -9, 18, -2, 9});
    QueueModel bytes;
    bytes.unit = MemorySize::Unit::Byte;
    CHECK(posterior_of({}, bursts).log_evidence == Approx(posterior_of(bytes, bursts).log_evidence).margin(1.5));
}

TEST_CASE("A kind of memory that does not explain two payloads is out of reach") {
    const std::vector<Burst> bursts = bursts_of({0}, {400, 1024});
    QueueModel bytes;
    bytes.unit = MemorySize::Unit::Byte;
    const KindInference frames({}, bursts, known_box({}, bursts, {}), {}),
        other(bytes, bursts, known_box(bytes, bursts, {}), {});
    CHECK(frames.log_likelihood() > other.log_likelihood() + 40);
    CHECK(frames.likeliest().depth == Approx(3080).epsilon(0.01));
}

TEST_CASE("Frames lost at random are told from frames that had no room") {
    // Short bursts, which the memory takes whole, show them: of long ones 2 % of what is kept look like 2 % less memory
    // behind a slower link.
    std::vector<Burst> bursts = bursts_of({0});
    for (const std::int64_t events : {20, 40, 60, 80}) {
        const std::vector<Burst> more = watershed::bursts_of(
            {"map", {measured(kHidden, 44, 1024, Time{15'000'000}, events)}}, default_conditions(), CountUse::Count);
        bursts.push_back(more.front());
    }
    std::mt19937_64 random(1);
    for (Burst& burst : bursts) {
        burst.lost += std::binomial_distribution<std::int64_t>(burst.fragments() - burst.lost, 0.02)(random);
        burst.lossy = burst.counted = burst.lost > 0;
    }
    const ParameterPosterior posterior = posterior_of({}, bursts);
    double loss = 0;
    for (const BurstParameters& hidden : posterior.samples)
        loss += hidden.loss / static_cast<double>(posterior.samples.size());
    CHECK(loss == Approx(0.02).epsilon(0.1));
    CHECK(depths(posterior).low <= 3080);
    CHECK(depths(posterior).high >= 3080);
}

TEST_CASE("What is known is no matter of the posterior") {
    FitOptions options;
    options.noise = KnownNoise{5, 5, false};
    options.loss = KnownRange{0, 0};
    for (const BurstParameters& hidden : posterior_of({}, bursts_of({-5, 5, 3, -4}), options).samples) {
        REQUIRE(hidden.noise_frames == 5);
        REQUIRE(hidden.noise_length == 0);
        REQUIRE(hidden.loss == 0);
    }
}

TEST_CASE("The same map gives the same posterior, bit for bit") {
    const std::vector<Burst> bursts = bursts_of({-2, 1, 4});
    const ParameterPosterior a = posterior_of({}, bursts), b = posterior_of({}, bursts);
    CHECK(a.log_evidence == b.log_evidence);
    CHECK(a.samples.back().depth == b.samples.back().depth);
}

TEST_CASE("Pooled runs weigh as their evidence, and their scatter beyond an end is its error") {
    const auto run = [](double log_evidence, double from, double to) {
        ParameterPosterior one;
        one.log_evidence = log_evidence;
        for (int i = 0; i < 1000; ++i) {
            BurstParameters parameters{from + (to - from) * (i + 0.5) / 1000, 1e9};
            one.samples.push_back(parameters);
            one.log_likelihoods.push_back(0), one.log_priors.push_back(0);
        }
        one.effective = {1000, 1000};
        return one;
    };
    PooledRuns alike;
    for (int i = 0; i < 3; ++i) alike.add(run(-5, 100, 200));
    CHECK(alike.log_evidence() == Approx(-5));
    // Three runs that agree still scatter by 2 % as a run of most maps does, worth three runs: 0.9 % of the samples.
    CHECK(alike.error_of_ends() == Approx(0.02 * std::sqrt(3.0 / (2 + 3) / 3) * 100 / 96).epsilon(0.05));
    CHECK(alike.pooled().samples.size() == 3000);
    CHECK(alike.pooled().effective.depth == Approx(3000));
    PooledRuns two;  // one of three times the evidence: mean 2, three samples in four
    two.add(run(0, 100, 200)), two.add(run(std::log(3.0), 300, 400));
    CHECK(std::exp(two.log_evidence()) == Approx(2));
    CHECK(two.error_of_evidence() == Approx(0.5));  // 1 and 3: their mean is 2, to half of the difference
    const ParameterPosterior all = two.pooled();
    const auto above = std::count_if(all.samples.begin(), all.samples.end(),
                                     [](const BurstParameters& one) { return one.depth > 250; });
    CHECK(static_cast<double>(above) / static_cast<double>(all.samples.size()) == Approx(0.75).margin(0.001));
    // The lower end is 108: 8 % of the first run lie below it, none of the second. Weighted by a half and three halves
    // these are 3 % off in sum, on either side.
    const double error = std::sqrt((2 * std::pow(0.03, 2) + 3 * std::pow(0.02, 2)) / (1 + 3) / 2);
    CHECK(two.error_of_ends() == Approx(error * 400 / (399.33 - 108)).epsilon(0.05));
}

TEST_CASE("Few runs that agree know the log evidence less well than more of them, by Student's t") {
    PooledRuns runs;
    ParameterPosterior run;
    run.log_evidence = -20;
    run.samples = {{100, 1e9}};
    runs.add(run);
    CHECK(runs.error_of_log_evidence() == 3);  // alone it may have missed a narrow place
    runs.add(run);
    CHECK(runs.error_of_log_evidence() == Approx(2.776 * 0.4 * std::sqrt(3.0 / 4 / 2)).epsilon(1e-3));
    runs.add(run);
    CHECK(runs.error_of_log_evidence() == Approx(2.571 * 0.4 * std::sqrt(3.0 / 5 / 3)).epsilon(1e-3));
    run.log_evidence = -19;
    runs.add(run);
    CHECK(runs.error_of_log_evidence() > 0.5);
}
