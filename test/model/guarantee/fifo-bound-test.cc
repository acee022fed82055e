// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <random>

#include "model/exact/exact-engine.h"
#include "model/guarantee/witness.h"
#include "test/catch.h"
#include "test/model/guarantee/small-camera.h"

using namespace watershed;

namespace {

/// One module, whose frames last 1 us on its link, with a FIFO for so many.
Scenario with_fifo(std::int64_t room, Time dead_time) {
    Scenario scenario = small(1, 1, 100, dead_time);
    scenario.front_end.fifo = room;
    return scenario;
}

std::int64_t lost_in_fifo(const Scenario& scenario, const std::vector<Time>& triggers) {
    const Outcome outcome = ExactEngine().run(with_triggers(scenario, triggers));
    std::int64_t lost = 0;
    for (const Outcome::Loss& each : outcome.losses)
        if (each.reason == "fifo-full") lost += each.frames;
    return lost;
}

}  // namespace

TEST_CASE("A FIFO for one frame is enough where the next trigger comes when the frame has left") {
    const auto enough = Guarantee::of(with_fifo(1, ns(1000)));
    REQUIRE(enough->fifo);
    CHECK(enough->fifo->frames == 1);
    CHECK(enough->fits());
    const auto none = Guarantee::of(with_fifo(1000, ns(1000) - Time{1}));
    CHECK_FALSE(none->bounded);
    CHECK(none->switches[0].bounded);  // whose uplink carries what the link lets through
    CHECK(none->least_distance == ns(1000));
    CHECK_FALSE(Guarantee::of(with_fifo(1, ns(1000)), {{}, {}})->bounded);
    CHECK_FALSE(Guarantee::of(small(1, 1, 100, ns(1000)))->fifo);
}

TEST_CASE("A rule of n triggers in n frames' time fills a FIFO with n frames, and a late one with one more") {
    Scenario scenario = with_fifo(3, Time{0});
    const AdmittedTriggers admitted{{}, {{3, ns(3000)}}};
    CHECK(Guarantee::of(scenario, admitted)->fifo->frames == 3);
    CHECK(Guarantee::of(scenario, admitted)->fits());
    scenario.front_end.jitter = ns(500);
    CHECK(Guarantee::of(scenario, admitted)->fifo->frames == 4);
    scenario.front_end.jitter = Time{0};
    scenario.front_end.clock_spread = ClockTolerance{20'000};
    CHECK(Guarantee::of(scenario, {{}, {{3, ns(3001)}}})->fifo->frames == 3);
    CHECK_FALSE(Guarantee::of(scenario, admitted)->bounded);
}

TEST_CASE("No train that rules admit loses a frame in a FIFO that fits, and the witness does in one frame less") {
    std::mt19937_64 random(5);
    const auto draw = drawing(random);
    int several = 0, buckets = 0, jitters = 0;
    for (int i = 0; i < 300; ++i) {
        Scenario scenario = with_fifo(1'000'000, Time{0});
        scenario.front_end.modules = static_cast<int>(draw(1, 3));
        if (draw(0, 2) == 0) scenario.frame.fragments = static_cast<int>(draw(2, 3));
        if (draw(0, 3) == 0) scenario.front_end.jitter = Time{draw(1, 2'000'000)};
        std::vector<TriggerSpacing> spacings{{1, Time{draw(0, 3'000'000)}}, {draw(2, 5), Time{draw(0, 12'000'000)}}};
        if (draw(0, 1) > 0) spacings.push_back({draw(1, 5), Time{draw(500'000, 4'000'000)}, true});
        const auto ample = Guarantee::of(scenario, {{}, spacings});
        if (!ample->fifo->bounded) continue;
        const bool drawn = scenario.front_end.jitter > Time{0};
        const std::int64_t most = ample->fifo->frames;
        several += scenario.frame.fragments.number > 1, buckets += spacings.size() > 2, jitters += drawn;
        scenario.front_end.fifo = most;
        CAPTURE(i, most);
        CHECK(Guarantee::of(scenario, {{}, spacings})->fifo->fits());
        for (int train = 0; train < 20; ++train) {
            const std::vector<Time> times = admitted_train(spacings, 20, draw);
            scenario.seed = static_cast<std::uint64_t>(train);
            REQUIRE(lost_in_fifo(scenario, times) == 0);
        }
        if (drawn || most == 1) continue;
        scenario.front_end.fifo = most - 1;
        const auto less = Guarantee::of(scenario, {{}, spacings});
        CHECK_FALSE(less->fits());
        if (less->bounded) CHECK(lost_in_fifo(scenario, less->witness) > 0);
        // A train of its own, as early as it may come, is followed alone.
        const auto alone = Guarantee::of(scenario, {ample->fifo->witness, {}});
        CHECK(alone->fifo->frames == most);
    }
    CHECK(several > 20);
    CHECK(buckets > 20);
    CHECK(jitters > 20);
}

TEST_CASE("Where a FIFO may lose some the memory's bound is not reached, and rules are sought as where it is") {
    const auto loses = Guarantee::of(with_fifo(1, Time{0}), {{}, {{2, ns(2000)}}});
    CHECK(loses->bounded);
    CHECK(loses->exact);
    CHECK_FALSE(loses->reached());
    CHECK(Guarantee::of(with_fifo(2, Time{0}), {{}, {{2, ns(2000)}}})->reached());
}
