// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/goodness.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "calibrate/advice/simulate.h"
#include "calibrate/fit/fit.h"
#include "calibrate/posterior/burst-likelihood.h"
#include "test/catch.h"

using namespace watershed;

namespace {

Burst burst_of(int i, std::int64_t events) {
    Burst burst;
    burst.row = i + 1;
    burst.ports = i % 2 ? 30 : 44;
    burst.payload = 1024;
    burst.wire = 1090;
    burst.buffer = 1070;
    burst.spacing = Time{(9 + i % 3 * 7) * 1'000'000};
    burst.events = events;
    return burst;
}

/// 3080 frames behind 10 Gb/s, whose counts scatter by `scatter` frames before only whole frames are kept; every fourth
/// burst is repeated.
std::vector<Burst> counted(double scatter, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise(0, scatter);
    std::vector<Burst> bursts;
    std::uniform_int_distribution<std::int64_t> events(200, 700);
    for (int i = 0; i < 50; ++i) {
        Burst burst = burst_of(i, events(random));
        if (i % 4 == 3) burst = bursts.back(), burst.row = i + 1;
        burst.lost =
            burst.fragments() - 3080 - static_cast<std::int64_t>(std::floor(burst.drain() * 1e10 + noise(random)));
        burst.lossy = burst.counted = true;
        bursts.push_back(burst);
    }
    return bursts;
}

std::vector<Burst> flags(double scatter, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> noise(0, scatter);
    std::uniform_real_distribution<double> around(0.85, 1.15);
    std::vector<Burst> bursts;
    for (int i = 0; i < 80; ++i) {
        const double threshold = threshold_events({}, burst_of(i, 100), 3080, 1e10);
        Burst burst = burst_of(i, std::llround(threshold * around(random)));
        burst.lossy = static_cast<double>(burst.events) > threshold * std::exp(noise(random));
        bursts.push_back(burst);
    }
    return bursts;
}

/// A fit near the truth; the first-order fit finds the rest.
ModelFit near_truth(const std::vector<Burst>& bursts, double noise) {
    ModelFit one;
    if (bursts.front().counted) one.counts = fit_counts({}, bursts, std::nullopt);
    one.depth.value = one.counts ? one.counts->depth : 3080;
    one.rate.value = one.counts ? one.counts->rate : 1e10;
    one.noise = NoiseEstimate{!one.counts, noise, {}, 0};
    return one;
}

double p_value(const ModelFit& one, const std::vector<Burst>& bursts, std::uint64_t seed, int replicas = 60) {
    std::vector<const Burst*> all;
    for (const Burst& burst : bursts) all.push_back(&burst);
    return goodness_of(one, all, seed, replicas).p_value;
}

/// Kolmogorov's distance from the uniform distribution.
double distance_from_uniform(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const double n = static_cast<double>(values.size());
    double most = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        most = std::max({most, std::abs(values[i] - static_cast<double>(i) / n),
                         std::abs(values[i] - static_cast<double>(i + 1) / n)});
    return most;
}

/// Rows that a switch of this kind gives, with noise of 2 frames.
Fit fit_of(const Buffer& buffer) {
    Scenario hidden;
    hidden.network_switch.buffer = buffer;
    hidden.network_switch.uplink_rate = BitRate{10'000'000'000};
    Apparatus apparatus;
    apparatus.noise.frames = 2;
    std::vector<BurstSetting> wanted;
    for (const int ports : {30, 44})
        for (const std::int64_t microseconds : {9, 14, 19})
            for (std::int64_t events = 150; events < 240; events += 5)
                wanted.push_back({ports, Bytes{1024}, Time{microseconds * 1'000'000}, events});
    FitOptions only;  // every test asks about this kind, which another one may leave out of reach
    only.kind = "shared-frames";
    return fit_loss_map({"simulated", SimulatedSwitch(hidden, apparatus).measure_all(wanted)}, default_conditions(),
                        only);
}

double p_value_of_shared_frames(const Fit& fit) {
    for (const ModelFit& one : fit.models)
        if (one.model.name() == "shared-frames") {
            REQUIRE_FALSE(one.parameters.empty());
            return p_value(one, fit.bursts, 1, 400);
        }
    throw std::logic_error("shared-frames");
}

Buffer frames(Buffer::Sharing sharing, std::int64_t size) {
    Buffer buffer;
    buffer.sharing = sharing;
    buffer.size = {size, MemorySize::Unit::Frame};
    return buffer;
}

}  // namespace

TEST_CASE("Of maps that the model made, a share p looks unusual at p") {
    // Kolmogorov's distance of 200 uniform values exceeds 1.63 / sqrt(200) = 0.115 once in a hundred
    for (const double scatter : {0.2, 3.0}) {
        std::vector<double> values;
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            const std::vector<Burst> bursts = counted(scatter, seed);
            values.push_back(p_value(near_truth(bursts, scatter), bursts, seed));
        }
        INFO("noise of " << scatter << " frames");
        CHECK(distance_from_uniform(values) < 0.115);
    }
    std::vector<double> values;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const std::vector<Burst> bursts = flags(0.05, seed);
        values.push_back(p_value(near_truth(bursts, 0.05), bursts, seed));
    }
    CHECK(distance_from_uniform(values) < 0.115);
}

TEST_CASE("A switch that the model describes is no surprise, whatever the size of its noise is held to be") {
    const Fit fit = fit_of(frames(Buffer::Sharing::Shared, 1500));
    CHECK(p_value_of_shared_frames(fit) > 0.05);
    std::vector<Burst> bursts = counted(3, 5);
    for (const double noise : {1.5, 3.0, 12.0}) CHECK(p_value(near_truth(bursts, noise), bursts, 1) > 0.05);
}

TEST_CASE("More scatter than noise that is known is a surprise") {
    const std::vector<Burst> bursts = counted(3, 5);
    for (const double noise : {1.0, 3.0}) {
        ModelFit one = near_truth(bursts, noise);
        one.noise->known = true;
        INFO("noise of 3 frames, known to be of " << noise);
        CHECK((p_value(one, bursts, 1, 400) < 0.03) == (noise == 1.0));
    }
}

TEST_CASE("A memory that takes frames again only below a resume level does not look like one that does not") {
    Buffer buffer = frames(Buffer::Sharing::Shared, 1500);
    buffer.resume = MemorySize{1400, MemorySize::Unit::Frame};
    CHECK(p_value_of_shared_frames(fit_of(buffer)) < 0.05);
}

TEST_CASE("Memories of single inputs do not look like a shared one") {
    CHECK(p_value_of_shared_frames(fit_of(frames(Buffer::Sharing::PerInput, 50))) < 0.02);
}

TEST_CASE("Too few bursts to see a shape are not judged") {
    std::vector<Burst> bursts = counted(3, 1);
    bursts.resize(4);
    ModelFit one = near_truth(counted(3, 1), 3);
    std::vector<const Burst*> all;
    for (const Burst& burst : bursts) all.push_back(&burst);
    CHECK(goodness_of(one, all, 1).replicas == 0);
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
        fit_loss_map({"simulated", SimulatedSwitch(hidden, {}).measure_all(wanted)}, default_conditions(), {});
    REQUIRE(fit.best().model.feature == Feature::Resume);
    std::vector<const Burst*> bursts;
    for (const Burst& burst : fit.bursts) bursts.push_back(&burst);
    const Goodness goodness = goodness_of(fit.best(), bursts, 1, 100);
    CHECK(goodness.residuals.size() > 10);
    CHECK(goodness.p_value > 0.1);
}
