// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/shaped-classes.h"

#include <algorithm>
#include <random>
#include <utility>

#include "test/catch.h"
#include "test/model/guarantee/small-camera.h"

using namespace watershed;

namespace {

/// 10 frames of 200 ns of class 5, and a stream of class 2 of one each 1199 ns. The camera's shaper lets one frame go
/// each 1000 ns.
Scenario shaped_camera() {
    Scenario scenario = small(10, 1, 200, ns(40'000));
    scenario.front_end.traffic_class = 5;
    scenario.traffic = {stream("other", 1199)};
    scenario.traffic[0].traffic_class = 2;
    Scheduling& scheduling = scenario.network_switch.scheduling;
    scheduling.kind = Scheduling::Kind::StrictPriority;
    scheduling.rates.assign(6, BitRate{100'000'000'000});
    scheduling.rates[5] = BitRate{1'000'000'000};
    return scenario;
}

QueueGuarantee bound(const Scenario& scenario) {
    UnsupportedKey why;
    const auto guarantee = Guarantee::of(scenario, &why);
    CAPTURE(why.key, why.why);
    REQUIRE(guarantee);
    CHECK_FALSE(guarantee->exact);
    return guarantee->switches[0].queues[0];
}

/// Longest times of camera and stream in the switch, over phases of the stream.
std::pair<Time, Time> longest(Scenario scenario) {
    std::pair<Time, Time> most{};
    for (std::int64_t phase = 0; phase < 1199; ++phase) {
        scenario.traffic[0].phase = ns(phase);
        const Outcome outcome = ample_run(scenario, {Time{0}, ns(40'000)});  // streams end with the last trigger
        most.first = std::max(most.first, outcome.streams[0].latency_most - ns(1000));
        most.second = std::max(most.second, outcome.streams[1].latency_most - ns(10));
    }
    return most;
}

}  // namespace

TEST_CASE("Each frame of a shaped class may wait for a lower one, and lets those below pass in between") {
    Scenario scenario = shaped_camera();
    Scheduling& scheduling = scenario.network_switch.scheduling;
    SECTION("9 intervals, 10 frames of the stream, and the last frame; behind one frame of the camera") {
        const QueueGuarantee queue = bound(scenario);
        REQUIRE(queue.classes.size() == 2);
        CHECK(queue.classes[0].delay_s == Approx(9000e-9 + 10 * 200e-9 + 200e-9));
        CHECK(queue.classes[0].frames == 10);
        CHECK(queue.classes[1].delay_s == Approx(200e-9 + 200e-9));
        CHECK(queue.classes[1].frames == 1);
        CHECK(queue.frames == 11);
        // Each frame of the stream begins 1 ns before the camera's is due, or one comes when a camera's frame begins.
        CHECK(longest(scenario).first.count() == ns(11'200 - 10).count());
        CHECK(longest(scenario).second.count() == ns(400).count());
        CHECK(Guarantee::of(scenario)->switches[0].needed() == MemorySize{11, MemorySize::Unit::Frame});
    }
    SECTION("two frames at once from a bucket of two") {
        scheduling.bursts.assign(6, Bytes{250});
        CHECK(bound(scenario).classes[1].delay_s == Approx(2 * 200e-9 + 200e-9));
        CHECK(longest(scenario).second.count() == ns(600).count());
    }
    SECTION("what is stored of a frame is less: 105 B") {
        scheduling.counts = Scheduling::Counts::Frame;
        scenario.traffic.clear();
        CHECK(bound(scenario).delay_s == Approx(9 * 840e-9 + 200e-9));
        CHECK(bound(scenario).classes.size() == 1);
        CHECK(ample_run(scenario, {Time{0}}).streams.empty());
        scheduling.counts = Scheduling::Counts::Link;
        CHECK(bound(scenario).delay_s == Approx(9 * 1000e-9 + 200e-9));
    }
    SECTION("a shaper that counts so little lets frames go one after the other, no sooner") {
        scheduling.counts = Scheduling::Counts::Frame;
        scheduling.rates[5] = BitRate{4'900'000'000};  // 171 ns
        scenario.traffic.clear();
        CHECK(bound(scenario).delay_s == Approx(10 * 200e-9));
    }
    SECTION("a shaped stream below an unshaped camera waits for all of it, once for each of its own frames") {
        scheduling.rates.assign(3, BitRate{1'000'000'000});
        scenario.traffic[0].pattern = TrafficStream::Pattern::Bursts;
        scenario.traffic[0].burst = 3;
        scenario.traffic[0].period = ns(100'000);
        const QueueGuarantee queue = bound(scenario);
        CHECK(queue.classes[0].delay_s == Approx(200e-9 + 10 * 200e-9));
        // The frames come 10 ns apart. Two intervals and 10 frames of the camera, then the last of the stream.
        CHECK(queue.classes[1].delay_s == Approx(2 * 1000e-9 + 10 * 200e-9 + 200e-9 - 2 * 10e-9));
        CHECK(queue.classes[1].frames == 3);
    }
    SECTION("triggers must leave time for 10 intervals, each with a frame of the stream") {
        scenario.trigger.dead_time = ns(12'000);
        CHECK_FALSE(Guarantee::of(scenario)->bounded);
        CHECK(Guarantee::of(scenario)->least_distance == ns(12'000) + Time{1});
        scenario.trigger.dead_time += ns(100);
        CHECK(Guarantee::of(scenario)->bounded);
        scheduling.rates[2] = BitRate{600'000'000};  // 1667 ns for frames that come each 1199 ns
        UnsupportedKey why;
        CHECK_FALSE(Guarantee::of(scenario, &why));
        CHECK(why.key == "switch.class_rates");
    }
}

TEST_CASE("A frame finds those of a higher class waiting that the frame before it held up") {
    // Two frames of the camera, 1000 ns apart, each due when it comes. If one of the stream, each 210 ns, comes just
    // after the first has begun, it leaves 200 ns late, and those behind it catch up by 10 ns each. The 20th leaves in
    // time, 200 + 20 * 200 ns after the beginning of the first of the camera. Then the second begins.
    Scenario scenario = shaped_camera();
    scenario.front_end.modules = 1;
    scenario.front_end.traffic_class = 2;
    scenario.frame.fragments = 2;
    scenario.network_switch.scheduling.rates.assign(3, BitRate{4'900'000'000});
    scenario.traffic = {stream("above", 210)};
    scenario.traffic[0].traffic_class = 5;
    const QueueGuarantee queue = bound(scenario);
    REQUIRE(queue.classes.size() == 2);
    Time most{0};
    for (std::int64_t phase = 0; phase < 210; ++phase) {
        scenario.traffic[0].phase = ns(phase);
        most = std::max(most, ample_run(scenario, {Time{0}, ns(40'000)}).streams[0].latency_most - ns(2000));
    }
    CHECK(most.count() == ns(200 + 20 * 200 - 1000 + 200).count());
    CHECK(in_seconds(most) <= queue.classes[1].delay_s);
}

TEST_CASE("No phase, jitter or train brings more than the bounds of classes with shapers") {
    std::mt19937_64 random(17);
    const auto draw = drawing(random);
    int bounds = 0, reached = 0, close = 0, delays = 0, near = 0, cameras = 0, trains = 0;
    for (int i = 0; i < 700; ++i) {
        Scenario scenario = small(static_cast<int>(draw(1, 6)), static_cast<int>(draw(1, 2)), 50 * draw(1, 8), Time{0},
                                  ns(100 * draw(0, 20)));
        for (std::int64_t k = draw(0, 3); k > 0; --k) {
            TrafficStream other = stream("other" + std::to_string(k), 50 * draw(4, draw(0, 1) * 200 + 20));
            if (draw(0, 2) == 0) {
                other.pattern = TrafficStream::Pattern::Bursts;
                other.burst = draw(1, 6);
                other.period = ns(100 * draw(50, 300));
            }
            if (draw(0, 1) == 0) other.payload = Bytes{draw(0, 300)};
            if (draw(0, 2) == 0) other.jitter = ns(100 * draw(0, 30));
            other.traffic_class = static_cast<int>(draw(0, 4));
            scenario.traffic.push_back(other);
        }
        Scheduling& scheduling = scenario.network_switch.scheduling;
        scheduling.kind = Scheduling::Kind::StrictPriority;
        for (int each = 0; each < 5; ++each) {
            scheduling.rates.push_back(
                BitRate{draw(0, 2) == 0 ? 100'000'000'000 : 100'000'000 * draw(2, 40) + draw(0, 9)});
            scheduling.bursts.push_back(Bytes{draw(0, 1) * draw(0, 1000)});
        }
        if (draw(0, 1) == 0) scheduling.counts = Scheduling::Counts::Frame;
        scenario.front_end.traffic_class = static_cast<int>(draw(0, 4));
        if (draw(0, 3) == 0) scenario.frame.fragments = static_cast<int>(draw(2, 3));
        if (draw(0, 2) == 0) scenario.front_end.jitter = ns(100 * draw(0, 20));
        if (draw(0, 3) == 0) scenario.front_end.skew_spread = ns(draw(0, 3000));
        std::vector<TriggerSpacing> spacings{{1, ns(100 * draw(10, 150))}};
        if (draw(0, 2) == 0) spacings.push_back({draw(2, 4), ns(100 * draw(20, 300)), draw(0, 1) == 0});
        const auto random_train = [&] { return admitted_train(spacings, 10, draw); };
        AdmittedTriggers admitted{{}, spacings};
        const bool one_train = draw(0, 2) == 0;
        if (one_train) admitted = {random_train(), {}};
        UnsupportedKey why;
        const auto ample = Guarantee::of(scenario, admitted, &why);
        if (!ample) REQUIRE((why.key == "traffic" || why.key == "trigger" || why.key == "switch.class_rates"));
        if (!ample || !ample->bounded) continue;
        ++bounds;
        trains += one_train;
        Buffer& buffer = scenario.network_switch.buffer;
        buffer.size = *ample->switches[0].needed();
        const auto of_class = [&](int traffic_class) {
            ClassGuarantee most;
            for (const QueueGuarantee& queue : ample->switches[0].queues) {
                if (queue.classes.empty())
                    most.frames = std::max(most.frames, queue.frames),
                    most.delay_s = std::max(most.delay_s, queue.delay_s);
                for (const ClassGuarantee& each : queue.classes)
                    if (each.traffic_class == traffic_class)
                        most.frames = std::max(most.frames, each.frames),
                        most.delay_s = std::max(most.delay_s, each.delay_s);
            }
            return most;
        };
        std::int64_t most = 0;
        bool loses_with_less = false;
        for (int trial = 0; trial < 20; ++trial) {
            const std::vector<Time> train = one_train ? admitted.train : trial == 0 ? ample->witness : random_train();
            scenario.seed = static_cast<std::uint64_t>(draw(1, 1'000'000));
            scenario.network_switch.arrival_order = static_cast<ArrivalOrder>(draw(0, 2));
            const Outcome outcome = ample_run(scenario, train);
            CAPTURE(i, trial);
            REQUIRE(outcome.peak_frames <= ample->switches[0].frames);
            REQUIRE(outcome.peak_bytes.count <= ample->switches[0].bytes);
            most = std::max(most, outcome.peak_frames);
            const auto compare = [&](std::size_t number, double of_link, int traffic_class) {
                const double delay = in_seconds(outcome.streams[number].latency_most) - of_link,
                             bound = of_class(traffic_class).delay_s;
                CAPTURE(number, delay, bound);
                ++delays;
                near += delay > 0.8 * bound;
                REQUIRE(delay <= bound + 2e-12);
            };
            for (std::size_t k = 0; k < scenario.traffic.size(); ++k) {
                const TrafficStream& other = scenario.traffic[k];
                REQUIRE(outcome.streams[k + 1].peaks[0].frames <= of_class(other.traffic_class).frames);
                if (other.pattern == TrafficStream::Pattern::Bursts || other.jitter > Time{0}) continue;
                compare(k + 1, 8e-11 * static_cast<double>(frame_of_stream(other, scenario.frame).wire.count),
                        other.traffic_class);
            }
            if (!scenario.traffic.empty() && scenario.frame.fragments == 1 && scenario.front_end.jitter == Time{0}) {
                ++cameras;
                compare(0, 1e-6, scenario.front_end.traffic_class);
            }
            REQUIRE(ExactEngine().run(with_triggers(scenario, train)).frames_lost() == 0);
            Scenario less = scenario;
            --less.network_switch.buffer.size.amount;
            loses_with_less |= less.network_switch.buffer.size.amount == 0 ||
                               ExactEngine().run(with_triggers(less, train)).frames_lost() > 0;
        }
        reached += most == ample->switches[0].frames;
        close += loses_with_less;
    }
    CAPTURE(bounds, trains, reached, close, delays, near, cameras);
    CHECK(bounds > 200);
    CHECK(trains > 50);
    CHECK(reached > 50);
    CHECK(close > 50);
    CHECK(delays > 1000);
    CHECK(near > 50);
    CHECK(cameras > 300);
}
