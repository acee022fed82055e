// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/figures.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/plots/legend.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

constexpr auto kMap =
    "ports,payload_bytes,separation_us,events,frames_sent,frames_received\n44,1024,8.72,50,2200,2200\n44,1024,20,90,"
    "3960,3900\n44,1024,30,90,3960,3000\n";

std::string fit(const std::string& residuals) {
    return R"({"status": "overlap", "model": "shared-bytes", "ports": 44, "payload_bytes": 1024, "depth": {"unit": "bytes"}, "service_rate": {},
        "residuals": )" +
           residuals + R"(, "runs_tests": [{"order": "separation", "residuals": 3, "runs": 2, "p_value": 0.31}]})";
}

}  // namespace

TEST_CASE("Residuals are drawn by separation, length and order, with the runs test where there is one") {
    const TemporaryFolder folder;
    draw_residuals({{folder.write("map.csv", kMap), folder.write("fit.json", fit("[[1, 0.5], [2, -1.5], [3, 40]]"))},
                    folder / "figure.svg",
                    "",
                    {}});
    const std::string gp = folder.read("figure.gp");
    CHECK_THAT(gp, Contains("$lossless << e\n0.5 8.72 50 1\ne\n") && Contains("$lossy << e\n-1.5 20 90 2\ne\n"));
    CHECK_THAT(gp, Contains("$beyond << e\n6 30 90 3\ne\n"));  // what lies far off is drawn at the edge
    CHECK_THAT(gp, Contains("runs test: p = 0.31"));
    CHECK(titles_not_drawn(folder.read("figure.gp"), folder.read("figure.svg")) == std::vector<std::string>());
}

TEST_CASE("Residuals need their own map") {
    const TemporaryFolder folder;
    const std::string map = folder.write("map.csv", kMap);
    CHECK_THROWS_WITH(
        draw_residuals({{map, folder.write("fit.json", fit("[[4, 0.5]]"))}, folder / "figure.svg", "", {}}),
        Contains("found row 4") && Contains("has 3 rows"));
    // Fit of the same bursts in another order.
    draw_residuals({{map, folder.write("fit.json", fit("[[2, 0.5, 20, 90, 60]]"))}, folder / "figure.svg", "", {}});
    CHECK_THROWS_WITH(
        draw_residuals(
            {{map, folder.write("fit.json", fit("[[2, 0.5, 30, 90, 960]]"))}, folder / "figure.svg", "", {}}),
        Contains("map.csv: row 2: found 90 events 20 us apart with 60 frames lost, expected 90 events 30 us apart with "
                 "960 frames lost as in the map of"));
    CHECK_THROWS_WITH(draw_residuals({{map, folder.write("none.json", fit("[]"))}, folder / "figure.svg", "", {}}),
                      Contains("residuals: found none"));
    CHECK_THROWS_WITH(draw_residuals({{folder / "none.json"}, folder / "figure.svg", "", {}}),
                      Contains("expected one of each"));
}
