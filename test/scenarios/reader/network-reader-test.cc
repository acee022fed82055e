// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/reader/network-reader.h"

#include "model/network/network.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

const std::string kBurst = "[trigger]\nseparation = \"20 us\"\nevents = 10\n";
const std::string kMemory = "buffer.size = \"10 frames\"\n";

Scenario read(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return read_scenario(TemporaryFolder().write("network.toml", kBurst + text), overrides);
}

void refused(const std::string& text, const std::string& message) { CHECK_THROWS_WITH(read(text), Contains(message)); }

}  // namespace

TEST_CASE("The second tier has keys of its own and no defaults of the first") {
    const Scenario s = read("[switch]\ncount = 3\nuplinks = 2\nuplink_rate = \"25 Gb/s\"\n" + kMemory +
                            "[aggregation]\ncount = 2\nlatency = \"1 us\"\n" + kMemory + "[server]\ninterfaces = 2\n");
    REQUIRE(s.aggregation);
    CHECK(s.network_switch.count == 3);
    CHECK(s.aggregation->count == 2);
    CHECK(s.aggregation->uplink_rate == BitRate{10'000'000'000});
    CHECK(s.aggregation->latency == Time{1'000'000});
    CHECK(Network(s).switches().size() == 5);
    CHECK(read("[switch]\n" + kMemory, {"aggregation.buffer.size=5 frames"}).aggregation->buffer.size.amount == 5);
}

TEST_CASE("Nodes begin with what [switch] says and are numbered as they stand in the file") {
    const Scenario s = read("[switch]\nuplink_rate = \"25 Gb/s\"\n" + kMemory +
                                "[node.west]\nmodules = 3\nto = [\"core\"]\nuplinks = 2\n[node.core]\nmodules = "
                                "1\nbuffer.size = \"20 frames\"\n",
                            {"node.core.modules=2"});
    REQUIRE(s.nodes.size() == 2);
    CHECK(s.nodes[0].name == "west");
    CHECK(s.nodes[0].network_switch.uplink_rate == BitRate{25'000'000'000});
    CHECK(s.nodes[0].network_switch.uplinks == 2);
    CHECK(s.nodes[0].network_switch.buffer.size.amount == 10);
    CHECK(s.nodes[1].modules == 2);
    CHECK(s.nodes[1].to == std::vector<std::string>{"server"});
    CHECK(s.nodes[1].network_switch.buffer.size.amount == 20);
    CHECK(s.front_end.modules == 5);
}

TEST_CASE("A network that cannot be is refused with place, key and what was expected") {
    refused("[switch]\ncount = 45\n" + kMemory, ":5: switch.count: found 45 switches for 44 modules");
    refused("[switch]\n" + kMemory + "[aggregation]\ncount = 1\n", "aggregation.buffer.size: missing");
    refused("[switch]\n" + kMemory + "[aggregation]\nbuffer.alpha = 8\n" + kMemory,
            "aggregation.buffer.alpha: has no use here");
    refused("[switch]\n" + kMemory + "[server]\ninterfaces = 2\n", ":7: server.interfaces: found 2, expected 1");
    refused("[switch]\n" + kMemory + "[node.a]\nmodules = 1\nto = [\"b\"]\n",
            "node.a.to: found \"b\", expected \"server\" or the name of a node");
    refused("[switch]\ncount = 2\n" + kMemory + "[node.a]\nmodules = 1\n",
            ":5: switch.count: conflicts with [node.NAME]");
    refused("[switch]\n" + kMemory + "[node.a]\nmodules = 1\nspeed = 1\n",
            "node.a.speed: unknown key, expected in [node.NAME] one of");
    refused("[switch]\n" + kMemory + "[node.server]\nmodules = 1\n",
            "expected a name of letters, digits, - and _, other than \"server\"");
    refused("[switch]\n" + kMemory + "[node.a]\nmodules = 1\nto = [\"server\", \"server\"]\nuplinks = 1\n",
            "node.a.uplinks: found 1, expected at least one for each of the 2 names");
    refused("[front_end]\nmodules = 4\n[switch]\n" + kMemory + "[node.a]\nmodules = 1\n",
            ":5: front_end.modules: found 4, expected the 1 of all nodes");
}

TEST_CASE("More modules than ports are refused, however many switches there are") {
    const std::string model = "[switch]\nmodel = \"dell-s60\"\nbuffer.size = \"1 MB\"\n";
    CHECK_THROWS_WITH(read("[front_end]\nmodules = 265\n" + model + "count = 5\n"),
                      Contains("found 265 over 5 switches, 53 on one, expected no more than the 44 ports of 1 Gb/s of "
                               "switch.model \"dell-s60\""));
    CHECK_THROWS_WITH(read("[front_end]\nmodules = 60\n" + model),
                      Contains("front_end.modules: found 60, expected no more than the 44 ports of 1 Gb/s"));
    CHECK_NOTHROW(
        read("[front_end]\nmodules = 264\n[switch]\nmodel = \"dell-s60\"\ncount = 6\nuplinks = 2\nbuffer.size = \"1 "
             "MB\"\n"));
    CHECK_THROWS_WITH(
        read("[front_end]\nmodules = 265\n[switch]\ncount = 6\nuplinks = 9\nuplink_rate = \"1 Gb/s\"\nbuffer.size = "
             "\"1 MB\"\n[aggregation]\nmodel = \"dell-s60\"\nbuffer.size = \"1 MB\"\n"),
        Contains("aggregation.count: found 54 inputs, expected no more than the 44 ports of 1 Gb/s of "
                 "aggregation.model \"dell-s60\""));
}

TEST_CASE("A switch is refused what it does not have: uplinks, their speed, and that of inputs") {
    const std::string model = "[switch]\nmodel = \"cisco-3750x\"\n";
    refused("[front_end]\nmodules = 40\n" + model + "uplinks = 4\n",
            ":8: switch.uplinks: found 4 uplinks of 10 Gb/s, expected no more than the 2 ports of 10 Gb/s of "
            "switch.model \"cisco-3750x\"");
    refused("[front_end]\nmodules = 40\n" + model + "uplink_rate = \"40 Gb/s\"\n",
            ":8: switch.uplink_rate: found 1 uplinks of 40 Gb/s, expected a speed of the ports of switch.model");
    refused("[front_end]\nmodules = 40\nlink_rate = \"100 Mb/s\"\n" + model,
            ":6: front_end.link_rate: found 40 inputs of 100 Mb/s, expected a speed of the ports of switch.model");
    // A key with its default is refused at the model that does not do for it.
    refused("[front_end]\nmodules = 20\n[switch]\nmodel = \"cisco-2960\"\n",
            ":7: switch.uplink_rate: found 1 uplinks of 10 Gb/s, expected a speed of the ports of switch.model "
            "\"cisco-2960\"");
}

TEST_CASE("Ports that the scenario states win over those of the model") {
    const std::string four = "[front_end]\nmodules = 40\n[switch]\nmodel = \"cisco-3750x\"\nuplinks = 4\n";
    CHECK(read(four, {"switch.ports=48 x 1 Gb/s + 4 x 10 Gb/s"}).network_switch.ports.size() == 2);
    refused(
        four + "ports = \"48 x 1 Gb/s + 3 x 10 Gb/s\"\n",
        ":8: switch.uplinks: found 4 uplinks of 10 Gb/s, expected no more than the 3 ports of 10 Gb/s of switch.ports");
    CHECK_THROWS_WITH(read(four, {"switch.ports=many"}),
                      Contains("switch.ports: found \"many\", expected ports such as \"48 x 1 Gb/s + 4 x 10 Gb/s\""));
}

TEST_CASE("Failures are told to every switch, in the order of the file, and refused by key") {
    const auto of = [](const std::string& text, const std::vector<std::string>& overrides = {}) {
        return read_scenario(Scope::anything(), TemporaryFolder().write("failures.toml", kBurst + text), overrides);
    };
    const std::string tiers = "[switch]\ncount = 2\n" + kMemory + "[aggregation]\n" + kMemory,
                      cable = "[failure.cable]\nlink = \"switch 2 to aggregation\"\nat = \"1 ms\"\n";
    const Scenario s = of(tiers + cable + "[failure.a]\nswitch = \"switch 1\"\nat = \"0 s\"\nuntil = \"1 us\"\n",
                          {"failure.a.at=1 ns"});
    const std::vector<Failure> told{{"cable", "switch 2 to aggregation", "", Time{1'000'000'000}, {}},
                                    {"a", "", "switch 1", Time{1'000}, Time{1'000'000}}};
    CHECK(s.network_switch.failures == told);
    CHECK(s.aggregation->failures == told);
    const auto refused = [&](const std::string& text, const std::string& message) {
        CHECK_THROWS_WITH(of(tiers + text), Contains(message));
    };
    refused("[failure.x]\nat = \"1 ms\"\n", ":10: failure.x: found neither, expected `link` or `switch`");
    refused(cable + "switch = \"switch 1\"\n", ":12: failure.cable: found both, expected `link` or `switch`");
    refused("[failure.x]\nswitch = \"switch 1\"\n", ":10: failure.x.at: missing");
    refused(cable + "until = \"1 ms\"\n",
            ":12: failure.cable.until: found \"1 ms\", expected more than failure.cable.at");
    refused(
        "[failure.x]\nlink = \"switch 3 to aggregation\"\nat = \"1 ms\"\n",
        ":10: failure.x.link: found \"switch 3 to aggregation\", expected a link such as \"aggregation, uplink 1\"");
    CHECK_THROWS_WITH(read(tiers + cable), Contains("failure.cable: found a failure, expected none for this command"));
}
