// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/figures.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/plots/legend.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

std::string script(const TemporaryFolder& folder, const std::string& vertices, const std::string& estimate = "1000",
                   const std::string& rate = "5000") {
    const std::string fit =
        R"({"status": "separated", "model": "shared-frames", "ports": 44, "payload_bytes": 1024, "map": "m.csv",
        "depth": {"unit": "frames", "estimate": )" +
        estimate + R"(, "interval68": null, "interval95": null},
        "service_rate": {"frames_per_s": )" +
        rate + R"(, "interval95": null}, "polygon": {"depth_unit": "frames", "vertices": )" + vertices + "}}";
    draw_polygon({{folder.write("fit.json", fit)}, folder / "figure.svg", "", {}});
    CHECK(titles_not_drawn(folder.read("figure.gp"), folder.read("figure.svg")) == std::vector<std::string>());
    return folder.read("figure.gp");
}

}  // namespace

TEST_CASE("A large region is drawn in frames and frames per second") {
    const TemporaryFolder folder;
    const std::string gp = script(folder, "[[500, 4000], [1500, 4000], [1500, 6000], [500, 6000]]");
    CHECK_THAT(gp, Contains("'depth / frames'") && Contains("'service rate / frames/s'"));
    CHECK_THAT(gp, Contains("$region << e\n500 4000\n1500 4000\n1500 6000\n500 6000\n500 4000\ne\n"));
}

TEST_CASE("A small region is drawn by its deviation from the estimate") {
    // 1000 +- 2 frames are +- 0.2 %, 5000 +- 1 frames/s are +- 0.02 %.
    const TemporaryFolder folder;
    const std::string gp = script(folder, "[[998, 4999], [1002, 4999], [1002, 5001], [998, 5001]]");
    CHECK_THAT(gp, Contains("depth, deviation from 1000 frames / %") &&
                       Contains("service rate, deviation from 5000 frames/s / %"));
    CHECK_THAT(gp, Contains("$region << e\n-0.2 -0.02\n0.2 -0.02\n"));
}

TEST_CASE("A diagonal sliver is opened by counting the rate from its long axis") {
    // Corners (1000 +- 100, 5000 +- 100) and two close to the middle: the axis has the slope 1, and from it the corners
    // are at 0 and +- 0.5 / 5000.
    const TemporaryFolder folder;
    const std::string gp = script(folder, "[[900, 4900], [1000, 4999.5], [1100, 5100], [1000, 5000.5]]");
    CHECK_THAT(gp, Contains("service rate − 1 (depth − 1000)"));
    CHECK_THAT(gp, Contains("$region << e\n900 0\n1000 -0.01\n1100 0\n1000 0.01\n"));
}

TEST_CASE("An estimate outside of the feasible region is drawn with the reason") {
    const TemporaryFolder folder;
    const std::string vertices =
        R"([[500, 4000], [900, 4000], [900, 6000], [500, 6000]], "note": "the estimate lies outside of it, as it weighs noise")";
    CHECK_THAT(script(folder, vertices), Contains("'the estimate lies outside of it, as it weighs noise'"));
    const TemporaryFolder other;
    CHECK_THAT(script(other, "[[500, 4000], [1500, 4000], [1500, 6000], [500, 6000]]"), !Contains("outside of it"));
}

TEST_CASE("A region at one known rate cannot be drawn") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(script(folder, "[[500, 5000], [1500, 5000], [1500, 5000.000001], [500, 5000.000001]]"),
                      Contains("known exactly has none"));
}

TEST_CASE("A fit without a feasible region cannot be drawn") {
    const TemporaryFolder folder;
    CHECK_THROWS_AS(script(folder, "[]", "null", "null"), InputError);
    CHECK(folder.files() == std::set<std::string>{"fit.json"});
}

TEST_CASE("The bursts that limit the region are named on its outline") {
    const TemporaryFolder folder;
    // Row 7 allows rates below the line along the upper edge; row 9's line does not touch the region.
    const std::string side =
        R"(], "half_planes": [{"row": 7, "limits": [[[500, 6000], [1500, 6000]]]}, {"row": 9, "limits": [[[500, 8000], [1500, 8000]]]}], "x": [)";
    const std::string fit =
        R"({"status": "separated", "model": "shared-frames", "ports": 44, "payload_bytes": 1024, "map": "m.csv",
        "depth": {"unit": "frames", "estimate": 1000}, "service_rate": {"frames_per_s": 5000}, "polygon": {"depth_unit": "frames", "vertices": [[500, 4000], [1500, 4000], [1500, 6000], [500, 6000]]},
        "binding_rows": [7)" +
        side + "]}";
    draw_polygon({{folder.write("fit.json", fit)}, folder / "figure.svg", "", {}});
    const std::string gp = folder.read("figure.gp");
    CHECK_THAT(gp, Contains("set label 'row 7' at 1000, 6000") && Contains("'limit of one burst'"));
    CHECK_THAT(gp, !Contains("row 9"));
}
