// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/inputs.h"

#include <cmath>

#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

constexpr auto kAll = {InputKind::LossMap, InputKind::Boundary, InputKind::Saturation, InputKind::Occupancy,
                       InputKind::Fit,     InputKind::Run,      InputKind::Campaigns,  InputKind::Advice};

constexpr auto kFit =
    R"({"status": "separated", "model": "shared-bytes", "map": "map.csv", "ports": 44, "payload_bytes": 1024,
    "depth": {"unit": "frames", "estimate": 1877.5, "hard": [1871, 1884], "interval68": [1875, 1880], "interval95": [1873, null]},
    "service_rate": {"frames_per_s": 5863, "bits_per_s": 5e7, "interval95": [5857, 5869], "fixed": false},
    "polygon": {"depth_unit": "frames", "vertices": [[1871, 5850], [1884, 5876], [1880, 5880]]},
    "curve": [{"separation_us": 400, "events": 45.1, "events_low": 45, "events_high": 45.2},
              {"separation_us": 7490, "events": 900, "events_low": 800, "events_high": null},
              {"separation_us": 7600, "events": null, "events_low": null, "events_high": null}],
    "asymptote_us": 7504.7, "rows_set_aside": [{"row": 14, "line": 15, "reason": "late"}]})";

}  // namespace

TEST_CASE("Inputs are recognised by their content, whatever their names and order") {
    const TemporaryFolder folder;
    const Inputs inputs = read_inputs(
        {folder.write("a", kFit), folder.write("b", "# a comment\ntime_us,frames,bytes\n0.5,1,1070\n"),
         folder.write("c.json", "separation_us,events_lossless\n20,9\n8.72,5\n40,\n"),
         folder.write(
             "d", "extra,ports,payload_bytes,separation_us,events,frames_sent,frames_received\n0,2,100,1.5,3,6,5\n"),
         folder.write("e",
                      "ports,saturation_khz,payload_limit_khz,payload_ip_udp_limit_khz,frame_limit_khz,wire_limit_khz\n"
                      "44,26.06,27.74,27.00,26.55,26.06\n28,40.9,43.6,42.4,41.7,40.9\n"),
         folder.write(
             "f",
             R"({"frames": {"sent": 88}, "losses": [], "first_loss": {"event": 1, "module": 2, "time_s": 0.079}})")},
        kAll);
    REQUIRE(inputs.fits.size() == 1);
    REQUIRE(inputs.occupancies.size() == 1);
    REQUIRE(inputs.boundaries.size() == 1);
    CHECK(inputs.boundaries[0].points.front().events_lossless == 5);  // sorted
    CHECK_FALSE(inputs.boundaries[0].points.back().events_lossless);
    REQUIRE(inputs.maps.size() == 1);
    CHECK(inputs.maps[0].rows[0].frames_lost() == 1);
    REQUIRE(inputs.saturations.size() == 1);
    CHECK(inputs.saturations[0].rows[0].ports == 28);
    CHECK(inputs.saturations[0].rows[1].payload_ip_udp_limit == 27.0);
    REQUIRE(inputs.runs.size() == 1);
    CHECK(*inputs.runs[0].first_loss_us == Approx(79000));
    CHECK(inputs.source() == "a, b, c.json and 3 more");
}

TEST_CASE("A comparison of campaigns keeps the order of its strategies, and what is not known yet is infinite") {
    const TemporaryFolder folder;
    const std::string text =
        "# seed: 3, campaigns: 100, grid: 12 x 14\n# target: depth, precision: "
        "2%\nstrategy,bursts,half_width_25,half_width_50,half_width_75\n"
        "grid,2,0.1,,\ngrid,1,,,\nadvised,1,0.05,0.1,0.2\n";
    const CampaignsFile campaigns = read_inputs({folder.write("c.csv", text)}, kAll).campaigns.at(0);
    REQUIRE(campaigns.strategies.size() == 2);
    CHECK(campaigns.strategies[0].name == "grid");
    CHECK(campaigns.strategies[0].points[1].half_width.low == 0.1);
    CHECK(std::isinf(campaigns.strategies[0].points[1].median));
    CHECK(campaigns.strategies[1].points[0].median == 0.1);
    CHECK(*campaigns.precision == Approx(0.02));
    CHECK(campaigns.settings == "seed 3, campaigns: 100, grid: 12 x 14");
}

TEST_CASE("Advice is read with its points and checks") {
    const TemporaryFolder folder;
    const std::string point =
        R"({"separation_us": 8.72, "events": 44, "probability_of_loss": 0.5, "bits_per_second": 0.9})";
    const AdviceFile advice =
        read_inputs(
            {folder.write(
                "next.json",
                R"({"target": "depth", "status": "separated", "depth": {"unit": "frames"}, "stop": false, "points": [)" +
                    point + R"(], "checks": {"wanted": 0, "points": []}})")},
            kAll)
            .advices.at(0);
    CHECK_FALSE(advice.stop);
    REQUIRE(advice.points.size() == 1);
    CHECK(advice.points[0].events == 44);
    CHECK(advice.checks.empty());
    // Checks that are to be done are the next points as well, and drawn once.
    const AdviceFile checks =
        read_inputs({folder.write("checks.json", R"({"target": "depth", "stop": false, "points": [)" + point +
                                                     R"(], "checks": {"wanted": 1, "points": [)" + point + "]}}")},
                    kAll)
            .advices.at(0);
    CHECK(checks.points.empty());
    REQUIRE(checks.checks.size() == 1);
    CHECK(checks.checks[0].events == 44);
}

