// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/catalogue/scenario-folders.h"
#include "scenarios/text/input-error.h"
#include "test/scenarios/commands/told.h"

using namespace watershed;

namespace {

std::string run(const std::string& line) {
    return printed([](CLI::App& app) { add_run_command(app, exact_only()); }, "run " + line);
}

}  // namespace

// The first of two frames comes after 8.72 us on its link, and leaves 0.872 us later; the other is lost.
TEST_CASE("A run tells what it lost, or what its memory held, and only one of them on standard output") {
    const SmallCameras cameras;
    CHECK_THAT(run(cameras.burst),
               Contains("engine exact, seed 1, ") && Contains("frames lost                           2"));
    CHECK_THAT(run(cameras.burst + " --seed 7"), Contains("seed 7, "));
    CHECK_THAT(run(cameras.burst + " --seed 0"), Contains("seed 0, "));
    const std::string occupancy = run(cameras.burst + " --occupancy - --set trigger.events=1");
    CHECK_THAT(occupancy, Contains("# run: burst.toml, seed 1, ") &&
                              Contains("\ntime_us,frames,bytes\n8.72,1,1070\n9.592,0,0\n") && !Contains("engine"));
    CHECK(nlohmann::json::parse(run(cameras.burst + " --json -")).at("frames").at("lost") == 2);
    const TemporaryFolder folder;
    CHECK_THAT(run(cameras.burst + " --json " + (folder / "r.json") + " --occupancy " + (folder / "o.csv")),
               Contains("engine exact"));
    CHECK(folder.files() == std::set<std::string>{"o.csv", "r.json"});
    // Two of three modules are at switch 1, which has room for both.
    const std::string three = cameras.burst +
                              " --set front_end.modules=3 --set switch.count=2 --set trigger.events=1 --set "
                              "\"switch.buffer.size=2 frames\" --occupancy - --occupancy-of ";
    CHECK_THAT(run(three + "\"switch 1\""), Contains("\n8.72,1,1070\n8.72,2,2140\n9.592,1,1070\n"));
    CHECK_THAT(run(three + "\"switch 2\""), Contains("\n8.72,1,1070\n9.592,0,0\n"));
}

TEST_CASE("A run of another system prints its report, or its JSON alone") {
    const std::string system = std::string(scenario_folders().front()) + "/juno/flashing.toml";
    CHECK_THAT(run(system), Contains("workers"));
    CHECK(nlohmann::json::parse(run(system + " --json -")).is_object());
}

TEST_CASE("A run refuses what its engine or its system does not have") {
    const SmallCameras cameras;
    const auto refused = [&](const std::string& line, const std::string& words) {
        CHECK_THROWS_WITH(run(line), Contains(words));
    };
    refused(cameras.tiers + " --occupancy-of \"switch 3\"",
            "--occupancy-of: found \"switch 3\", expected one of switch 1, switch 2, aggregation, or server where the "
            "scenario");
    refused(cameras.burst + " --pcap x", "--pcap: the exact engine has no packets");
    refused(cameras.burst + " --pcap - --engine ns3", "--pcap: found \"-\", expected a prefix");
    refused(cameras.burst + " --engine ns3", "ns3");
    const std::string system = std::string(scenario_folders().front()) + "/juno/jumbo.toml";
    refused(system + " --engine exact", "--engine: found \"exact\", expected ns3 for system \"ipbus\"");
    refused(system, "without ns-3");
    refused(system + " --engine ns3 --occupancy -", "--occupancy: there is no switch memory to watch");
}
