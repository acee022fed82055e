// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/figures.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/plots/legend.h"
#include "test/temporary-folder.h"

using namespace watershed;

TEST_CASE("Each strategy has a curve and a band in per cent, and the wanted precision is a line") {
    const TemporaryFolder folder;
    const std::string text =
        "# seed: 3, campaigns: 100, grid: 12 x 14\n# target: depth, precision: "
        "1%\nstrategy,bursts,half_width_25,half_width_50,half_width_75\n"
        "grid,1,,,\ngrid,2,0.05,0.1,\nadvised,1,0.005,0.01,0.02\n";
    draw_campaigns({{folder.write("c.csv", text)}, folder / "figure.svg", "", {}});
    const std::string gp = folder.read("figure.gp");
    // A median that is not known lies above the figure, and the band ends at its edges, 0.6 and 100 %.
    CHECK_THAT(gp, Contains("$strategy1 << e\n1 100 1000 100\n2 5 10 100\ne\n"));
    CHECK_THAT(gp, Contains("$strategy2 << e\n1 0.6 1 2\ne\n"));
    CHECK_THAT(gp, Contains("'wanted: 1 %'") && Contains("title 'advised'"));
    CHECK(titles_not_drawn(folder.read("figure.gp"), folder.read("figure.svg")) == std::vector<std::string>());
}

TEST_CASE("A campaign of one burst is a mark") {
    const TemporaryFolder folder;
    const std::string file =
        folder.write("c.csv", "strategy,bursts,half_width_25,half_width_50,half_width_75\nadvised,1,0.005,0.01,0.02\n");
    draw_campaigns({{file}, folder / "figure.svg", "", {}});
    CHECK_THAT(folder.read("figure.gp"), Contains("using 1:3 with points"));
}

TEST_CASE("Two comparisons are not one figure") {
    const TemporaryFolder folder;
    const std::string file =
        folder.write("c.csv", "strategy,bursts,half_width_25,half_width_50,half_width_75\ngrid,1,,,\n");
    CHECK_THROWS_WITH(draw_campaigns({{file, file}, folder / "figure.svg", "", {}}), Contains("found 2 comparisons"));
}
