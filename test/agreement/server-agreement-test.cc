// SPDX-License-Identifier: GPL-2.0-only
#include <map>
#include <sstream>
#include <string>

#include "model/exact/exact-engine.h"
#include "model/exact/exact-run.h"
#include "model/network/network.h"
#include "model/ns3/engine/ns3-engine.h"
#include "test/agreement/random-scenario.h"
#include "test/agreement/random-server.h"
#include "test/agreement/seeds.h"
#include "test/catch.h"

namespace watershed {
namespace {

std::string text_of(const Outcome& outcome) {
    std::ostringstream out;
    out << "frames " << outcome.frames_sent << " sent, " << outcome.frames_received << " received; events "
        << outcome.events_complete << " of " << outcome.events_sent << " complete; losses";
    for (const auto& loss : outcome.losses) out << ' ' << loss.where << '/' << loss.reason << ' ' << loss.frames;
    if (const auto& first = outcome.first_loss)
        out << "; first loss event " << first->frame.event << " module " << first->frame.module << " at "
            << first->time.count() << " ps in " << first->where;
    for (const auto& each : outcome.switches)
        out << "\n  " << each.name << ": fullest " << each.fullest.count() << ", drained " << each.drained.count();
    const Outcome::Server& server = *outcome.server;
    for (const auto& each : server.interfaces)
        out << "\n  interface: lost " << each.frames_lost << ", peak " << each.ring.peak() << " at "
            << each.ring.fullest().count() << ", empty " << each.ring.drained().count();
    out << "\n  memory peak " << server.memory.peak() << " at " << server.memory.fullest().count() << ", empty "
        << server.memory.drained().count() << "; " << server.timed_out << " timed out, " << server.open << " open; "
        << server.wake_ups << " wake-ups, busy " << server.busy.count() << "\n  complete";
    for (const auto& each : server.completions) out << ' ' << each.event << " at " << each.complete.count();
    return out.str();
}

}  // namespace

TEST_CASE(
    "ns-3 and the exact engine agree in everything about random servers, behind one switch or many, and where frames "
    "wait") {
    const auto [first, count] = seeds(3000);
    std::map<std::string, int> reasons;
    int discarded = 0, varied = 0, open = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const Scenario scenario = random_server(seed);
        const Outcome exact = ExactEngine().run(scenario);
        const Outcome ns3 = Ns3Engine({}, seed % 4 == 0).run(scenario);
        const auto fail = [&](const char* name, const Outcome& other) {
            std::ostringstream text;
            text << "WATERSHED_SEEDS=" << seed << ":1\n"
                 << scenario << "exact: " << text_of(exact) << '\n'
                 << name << ": " << text_of(other);
            FAIL(text.str());
        };
        if (!(ns3 == exact)) fail("ns3", ns3);
        if (const Outcome event_driven = run_event_driven(scenario, nullptr); !(event_driven == exact))
            fail("event-driven", event_driven);
        for (const auto& loss : exact.losses) reasons[loss.where == "server" ? loss.reason : "elsewhere"] += 1;
        discarded += !scenario.server.receiver->keep_incomplete && exact.server->timed_out > 0;
        open += exact.server->open > 0;
        varied += scenario.frame.payloads.size() > 1;
    }
    // The search means something only if it meets all of these.
    if (count >= 1000) {
        CHECK(reasons["ring-full"] > 100);
        CHECK(reasons["memory-full"] > 100);
        CHECK(reasons["timeout"] > 100);
        CHECK(reasons["elsewhere"] > 100);
        CHECK(discarded > 100);
        CHECK(open > 100);
        CHECK(varied > 100);
    }
}

}  // namespace watershed
