// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/figures.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/plots/legend.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

std::string header() {
    std::string text = "subject,rows,laws,depth_bounded,depth95";
    for (const char* const what : {"depth", "rate"})
        for (int i = 1; i <= 10; ++i) text += std::string(",") + what + "_rank_" + std::to_string(i);
    return text + "\n";
}

std::string row(const std::string& cell, int depth_rank, int rate_rank) {
    std::string text = cell;
    for (const int rank : {depth_rank, rate_rank})
        for (int i = 1; i <= 10; ++i) text += i == rank ? ",10" : ",0";
    return text + "\n";
}

}  // namespace

TEST_CASE(
    "Coverage has a point for each subject with few bursts, many, and advised ones, with how many intervals had two "
    "ends, and ranks a bar for each tenth") {
    const TemporaryFolder folder;
    const std::string text = header() + row("shared-frames,6,kept,50,40", 1, 2) +
                             row("shared-frames,6,kept,50,50", 1, 2) + row("shared-frames,0,kept,100,95", 1, 2) +
                             row("drift,6,broken,100,80", 3, 3) + row("any,6,kept,10,9", 10, 10);
    draw_calibration({{folder.write("c.csv", text)}, folder / "figure.svg", "", {}});
    const std::string gp = folder.read("figure.gp");
    // 90 of 100, +- sqrt(0.9 x 0.1 / 100); the first subject of three is the topmost, and "drift" breaks laws.
    CHECK_THAT(gp, Contains("$part1 << e\n3 90 3 100 1\n2 80 4 100 0\n1 90 9."));
    CHECK_THAT(gp, Contains("$part3 << e\n3 95 2.17"));
    CHECK_THAT(gp, Contains("$lawful1 << e\n0.05 1000\n0.15 0\n"));  // what breaks laws has no place among ranks
    CHECK_THAT(gp, Contains("$drawn2 << e\n0.05 0\n"));
    CHECK_THAT(gp, Contains("'12 bursts at most'") && Contains("'until advice says stop'"));
    CHECK(titles_not_drawn(gp, folder.read("figure.svg")) == std::vector<std::string>());
}

TEST_CASE("A study that cannot be is refused with its line") {
    const TemporaryFolder folder;
    const auto drawn = [&](const std::string& text) {
        draw_calibration({{folder.write("c.csv", text)}, folder / "figure.svg", "", {}});
    };
    CHECK_THROWS_WITH(drawn(header() + row("drift,6,bent,100,80", 1, 1)),
                      Contains("c.csv:2: laws: found \"bent\", expected kept or broken"));
    CHECK_THROWS_WITH(drawn(header() + row("drift,6,kept,100,101", 1, 1)), Contains("c.csv:2: depth95: found \"101\""));
    CHECK_THROWS_WITH(drawn(header() + row("drift,6,kept,0,0", 1, 1)), Contains("no interval with two ends"));
    CHECK_THROWS_WITH(drawn("separation_us,events_lossless\n1,2\n"), Contains("subject"));
}
