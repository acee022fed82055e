// SPDX-License-Identifier: GPL-2.0-only
#include <set>
#include <sstream>
#include <string>

#include "model/exact/exact-engine.h"
#include "model/ns3/engine/ns3-engine.h"
#include "test/agreement/random-scenario.h"
#include "test/agreement/random-traffic.h"
#include "test/agreement/seeds.h"
#include "test/catch.h"

namespace watershed {
namespace {

std::string streams_text(const Outcome& outcome) {
    std::ostringstream out;
    out << "simulated " << outcome.simulated.count() << " ps, peak " << outcome.peak_frames << ", pauses "
        << outcome.pauses << ", cut through " << outcome.frames_cut_through;
    for (const auto& uplink : outcome.uplinks) out << ", uplink " << uplink.frames << "/" << uplink.wire.count;
    for (const auto& loss : outcome.losses) out << ", " << loss.where << "/" << loss.reason << " " << loss.frames;
    for (const auto& each : outcome.streams) {
        out << "\n  " << each.name << " class " << each.traffic_class << ": " << each.frames_sent << " sent, "
            << each.frames_received << " received, latency " << each.latency.count() << " all, "
            << each.latency_most.count() << " most, peak " << each.peak().frames << " / " << each.peak().bytes.count;
        for (const auto& loss : each.losses) out << ", " << loss.where << "/" << loss.reason << " " << loss.frames;
    }
    return out.str();
}

std::string traffic_text(const Scenario& scenario) {
    std::ostringstream out;
    out << scenario << "camera class " << scenario.front_end.traffic_class << ", scheduler "
        << static_cast<int>(scenario.network_switch.scheduling.kind) << "\n";
    for (const auto& each : scenario.traffic)
        out << "[traffic." << each.name << "] pattern " << static_cast<int>(each.pattern) << ", payload "
            << each.payload.count << ", class " << each.traffic_class << ", module " << each.module.value_or(0)
            << ", link " << each.link_rate.value_or(BitRate{0}).count << ", rate " << each.rate.bits.count << " b/s "
            << each.rate.frames.count << " uHz, burst " << each.burst << " period " << each.period.count() << ", start "
            << each.start.count() << " stop " << each.stop.value_or(Time{-1}).count() << "\n";
    return out.str();
}

}  // namespace

TEST_CASE("ns-3 and the exact engine agree in everything about the camera and the streams beside it") {
    const auto [first, count] = seeds(1000);
    int lossy_camera = 0, lossy_streams = 0, paused = 0, delayed = 0, shaped = 0, deep = 0, by_class = 0, gated = 0;
    std::set<std::string> reasons;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const Scenario scenario = random_traffic(seed);
        const Outcome exact = ExactEngine().run(scenario);
        const Outcome ns3 = Ns3Engine({}, seed % 4 == 0).run(scenario);
        if (!(ns3 == exact))
            FAIL("WATERSHED_SEEDS=" << seed << ":1\n"
                                    << traffic_text(scenario) << "exact: " << streams_text(exact)
                                    << "\nns3: " << streams_text(ns3));
        REQUIRE(exact.streams.size() == scenario.traffic.size() + 1);
        lossy_camera += !exact.losses.empty();
        paused += exact.pauses > 0;
        deep += exact.frames_to_dram > 0;
        by_class += exact.pauses > 0 && !scenario.network_switch.flow_control.classes.empty();
        Scenario unshaped = scenario;
        unshaped.network_switch.scheduling.rates.clear();
        if (!scenario.network_switch.scheduling.rates.empty()) shaped += !(ExactEngine().run(unshaped) == exact);
        Scenario open = scenario;
        open.network_switch.scheduling.gates.clear();
        if (!scenario.network_switch.scheduling.gates.empty()) gated += !(ExactEngine().run(open) == exact);
        for (const auto& each : exact.streams) {
            std::int64_t lost = 0;
            for (const auto& loss : each.losses) {
                lost += loss.frames;
                reasons.insert(loss.reason);
            }
            REQUIRE(each.frames_sent == each.frames_received + lost);
            lossy_streams += lost > 0 && each.name != "camera";
            delayed += each.latency_most > Time{0};
        }
    }
    // The search means something only if it meets all of these.
    if (count >= 1000) {
        CHECK(lossy_camera > 100);
        CHECK(lossy_streams > 100);
        CHECK(paused > 50);
        CHECK(delayed > 500);
        CHECK(shaped > 50);
        CHECK(deep > 50);
        CHECK(gated > 50);
        CHECK(by_class > 5);
        CHECK(reasons == std::set<std::string>{"buffer-full", "descriptors", "dram-full", "early-drop", "fifo-full",
                                               "headroom-full", "input-fifo-full", "pushed-out", "resume",
                                               "threshold"});
    }
}

}  // namespace watershed
