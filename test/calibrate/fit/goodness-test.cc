// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>
#include <random>

#include "calibrate/advice/campaign.h"
#include "calibrate/fit/fit-steps.h"
#include "calibrate/fit/fit.h"
#include "test/calibrate/measure-all.h"
#include "test/catch.h"

using namespace watershed;

namespace {

Goodness check(const ModelFit& one, const std::vector<Burst>& bursts) {
    constexpr int kReplicas = 400;
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
    CHECK(goodness.residuals.size() > 10);
    CHECK(goodness.p_value > 0.1);
}
