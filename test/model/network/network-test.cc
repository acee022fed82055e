// SPDX-License-Identifier: GPL-2.0-only
#include "model/network/network.h"

#include <rapidcheck.h>

#include <numeric>

#include "model/network/network-load.h"
#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

namespace {

Scenario camera(int modules, int switches, int uplinks) {
    Scenario s;
    s.front_end.modules = modules;
    s.network_switch.count = switches;
    s.network_switch.uplinks = uplinks;
    return s;
}

Node node(const std::string& name, int modules, const std::vector<std::string>& to) {
    Node n;
    n.name = name;
    n.modules = modules;
    n.to = to;
    n.network_switch.uplinks = static_cast<int>(to.size());
    return n;
}

}  // namespace

TEST_CASE("265 modules on six switches are 45 and five times 44, numbered on from switch to switch") {
    const Network network(camera(265, 6, 2));
    std::vector<int> modules, before;
    for (const auto& each : network.switches()) {
        modules.push_back(each.modules);
        before.push_back(each.modules_before);
    }
    CHECK(modules == std::vector<int>{45, 44, 44, 44, 44, 44});
    CHECK(before == std::vector<int>{0, 45, 89, 133, 177, 221});
    CHECK(network.switches()[2].name == "switch 3");
    CHECK(network.interfaces() == 12);
    CHECK(network.is_one_tier());
    CHECK(Network(camera(44, 1, 1)).switches().front().name == "switch");
}

TEST_CASE("Uplinks are spread over the second tier as modules are over the first") {
    Scenario s = camera(20, 3, 3);  // 9 links on 2 switches: 5 and 4
    s.aggregation = Switch{};
    s.aggregation->count = 2;
    s.aggregation->uplinks = 2;
    const Network network(s);
    REQUIRE(network.switches().size() == 5);
    CHECK(network.switches()[3].name == "aggregation 1");
    CHECK(network.switches()[3].feeds == std::vector<int>{0, 1, 2, 3, 4});
    CHECK(network.switches()[4].feeds == std::vector<int>{5, 6, 7, 8});
    CHECK(network.links()[5].to == 4);  // the last uplink of switch 2
    CHECK(network.links()[5].input == 0);
    CHECK(network.interfaces() == 4);
    CHECK_FALSE(network.is_one_tier());
}

TEST_CASE("Nodes are put into an order in which none feeds an earlier one; modules keep the scenario's") {
    Scenario s;
    s.nodes = {node("core", 2, {"server"}), node("east", 3, {"core", "server"})};
    s.front_end.modules = 5;
    const Network network(s);
    CHECK(network.switches()[0].name == "east");
    CHECK(network.switches()[0].modules_before == 2);
    CHECK(network.switches()[1].name == "core");
    CHECK(network.switches()[1].inputs() == 3);
    CHECK(network.links()[0].input == 2);  // behind the core's own modules
    CHECK(network.interfaces() == 2);
}

TEST_CASE("What is no network is refused by the key that is wrong") {
    Scenario s = camera(5, 6, 1);
    CHECK_THROWS_WITH(Network(s), Contains("switch.count: found 6 switches for 5 modules"));
    s = camera(6, 6, 1);
    s.aggregation = Switch{};
    s.aggregation->count = 7;
    CHECK_THROWS_WITH(Network(s), Contains("aggregation.count: found 7 switches for 6 uplinks"));
    s.aggregation->count = 2;
    s.server.interfaces = 3;
    CHECK_THROWS_WITH(Network(s), Contains("server.interfaces: found 3, expected 2"));

    s = Scenario{};
    s.front_end.modules = 2;
    s.nodes = {node("a", 1, {"b"}), node("b", 1, {"a"})};
    CHECK_THROWS_WITH(Network(s), Contains("node.a.to: found links that form a loop"));
    s.nodes = {node("a", 2, {"c"})};
    CHECK_THROWS_WITH(Network(s), Contains("node.a.to: found \"c\", expected \"server\" or the name of a node"));
    s.nodes = {node("a", 2, {"server"}), node("b", 0, {"server"})};
    CHECK_THROWS_WITH(Network(s), Contains("node.b.modules: nothing leads to this switch"));
    s.nodes = {node("a", 1, {"server"})};
    CHECK_THROWS_WITH(Network(s), Contains("front_end.modules: found 2, expected the 1 of all nodes"));
}

TEST_CASE("Every module and every link has one place in any network") {
    CHECK(rc::check([] {
        Scenario s = camera(*rc::gen::inRange(1, 300), 1, *rc::gen::inRange(1, 5));
        s.network_switch.count = *rc::gen::inRange(1, s.front_end.modules + 1);
        if (*rc::gen::arbitrary<bool>()) {
            s.aggregation = Switch{};
            s.aggregation->count = *rc::gen::inRange(1, s.network_switch.count * s.network_switch.uplinks + 1);
        }
        const Network network(s);
        int modules = 0, least = s.front_end.modules, most = 0;
        for (int i = 0; i < s.network_switch.count; ++i) {
            const auto& each = network.switches()[static_cast<std::size_t>(i)];
            RC_ASSERT(each.modules_before == modules);
            modules += each.modules;
            least = std::min(least, each.modules);
            most = std::max(most, each.modules);
        }
        RC_ASSERT(modules == s.front_end.modules);
        RC_ASSERT(most - least <= 1);
        std::size_t fed = 0;
        for (const auto& each : network.switches()) fed += each.feeds.size();
        RC_ASSERT(fed + static_cast<std::size_t>(network.interfaces()) == network.links().size());
        // Whatever the modules send ends at the server: the links that lead there carry all of them.
        const std::vector<double> load = modules_per_link(s, network);
        double arriving = 0;
        for (std::size_t i = 0; i < load.size(); ++i)
            if (network.links()[i].to == Network::kServer) arriving += load[i];
        RC_ASSERT(std::abs(arriving - s.front_end.modules) < 1e-9);
    }));
}

TEST_CASE("The fullest link sets the rate at which a network saturates") {
    // 45 of 265 modules on one link of 10 Gb/s: 10e9 / (8 * 1090 * 45) = 25.48 kHz
    CHECK(saturation_rate(camera(265, 6, 1), Network(camera(265, 6, 1)), Bytes{1090}) ==
          Approx(10e9 / (8.0 * 1090 * 45)));
    Scenario s = camera(265, 6, 3);
    s.network_switch.uplink_choice.rule = UplinkChoice::Rule::RoundRobin;
    CHECK(saturation_rate(s, Network(s), Bytes{1090}) == Approx(10e9 / (8.0 * 1090 * 15)));
    s.aggregation = Switch{};  // 18 links and all modules on one of 10 Gb/s
    CHECK(saturation_rate(s, Network(s), Bytes{1090}) == Approx(10e9 / (8.0 * 1090 * 265)));
}

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
