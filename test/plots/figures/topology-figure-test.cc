// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/topology-figure.h"

#include <nlohmann/json.hpp>

#include "model/exact/exact-engine.h"
#include "scenarios/run/run-report.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

/// Two switches, two aggregation links, a server with one port; the second tier holds two frames.
Scenario two_tiers() {
    Scenario s;
    s.front_end.modules = 5;
    s.trigger.events = 10;
    s.trigger.separation = Time{100'000'000};
    s.network_switch.count = 2;
    s.network_switch.buffer.size = {100, MemorySize::Unit::Frame};
    s.aggregation = s.network_switch;
    s.aggregation->count = 1;
    s.aggregation->uplink_rate = {1'000'000'000};
    s.aggregation->buffer.size = {2, MemorySize::Unit::Frame};
    return s;
}

std::string run_of(const Scenario& scenario) {
    const Outcome outcome = ExactEngine().run(scenario);
    return to_json(RunReport{"exact", scenario, outcome, 0}).dump();
}

}  // namespace

TEST_CASE("A topology shows modules, switches, memories, links and the server") {
    const TemporaryFolder folder;
    const Scenario s = two_tiers();
    draw_topology(s, Network(s), std::nullopt, "a.toml", "A <camera>", folder / "figure.svg");
    const std::string dot = folder.read("figure.dot");
    CHECK_THAT(dot, Contains("modules 1 to 3") && Contains("modules 4 to 5") && Contains("aggregation") &&
                        Contains("2 frames shared"));
    CHECK_THAT(dot, Contains("3 × 1 Gb/s") && Contains("interface 1: 1 Gb/s") && Contains("A &lt;camera&gt;") &&
                        !Contains("busy"));
    CHECK_THAT(folder.read("figure.svg"), Contains("</svg>"));
    CHECK(folder.files() == std::set<std::string>{"figure.svg", "figure.dot"});
}

TEST_CASE("After a run it shows the load of each link and who lost what") {
    const TemporaryFolder folder;
    const Scenario s = two_tiers();
    const std::string run = folder.write("run.json", run_of(s));
    const auto result = NetworkResult::read(run, s, Network(s));
    // Five frames of 8.72 us come within 2.6 us: 2 find room and 3 are lost, in each of 10 events.
    CHECK(result.switches[2].frames_lost == 30);
    CHECK(result.switches[0].refused_by_modules == 0);
    draw_topology(s, Network(s), result, "a.toml", "", folder / "figure.svg");
    CHECK_THAT(folder.read("figure.dot"),
               Contains("lost 30: buffer-full") && Contains("peak 2 frames") && Contains("busy"));
}

TEST_CASE("A result of another network, another file and another kind of figure are refused") {
    const TemporaryFolder folder;
    const Scenario s = two_tiers();
    Scenario other = s;
    other.network_switch.count = 3;
    const std::string run = folder.write("run.json", run_of(other));
    CHECK_THROWS_WITH(NetworkResult::read(run, s, Network(s)),
                      Contains("run.json: switches: found 4, expected the 3 of the scenario"));
    CHECK_THROWS_AS(NetworkResult::read(folder.write("fit.json", "{}"), s, Network(s)), InputError);
    CHECK_THROWS_AS(NetworkResult::read(folder / "none.json", s, Network(s)), InputError);
    CHECK_THROWS_AS(draw_topology(s, Network(s), std::nullopt, "a.toml", "", folder / "figure.jpg"), InputError);
    CHECK_FALSE(folder.files().count("figure.jpg"));
}

TEST_CASE("Many builders that are alike are one line, as modules are") {
    const TemporaryFolder folder;
    Scenario s;
    s.trigger.events = 1;
    s.network_switch.uplinks = s.builders.count = 72;
    s.network_switch.buffer.size = {10'000, MemorySize::Unit::Frame};
    const auto drawn = [&](const std::optional<NetworkResult>& result) {
        draw_topology(s, Network(s), result, "a.toml", "", folder / "figure.svg");
        return folder.read("figure.dot");
    };
    CHECK_THAT(drawn({}), Contains("72 builders: 72 × 10 Gb/s") && Contains("server:i1:w") &&
                              !Contains("server:i2:w") && !Contains("interface"));
    const std::string run = folder.write("run.json", run_of(s));
    CHECK_THAT(drawn(NetworkResult::read(run, s, Network(s))), Contains("72 × 10 Gb/s, busy 0.0 % to "));
    s.network_switch.uplinks = s.builders.count = 2;
    CHECK_THAT(drawn({}), Contains("builder 2, interface 2: 10 Gb/s") && Contains("server:i2:w") && !Contains("copy"));
    s.builders.copies = Builders::Copies::All;
    CHECK_THAT(drawn({}), Contains("each gets a copy of every frame"));
}
