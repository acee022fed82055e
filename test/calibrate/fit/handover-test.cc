// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>
#include <deque>
#include <sstream>

#include "calibrate/fit/fit.h"
#include "calibrate/posterior/burst-likelihood.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// Frame by frame, in nanoseconds: a queue of 100 frames of 1066 B, of which one leaves every 20 us (426.4 Mb/s), and
/// 44 come to each trigger, one every 4 us; the last 172 us after the first, in which 8.6 leave.
int received(int separation_us, int events, std::int64_t apart = 4'000) {
    constexpr std::int64_t kRoom = 100, kLeaves = 20'000;
    std::deque<std::int64_t> departures;
    int kept = 0;
    for (int event = 0; event < events; ++event)
        for (int frame = 0; frame < 44; ++frame) {
            const std::int64_t now = event * separation_us * 1000LL + frame * apart;
            while (!departures.empty() && departures.front() <= now) departures.pop_front();
            if (departures.size() == kRoom) continue;
            departures.push_back((departures.empty() ? now : departures.back()) + kLeaves);
            ++kept;
        }
    return kept;
}

Conditions conditions() {
    Conditions conditions = default_conditions();
    conditions.frame.wire_overhead = conditions.frame.buffer_overhead = Bytes{42};
    conditions.link_rate = BitRate{100'000'000'000};
    return conditions;
}

Fit fit_of(bool handover) {
    std::ostringstream text;
    text << "ports,payload_bytes,separation_us,events,frames_sent,frames_received,handover_us\n";
    for (const int separation : {250, 400, 600, 800})
        for (const int events : {2, 4, 8, 20, 60})
            text << "44,1024," << separation << ',' << events << ',' << 44 * events << ','
                 << received(separation, events) << ',' << (handover ? "172" : "") << '\n';
    std::istringstream in(text.str());
    FitOptions options;
    options.sharing = Buffer::Sharing::Shared;
    return fit_loss_map(read_loss_map(in, "map.csv"), conditions(), options);
}

double in_frames(const Fit& fit, double depth) {
    return depth / static_cast<double>(fit.best().model.cost(fit.bursts.front()));
}

}  // namespace

TEST_CASE("What leaves while the frames of a trigger come is no depth") {
    const Fit fit = fit_of(true);
    const Estimate &depth = fit.best().depth, &rate = fit.best().rate;
    CHECK(*rate.value == Approx(426.4e6).epsilon(0.005));
    CHECK(std::abs(in_frames(fit, *depth.value) - 100) <= 1);
    CHECK(in_frames(fit, *depth.interval95.low) <= 100);
    CHECK(in_frames(fit, *depth.interval95.high) >= 100);
    const Fit at_once = fit_of(false);
    CHECK(in_frames(at_once, *at_once.best().depth.interval95.low) > 105);
}

TEST_CASE("Each burst is told by the time that its own triggers took") {
    // Every third is held up: its triggers take 344 us, in which 8.6 frames more leave.
    std::ostringstream text;
    text << "ports,payload_bytes,separation_us,events,frames_sent,frames_received,handover_us\n";
    int rows = 0;
    for (const int separation : {600, 800, 1000, 4000})
        for (const int events : {2, 3, 4, 8, 20, 60}) {
            const std::int64_t apart = ++rows % 3 == 0 ? 8'000 : 4'000;
            text << "44,1024," << separation << ',' << events << ',' << 44 * events << ','
                 << received(separation, events, apart) << ',' << 43 * apart / 1000 << '\n';
        }
    FitOptions options;
    options.sharing = Buffer::Sharing::Shared;
    std::istringstream in(text.str());
    const LossMap map = read_loss_map(in, "map.csv");
    const Fit fit = fit_loss_map(map, conditions(), options);
    CHECK(fit.misfit.empty());
    CHECK(fit.best().scatter.value_or(0) < 1.5);
    CHECK(*fit.best().rate.value == Approx(426.4e6).epsilon(0.01));
    CHECK(in_frames(fit, *fit.best().depth.interval95.low) <= 101);
    CHECK(in_frames(fit, *fit.best().depth.interval95.high) >= 99);
    CHECK(std::abs(in_frames(fit, *fit.best().depth.value) - 100) <= 2);
    // A depth that is known is the queue's own, and what leaves meanwhile is not.
    options.depth = MemorySize{100, MemorySize::Unit::Frame};
    CHECK(*fit_loss_map(map, conditions(), options).best().rate.value == Approx(426.4e6).epsilon(0.01));
}

TEST_CASE("Of a memory that holds less than leaves while a trigger is held up a burst has a likelihood, too") {
    Burst burst;
    burst.ports = 44, burst.events = 2, burst.payload = 1024, burst.wire = burst.buffer = 1066;
    burst.spacing = burst.separation = Time{1'000'000'000};
    burst.sent = 88, burst.lost = 40, burst.lossy = burst.counted = true;
    burst.held_up = Time{-40'000'000};
    const BurstLikelihood law({}, {burst}, {});
    BurstParameters parameters{1, 2.5e9};
    parameters.noise_frames = 1, parameters.stray = 0.1;
    parameters.traffic = 0.05, parameters.traffic_batch = 1066, parameters.traffic_memory = 1;
    const double log_likelihood = law.log_likelihood(parameters);
    CHECK(std::isfinite(log_likelihood));
    CHECK(log_likelihood <= 0);
}

TEST_CASE("A burst without loss whose trigger takes its time leaves room for a memory less deep than the trigger") {
    const auto fit_with = [](const std::optional<BitRate>& nominal, const std::string& kind = "shared-frames") {
        std::istringstream in(
            "ports,payload_bytes,separation_us,events,frames_sent,frames_received,handover_us\n"
            "44,1024,1000,1,44,44,172\n44,1024,1000,2,88,88,172\n");
        Conditions known = conditions();
        known.nominal_rate = nominal;
        FitOptions options;
        options.kind = kind;
        return fit_loss_map(read_loss_map(in, "map.csv"), known, options);
    };
    // At the scenario's 426.4 Mb/s 8.6 of 44 frames leave meanwhile; at another rate all may.
    const Fit fit = fit_with(BitRate{426'400'000});
    CHECK(*fit.best().depth.interval95.low == 35);
    CHECK(*fit.best().depth.hard.low == 1);
    CHECK(*fit_with({}).best().depth.interval95.low == 1);
    // A frame of 1024 + 42 B is in use at least.
    CHECK(*fit_with({}, "shared-bytes").best().depth.interval95.low == 1066);
}
