// SPDX-License-Identifier: GPL-2.0-only
#include "model/risk/tilted-risk.h"

#include <cmath>

#include "model/exact/exact-engine.h"
#include "model/risk/camera-queue.h"
#include "model/risk/direct-risk.h"
#include "test/camera.h"
#include "test/catch.h"

using namespace watershed;

namespace {

Enclosure estimate(const Scenario& scenario, std::uint64_t cycles) {
    const TiltedCycles tilted(scenario);
    ExactEngine engine;
    std::vector<double> contributions;
    std::vector<std::int64_t> lengths;
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
        contributions.push_back(tilted.log_contribution(engine, cycle));
        lengths.push_back(tilted.length(engine, cycle));
    }
    return log_loss_probability(contributions, lengths);
}

}  // namespace

TEST_CASE("Importance sampling and the embedded chain agree within 10 % at 1e-4, 1e-9, 1e-12 and 1e-15") {
    // 200, 435, 570 and 705 frames for the NectarCAM test bench at 8 kHz. The two have nothing in common but the
    // scenario.
    for (const std::int64_t room : {200, 435, 570, 705}) {
        const Enclosure sampled = estimate(camera(room), 5000),
                        chain = log_loss_probability(CameraQueue::of(camera(room)));
        INFO(room << " frames: " << std::exp(sampled.estimate) << ", chain " << std::exp(chain.estimate));
        CHECK(std::abs(sampled.estimate - chain.estimate) < std::log(1.1));
        CHECK(sampled.upper - sampled.lower < 0.15);
        CHECK(sampled.lower - 0.04 < chain.estimate);
        CHECK(sampled.upper + 0.04 > chain.estimate);
    }
    CHECK(log_loss_probability(CameraQueue::of(camera(435))).estimate == Approx(std::log(1e-9)).epsilon(0.01));
    CHECK(log_loss_probability(CameraQueue::of(camera(570))).estimate == Approx(std::log(1.1e-12)).epsilon(0.01));
    CHECK(log_loss_probability(CameraQueue::of(camera(705))).estimate == Approx(std::log(1.1e-15)).epsilon(0.01));
}

TEST_CASE("The mean likelihood of tilted triggers is one: without loss in sight cycles have the length they have") {
    // Every event of a switch with room for one frame is incomplete: the probability is one whatever the tilt.
    const Enclosure all = estimate(camera(1), 2000);
    CHECK(all.estimate == Approx(0).margin(0.05));
    CHECK(all.upper <= 0);
}

TEST_CASE("A dynamic threshold is sampled as the chain bounds it") {
    // A dynamic threshold with alpha 1 gives one queue half of the memory.
    Scenario s = camera(400);
    s.network_switch.buffer.sharing = Buffer::Sharing::DynamicThreshold;
    s.network_switch.buffer.alpha = {1, 1};
    const Enclosure chain = log_loss_probability(CameraQueue::of(s)), sampled = estimate(s, 1000);
    CHECK(chain.upper - chain.lower < 0.3);
    CHECK(sampled.upper > chain.lower);
    CHECK(sampled.lower < chain.upper);
    CHECK(sampled.estimate == Approx(log_loss_probability(CameraQueue::of(camera(200))).estimate).epsilon(0.05));
}

TEST_CASE("Fragments of several sizes are sampled as those of one size that are the same in all") {
    // 1024 B in a sequence of one, and a fragment of 964 B (1030 B on the wire) beside one so small that it is padded
    // (84 B): 1114 B an event, with a memory that counts bytes.
    Scenario one = camera(435), list = one;
    list.frame.fragments = FragmentList({Bytes{1024}});
    CHECK(estimate(list, 300).estimate == estimate(one, 300).estimate);
    Scenario two = camera(0);
    two.network_switch.buffer.size = {60'000, MemorySize::Unit::Byte};
    two.frame.fragments = FragmentList({Bytes{964}, Bytes{0}});
    const Enclosure sampled = estimate(two, 3000);
    ExactEngine engine;
    const Enclosure counted = loss_probability({count_incomplete(engine, two, 400'000, 1)});
    CHECK(counted.lower > 0);
    CHECK(sampled.upper > std::log(counted.lower));
    CHECK(sampled.lower < std::log(counted.upper));
}

TEST_CASE("What cannot be sampled is refused by its key") {
    Scenario burst = camera(100);
    burst.trigger.pattern = Trigger::Pattern::Burst;
    CHECK_THROWS_WITH(TiltedCycles(burst), StartsWith("trigger.pattern"));
    Scenario wide = camera(100);
    wide.network_switch.uplinks = 6;
    CHECK_THROWS_WITH(TiltedCycles(wide), StartsWith("switch.uplinks"));
    Scenario pauses = camera(100);
    pauses.front_end.gap = Time{1};
    CHECK_THROWS_WITH(TiltedCycles(pauses), StartsWith("front_end.gap"));
    Scenario fast = camera(100);
    fast.trigger.rate = Frequency{40'000'000'000};
    CHECK_THROWS_WITH(TiltedCycles(fast), StartsWith("trigger.rate"));
}

TEST_CASE("Without a single loss there is no lower bound") {
    constexpr double kNever = -std::numeric_limits<double>::infinity();
    const Enclosure none = log_loss_probability({kNever, kNever}, {1, 2});
    CHECK(none.lower == kNever);
    CHECK(none.upper == 0);
}

TEST_CASE(
    "A latency that is long beside the waits for a trigger is refused: importance sampling would miss the cycles that "
    "it prolongs") {
    // 42 modules at 691 kHz beyond 5 us of dead time: a mean wait of 1.4 us, and memory of each input for 1 frame.
    // Counted, 69 % of the events are incomplete; by cycles it was 38 %.
    Scenario s = camera(1);
    s.trigger.rate = Frequency{691'000'000'000};
    s.trigger.dead_time = Time{5'000'000};
    s.network_switch.uplinks = 2;
    s.network_switch.uplink_rate = BitRate{40'000'000'000};
    s.front_end.link_rate = BitRate{10'000'000'000};
    s.network_switch.buffer.sharing = Buffer::Sharing::PerInput;
    s.network_switch.latency = Time{3'000'000};
    CHECK_THROWS_AS(TiltedCycles(s), UnsupportedScenario);
    s.network_switch.latency = Time{100'000};
    CHECK_NOTHROW(TiltedCycles(s));
}
