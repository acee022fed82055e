// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/catalogue/scenario-folders.h"
#include "scenarios/text/input-error.h"
#include "test/scenarios/commands/told.h"

using namespace watershed;

namespace {

using Json = nlohmann::ordered_json;

std::string ask(const std::string& line) {
    return printed(
        [](CLI::App& app) {
            add_switches_command(app);
            add_thresholds_command(app, exact_only());
            add_balance_command(app);
            add_n_plus_1_command(app, exact_only().engine);
        },
        line);
}

}  // namespace

TEST_CASE("A switch is shown with its sources, several as a table, and none with the speeds that there are") {
    const TemporaryFolder folder;
    const std::string box = folder.write(
        "box.toml",
        "name = \"Box\"\nnote = \"as sold\"\n[ports]\n\"1 Gb/s\" = { value = 48, source = \"leaflet\" }\n\"10 Gb/s\" = "
        "{ value = 4, source = \"leaflet\" }\n"
        "[switch]\nlatency = \"unknown\"\n[switch.buffer]\nsharing = { value = \"dynamic-threshold\", source = "
        "\"maker\" }\nsize = { "
        "value = \"9 MB\", source = \"maker\", standing = \"recalled\" }\nalpha = \"unknown\"\ncell = \"unknown\"\n");
    const std::string shown = ask("switches " + box);
    CHECK_THAT(shown, Contains(": Box\n  as sold\n") &&
                          Contains("unknown: a scenario with dynamic thresholds must give it\n") &&
                          Contains("unknown: a run assumes 0 us and says so\n"));
    const Json json = Json::parse(ask("switches arista-7010t --json -")).at("switches")[0];
    CHECK(json.at("switch") == "arista-7010t");
    CHECK(json.at("ports")[0].at("count") == 48);
    CHECK(json.at("values").at("switch.latency").at("value").is_null());
    CHECK(json.at("values").at("switch.buffer.size").at("value") == "4 MB");
    CHECK_THAT(
        ask("switches arista-7010t"),
        Contains("arista-7010t: Arista 7010T\n  ports of 1 Gb/s                   48                  read      ") &&
            Contains(
                "\n  switch.latency                    unknown                       unknown: a run assumes 0 us"));
    CHECK(json.at("ports")[0].at("breakout") == "");
    CHECK_THAT(ask("switches arista-7060cx-32s"),
               Contains("read      each can be 4 x 10 Gb/s or 4 x 25 Gb/s or 2 x 50 Gb/s; Warner"));
    CHECK(Json::parse(ask("switches mellanox-sn2700 --json -")).at("switches")[0].at("ports")[0].at("breakout") ==
          "2 x 10 Gb/s or 2 x 25 Gb/s or 2 x 50 Gb/s");
    const std::string found = ask("switches arista 7010t");
    CHECK_THAT(found, Contains("arista-7010t: Arista"));  // words that only one is found by show that one
    const std::string table = ask("switches arista");
    CHECK_THAT(table, StartsWith("switch  ") && Contains("\narista-7010t  ") &&
                          Contains(" 48 x 1 Gb/s + 4 x 10 Gb/s") && Contains("  -        unknown\n"));
    CHECK_THAT(ask("switches --ports 9000"),
               Contains("No switch has 9000 ports; there are ports of 100 Mb/s, 1 Gb/s, "));
    CHECK_THAT(ask("switches --ports 9000 --speed \"1 Gb/s\""), Contains("No switch has 9000 ports of 1 Gb/s; there"));
    CHECK_THAT(ask("switches --speed \"3 Gb/s\""), Contains("No switch has a port of 3 Gb/s; there"));
    CHECK_THAT(ask("switches arista --ports 48 --speed \"1 Gb/s\""),
               Contains("\narista-7010t") && !Contains("7060cx-32s"));
    CHECK_THAT(ask("switches arista --ports 49 --speed \"1 Gb/s\""), !Contains("\narista-7010t"));
    CHECK_THAT(ask("switches arista --ports 52"), Contains("\narista-7010t"));
    CHECK_THAT(ask("switches arista --speed \"1 Gb/s\""), Contains("\narista-7010t") && !Contains("7060cx-32s"));
    CHECK_THROWS_WITH(ask("switches aristas 7010"),
                      Contains("found \"aristas 7010\", expected a name") && Contains("did you mean arista-7010t?"));
}

TEST_CASE("Thresholds are those of a scenario or of each row of a table, each with its own options") {
    const std::string scenario = std::string(scenario_folders().front()) + "/threshold-tomahawk.toml";
    const Json json = Json::parse(ask("thresholds " + scenario + " --json -"));
    CHECK_THAT(ask("thresholds " + scenario),
               Contains(json.at("threshold_cells").dump() +
                        " cells in one congested queue when its first frame is dropped\n"));
    CHECK_THROWS_WITH(ask("thresholds " + scenario + " --engine ns3"),
                      Contains("--engine: found \"ns3\" with a scenario"));
    const TemporaryFolder folder;
    // Alpha 1 of 1000 cells: half of them.
    const std::string table = folder.write(
        "rows.csv",
        "asic,quantity,k,pgs_num,unit,shared_cells,cell_bytes,alpha,value\ntd2,egress_drop,,,cells,1000,208,1,500\n");
    const Json rows = Json::parse(ask("thresholds " + table + " --json -"));
    CHECK_THAT(rows.dump(), Contains("egress_drop"));
    CHECK_THROWS_WITH(ask("thresholds " + table + " --set a=b"), Contains("--set: found \"a=b\" with a table"));
    CHECK_THROWS_WITH(ask("thresholds " + table + " --engine ns3"), Contains("ns3"));
}

TEST_CASE("The longest burst is told for every size up to the largest frame, or that none lost") {
    const std::string scenario = std::string(scenario_folders().front()) + "/n-plus-1.toml";
    CHECK_THROWS_WITH(ask("n-plus-1 " + scenario + " --frames 1519"),
                      Contains("found 1519") && Contains("64 to 1518 B"));
    const std::string told = ask("n-plus-1 " + scenario + " --frames 1518 --limit 2");
    CHECK_THAT(told,
               Contains("\nframe, B     lossless burst     drops") && Contains("    1518     none lossy up to 2\n"));
    CHECK(Json::parse(ask("n-plus-1 " + scenario + " --frames 1518 --limit 2 --json -"))[0] ==
          Json{{"frame_bytes", 1518}, {"lossless", nullptr}, {"drops", nullptr}});
}

TEST_CASE("Source ports are written to a file, with the loads before and after") {
    const TemporaryFolder folder;
    const std::string scenario = std::string(scenario_folders().front()) + "/hash-uplinks.toml";
    const std::string told = ask("balance " + scenario + " --set switch.uplinks=3 -o " + (folder / "ports.toml"));
    CHECK_THAT(told, StartsWith((folder / "ports.toml") + ": modules on each uplink "));
    CHECK_THAT(folder.read("ports.toml"),
               Contains("\n[switch]\nuplink_selection = \"hash\"\n\n[front_end]\nsource_ports = ["));
}
