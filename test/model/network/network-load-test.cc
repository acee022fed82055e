// SPDX-License-Identifier: GPL-2.0-only
#include "model/network/network-load.h"

#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("Modules that take turns load each uplink by parts, which add up behind a second tier") {
    Scenario s;
    s.front_end.modules = 6;
    s.network_switch.count = 2;  // 3 modules each
    s.network_switch.uplinks = 2;
    s.network_switch.uplink_choice.rule = UplinkChoice::Rule::RoundRobin;
    s.aggregation.emplace();
    CHECK(modules_per_link(s, Network(s)) == std::vector<double>{1.5, 1.5, 1.5, 1.5, 6});
}

TEST_CASE("Fragments of several sizes load a link by their mean, each size by its weight") {
    // 66 B on the wire beside the payload: (3 x 466 + 1266) / 4 = 666 B, 5328 bits.
    Scenario s;
    s.front_end.modules = 2;
    s.frame.payloads = {{Bytes{400}, 3}, {Bytes{1200}, 1}};
    const LinkLoad fullest = fullest_link(s, Network(s), 1000);
    CHECK(fullest.load == Approx(1000 * 5328 / 1e9));
}
