// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/explore-ways.h"

#include "model/exact/exact-engine.h"
#include "scenarios/catalogue/scenario-folders.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("No switch has more uplinks than the fullest has modules") {
    // 5 modules on 2 switches are 3 and 2: three uplinks are tried, four are not.
    CatalogueSwitch entry;
    entry.id = "a";
    WaysAsked asked;
    asked.counts = "2";
    asked.uplinks = "1,3,4";
    asked.selections = "modulo";
    std::vector<int> uplinks;
    for (const Stacking& each : stackings(asked, {entry}, 5)) uplinks.push_back(each.uplinks);
    CHECK(uplinks == std::vector<int>{1, 3});
    asked.uplinks = "4";
    CHECK_THROWS_WITH(stackings(asked, {entry}, 5), Contains("1 has more uplinks than a switch has modules"));
}

TEST_CASE("One uplink needs no selection, so each is tried once with the first") {
    CatalogueSwitch entry;
    entry.id = "a";
    WaysAsked asked;
    asked.counts = "1";
    asked.uplinks = "1,2";
    asked.selections = "hash,modulo";
    std::vector<std::string> tried;
    for (const Stacking& each : stackings(asked, {entry}, 5))
        tried.push_back(std::to_string(each.uplinks) + " " + each.selection);
    CHECK(tried == std::vector<std::string>{"1 modulo", "2 hash", "2 modulo"});
}

TEST_CASE("A second tier of the same rate has fewer interfaces to the server than links lead to it") {
    WaysAsked asked;
    asked.models = "arista-7010t";
    asked.modules = 265;
    asked.counts = "6";
    asked.uplinks = "1";
    asked.selections = "modulo";
    asked.aggregations = "arista-7150s";
    asked.interfaces = "5,6";
    asked.jobs = 1;
    Wanted wanted;
    wanted.scenario = std::string(scenario_folders().front()) + "/explore-nectarcam.toml";
    const auto catalogue = read_catalogue(scenario_folders().front());
    ExactEngine engine;
    const auto interfaces = [&] {
        const auto all = stackings(asked, switches_named("--switches", asked.models, catalogue), 265);
        std::vector<int> counts;
        for (const Explored& way : find_ways(asked, wanted, all, catalogue, engine).ways)
            if (!way.stacking.aggregation.empty()) counts.push_back(way.stacking.server_interfaces);
        return counts;
    };
    CHECK(interfaces() == std::vector<int>{5});
    wanted.overrides = {"aggregation.uplink_rate=40 Gb/s"};
    CHECK(interfaces() == std::vector<int>{5, 6});
}
