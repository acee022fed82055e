// SPDX-License-Identifier: GPL-2.0-only
#include "model/ns3/engine/ns3-engine.h"
#include "test/agreement/seeds.h"
#include "test/catch.h"
#include "test/model/guarantee/paused-phases.h"

using namespace watershed;

TEST_CASE("The least headroom that is proven is the least that ns-3 survives over all phases") {
    const auto [from, count] = seeds(10);
    for (std::uint64_t seed = from; seed < from + count; ++seed) {
        PausedPhases phases(seed);
        CAPTURE(seed, phases.slots, phases.headroom().amount);
        const auto loses = [&] {
            const Outcome outcome = Ns3Engine().run(phases.camera);
            REQUIRE(outcome.frames_received + outcome.frames_lost() == outcome.frames_sent);
            return outcome.frames_lost() > 0;
        };
        CHECK_FALSE(phases.some(loses));
        --phases.headroom().amount;
        CHECK(phases.some(loses));
    }
}
