// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/parts.h"

#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("Switches are run one by one unless they draw lots by their number, or a server waits behind them") {
    Scenario s;
    s.front_end.modules = 4;
    s.network_switch.count = 2;
    s.network_switch.buffer.size = {10, MemorySize::Unit::Frame};
    const auto parts = [&] { return has_parts(s, Network(s)); };
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
    CHECK(first_alike(s, Network(s)) == std::vector<int>{0, 0, 2});
    s.network_switch.uplink_choice.rule = UplinkChoice::Rule::Hash;
    CHECK(first_alike(s, Network(s)) == std::vector<int>{0, 1, 2});
}
