// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/exact-engine.h"
#include "model/ns3/engine/ns3-engine.h"
#include "model/scenario.h"
#include "test/catch.h"

namespace watershed {

// N frames arrive together and one event decides on them; each arrives and leaves by an event of its own; a trigger is
// one: 2 + 2/N events a frame, and a few to start the applications.
TEST_CASE("A burst of 44 modules costs ns-3 at most 2.1 events a frame") {
    Scenario scenario;
    scenario.trigger.separation = Time{8'000'000};
    scenario.trigger.events = 1000;
    scenario.network_switch.buffer.size = {100'000, MemorySize::Unit::Frame};
    Ns3Engine engine;
    const Outcome outcome = engine.run(scenario);
    REQUIRE(outcome.frames_received == 44'000);
    CHECK(outcome == ExactEngine().run(scenario));
    CHECK(static_cast<double>(engine.event_count()) <= 2.1 * 44'000);
}

}  // namespace watershed
