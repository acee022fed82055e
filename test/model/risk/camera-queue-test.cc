// SPDX-License-Identifier: GPL-2.0-only
#include "model/risk/camera-queue.h"

#include <cmath>

#include "model/base/random.h"
#include "model/exact/exact-engine.h"
#include "model/risk/direct-risk.h"
#include "test/camera.h"
#include "test/catch.h"

using namespace watershed;

namespace {

const BatchQueue& worst(const CameraQueue& camera) { return camera.queues->upper_bound_queue; }

}  // namespace

TEST_CASE("The chain and a simulation frame by frame agree for random cameras, rates and memories") {
    int lossy = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        auto draw = [&, i = std::uint64_t{0}](std::int64_t least, std::int64_t most) mutable {
            return least + uniform_up_to(random_bits(seed, Stream::Trigger, ++i), most - least);
        };
        Scenario s = camera(1);
        s.front_end.modules = static_cast<int>(draw(12, 60));
        s.front_end.link_rate = BitRate{draw(1, 4) * 1'000'000'000};
        s.network_switch.uplinks = static_cast<int>(draw(1, 2));
        s.front_end.modules -= s.front_end.modules % s.network_switch.uplinks;
        const Buffer::Sharing kinds[] = {Buffer::Sharing::Shared, Buffer::Sharing::PerOutput,
                                         Buffer::Sharing::PerInput};
        s.network_switch.buffer.sharing = kinds[draw(0, 2)];
        const bool by_input = s.network_switch.buffer.sharing == Buffer::Sharing::PerInput;
        s.network_switch.buffer.size = {
            by_input ? draw(2, 4) : s.network_switch.uplinks * draw(s.front_end.modules, 4 * s.front_end.modules)};
        if (draw(0, 1)) s.network_switch.buffer.release = Buffer::Release::Start;
        s.network_switch.latency = Time{draw(0, 2'000'000)};
        s.trigger.dead_time = Time{draw(0, 12'000'000)};
        // From 30 % of what the uplinks carry to 130 %.
        const double capacity = 1e10 * s.network_switch.uplinks / (8.0 * 1090 * s.front_end.modules);
        const double period = 100 / (capacity * static_cast<double>(draw(30, 130)));
        const double wait = period - static_cast<double>(s.trigger.dead_time.count()) * 1e-12;
        if (wait < 1e-6) continue;
        s.trigger.rate = Frequency{std::llround(1e6 / wait)};

        const CameraQueue queue = CameraQueue::of(s);
        if (!queue.queues || worst(queue).link_load() > 0.9) continue;
        ExactEngine engine;
        const Enclosure counted =
            loss_probability({count_incomplete(engine, s, 20'000, seed), count_incomplete(engine, s, 20'000, ~seed)});
        const Enclosure chain = log_loss_probability(queue, 0.1);
        INFO("seed " << seed << ": " << counted.lower << " to " << counted.upper << ", chain "
                     << std::exp(chain.estimate));
        const double half = (counted.upper - counted.lower) / 2;
        CHECK(std::exp(chain.upper) > counted.lower - half);
        CHECK(std::exp(chain.lower) < counted.upper + half);
        lossy += counted.estimate > 1e-3;
    }
    CHECK(lossy > 20);
}

