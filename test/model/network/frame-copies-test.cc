// SPDX-License-Identifier: GPL-2.0-only
#include "model/network/frame-copies.h"

#include "model/network/network-load.h"
#include "test/catch.h"

using namespace watershed;

namespace {

NetworkScenario copied(int builders) {
    NetworkScenario scenario;
    scenario.front_end.modules = 4;
    scenario.builders.count = builders;
    scenario.builders.copies = Builders::Copies::All;
    return scenario;
}

std::vector<int> builders_of(const FrameCopies& copies, int copy) {
    std::vector<int> builders;
    copies.for_builders({1, 1, 0, 0, copy}, [&](const FrameId& frame) { builders.push_back(frame.copy); });
    return builders;
}

std::vector<std::vector<int>> made_at(const FrameCopies& copies, int number, int copy) {
    std::vector<std::vector<int>> made;
    for (const int each : copies.at(number, copy)) made.push_back(builders_of(copies, each));
    return made;
}

using Parts = std::vector<std::vector<int>>;

}  // namespace

TEST_CASE("A switch whose uplinks lead to a builder each makes a copy for each, in their order") {
    NetworkScenario scenario = copied(3);
    scenario.network_switch.uplinks = 6;  // uplinks 1 and 4 lead to builder 1
    const FrameCopies copies(Network(scenario), scenario);
    CHECK(builders_of(copies, 0) == std::vector<int>{0, 1, 2});
    CHECK(made_at(copies, 0, 0) == Parts{{0}, {1}, {2}});
}

TEST_CASE("A frame crosses a common link once and is copied behind it") {
    // Two switches of two modules, one uplink each, to a third with three builders behind it.
    NetworkScenario scenario = copied(3);
    scenario.network_switch.count = 2;
    scenario.aggregation.emplace();
    scenario.aggregation->uplinks = 3;
    const Network network(scenario);
    const FrameCopies copies(network, scenario);
    CHECK(made_at(copies, 0, 0) == Parts{{0, 1, 2}});
    CHECK(copies.at(0, 0) == std::vector<int>{0});  // the frame itself, which may cut through
    CHECK(made_at(copies, 2, 0) == Parts{{0}, {1}, {2}});
    // So the first tier carries two modules on each uplink, and each builder's link all four.
    CHECK(modules_per_link(scenario, network) == std::vector<double>{2, 2, 4, 4, 4});
}

TEST_CASE("Where ways part early, each copy is for the builders on its way") {
    // One switch leads to two others: `left` has a link to builders 1, 2 and 3, `right` to 4 and 1.
    NetworkScenario scenario = copied(4);
    Node leaf, left, right;
    leaf.name = "leaf", leaf.modules = 4, leaf.to = {"left", "right"}, leaf.network_switch.uplinks = 2;
    left.name = "left", left.to = {"server", "server", "server"}, left.network_switch.uplinks = 3;
    right.name = "right", right.to = {"server", "server"}, right.network_switch.uplinks = 2;
    scenario.nodes = {leaf, left, right};
    const Network network(scenario);
    const FrameCopies copies(network, scenario);
    REQUIRE(network.builders_of_interfaces() == std::vector<int>{0, 1, 2, 3, 0});
    REQUIRE(made_at(copies, 0, 0) == Parts{{0}, {1, 2}, {3}});
    CHECK(made_at(copies, 1, copies.at(0, 0)[1]) == Parts{{1}, {2}});
    CHECK(made_at(copies, 2, copies.at(0, 0)[0]) == Parts{{0}});
    CHECK(made_at(copies, 2, copies.at(0, 0)[2]) == Parts{{3}});
}

TEST_CASE("Without copies for all, and for streams, a frame is itself") {
    NetworkScenario scenario = copied(1);
    CHECK(!FrameCopies(Network(scenario), scenario).are_made());
    scenario = copied(2);
    scenario.network_switch.uplinks = 2;
    const FrameCopies copies(Network(scenario), scenario);
    int calls = 0;
    copies.for_builders({1, 0, 0, 1}, [&](const FrameId& frame) { calls += frame == FrameId{1, 0, 0, 1}; });
    CHECK(calls == 1);
}
