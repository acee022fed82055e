// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/figures.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/plots/legend.h"
#include "test/temporary-folder.h"

using namespace watershed;

TEST_CASE("Of each lateness the share of the bursts is drawn that are no later") {
    const TemporaryFolder folder;
    const std::string map = folder.write(
        "map.csv", "events,worst_trigger_lateness_us,median_trigger_lateness_us\n2,20,0.5\n2,5,0\n2,10,\n2,40,0.25\n");
    draw_lateness({{map}, folder / "figure.svg", "", {}});
    const std::string gp = folder.read("figure.gp");
    CHECK_THAT(gp, Contains("$curve2 << e\n5 25\n10 50\n20 75\n40 100\ne\n"));
    CHECK_THAT(gp, Contains("'median trigger'") && Contains("'latest trigger'"));
    CHECK(titles_not_drawn(folder.read("figure.gp"), folder.read("figure.svg")) == std::vector<std::string>());
}

TEST_CASE("A single burst is a step from none to all") {
    const TemporaryFolder folder;
    draw_lateness({{folder.write("map.csv", "worst_trigger_lateness_us\n5\n")}, folder / "figure.svg", "", {}});
    CHECK_THAT(folder.read("figure.gp"), Contains("$curve1 << e\n5 0\n5 100\ne\n"));
}

TEST_CASE("A map without lateness is refused") {
    const TemporaryFolder folder;
    const auto draw = [&](const std::string& text) {
        draw_lateness({{folder.write("map.csv", text)}, folder / "figure.svg", "", {}});
    };
    CHECK_THROWS_WITH(draw("events\n2\n"), Contains("worst_trigger_lateness_us"));
    CHECK_THROWS_WITH(draw("worst_trigger_lateness_us,a\n,1\n"), Contains("found nothing"));
    CHECK_THROWS_WITH(draw("worst_trigger_lateness_us\nlate\n"), Contains(":2") && Contains("late"));
}