TEST_CASE("Several fragments of an event fill a memory as the last of them finds it, one link's time after the other") {
    // Three fragments of 44 frames, 10 frame times apart: 132 frames less the 20 that have left when the last 44 come.
    Scenario alone = camera(112);
    alone.frame.fragments = 3;
    alone.trigger.rate = Frequency{1'000'000};  // 1 Hz: each event finds an empty switch
    CHECK(std::exp(log_loss_probability(CameraQueue::of(alone)).upper) < 1e-3);
    alone.network_switch.buffer.size.amount = 111;
    CHECK(log_loss_probability(CameraQueue::of(alone)).lower == 0);

    int lossy = 0;
    ExactEngine engine;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        auto draw = [&, i = std::uint64_t{0}](std::int64_t least, std::int64_t most) mutable {
            return least + uniform_up_to(random_bits(seed, Stream::Trigger, ++i), most - least);
        };
        Scenario s = camera(1);
        s.frame.fragments = static_cast<int>(draw(2, 5));
        s.front_end.modules = static_cast<int>(2 * draw(6, 25));
        s.network_switch.uplinks = static_cast<int>(draw(1, 2));
        s.network_switch.buffer.sharing = draw(0, 1) ? Buffer::Sharing::Shared : Buffer::Sharing::PerOutput;
        const std::int64_t frames = s.frame.fragments.number * s.front_end.modules;
        s.network_switch.buffer.size = {draw(frames / 2, 3 * frames)};
        s.trigger.dead_time = Time{draw(0, 60'000'000)};
        const double period =
            0.872e-6 * static_cast<double>(frames) / s.network_switch.uplinks * 100 / static_cast<double>(draw(30, 98));
        const double wait = period - static_cast<double>(s.trigger.dead_time.count()) * 1e-12;
        if (wait < 1e-6) continue;
        s.trigger.rate = Frequency{std::llround(1e6 / wait)};
        const CameraQueue queue = CameraQueue::of(s);
        if (!queue.queues || worst(queue).link_load() > 0.9) continue;
        const Enclosure counted =
            loss_probability({count_incomplete(engine, s, 10'000, seed), count_incomplete(engine, s, 10'000, ~seed)});
        const Enclosure chain = log_loss_probability(queue, 0.02);
        INFO("seed " << seed << ": " << counted.lower << " to " << counted.upper << ", chain " << std::exp(chain.lower)
                     << " to " << std::exp(chain.upper));
        const double half = (counted.upper - counted.lower) / 2;
        CHECK(std::exp(chain.upper) > counted.lower - half);
        CHECK(std::exp(chain.lower) < counted.upper + half);
        lossy += counted.estimate > 1e-3 && counted.estimate < 0.999;
    }
    CHECK(lossy > 8);
}

TEST_CASE("Each sharing gives the queue the room that it is") {
    CHECK(worst(CameraQueue::of(camera(500))).room == 500);
    CHECK(worst(CameraQueue::of(camera(7, Buffer::Sharing::PerInput))).room == 7 * 44);
    CHECK(worst(CameraQueue::of(camera(500, Buffer::Sharing::PerOutput))).room == 500);
    Scenario two = camera(500);
    two.network_switch.uplinks = 2;
    CHECK(worst(CameraQueue::of(two)).room == 250);
    CHECK(worst(CameraQueue::of(two)).modules == 22);
    two.network_switch.buffer.release = Buffer::Release::Start;
    CHECK(worst(CameraQueue::of(two)).room == 251);
    two.network_switch.buffer.sharing = Buffer::Sharing::PerInput;
    CHECK(worst(CameraQueue::of(two)).room == 500 * 22 + 1);
}

TEST_CASE("Whether a camera is its queue after a loss, too, is told") {
    const auto exact = [](auto change) {
        Scenario s = camera(500);
        change(s);
        return CameraQueue::of(s).queues->exact;
    };
    const auto two = [](Scenario& s) { s.network_switch.uplinks = 2; };
    CHECK(exact([](Scenario&) {}));
    CHECK(exact([&](Scenario& s) { two(s); }));
    CHECK_FALSE(exact(
        [&](Scenario& s) { two(s), s.network_switch.buffer.size = {501}; }));  // the odd frame goes to one of them
    CHECK_FALSE(exact([&](Scenario& s) { two(s), s.front_end.modules = 45; }));
    CHECK_FALSE(exact([&](Scenario& s) { two(s), s.network_switch.arrival_order = ArrivalOrder::Random; }));
    CHECK_FALSE(exact([&](Scenario& s) {
        two(s), s.network_switch.uplink_choice = {UplinkChoice::Rule::Static, {}, {}, {1, 1, 2, 2}};
    }));
    CHECK(exact([&](Scenario& s) {
        two(s), s.front_end.modules = 45, s.network_switch.buffer.sharing = Buffer::Sharing::PerOutput;
    }));
    CHECK(exact([](Scenario& s) {
        s.network_switch.buffer.sharing = Buffer::Sharing::PerInput, s.network_switch.buffer.size = {1};
    }));
    CHECK_FALSE(exact([](Scenario& s) {
        s.network_switch.buffer.sharing = Buffer::Sharing::PerInput, s.network_switch.buffer.size = {2};
    }));
    CHECK(exact([](Scenario& s) { s.network_switch.latency = Time{8'000'000}; }));
    CHECK_FALSE(exact(
        [](Scenario& s) { s.network_switch.latency = Time{9'000'000}; }));  // a link brings an event every 8.72 us
}

