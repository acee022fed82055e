// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/system-run.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

namespace {

struct Square {
    std::int64_t of = 0;
    std::int64_t area = 0;
};

}  // namespace

TEST_CASE("Each point has its result, in the order of the points, and a sum goes over all of them") {
    const Scenario scenario;
    Progress progress("run", "runs", 3);
    const auto run = run_points(scenario, std::vector<std::int64_t>{5, 3, 4}, progress, 1, [](std::int64_t side) {
        return Square{side, side * side};
    });
    REQUIRE(run.results.size() == 3);
    CHECK(run.results[0].area == 25);
    CHECK(run.results[1].area == 9);
    CHECK(run.results[2].area == 16);
    CHECK(run.sum(&Square::of) == 5 + 3 + 4);
    CHECK(run.sum(&Square::area) == 25 + 9 + 16);
    CHECK(run.wall_seconds >= 0);
    CHECK(&run.scenario == &scenario);
}

TEST_CASE("A run without points sums to nothing") {
    const Scenario scenario;
    const SystemRun<Square> run{scenario, {}, 0};
    CHECK(run.sum(&Square::area) == 0);
}

TEST_CASE("Several runs are refused only where they would be captured") {
    CHECK_NOTHROW(expect_one_capture("", 2, "one"));
    CHECK_NOTHROW(expect_one_capture("capture", 1, "one"));
    CHECK_THROWS_AS(expect_one_capture("capture", 2, "one"), InputError);
    CHECK(capture_name("capture", "server.pcap") == "capture-server.pcap");
    CHECK(capture_name("", "server.pcap").empty());
}

TEST_CASE("Frames that were sent and not received are lost") {
    CHECK(frames_json(10, 7) == nlohmann::ordered_json{{"sent", 10}, {"received", 7}, {"lost", 3}});
}

namespace {

struct Apples {
    int count = 0;
};

nlohmann::ordered_json to_json(const SystemRun<Apples>& run) { return {{"apples", run.sum(&Apples::count)}}; }
void print(std::ostream& out, const SystemRun<Apples>& run) { out << run.sum(&Apples::count) << " apples\n"; }

}  // namespace

TEST_CASE("A report says in both forms what the run has, also once the run is gone") {
    const Scenario scenario;
    const SystemReport report = report_of(SystemRun<Apples>{scenario, {{2}, {3}}, 0});
    CHECK(report.json() == "{\n  \"apples\": 5\n}");
    std::ostringstream text;
    report.print(text);
    CHECK(text.str() == "5 apples\n");
}
