// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/exact-engine.h"
#include "model/ns3/engine/ns3-engine.h"
#include "model/scenario.h"
#include "test/catch.h"

namespace watershed {

// N frames leave the front ends together, by one event, and arrive together, and one event decides on them; a trigger
// is one: 3/N events a frame, and those that start nodes and applications. Where somebody watches the memory, each
// leaves the switch by an event of its own.
TEST_CASE("A burst of 44 modules costs ns-3 three events a trigger, and one more a frame where somebody watches") {
    Scenario scenario;
    scenario.trigger.separation = Time{8'000'000};
    scenario.trigger.events = 1000;
    scenario.network_switch.buffer.size = {100'000, MemorySize::Unit::Frame};
    Ns3Engine engine;
    const Outcome outcome = engine.run(scenario);
    REQUIRE(outcome.frames_received == 44'000);
    CHECK(outcome == ExactEngine().run(scenario));
    CHECK(engine.event_count() < 3 * 1000 + 300);
    Observer watching;
    watching.occupancy = [](Time, std::int64_t, Bytes) {};
    CHECK(engine.run(scenario, &watching) == outcome);
    CHECK(engine.event_count() > 44'000);
    CHECK(engine.event_count() < 44'000 + 3 * 1000 + 300);
}

}  // namespace watershed
