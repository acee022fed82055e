// SPDX-License-Identifier: GPL-2.0-only
#include <set>
#include <sstream>
#include <string>

#include "model/exact/exact-engine.h"
#include "model/exact/exact-run.h"
#include "model/ns3/engine/ns3-engine.h"
#include "test/agreement/random-scenario.h"
#include "test/agreement/random-traffic.h"
#include "test/agreement/seeds.h"
#include "test/catch.h"

namespace watershed {
namespace {

std::string outcome_text(const Outcome& outcome) {
    std::ostringstream out;
    out << "frames " << outcome.frames_sent << " sent, " << outcome.frames_received << " received; events "
        << outcome.events_sent << " sent, " << outcome.events_complete << " complete; peak " << outcome.peak_frames
        << " frames, " << outcome.peak_bytes.count << " B; simulated " << outcome.simulated.count() << " ps; in order "
        << outcome.events_in_order << "; first idle " << outcome.first_idle_event << "; losses";
    for (const auto& loss : outcome.losses) out << ' ' << loss.where << '/' << loss.reason << ' ' << loss.frames;
    if (outcome.first_loss)
        out << "; first loss event " << outcome.first_loss->frame.event << " module "
            << outcome.first_loss->frame.module << " frame " << outcome.first_loss->frame.frame << " at "
            << outcome.first_loss->time.count() << " ps";
    out << "; lost by module";
    for (const auto lost : outcome.lost_by_module) out << ' ' << lost;
    out << "; uplinks";
    for (const auto& uplink : outcome.uplinks) out << ' ' << uplink.frames << '/' << uplink.wire.count;
    out << "; marked " << outcome.frames_marked << ", cut through " << outcome.frames_cut_through << " saving "
        << outcome.latency_saved.count() << " ps, pauses " << outcome.pauses;
    return out.str();
}

void check_engines(const Scenario& scenario, std::uint64_t seed, const Outcome& exact) {
    Observer watching;  // for whom each frame leaves by an event of its own
    watching.occupancy = [](Time, std::int64_t, Bytes) {};
    const Outcome ns3 = Ns3Engine({}, seed % 4 == 0).run(scenario, seed % 2 == 0 ? &watching : nullptr);
    if (ns3 == exact) return;
    std::ostringstream text;
    text << "WATERSHED_SEEDS=" << seed << ":1\n"
         << scenario << "exact: " << outcome_text(exact) << "\nns3:   " << outcome_text(ns3);
    FAIL(text.str());
}

}  // namespace

TEST_CASE("ns-3, the exact engine and its event by event mode agree in every counter and in the first loss") {
    const auto [from, count] = seeds(7000);
    std::int64_t lossy = 0, at_front_end = 0, lossless = 0;
    std::set<std::string> reasons;
    for (std::uint64_t seed = from; seed < from + count; ++seed) {
        const Scenario scenario = random_scenario(seed);
        const Outcome exact = ExactEngine().run(scenario);
        check_engines(scenario, seed, exact);
        const Outcome event_driven = run_event_driven(scenario, nullptr);
        if (!(event_driven == exact)) {
            std::ostringstream text;
            text << "WATERSHED_SEEDS=" << seed << ":1\n"
                 << scenario << "exact:   " << outcome_text(exact) << "\nevents:  " << outcome_text(event_driven);
            FAIL(text.str());
        }
        lossless += exact.losses.empty();
        for (const auto& loss : exact.losses) reasons.insert(loss.reason);
        for (const auto& loss : exact.losses) (loss.where == "switch" ? lossy : at_front_end) += 1;
    }
    // The search means something only if it meets all of these.
    if (count >= 1000) {
        CHECK(lossless > 100);
        CHECK(lossy > 100);
        CHECK(at_front_end > 100);
        CHECK(reasons == std::set<std::string>{"buffer-full", "descriptors", "early-drop", "fifo-full", "pushed-out",
                                               "resume", "threshold"});
    }
}

TEST_CASE("ns-3 and the exact engine agree where frames wait, cut through or are held back") {
    const auto [from, count] = seeds(7000);
    std::int64_t cut = 0, paused = 0, held_back = 0, pooled = 0, pipelined = 0, two_sided = 0, fixed = 0, diverted = 0,
                 first = 0;
    std::set<std::string> reasons;
    for (std::uint64_t seed = from; seed < from + count; ++seed) {
        const Scenario scenario = random_eventDriven_scenario(seed);
        const Outcome exact = ExactEngine().run(scenario);
        check_engines(scenario, seed, exact);
        for (const auto& loss : exact.losses) reasons.insert(loss.reason);
        cut += exact.frames_cut_through > 0;
        paused += exact.pauses > 0;
        held_back += exact.pauses > 0 && scenario.front_end.obeys_pause && exact.losses.empty();
        const Switch& network_switch = scenario.network_switch;
        pooled += exact.pauses > 0 && network_switch.buffer.headroom_pool;
        pipelined += network_switch.buffer.egress_pipeline > 0;
        two_sided += network_switch.buffer.egress_size.has_value();
        fixed += exact.pauses > 0 && network_switch.flow_control.xon_fixed;
        Scenario alike = scenario;
        alike.network_switch.buffer.first_bytes = Bytes{0};
        if (network_switch.buffer.first_bytes.count > 0) first += !(ExactEngine().run(alike) == exact);
        Scenario by_memory = scenario;
        by_memory.network_switch.flow_control.rule = FlowControl::Rule::Memory;
        if (network_switch.flow_control.rule != FlowControl::Rule::Memory)
            diverted += !(ExactEngine().run(by_memory) == exact);
    }
    if (count >= 1000) {
        CHECK(cut > 100);
        CHECK(paused > 100);
        CHECK(held_back > 20);
        CHECK(pooled > 20);
        CHECK(pipelined > 100);
        CHECK(two_sided > 20);
        CHECK(fixed > 20);
        CHECK(diverted > 20);
        CHECK(first > 20);
        CHECK(reasons == std::set<std::string>{"buffer-full", "descriptors", "early-drop", "fifo-full", "headroom-full",
                                               "input-fifo-full", "pushed-out", "resume", "threshold"});
    }
}

TEST_CASE("ns-3 and the exact engine agree under policies of single chips") {
    const auto [from, count] = seeds(300);
    for (const char* name : {"dynamic-threshold", "abm", "nested-threshold", "stepped-threshold", "reverie"}) {
        INFO(name);
        std::int64_t above = 0;
        for (std::uint64_t seed = from; seed < from + count; ++seed) {
            const Sharing sharing = Sharing::named(name);
            // With streams there are classes, each with a queue of its own.
            Scenario scenario = seed % 2 == 0 ? random_traffic(seed, sharing) : random_scenario(seed, sharing);
            Buffer& buffer = scenario.network_switch.buffer;
            buffer.threshold_mantissa = 1 + static_cast<std::int64_t>(seed % 6);
            buffer.threshold_extra_step = seed % 4 < 2;
            buffer.threshold_whole = seed % 3 == 0;
            const Outcome exact = ExactEngine().run(scenario);
            check_engines(scenario, seed, exact);
            for (const auto& loss : exact.losses) above += loss.reason == "threshold";
        }
        if (count >= 300) CHECK(above > 60);
    }
}

}  // namespace watershed
