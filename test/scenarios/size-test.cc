// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/size.h"

#include "test/catch.h"

#include <cmath>

#include "model/camera-queue.h"
#include "scenarios/input-error.h"

using namespace watershed;

namespace {

constexpr Frequency kEightKilohertz{8'000'000'000};

Scenario camera() {
    Scenario s;
    s.trigger.pattern = Trigger::Pattern::Poisson;
    s.trigger.rate = kEightKilohertz;
    s.trigger.dead_time = Time{2'000'000};
    s.network_switch.buffer.size = {46};
    return s;
}

double log_loss(Scenario s, std::int64_t frames, int uplinks) {
    s.network_switch.uplinks = uplinks;
    s.network_switch.buffer.size = {frames};
    return log_loss_probability(CameraQueue::of(s)).estimate;
}

}  // namespace

TEST_CASE("The memory that is needed keeps to the wanted chance, and hardly less of it does not") {
    for (const int uplinks : {1, 2})
        for (const double loss : {1e-3, 1e-9, 1e-15}) {
            const NeededMemory needed = needed_memory(camera(), kEightKilohertz, loss, uplinks);
            REQUIRE(needed.frames);
            INFO(uplinks << " uplinks, " << loss << ": " << *needed.frames << " frames");
            CHECK(log_loss(camera(), *needed.frames, uplinks) <= std::log(loss));
            CHECK(log_loss(camera(), *needed.frames - 3 * uplinks, uplinks) > std::log(loss));
            CHECK(needed.bytes.count == *needed.frames * 1070);
        }
}

TEST_CASE("Cells count in the bytes that are needed, descriptors and classes do not") {
    // 1070 B and a header of 64 B take 6 cells of 208 B, 1248 B.
    Scenario s = camera();
    s.network_switch.buffer.size = {1'000'000, MemorySize::Unit::Byte};
    s.network_switch.buffer.cell = Bytes{208};
    s.network_switch.buffer.cell_header = Bytes{64};
    s.network_switch.buffer.descriptors = 50;
    s.network_switch.buffer.queues = 4;
    s.network_switch.buffer.queue_split = true;
    const NeededMemory needed = needed_memory(s, kEightKilohertz, 1e-9, 1);
    CHECK(needed.frames == needed_memory(camera(), kEightKilohertz, 1e-9, 1).frames);
    CHECK(needed.bytes.count == *needed.frames * 1248);
}

TEST_CASE("No memory is enough above capacity, and one event's is where the uplinks keep pace with the links") {
    const NeededMemory none = needed_memory(camera(), Frequency{28'000'000'000}, 1e-6, 1);
    CHECK_FALSE(none.frames);
    CHECK(none.load > 1);
    for (const int uplinks : {5, 6}) CHECK(needed_memory(camera(), kEightKilohertz, 1e-15, uplinks).frames == 44);
}

TEST_CASE("The fewest uplinks are those with which the scenario's memory is enough") {
    CHECK(fewest_uplinks(camera(), 1e-9, {1, 2, 3, 4, 5, 6}) == 5);
    CHECK_FALSE(fewest_uplinks(camera(), 1e-9, {1, 2}));
    Scenario deep = camera();
    deep.network_switch.buffer.size = {10'000};
    CHECK(fewest_uplinks(deep, 1e-9, {3, 1, 2}) == 1);
}

TEST_CASE("Of several alike switches the fullest is sized, other networks are refused") {
    Scenario whole = camera();
    whole.front_end.modules = 265;
    whole.network_switch.count = 6;
    CHECK(fullest_switch(whole, "camera.toml").front_end.modules == 45);
    CHECK(fullest_switch(whole, "camera.toml").network_switch.count == 1);
    whole.aggregation.emplace();
    CHECK_THROWS_AS(fullest_switch(whole, "camera.toml"), InputError);
}

TEST_CASE("A scenario that is no batch queue cannot be sized") {
    Scenario jitter = camera();
    jitter.front_end.jitter = Time{1};
    CHECK_THROWS_AS(needed_memory(jitter, kEightKilohertz, 1e-9, 1), InputError);
}
