// SPDX-License-Identifier: GPL-2.0-only
#include "model/network/switch-places.h"

#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

namespace {

TrafficStream stream_of_class(int traffic_class) {
    TrafficStream stream;
    stream.traffic_class = traffic_class;
    return stream;
}

/// 4 modules on 2 switches before a third; a stream comes over the link of module 3, another to the third switch.
Scenario camera() {
    Scenario s;
    s.front_end.modules = 4;
    s.network_switch.count = 2;
    s.aggregation.emplace();
    s.traffic = {stream_of_class(5), stream_of_class(6)};
    s.traffic[0].module = 3;
    s.traffic[1].at_switch = "aggregation";
    s.traffic[1].link_rate = BitRate{2'500'000'000};
    return s;
}

}  // namespace

TEST_CASE("Each switch knows the classes of its own modules' links, and of a link between switches those behind it") {
    const Scenario s = camera();
    const std::vector<SwitchPlace> places = switch_places(Network(s), s);
    REQUIRE(places.size() == 3);
    const auto classes = [&](std::size_t place, std::size_t input) { return places[place].inputs.at(input).classes; };
    CHECK(classes(0, 0) == std::vector<int>{0});
    CHECK(classes(1, 0) == std::vector<int>{0, 5});
    CHECK(classes(1, 1) == std::vector<int>{0});
    CHECK(classes(2, 0) == std::vector<int>{0});
    CHECK(classes(2, 1) == std::vector<int>{0, 5});
    CHECK(classes(2, 2) == std::vector<int>{6});
    CHECK(places[2].inputs[1].rate == s.network_switch.uplink_rate);
    CHECK(places[2].inputs[2].rate == BitRate{2'500'000'000});
}

TEST_CASE("Modules enter at the inputs of their switch, a stream of its own link behind modules and links to it") {
    const std::vector<EntryPoint> entries = entry_points(Network(camera()));
    REQUIRE(entries.size() == 5);
    CHECK(entries[1].network_switch == 0);
    CHECK(entries[1].input == 1);
    CHECK(entries[2].network_switch == 1);
    CHECK(entries[2].input == 0);
    CHECK(entries[4].network_switch == 2);
    CHECK(entries[4].input == 2);
}
