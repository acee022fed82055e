// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/mixed-queue.h"

#include <algorithm>
#include <random>

#include "model/exact/exact-engine.h"
#include "test/catch.h"
#include "test/model/guarantee/small-camera.h"

using namespace watershed;

TEST_CASE("Beside the frames of a trigger a queue holds those of a stream that come at the same instant") {
    // 10 frames of 200 ns, and a stream of one each 1000 ns: they take 0.5 and 0.2 of the uplink.
    Scenario scenario = small(10, 1, 200, ns(4000));
    scenario.traffic = {stream("other", 1000)};
    const auto guarantee = Guarantee::of(scenario);
    REQUIRE(guarantee);
    const QueueGuarantee& queue = guarantee->switches[0].queues[0];
    CHECK(queue.load == Approx(0.7));
    CHECK(queue.streams == 1);
    CHECK(queue.frames == 11);
    CHECK(queue.bytes == 11 * 105);
    CHECK(queue.delay_s == Approx(11 * 0.2e-6));
    CHECK(guarantee->switches[0].needed == MemorySize{11, MemorySize::Unit::Frame});
    CHECK_FALSE(guarantee->exact);
    // The camera's frames have come 1000 ns after the trigger, the stream's 10 ns after they are ready.
    scenario.traffic[0].phase = ns(990);
    CHECK(ample_run(scenario, {Time{0}}).peak_frames == 11);
    SECTION("bursts of 3 last 2 x 10 ns longer on their link than the first of them") {
        scenario.traffic[0].pattern = TrafficStream::Pattern::Bursts;
        scenario.traffic[0].burst = 3;
        scenario.traffic[0].period = ns(3000);
        scenario.traffic[0].phase = ns(970);
        CHECK(Guarantee::of(scenario)->frames() == 13);
        CHECK(ample_run(scenario, {Time{0}}).peak_frames == 13);
    }
    SECTION("frames of other sizes: what has left in part counts whole, and short frames may be many") {
        // Of 84 B and 134.4 ns on the uplink, 64 B in memory: 10 and 1 leave 2134.4 ns of work at most.
        scenario.traffic[0].payload = Bytes{0};
        const auto mixed = Guarantee::of(scenario);
        CHECK(mixed->switches[0].queues[0].delay_s == Approx(2134.4e-9));
        // In that time 10 of the camera come, and 3 of the stream: 2403.2 ns. Less than 2334.4 ns may be there, in part
        // of a frame that has begun to leave: 9 and 3 whole ones.
        CHECK(mixed->frames() == 12);
    }
    SECTION("a clock that is a tenth fast sends one frame more in 10 us") {
        // Of 11 triggers each 1 us, then one in 20 us, 110 frames come in 10 us, when 50 have left.
        const AdmittedTriggers admitted{{}, {{1, ns(1000)}, {11, ns(40'000), true}}};
        CHECK(Guarantee::of(scenario, admitted)->frames() == 110 + 11 - 50);
        scenario.traffic[0].clock = {100'000'000};
        CHECK(Guarantee::of(scenario, admitted)->frames() == 110 + 12 - 50);
    }
    SECTION("a load of one has no bound that is known") {
        scenario.traffic = {stream("other", 400)};
        CHECK_FALSE(Guarantee::of(scenario)->bounded);
        CHECK(Guarantee::of(scenario)->least_distance == ns(4000) + Time{1});
    }
}

TEST_CASE("No phase, jitter, clock or order brings more than the bound of a camera and its streams") {
    std::mt19937_64 random(3);
    const auto draw = [&](std::int64_t from, std::int64_t to) {
        return std::uniform_int_distribution<std::int64_t>(from, to)(random);
    };
    int reached = 0, close = 0, bounds = 0, unlike = 0, trains = 0;
    for (int i = 0; i < 500; ++i) {
        const int uplinks = static_cast<int>(draw(1, 2));
        Scenario scenario =
            small(static_cast<int>(draw(1, 6)), uplinks, 50 * draw(1, 8), Time{0}, ns(100 * draw(0, 20)));
        for (std::int64_t k = draw(1, 3); k > 0; --k) {
            TrafficStream other = stream("other" + std::to_string(k), 50 * draw(20, 200));
            if (draw(0, 2) == 0) {
                other.pattern = TrafficStream::Pattern::Bursts;
                other.burst = draw(1, 6);
                other.period = ns(100 * draw(20, 100));
            }
            if (draw(0, 1) == 0) other.payload = Bytes{draw(0, 300)};
            if (draw(0, 2) == 0) other.jitter = ns(100 * draw(0, 30));
            if (draw(0, 2) == 0) other.clock = {draw(0, 10'000'000)};
            if (draw(0, 1) == 0) other.link_rate = BitRate{1'000'000'000};
            scenario.traffic.push_back(other);
        }
        if (draw(0, 3) == 0) scenario.frame.fragments = static_cast<int>(draw(2, 3));
        FrontEnd& front_end = scenario.front_end;
        if (draw(0, 2) == 0) front_end.jitter = ns(100 * draw(0, 20));
        if (draw(0, 3) == 0) front_end.skew_spread = ns(draw(0, 3000));
        std::vector<TriggerSpacing> spacings{{1, ns(100 * draw(10, 50))}};
        if (draw(0, 2) == 0) spacings.push_back({draw(2, 4), ns(100 * draw(20, 100)), true});
        const auto random_train = [&] { return admitted_train(spacings, 10, draw); };
        AdmittedTriggers admitted{{}, spacings};
        const bool one_train = draw(0, 2) == 0;
        if (one_train) admitted = {random_train(), {}};
        Obstacle why;
        const auto ample = Guarantee::of(scenario, admitted, &why);
        if (!ample) REQUIRE((why.key == "traffic" || why.key == "trigger"));
        if (!ample || !ample->bounded) continue;
        ++bounds;
        trains += one_train;
        Buffer& buffer = scenario.network_switch.buffer;
        buffer.size = {1, static_cast<MemorySize::Unit>(draw(0, 2))};
        if (buffer.size.unit == MemorySize::Unit::Cell) buffer.cell = Bytes{draw(40, 200)};
        const auto sized = Guarantee::of(scenario, admitted);
        buffer.size = *sized->switches[0].needed;
        REQUIRE(Guarantee::of(scenario, admitted)->fits());
        unlike += buffer.size.unit != MemorySize::Unit::Frame;
        std::int64_t most = 0, most_bytes = 0;
        bool loses_with_less = false;
        for (int trial = 0; trial < 20; ++trial) {
            const std::vector<Time> train = one_train ? admitted.train : trial == 0 ? ample->witness : random_train();
            scenario.seed = static_cast<std::uint64_t>(draw(1, 1'000'000));
            scenario.network_switch.arrival_order = static_cast<ArrivalOrder>(draw(0, 2));
            const Outcome outcome = ample_run(scenario, train);
            most = std::max(most, outcome.peak_frames);
            most_bytes = std::max(most_bytes, outcome.peak_bytes.count);
            CAPTURE(i, trial);
            REQUIRE(ExactEngine().run(with_triggers(scenario, train)).frames_lost() == 0);
            Scenario less = scenario;
            less.network_switch.buffer.size.amount -= less.network_switch.buffer.size.amount / 4;
            loses_with_less |= ExactEngine().run(with_triggers(less, train)).frames_lost() > 0;
        }
        REQUIRE(most <= ample->switches[0].frames);
        REQUIRE(most_bytes <= ample->switches[0].bytes);
        reached += most == ample->switches[0].frames;
        close += loses_with_less;
    }
    CHECK(bounds > 200);
    CHECK(trains > 50);
    CHECK(unlike > 100);
    CHECK(reached > 20);
    CHECK(close > 50);
}
