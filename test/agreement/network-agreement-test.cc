// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "model/exact/exact-engine.h"
#include "model/exact/exact-run.h"
#include "model/exact/time-grid.h"
#include "model/network/network.h"
#include "model/ns3/engine/ns3-engine.h"
#include "test/agreement/random-network.h"
#include "test/agreement/random-scenario.h"
#include "test/agreement/seeds.h"
#include "test/catch.h"

namespace watershed {
namespace {

/// The switches and their links, and what happened to them.
std::string outcome_text_of(const Scenario& scenario, const Outcome& outcome) {
    const Network network(scenario);
    std::ostringstream out;
    out << "frames " << outcome.frames_sent << " sent, " << outcome.frames_received << " received; events "
        << outcome.events_complete << " of " << outcome.events_sent << " complete; simulated "
        << outcome.simulated.count() << " ps; in order " << outcome.events_in_order << "; losses";
    for (const auto& loss : outcome.losses) out << ' ' << loss.where << '/' << loss.reason << ' ' << loss.frames;
    if (const auto& first = outcome.first_loss)
        out << "; first loss event " << first->frame.event << " module " << first->frame.module << " frame "
            << first->frame.frame << " at " << first->time.count() << " ps in " << first->where;
    for (std::size_t i = 0; i < network.switches().size(); ++i)
        out << "\n  " << network.switches()[i].name << ": " << network.switches()[i].modules << " modules, "
            << network.switches()[i].feeds.size() << " links; lost " << outcome.switches[i].frames_lost << ", peak "
            << outcome.switches[i].peak_frames << '/' << outcome.switches[i].peak_bytes.count << ", idle "
            << outcome.switches[i].first_idle_event;
    for (std::size_t i = 0; i < network.links().size(); ++i)
        out << "\n  " << network.name(network.links()[i]) << " to " << network.links()[i].to << ": "
            << outcome.uplinks[i].frames << " frames, " << outcome.uplinks[i].wire.count << " B";
    out << "\n  pauses " << outcome.pauses << ", cut through " << outcome.frames_cut_through << " saving "
        << outcome.latency_saved.count() << " ps";
    for (const auto& each : outcome.streams) {
        out << "\n  " << each.name << " class " << each.traffic_class << ": " << each.frames_sent << " sent, "
            << each.frames_received << " received, latency " << each.latency.count() << " all, "
            << each.latency_most.count() << " most, peaks";
        for (const auto& peak : each.peaks) out << ' ' << peak.frames << '/' << peak.bytes.count;
        for (const auto& loss : each.losses) out << ", " << loss.where << '/' << loss.reason << ' ' << loss.frames;
    }
    return out.str();
}

/// Outcome of a random network in both engines, which must agree; else the test fails with the way to repeat it.
Outcome agreed_outcome(const Scenario& scenario, std::uint64_t seed) {
    const Outcome exact = ExactEngine().run(scenario);
    const Outcome together = ExactEngine(ExactEngine::Path::General).run(scenario);
    const Outcome event_driven = run_event_driven(scenario, nullptr);
    const Outcome ns3 = Ns3Engine({}, seed % 4 == 0).run(scenario);
    if (ns3 == exact && together == exact && event_driven == exact) return exact;
    std::ostringstream text;
    text << "WATERSHED_SEEDS=" << seed << ":1\n"
         << scenario << "exact: " << outcome_text_of(scenario, exact)
         << "\ntogether: " << outcome_text_of(scenario, together)
         << "\nevents:  " << outcome_text_of(scenario, event_driven) << "\nns3: " << outcome_text_of(scenario, ns3);
    FAIL(text.str());
    return exact;
}

/// No module or stream is told to pause.
bool only_switches_are_paused(const Network& network) {
    return std::all_of(network.switches().begin(), network.switches().end(), [](const Network::Switch& each) {
        return each.settings.flow_control.kind == FlowControl::Kind::None ||
               (each.modules == 0 && each.stream_ports.empty());
    });
}

}  // namespace

TEST_CASE("A frame that waited for the one before it keeps its fraction of a tick, in ns-3 as by arithmetic") {
    // Ticks of 1/7777777777 and of 1/999999937 of a picosecond's 8000 do not fit into one grid.
    constexpr std::uint64_t kSeed = 10365;
    const Scenario scenario = random_network(kSeed);
    REQUIRE_FALSE(exact_times(scenario).whole);
    agreed_outcome(scenario, kSeed);
}

TEST_CASE("ns-3 and the exact engine agree in every counter of every switch and link of random networks") {
    const auto [first, count] = seeds(2500);
    std::int64_t lossless = 0, lost_behind_first_tier = 0, mixed_inputs = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const Scenario scenario = random_network(seed);
        const Outcome exact = agreed_outcome(scenario, seed);
        lossless += exact.losses.empty();
        const Network network(scenario);
        for (std::size_t i = 0; i < network.switches().size(); ++i) {
            const auto& each = network.switches()[i];
            lost_behind_first_tier += !each.feeds.empty() && exact.switches[i].frames_lost > 0;
            mixed_inputs += !each.feeds.empty() && each.modules > 0;
        }
    }
    // The search means something only if it meets all of these.
    if (count >= 1000) {
        CHECK(lossless > 50);
        CHECK(lost_behind_first_tier > 100);
        CHECK(mixed_inputs > 100);
    }
}

TEST_CASE(
    "ns-3 and the exact engine agree in networks whose switches let frames wait, schedule classes, cut through, push "
    "out frames or pause each other, beside streams that come anywhere") {
    const auto [first, count] = seeds(2500);
    std::int64_t cut = 0, pausing = 0, holding = 0, lossless = 0, streams_lost = 0, behind = 0;
    std::set<std::string> reasons;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const Scenario scenario = random_eventDriven_network(seed);
        const Outcome exact = agreed_outcome(scenario, seed);
        const Network network(scenario);
        cut += exact.frames_cut_through > 0;
        pausing += exact.pauses > 0 && only_switches_are_paused(network);
        holding += exact.pauses > 0 && exact.losses.empty();
        lossless += exact.losses.empty();
        for (const auto& loss : exact.losses) reasons.insert(loss.reason);
        for (std::size_t i = 0; i < network.switches().size(); ++i)
            behind += !network.switches()[i].feeds.empty() && exact.switches[i].frames_lost > 0;
        for (const auto& stream : exact.streams) {
            std::int64_t lost = 0;
            for (const auto& loss : stream.losses) lost += loss.frames;
            REQUIRE(stream.frames_sent == stream.frames_received + lost);
            streams_lost += lost > 0 && stream.name != "camera";
        }
    }
    // The search means something only if it meets all of these.
    if (count >= 1000) {
        CHECK(cut > 100);
        CHECK(pausing > 20);
        CHECK(holding > 20);
        CHECK(lossless > 50);
        CHECK(streams_lost > 100);
        CHECK(behind > 100);
        CHECK(reasons == std::set<std::string>{"buffer-full", "descriptors", "dram-full", "early-drop", "fifo-full",
                                               "headroom-full", "input-fifo-full", "pushed-out", "resume",
                                               "threshold"});
    }
}

}  // namespace watershed
