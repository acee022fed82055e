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

// As above; the uplink begins with the first frame before the other is refused, at the same instant.
TEST_CASE("A run tells of every frame which link carries it when, what the memory then holds, and where it is lost") {
    const SmallCameras cameras;
    const std::string line = cameras.burst + " --set trigger.events=1 --frames - ";
    const std::string header = "step,time_us,until_us,place,uplink,event,module,fragment,stream,frames,bytes,reason\n";
    const std::string last = "held,9.592,,switch,,,,,,0,0,\n";
    CHECK_THAT(run(line), EndsWith("\n" + header +
                                   "carried,0,8.72,module 1,,1,1,1,,,,\ncarried,0,8.72,module 2,,1,2,1,,,,\n"
                                   "held,8.72,,switch,,,,,,1,1070,\ncarried,8.72,9.592,switch,1,1,1,1,,,,\n"
                                   "lost,8.72,,switch,,1,2,1,,,,buffer-full\n" +
                                   last));
    // A frame that ends before, or begins after, is left out.
    CHECK_THAT(run(line + "--frames-from \"9 us\""),
               EndsWith("\n" + header + "carried,8.72,9.592,switch,1,1,1,1,,,,\n" + last));
    CHECK_THAT(run(line + "--frames-until \"1 us\""), EndsWith("carried,0,8.72,module 2,,1,2,1,,,,\n"));
    // With two tiers each switch has an uplink of its own, and who looks on changes nothing.
    const std::string tiers = run(cameras.tiers + " --frames -");
    CHECK_THAT(tiers, Contains(",switch 1,1,") && Contains(",switch 2,1,") && Contains(",aggregation,1,"));
    const TemporaryFolder folder;
    run(cameras.tiers + " --json " + (folder / "a.json") + " --frames " + (folder / "f.csv"));
    run(cameras.tiers + " --json " + (folder / "b.json"));
    const auto frames = [&](const char* file) { return nlohmann::json::parse(folder.read(file)).at("frames"); };
    CHECK(frames("a.json") == frames("b.json"));
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
    refused(cameras.burst + " --frames - --engine ns3", "--frames: the exact engine follows them");
    refused(cameras.burst + " --frames - --frames-from 7", "--frames-from: found \"7\"");
    const std::string system = std::string(scenario_folders().front()) + "/juno/jumbo.toml";
    refused(system + " --engine exact", "--engine: found \"exact\", expected ns3 for system \"ipbus\"");
    refused(system, "without ns-3");
    refused(system + " --engine ns3 --occupancy -", "--occupancy: there is no switch memory to watch");
    refused(system + " --engine ns3 --frames -", "--frames: there are no frames of a camera");
}
