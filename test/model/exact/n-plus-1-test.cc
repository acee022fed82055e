// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/n-plus-1.h"

#include "model/exact/exact-engine.h"
#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("The drop threshold of a lone queue is what hardware tests of three switch chips use") {
    // alpha / (1 + alpha) * pool / slices + reserve, in cells; set-points of the SONiC network operating system
    struct Row {
        std::int64_t pool, alpha;
        int slices;
        std::int64_t cell, reserved, threshold;
    };
    for (const Row& row : {Row{7326924, 8, 1, 208, 1518, 31322}, Row{9243812, 8, 4, 208, 1518, 9887},
                           Row{38462204, 2, 2, 254, 1778, 50482}}) {
        Scenario scenario;
        Buffer& buffer = scenario.network_switch.buffer;
        buffer.sharing = Buffer::Sharing::DynamicThreshold;
        buffer.size = {row.pool, MemorySize::Unit::Byte};
        buffer.alpha = {row.alpha, 1};
        buffer.slices = row.slices;
        buffer.cell = Bytes{row.cell};
        buffer.reserved = {row.reserved, MemorySize::Unit::Byte};
        CHECK(std::abs(drop_threshold_cells(scenario) - row.threshold) <= 4);
    }
    CHECK_THROWS_AS(drop_threshold_cells(Scenario{}), std::invalid_argument);
}

TEST_CASE(
    "Beside a stream at line rate a memory of B frames takes a burst of B - 1, and loses one frame of a longer one") {
    // After m slots the output has sent m - 1 of 2 m frames: m + 1 wait, of which one leaves before the next two
    // arrive.
    Scenario scenario;
    scenario.front_end.modules = 2;
    scenario.network_switch.uplink_rate = scenario.front_end.link_rate;
    scenario.trigger.pattern = Trigger::Pattern::LineRatePlusBurst;
    ExactEngine engine;
    for (const std::int64_t room : {1, 2, 64, 65, 500}) {
        scenario.network_switch.buffer.size = {room, MemorySize::Unit::Frame};
        const NPlusOne found = find_n_plus_one(engine, scenario, 100'000);
        REQUIRE(found.lossless);
        CHECK(*found.lossless == room - 1);
        CHECK(found.drops == 1);
    }
    SECTION("with a resume level at half, the stream loses what the queue must fall") {
        scenario.network_switch.buffer.resume =
            Ratio{1, 2};  // 500 frames: 499 after the departure, 250 refusals down to 249 ... 250
        CHECK(find_n_plus_one(engine, scenario, 100'000).drops == 250);
    }
    SECTION("an output twice as fast never loses") {
        scenario.network_switch.uplink_rate = scenario.front_end.link_rate * 2;
        CHECK_FALSE(find_n_plus_one(engine, scenario, 1000).lossless);
    }
}
