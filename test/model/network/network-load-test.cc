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

TEST_CASE("The shaper of the camera's class is its link, by what it counts of a frame") {
    // 1090 B of the link for each frame, of which a shaper may count 1070 B; one module on an uplink of 10 Gb/s.
    Scenario s;
    s.front_end.modules = 1;
    s.front_end.traffic_class = 1;
    Scheduling& scheduling = s.network_switch.scheduling;
    scheduling.kind = Scheduling::Kind::StrictPriority;
    scheduling.rates = {BitRate{1}, BitRate{100'000'000}};
    CHECK(saturation_rate(s, Network(s), Bytes{1090}) == Approx(1e8 / (8 * 1090)));
    CHECK(fullest_link(s, Network(s), 1000).load == Approx(1000 * 8 * 1090 / 1e8));
    scheduling.counts = Scheduling::Counts::Frame;
    CHECK(saturation_rate(s, Network(s), Bytes{1090}) == Approx(1e8 / (8 * 1070)));
    s.front_end.traffic_class = 2;  // has none
    CHECK(saturation_rate(s, Network(s), Bytes{1090}) == Approx(1e10 / (8 * 1090)));
}

TEST_CASE("Gates let as many whole frames of the camera's class through as their windows hold") {
    // 872 ns a frame: 4 in 4 us and 1 in 1.5 us, of each 10 us.
    Scenario s;
    s.front_end.modules = 1;
    s.network_switch.scheduling.kind = Scheduling::Kind::StrictPriority;
    s.network_switch.scheduling.gates = {
        {Time{4'000'000}, 1}, {Time{1'000'000}, 0}, {Time{1'500'000}, 1}, {Time{3'500'000}, 2}};
    CHECK(saturation_rate(s, Network(s), Bytes{1090}) == Approx(5 / 10e-6));
    s.front_end.traffic_class = 3;
    CHECK(saturation_rate(s, Network(s), Bytes{1090}) == 0);
}
