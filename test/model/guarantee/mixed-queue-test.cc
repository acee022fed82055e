// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/mixed-queue.h"

#include <algorithm>
#include <random>
#include <utility>

#include "model/exact/exact-engine.h"
#include "model/frontend/stream-train.h"
#include "model/guarantee/witness.h"
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
    CHECK(guarantee->switches[0].needed() == MemorySize{11, MemorySize::Unit::Frame});
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
        // Frames have 84 B and 134.4 ns on the uplink, 64 B in memory: 10 and 1 leave 2134.4 ns of work at most.
        scenario.traffic[0].payload = Bytes{0};
        const auto mixed = Guarantee::of(scenario);
        CHECK(mixed->switches[0].queues[0].delay_s == Approx(2134.4e-9));
        // In that time 10 of the camera come, and 3 of the stream: 2403.2 ns. Less than 2334.4 ns may be there, in part
        // of a frame that has begun to leave: 9 and 3 whole ones.
        CHECK(mixed->frames() == 12);
    }
    SECTION("a clock that is a tenth fast sends one frame more in 10 us") {
        // With 11 triggers each 1 us, then one in 20 us, 110 frames come in 10 us, when 50 have left.
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

TEST_CASE("A class waits for a frame of a lower one at most, or for the turns of others") {
    // 10 frames of 200 ns of class 5, and a stream of class 2 of one each 1000 ns.
    Scenario scenario = small(10, 1, 200, ns(4000));
    scenario.front_end.traffic_class = 5;
    scenario.traffic = {stream("other", 1000)};
    scenario.traffic[0].traffic_class = 2;
    Switch& at = scenario.network_switch;
    const auto classes = [&] {
        const QueueGuarantee queue = Guarantee::of(scenario)->switches[0].queues[0];
        CHECK(queue.delay_s == std::max(queue.classes.at(0).delay_s, queue.classes.at(1).delay_s));
        CHECK(queue.classes[0].traffic_class == 5);
        CHECK(queue.classes[1].traffic_class == 2);
        CHECK(queue.classes[0].bytes == 105 * queue.classes[0].frames);
        return queue.classes;
    };
    // How long the camera's frames, and the stream's, take at most from link to server; ready so long after a trigger.
    const auto longest = [&](Time phase) {
        scenario.traffic[0].phase = phase;
        const Outcome outcome = ample_run(scenario, {Time{0}});
        return std::pair(outcome.streams[0].latency_most - ns(1000), outcome.streams[1].latency_most);
    };
    CHECK(Guarantee::of(scenario)->switches[0].queues[0].classes.empty());
    SECTION("strict priority: 1 + 10 frames, and 10 + 1, before which the stream sends two more") {
        at.scheduling.kind = Scheduling::Kind::StrictPriority;
        CHECK(classes()[0].delay_s == Approx(2200e-9));
        CHECK(classes()[0].frames == 10);
        CHECK(classes()[1].delay_s == Approx(2200e-9));
        CHECK(classes()[1].frames == 3);
        CHECK(Guarantee::of(scenario)->frames() == 11);
        CHECK(longest(ns(989)).first == ns(2200) - ns(1));
        at.scheduling.kind = Scheduling::Kind::StrictPriority;
        scenario.front_end.traffic_class = 2, scenario.traffic[0].traffic_class = 5;
        const auto swapped = Guarantee::of(scenario)->switches[0].queues[0].classes;
        CHECK(swapped[0].delay_s == Approx(400e-9));   // behind one that has begun
        CHECK(swapped[1].delay_s == Approx(2600e-9));  // 13 frames until none is left
    }
    SECTION("turns of 2 frames and of 1: no longer than the uplink is busy, with 13 frames") {
        at.scheduling.kind = Scheduling::Kind::WeightedRoundRobin;
        at.scheduling.weights = {1, 1, 1, 1, 1, 2};
        CHECK(classes()[0].delay_s == Approx(2600e-9));
        CHECK(classes()[1].delay_s == Approx(600e-9));
        CHECK(classes()[1].frames == 1);
    }
    SECTION("turns of 375 B, which are 3 frames: what was saved lets one more pass") {
        at.scheduling.kind = Scheduling::Kind::DeficitRoundRobin;
        at.scheduling.quantum = Bytes{375};
        CHECK(classes()[0].delay_s == Approx(2600e-9));
        CHECK(classes()[1].delay_s == Approx(1000e-9));
    }
    SECTION("3 frames beside a burst of 30: three turns of two others each, or two of 250 B and one frame") {
        scenario.front_end.modules = 3;
        scenario.trigger.dead_time = ns(40'000);
        scenario.traffic[0].pattern = TrafficStream::Pattern::Bursts;
        scenario.traffic[0].burst = 30;
        scenario.traffic[0].period = ns(40'000);
        at.scheduling.kind = Scheduling::Kind::WeightedRoundRobin;
        at.scheduling.weights = {1, 1, 2};
        CHECK(classes()[0].delay_s == Approx(1800e-9));
        CHECK(longest(ns(989)).first == ns(1800) - ns(1));
        at.scheduling.kind = Scheduling::Kind::DeficitRoundRobin;
        at.scheduling.weights = {};
        at.scheduling.quantum = Bytes{250};
        CHECK(classes()[0].delay_s == Approx(1600e-9));
        CHECK(longest(ns(989)).first == ns(1400) - ns(1));
    }
    SECTION("gates, shapers of classes that take turns, and memories of inputs, are refused") {
        at.scheduling.kind = Scheduling::Kind::StrictPriority;
        const auto refused = [&](const auto& change) {
            Scenario changed = scenario;
            change(changed.network_switch);
            UnsupportedKey why;
            return Guarantee::of(changed, &why) ? "" : why.key;
        };
        CHECK(refused([](Switch&) {}).empty());
        CHECK(refused([](Switch& s) { s.scheduling.gates = {{ns(1000), 255}}; }) == "switch.gates");
        const auto in_turns = [](Switch& s, std::int64_t rate) {
            s.scheduling.kind = Scheduling::Kind::WeightedRoundRobin;
            s.scheduling.rates = {BitRate{rate}};
        };
        CHECK(refused([&](Switch& s) { in_turns(s, 4'999'999'999); }) == "switch.class_rates");
        CHECK(refused([&](Switch& s) { in_turns(s, 5'000'000'000); }).empty());
        CHECK(refused([](Switch& s) { s.buffer.sharing = Sharing::PerInput; }) == "switch.buffer.sharing");
    }
}

TEST_CASE(
    "What a class finds waiting above it came while its own last frame was sent, though none of its own is left") {
    // A frame of 500 ns each 1300 ns above a burst of 12 frames of 1444 ns, 2063 ns apart: together they take more
    // than the uplink for as long as the burst lasts, though each of its frames may find none of its class.
    Scenario scenario = small(1, 1, 500, ns(1300));
    scenario.front_end.traffic_class = 1;
    TrafficStream low = stream("low", 1);
    low.pattern = TrafficStream::Pattern::Bursts;
    low.burst = 12;
    low.period = ns(200'000);
    low.payload = Bytes{295};
    low.link_rate = BitRate{1'400'000'000};
    scenario.traffic = {low};
    scenario.network_switch.scheduling.kind = Scheduling::Kind::StrictPriority;
    const auto guarantee = Guarantee::of(scenario);
    REQUIRE(guarantee);
    const QueueGuarantee& queue = guarantee->switches[0].queues[0];
    REQUIRE(queue.classes.size() == 2);
    std::vector<Time> triggers;
    for (int i = 0; i < 60; ++i) triggers.push_back(ns(1300) * i);
    std::int64_t most = 0, most_low = 0;
    Time longest{0};
    for (std::int64_t phase = 0; phase < 3000; phase += 20) {
        scenario.traffic[0].phase = ns(phase);
        const Outcome outcome = ample_run(scenario, triggers);
        most = std::max(most, outcome.peak_frames);
        most_low = std::max(most_low, outcome.streams[1].peaks[0].frames);
        // Latency of the last frame of the burst, which comes 12 x 2063 ns after it is ready.
        longest = std::max(longest, outcome.streams[1].latency_most - ns(12 * 2063));
    }
    CHECK(most <= queue.frames);
    CHECK(most_low <= queue.classes[1].frames);
    CHECK(in_seconds(longest) <= queue.classes[1].delay_s);
    CHECK(queue.classes[1].frames <= most_low + 1);
    CHECK(queue.classes[1].delay_s < in_seconds(longest) + 2e-6);
}

TEST_CASE("No phase, jitter, clock or order brings more than the bound of a camera and its streams") {
    std::mt19937_64 random(3);
    const auto draw = drawing(random);
    int reached = 0, close = 0, bounds = 0, unlike = 0, trains = 0, delays = 0, near = 0;
    for (int i = 0; i < 700; ++i) {
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
            other.traffic_class = static_cast<int>(draw(0, 4));
            scenario.traffic.push_back(other);
        }
        Scheduling& scheduling = scenario.network_switch.scheduling;
        scheduling.kind = static_cast<Scheduling::Kind>(draw(0, 3));
        if (scheduling.kind >= Scheduling::Kind::WeightedRoundRobin)
            scheduling.weights = {draw(1, 3), draw(1, 3), draw(1, 3)};
        scheduling.quantum = Bytes{draw(64, 400)};
        scenario.front_end.traffic_class = static_cast<int>(draw(1, 3));
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
        UnsupportedKey why;
        const auto ample = Guarantee::of(scenario, admitted, &why);
        if (!ample) REQUIRE((why.key == "traffic" || why.key == "trigger"));
        if (!ample || !ample->bounded) continue;
        ++bounds;
        trains += one_train;
        Buffer& buffer = scenario.network_switch.buffer;
        buffer.size = {1, static_cast<MemorySize::Unit>(draw(0, 2))};
        if (buffer.size.unit == MemorySize::Unit::Cell) buffer.cell = Bytes{draw(40, 200)};
        const auto sized = Guarantee::of(scenario, admitted);
        buffer.size = *sized->switches[0].needed();
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
            for (std::size_t k = 0; k < scenario.traffic.size(); ++k) {
                const TrafficStream& other = scenario.traffic[k];
                std::int64_t frames = 0;
                double delay_s = 0;
                for (const QueueGuarantee& queue : ample->switches[0].queues) {
                    if (queue.classes.empty()) {
                        frames = std::max(frames, queue.frames), delay_s = std::max(delay_s, queue.delay_s);
                        continue;
                    }
                    for (const ClassGuarantee& each : queue.classes)
                        if (each.traffic_class == other.traffic_class)
                            frames = std::max(frames, each.frames), delay_s = std::max(delay_s, each.delay_s);
                }
                REQUIRE(outcome.streams[k + 1].peaks[0].frames <= frames);
                if (other.pattern == TrafficStream::Pattern::Bursts || other.jitter > Time{0}) continue;
                const double link = 8e-9 * static_cast<double>(frame_of_stream(other, scenario.frame).wire.count) *
                                    (other.link_rate == BitRate{1'000'000'000} ? 1 : 0.01);
                if (link * 1.01 * in_hertz(other.rate.frames) > 1) continue;  // else none waits for its own link
                const double delay = in_seconds(outcome.streams[k + 1].latency_most) - link * (1 - 0.01 - 1e-6);
                CAPTURE(k, delay, delay_s, link);
                ++delays;
                near += delay > 0.8 * delay_s;
                REQUIRE(delay <= delay_s + 0.02 * link);
            }
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
    CHECK(delays > 1000);
    CHECK(near > 50);
}

TEST_CASE("An uplink gets each n-th frame of all modules, whichever of them it begins with") {
    // 5 frames of 200 ns take turns among 2 uplinks: of two triggers one gets 3 and 2, the other 2 and 3.
    Scenario scenario = small(5, 2, 200, ns(4000));
    scenario.network_switch.uplink_choice.rule = UplinkChoice::Rule::RoundRobin;
    const auto guarantee = Guarantee::of(scenario);
    REQUIRE(guarantee);
    for (const QueueGuarantee& queue : guarantee->switches[0].queues) {
        CHECK(queue.frames == 3);
        CHECK(queue.delay_s == Approx(600e-9));
        CHECK(queue.load == Approx(2.5 * 200 / 4000));
    }
    CHECK(guarantee->frames() == 5);  // within the 600 ns there is one trigger
    CHECK_FALSE(guarantee->exact);
    CHECK(guarantee->least_distance == ns(500) + Time{1});
    // 500 ns keep an uplink busy for good, but 2 triggers at once bring it 5.
    const AdmittedTriggers pairs{{}, {{1, ns(1000)}, {2, ns(9000)}}};
    CHECK(Guarantee::of(scenario, pairs)->switches[0].queues[0].frames == 3);
    scenario.network_switch.uplink_rate = BitRate{1'000'000'000};  // 1000 ns: 2 left, 5 came
    CHECK(Guarantee::of(scenario, pairs)->switches[0].queues[0].frames == 4);
    scenario.aggregation = scenario.network_switch;
    UnsupportedKey why;
    scenario.network_switch.count = 2;
    scenario.front_end.modules = 6;
    CHECK_FALSE(Guarantee::of(scenario, &why));
    CHECK(why.key == "switch.uplink_selection");
}

TEST_CASE(
    "Uplinks that take turns for the frames of one module hold one together, if it leaves before the next comes") {
    Scenario scenario = small(1, 4, 200, ns(1000));
    scenario.network_switch.uplink_choice.rule = UplinkChoice::Rule::RoundRobin;
    CHECK(Guarantee::of(scenario)->switches[0].needed() == MemorySize{1, MemorySize::Unit::Frame});
    // A frame stays for 2.5 us + 0.2 us, in which a second and a third come.
    scenario.network_switch.latency = ns(2500);
    CHECK(Guarantee::of(scenario)->switches[0].needed() == MemorySize{3, MemorySize::Unit::Frame});
}

TEST_CASE("No train fills the memory of an uplink that takes turns with others beyond its bound") {
    std::mt19937_64 random(11);
    const auto draw = drawing(random);
    int bounds = 0, reached = 0, apart = 0, lower = 0, together = 0;
    for (int i = 0; i < 400; ++i) {
        const int uplinks = static_cast<int>(draw(2, 4));
        Scenario scenario =
            small(static_cast<int>(draw(1, 9)), uplinks, 50 * draw(2, 30), Time{0}, ns(100 * draw(0, 20)));
        scenario.network_switch.uplink_choice.rule = UplinkChoice::Rule::RoundRobin;
        if (draw(0, 2) == 0) scenario.frame.fragments = static_cast<int>(draw(2, 3));
        if (draw(0, 2) == 0) scenario.front_end.jitter = ns(100 * draw(0, 20));
        if (draw(0, 2) == 0) scenario.front_end.skew_spread = ns(draw(0, 3000));
        std::vector<TriggerSpacing> spacings{{1, ns(100 * draw(10, 80))}};
        if (draw(0, 1) == 0) spacings.push_back({draw(2, 4), ns(100 * draw(20, 200)), draw(0, 1) == 0});
        AdmittedTriggers admitted{{}, spacings};
        const bool one_train = draw(0, 3) == 0;
        if (one_train) admitted = {admitted_train(spacings, 10, draw), {}};
        Buffer& buffer = scenario.network_switch.buffer;
        const bool share = draw(0, 1) == 0;
        buffer.sharing = share ? Sharing::Shared : Sharing::PerOutput;
        const auto guarantee = Guarantee::of(scenario, admitted);
        REQUIRE(guarantee);
        if (!guarantee->bounded) continue;
        ++bounds;
        const SwitchGuarantee& self = guarantee->switches[0];
        const bool unequal = scenario.front_end.modules % uplinks != 0;
        apart += unequal;
        lower += unequal && self.frames < uplinks * self.queues[0].frames;
        buffer.size = *self.needed();
        REQUIRE(buffer.size.amount == (share ? self.frames : self.queues[0].frames));
        bool full = false;
        for (int trial = 0; trial < 15; ++trial) {
            const std::vector<Time> train = one_train ? admitted.train : admitted_train(spacings, 12, draw);
            scenario.seed = static_cast<std::uint64_t>(draw(1, 1'000'000));
            scenario.network_switch.arrival_order = static_cast<ArrivalOrder>(draw(0, 2));
            CAPTURE(i, trial);
            REQUIRE(ExactEngine().run(with_triggers(scenario, train)).frames_lost() == 0);
            Scenario less = scenario;
            --less.network_switch.buffer.size.amount;
            full = full || less.network_switch.buffer.size.amount == 0 ||
                   ExactEngine().run(with_triggers(less, train)).frames_lost() > 0;
        }
        reached += full;
        together += full && share && unequal;
    }
    CHECK(bounds > 150);
    CHECK(apart > 80);
    CHECK(lower > 40);
    CHECK(reached > 80);
    CHECK(together > 10);
}