TEST_CASE(
    "Uplinks that cannot move in step are put between queues that are never longer and one that is never shorter") {
    // Two uplinks of 23 and 22 modules share 501 frames. If 228 wait for the fullest, 22/23 of them at most, 219, wait
    // for the other: 228 + 219 + 45 fit.
    Scenario s = camera(501);
    s.front_end.modules = 45;
    s.network_switch.uplinks = 2;
    const CameraQueue queue = CameraQueue::of(s);
    CHECK(worst(queue).modules == 23);
    CHECK(worst(queue).room == Approx(233 + 23).margin(1));
    REQUIRE(queue.queues->lower_bound_queue.size() == 2);
    CHECK(queue.queues->lower_bound_queue[0].modules == 23);
    CHECK(queue.queues->lower_bound_queue[0].room == 456 + 23);  // alone in the memory
    CHECK(queue.queues->lower_bound_queue[1].modules == 22);
    CHECK(queue.queues->lower_bound_queue[1].room == 228 + 22);  // as many in each
    const Enclosure log = log_loss_probability(queue);
    CHECK(log.lower < log.estimate);
    CHECK(log.estimate < log.upper);
}

TEST_CASE("The bounds hold where a camera is not its queue after a loss, at chances that are high, too") {
    // Memories by input, uplinks out of step, thresholds, latency, at 60 to 110 % of what the uplinks carry.
    ExactEngine engine;
    int loose = 0, compared = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        auto draw = [&, i = std::uint64_t{0}](std::int64_t least, std::int64_t most) mutable {
            return least + uniform_up_to(random_bits(seed, Stream::Jitter, ++i), most - least);
        };
        Scenario s = camera(1);
        s.front_end.modules = static_cast<int>(draw(12, 30));
        s.front_end.link_rate = BitRate{draw(1, 4) * 1'000'000'000};
        s.network_switch.uplinks = static_cast<int>(draw(1, 3));
        s.network_switch.latency = Time{draw(0, 1) * draw(0, 10'000'000)};
        if (draw(0, 2) == 0) s.network_switch.arrival_order = ArrivalOrder::Random;
        if (draw(0, 1)) s.network_switch.buffer.release = Buffer::Release::Start;
        const Buffer::Sharing kinds[] = {Buffer::Sharing::Shared, Buffer::Sharing::PerInput,
                                         Buffer::Sharing::DynamicThreshold};
        Buffer& buffer = s.network_switch.buffer;
        buffer.sharing = kinds[draw(0, 2)];
        buffer.alpha = {draw(1, 4), draw(1, 2)};
        buffer.size = {buffer.sharing == Buffer::Sharing::PerInput ? draw(2, 4) : draw(2, 8) * s.front_end.modules / 2};
        if (draw(0, 1))
            s.network_switch.uplink_choice = {
                UplinkChoice::Rule::Static,
                {},
                {},
                {1, draw(1, s.network_switch.uplinks), draw(1, s.network_switch.uplinks)}};
        const CameraQueue one = CameraQueue::of(s);
        if (!one.queues) continue;
        const double slot = 0.872e-6,
                     period = static_cast<double>(worst(one).modules) * slot * 100 / static_cast<double>(draw(60, 110));
        if (period < 2.2e-6 || period < 1090 * 8 / static_cast<double>(s.front_end.link_rate.count) * 1.05) continue;
        s.trigger.rate = Frequency{std::llround(1e6 / (period - 2e-6))};
        const CameraQueue queue = CameraQueue::of(s);
        const Enclosure chain = log_loss_probability(queue, 0.2);
        const Enclosure counted = loss_probability({count_incomplete(engine, s, 20'000, seed, {0, 2000}),
                                                    count_incomplete(engine, s, 20'000, ~seed, {0, 2000})});
        INFO("seed " << seed << ": counted " << counted.lower << " to " << counted.upper << ", chain "
                     << std::exp(chain.lower) << " to " << std::exp(chain.upper));
        const double half = (counted.upper - counted.lower) / 2;
        CHECK(std::exp(chain.lower) < counted.upper + half);
        CHECK(std::exp(chain.upper) > counted.lower - half);
        CHECK(chain.lower <= chain.estimate);
        CHECK(chain.estimate <= chain.upper);
        loose += !queue.queues->exact;
        ++compared;
    }
    CHECK(compared > 20);
    CHECK(loose > 10);
}

TEST_CASE("What a dynamic threshold leaves to one queue is that queue's own memory, exactly") {
    // alpha 1 of 401 frames: a queue grows while it holds less than 200.5.
    Scenario s = camera(401);
    s.network_switch.buffer.sharing = Buffer::Sharing::DynamicThreshold;
    s.network_switch.buffer.alpha = {1, 1};
    CHECK(CameraQueue::of(s).queues->exact);
    CHECK(worst(CameraQueue::of(s)).room == 201);
}

TEST_CASE("A camera that is no batch queue says why, by its key") {
    const auto obstacle = [](auto change) {
        Scenario s = camera(500);
        change(s);
        return CameraQueue::of(s).obstacle.key;
    };
    CHECK(obstacle([](Scenario&) {}).empty());
    CHECK_THAT(obstacle([](Scenario& s) { s.trigger.pattern = Trigger::Pattern::Burst; }),
               StartsWith("trigger.pattern"));
    CHECK(obstacle([](Scenario& s) { s.trigger.burst.events = 3; }) == "trigger.burst.events");
    CHECK(obstacle([](Scenario& s) { s.trigger.bursts = 2; }) == "trigger.bursts");
    CHECK(obstacle([](Scenario& s) { s.trigger.regular = true; }) == "trigger.regular");
    CHECK_THAT(obstacle([](Scenario& s) { s.front_end.jitter = Time{1000}; }), StartsWith("front_end.jitter"));
    CHECK_THAT(obstacle([](Scenario& s) {
                   s.front_end.skew = {Time{0}, Time{1}};
               }),
               Catch::Matchers::Equals("front_end.skew"));
    CHECK_THAT(obstacle([](Scenario& s) { s.network_switch.buffer.slices = 2; }), StartsWith("switch.buffer.slices"));
    CHECK_THAT(obstacle([](Scenario& s) { s.frame.payload = Bytes{2000}, s.frame.split = true; }),
               StartsWith("frame.split"));
    CHECK_THAT(obstacle([](Scenario& s) {
                   s.frame.fragments = 2, s.network_switch.buffer.sharing = Buffer::Sharing::PerInput;
               }),
               StartsWith("front_end.fragments"));
    CHECK_THAT(obstacle([](Scenario& s) {
                   s.network_switch.uplinks = 2, s.network_switch.uplink_choice.rule = UplinkChoice::Rule::RoundRobin;
               }),
               StartsWith("switch.uplink_selection"));
}

TEST_CASE("Dead time lowers the rate of triggers that the camera takes") {
    // 1 / (2 us + 125 us) = 7874 Hz
    CHECK(accepted_rate(camera(1).trigger) == Approx(1e6 / 127));
}
