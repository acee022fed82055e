// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/exact-engine.h"
#include "model/exact/exact-run.h"
#include "model/frontend/front-end.h"
#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("Switches are run one by one unless they draw lots by their number, or a server waits behind them") {
    Scenario s;
    s.front_end.modules = 4;
    s.network_switch.count = 2;
    s.network_switch.buffer.size = {10, MemorySize::Unit::Frame};
    const auto parts = [&] { return is_separable(s, Network(s)); };
    CHECK(parts());
    s.network_switch.buffer.wred_to = {5, MemorySize::Unit::Frame};
    CHECK_FALSE(parts());
    s.network_switch.buffer.wred_to = {};
    s.aggregation.emplace();
    CHECK_FALSE(parts());
}

TEST_CASE("Switches with as many modules see the same, where nothing depends on a module's number") {
    Scenario s;
    s.front_end.modules = 5;
    s.network_switch.count = 3;  // 2, 2 and 1 modules
    CHECK(representative_switch(s, Network(s)) == std::vector<int>{0, 0, 2});
    s.network_switch.uplink_choice.rule = UplinkChoice::Rule::Hash;
    CHECK(representative_switch(s, Network(s)) == std::vector<int>{0, 1, 2});
}

TEST_CASE("Of the first losses of all switches the earliest is reported") {
    // Two switches of two modules each, with room for one frame: of the two that come together the second is lost.
    Scenario s;
    s.trigger.events = 1;
    s.front_end.modules = 4;
    s.front_end.skew = {Time{10'000'000}, Time{10'000'000}, Time{0}, Time{0}};
    s.network_switch.count = 2;
    s.network_switch.buffer.size = {1, MemorySize::Unit::Frame};
    REQUIRE(is_separable(s, Network(s)));
    const auto first = ExactEngine().run(s).first_loss;
    REQUIRE(first);
    CHECK(first->time == Time{8'720'000});  // the frame's 1090 B at 1 Gb/s
    CHECK(first->where == Network(s).switches()[1].name);
    CHECK(first->frame.module == 4);
}

TEST_CASE("Of losses at the same instant one at the front end is reported before one at a switch") {
    // A FIFO of 4 frames that leave every 8.72 us gets one every 4 us: the 7th trigger, at 24 us, is the first that
    // finds 4, since two have left by then. The first switch loses at the same instant: its two modules are skewed so
    // that their first frames, of which it has room for one, arrive together then.
    Scenario s;
    s.trigger.events = 8;
    s.trigger.separation = Time{4'000'000};
    s.front_end.modules = 3;
    s.front_end.fifo = 4;
    s.front_end.skew = {Time{24'000'000 - 8'720'000}, Time{24'000'000 - 8'720'000}, Time{0}};
    s.network_switch.count = 2;
    s.network_switch.buffer.size = {1, MemorySize::Unit::Frame};
    REQUIRE(is_separable(s, Network(s)));
    const auto first = ExactEngine().run(s).first_loss;
    REQUIRE(first);
    CHECK(first->time == Time{24'000'000});
    CHECK(first->where == FrontEndPort::kFifoFull.where);
    CHECK(first->frame.module == 3);
    CHECK(first->frame.event == 7);
    s.front_end.skew.back() = Time{1'000};
    CHECK(ExactEngine().run(s).first_loss->where == Network(s).switches()[0].name);
}
