// SPDX-License-Identifier: GPL-2.0-only
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>

#include "model/exact/exact-engine.h"
#include "model/exact/time-grid.h"
#include "model/network/network.h"
#include "model/ns3/engine/ns3-engine.h"
#include "test/agreement/random-network.h"
#include "test/agreement/random-scenario.h"
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
    return out.str();
}

/// What the engines say of a random network, all the same; else the test fails with the way to repeat it.
Outcome agreed_outcome(const Scenario& scenario, std::uint64_t seed) {
    const Outcome exact = ExactEngine().run(scenario);
    const Outcome together = ExactEngine(ExactEngine::Path::General).run(scenario);
    const Outcome ns3 = Ns3Engine({}, seed % 4 == 0).run(scenario);
    if (ns3 == exact && together == exact) return exact;
    std::ostringstream text;
    text << "WATERSHED_SEEDS=" << seed << ":1\n"
         << scenario << "exact: " << outcome_text_of(scenario, exact)
         << "\ntogether: " << outcome_text_of(scenario, together) << "\nns3: " << outcome_text_of(scenario, ns3);
    FAIL(text.str());
    return exact;
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
    std::uint64_t first = 1, count = 2500;
    char colon;  // a longer search by hand: WATERSHED_SEEDS=FIRST:COUNT
    if (const char* text = std::getenv("WATERSHED_SEEDS");
        text && !(std::istringstream(text) >> first >> colon >> count))
        FAIL("WATERSHED_SEEDS: expected FIRST:COUNT");
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

}  // namespace watershed