TEST_CASE("Of advice for several mixes of ports and payload the first one's is drawn") {
    const TemporaryFolder folder;
    const auto point = [](int ports) {
        return R"({"ports": )" + std::to_string(ports) +
               R"(, "payload_bytes": 1024, "separation_us": 8.72, "events": 44, "probability_of_loss": 0.5, "bits_per_second": 0.9})";
    };
    const AdviceFile advice =
        read_inputs({folder.write("next.json", R"({"target": "depth", "stop": false, "points": [)" + point(22) + "," +
                                                   point(44) + R"(], "checks": {"points": []}})")},
                    kAll)
            .advices.at(0);
    CHECK(advice.points.size() == 1);
    CHECK(advice.mix->ports == 22);
}

TEST_CASE("A fit's missing ends are open, not zero") {
    const TemporaryFolder folder;
    const FitFile fit = read_inputs({folder.write("fit.json", kFit)}, {InputKind::Fit}).fits.at(0);
    CHECK(fit.depth68->high == 1880);
    CHECK_FALSE(fit.depth95);
    CHECK(fit.polygon.size() == 3);
    CHECK(std::isinf(fit.lines.at(0).curve.at(1).band.high));
    CHECK(fit.lines.at(0).curve.at(1).band.low == 800);
    CHECK(std::isinf(fit.lines.at(0).curve.at(2).events));
    CHECK(fit.rows_set_aside == std::set<std::int64_t>{14});
}

TEST_CASE("The capacity is read from the comment before the header") {
    const TemporaryFolder folder;
    const auto occupancy = [&](const std::string& comment) {
        return read_inputs({folder.write("o.csv", comment + "time_us,frames,bytes\n0,1,1070\n")},
                           {InputKind::Occupancy})
            .occupancies.at(0);
    };
    CHECK(occupancy("# watershed 0.1.0\n# capacity: 308000 frames\n").capacity ==
          MemorySize{308000, MemorySize::Unit::Frame});
    CHECK(occupancy("#capacity of nothing\n").capacity == std::nullopt);
    CHECK_THROWS_WITH(occupancy("# watershed 0.1.0\n# capacity: plenty\n"), Contains("o.csv:2: capacity: "));
}

TEST_CASE("A wrong input is refused with its name, what it is and what was expected") {
    const TemporaryFolder folder;
    const auto complaint = [&](const std::string& text, std::initializer_list<InputKind> expected) -> std::string {
        try {
            read_inputs({folder.write("input", text)}, expected);
        } catch (const InputError& error) {
            return error.what();
        }
        return "accepted";
    };
    const std::string occupancy = "time_us,frames,bytes\n";
    CHECK_THAT(complaint(occupancy + "0,1,1\n", {InputKind::LossMap, InputKind::Fit}),
               Contains("input: found an occupancy") && Contains("expected a loss map") && Contains("or a fit (JSON"));
    CHECK_THAT(complaint("when,what\n1,2\n", {InputKind::Boundary}),
               Contains("expected a boundary (CSV with separation_us,events_lossless)"));
    CHECK_THAT(complaint("[1, 2]", {InputKind::Fit}), Contains("expected a fit"));
    CHECK_THAT(complaint("{\"status\": ", {InputKind::Fit}), Contains("input:1: found the end of the file"));
    CHECK_THAT(complaint(R"({"status": "separated", "depth": {}})", {InputKind::Fit}),
               Contains("ports: missing, expected a fit"));
    CHECK_THAT(
        complaint(R"({"status": "separated", "depth": {"unit": 3}, "ports": 1, "payload_bytes": 1})", {InputKind::Fit}),
        Contains("unit: found a number, expected a fit"));
    CHECK_THAT(complaint("", {InputKind::Fit}), Contains("the file is empty"));
    CHECK_THAT(complaint(occupancy, {InputKind::Occupancy}), Contains("the table is empty"));
    CHECK_THAT(complaint("separation_us,events_lossless\n", {InputKind::Boundary}), Contains("the boundary is empty"));
    CHECK_THAT(complaint(occupancy + "5,1,1\n4,1,1\n", {InputKind::Occupancy}),
               Contains("input:3: time_us: found \"4\""));
    CHECK_THAT(complaint(occupancy + "nan,1,1\n", {InputKind::Occupancy}), Contains("input:2: time_us: found \"nan\""));
    CHECK_THAT(complaint(occupancy + "1,-1,1\n", {InputKind::Occupancy}), Contains("expected a number, not negative"));
    CHECK_THROWS_WITH(read_inputs({folder / "missing.csv"}, {InputKind::LossMap}),
                      Contains("missing.csv: cannot be read: No such file"));
}
