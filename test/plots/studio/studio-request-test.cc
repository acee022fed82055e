// SPDX-License-Identifier: GPL-2.0-only
#include "plots/studio/studio-request.h"

#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;
using Words = std::vector<std::string>;

TEST_CASE("A request becomes the words of its command, which names the files that it brings") {
    const StudioRequest run = studio_request("run", R"({"scenario": "[frame]", "set": ["a=1", "b=10 Gb/s"]})");
    CHECK(run.words == Words{"run", "scenario.toml", "--set=a=1", "--set=b=10 Gb/s", "--json", "-"});
    CHECK(run.files.at("scenario.toml") == "[frame]");
    const StudioRequest fit = studio_request("fit", R"({"scenario": "[frame]", "map": "ports\n1", "rate": "unknown"})");
    CHECK(fit.words == Words{"fit", "map.csv", "--scenario", "scenario.toml", "--rate=unknown", "--json", "-"});
    CHECK(fit.files.at("map.csv") == "ports\n1");
    CHECK(studio_request("frames", R"({"scenario": "x", "frames-from": "9 us"})").words ==
          Words{"run", "--engine=exact", "scenario.toml", "--frames-from=9 us", "--frames", "-"});
    CHECK(studio_request("scenario", R"({"scenario": "x"})").words == Words{"scenario", "scenario.toml"});
    CHECK(studio_request("next", R"({"map": "x", "points": 3})").words ==
          Words{"next", "map.csv", "--points=3", "--json", "-"});
    CHECK(studio_request("explore", R"({"scenario": "x", "guarantee": true})").words ==
          Words{"explore", "scenario.toml", "--guarantee", "--json", "-"});
    const StudioRequest compare = studio_request("compare", R"({"scenario": "x", "other": "y", "prices": "z"})");
    CHECK(compare.words == Words{"compare", "scenario.toml", "other.toml", "--prices", "prices.csv", "--json", "-"});
    CHECK(compare.files.at("other.toml") == "y");
    CHECK(compare.files.at("prices.csv") == "z");
    CHECK(studio_request("switches", R"({"speed": "1 Gb/s"})").words ==
          Words{"switches", "--speed=1 Gb/s", "--json", "-"});
}

TEST_CASE("A request that is not understood is refused by its field") {
    const auto refused = [](const std::string& command, const std::string& body, const std::string& why) {
        INFO(body);
        CHECK_THROWS_WITH(studio_request(command, body), Contains(why));
    };
    refused("measure", "{}", "\"measure\": unknown command");
    refused("run", "[]", "the request: found no object");
    refused("run", "{", "the request: found no object");
    refused("run", "{}", "scenario: missing");
    refused("compare", R"({"scenario": "x"})", "other: missing");
    refused("run", R"({"scenario": "x", "prices": "z"})", "prices: unknown field");
    refused("run", R"({"scenario": 7})", "scenario: found number, expected a text");
    refused("run", R"({"scenario": "x", "sets": "a=1"})", "sets: unknown field");
    refused("run", R"({"scenario": "x", "set": {}})", "set: found object, expected a text or a number");
    // Options that write files or begin programs are none of a page's.
    for (const std::string option : {"json", "output", "pcap", "drive", "occupancy", "jobs"})
        refused("run", "{\"scenario\": \"x\", \"" + option + "\": \"1\"}", option + ": unknown field");
}

TEST_CASE("A request names no file of this machine") {
    const TemporaryFolder folder;
    for (const std::string file : {"/etc/passwd", "../x", "a/b", "other.toml", "times.csv"}) {
        INFO(file);
        CHECK_THROWS_WITH(studio_request("explore", R"({"scenario": "x", "switches": ")" + file + "\"}"),
                          Contains("switches: found \"" + file + "\", expected no name of a file here"));
        CHECK_THROWS_WITH(studio_request("run", R"({"scenario": "x", "set": ["switch.model=)" + file + "\"]}"),
                          Contains("expected no name of a file here"));
        for (const std::string key : {"file", "payload_file", "model", "'file'", "\"m\\u006fdel\""})
            CHECK_THROWS_WITH(refuse_files_of(folder.write("s.toml", "[a.b]\n" + key + " = '" + file + "'\n")),
                              Contains("expected no name of a file here"));
    }
    // Nor is one hidden by escapes.
    CHECK_THROWS_WITH(studio_request("run", R"({"scenario": "x", "set": "switch.model=\"\\u002fetc\""})"),
                      Contains("expected no name of a file here"));
    CHECK_THROWS_WITH(refuse_files_of(folder.write("s.toml", R"(file = "\u002fetc\u002fpasswd")")),
                      Contains("expected no name of a file here"));
    CHECK_NOTHROW(refuse_files_of(folder.write("s.toml", "# see a/b.toml\n[switch]\nmodel = 'accton-5652'\n")));
    CHECK_NOTHROW(refuse_files_of(folder.write("s.toml", "[")));
    CHECK_NOTHROW(studio_request("run", R"({"scenario": "x", "set": "a=3.5 kb/s"})"));
}

TEST_CASE("A table is an answer, too") {
    CHECK(studio_answer("{\"a\": 1}\n") == "{\"a\": 1}\n");
    const auto json = nlohmann::json::parse(studio_answer("# watershed\n# note\na,b,c\n1,,x\n2.5,1e3,y\n"));
    CHECK(json["columns"] == nlohmann::json({"a", "b", "c"}));
    CHECK(json["rows"] == nlohmann::json::parse(R"([[1, null, "x"], [2.5, 1000.0, "y"]])"));
    CHECK(json["notes"] == nlohmann::json({"watershed", "note"}));
}

TEST_CASE("Of a long occupancy an answer keeps the extremes of each span of time, the first and the last") {
    // A saw of 10 frames over 100 us, and one tooth of 99.
    std::string table = "# watershed\ntime_us,frames,bytes\n";
    for (int i = 0; i < 1000; ++i)
        table += std::to_string(i / 10) + "." + std::to_string(i % 10) + "," + std::to_string(i == 777 ? 99 : i % 10) +
                 ",0\n";
    CHECK(nlohmann::json::parse(studio_answer(table))["rows"].size() == 1000);
    const auto rows = nlohmann::json::parse(studio_answer(table, 100))["rows"];
    CHECK(rows.size() <= 102);
    CHECK(rows.front() == nlohmann::json({0.0, 0, 0}));
    CHECK(rows.back() == nlohmann::json({99.9, 9, 0}));
    CHECK(std::is_sorted(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a[0] < b[0]; }));
    const auto most = [](const auto& a, const auto& b) { return a[1] < b[1]; };
    CHECK(*std::max_element(rows.begin(), rows.end(), most) == nlohmann::json({77.7, 99, 0}));
}
