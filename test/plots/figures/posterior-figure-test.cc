// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/figures.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/plots/legend.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

std::string fit(const std::string& depth, const std::string& rate) {
    return R"({"status": "overlap", "model": "shared-bytes", "ports": 44, "payload_bytes": 1024,
        "depth": {"unit": "frames", "estimate": 50, "hard": [40, 60], "interval68": [45, 55], "interval95": [42, 58]},
        "service_rate": {"frames_per_s": 1000, "interval68": [990, 1010], "interval95": [980, 1020]},
        "posterior": {"depth": )" +
           depth + R"(, "frames_per_s": )" + rate + "}}";
}

/// Draws a fit as figure.svg, and tells the script.
std::string drawn(const TemporaryFolder& folder, const std::string& text) {
    draw_posterior({{folder.write("fit.json", text)}, folder / "figure.svg", "", {}});
    return folder.read("figure.gp");
}

}  // namespace

TEST_CASE("The posterior of depth and rate has a panel each, with the central 68 and 95 per cent") {
    const TemporaryFolder folder;
    const std::string gp = drawn(
        folder, fit("[[40, 0], [45, 0.05], [50, 0.1], [55, 0.05], [60, 0]]", "[[970, 0], [1000, 0.02], [1030, 0]]"));
    CHECK_THAT(gp, Contains("$depth << e\n40 0\n45 0.5\n50 1\n55 0.5\n60 0\ne\n"));
    CHECK_THAT(gp, Contains("$depth_central68 << e\n45 0.5\n50 1\n55 0.5\ne\n"));
    CHECK_THAT(gp, Contains("'depth / frames'") && Contains("deviation from 1000 frames/s / %"));
    CHECK(titles_not_drawn(gp, folder.read("figure.svg")) == std::vector<std::string>());
}

TEST_CASE("A posterior at a single value has no width to draw") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(drawn(folder, fit("[[40, 1], [40, 1]]", "[]")), Contains("fit.json: posterior: found none"));
}

TEST_CASE("A label too long for its panel goes on in a third line") {
    const TemporaryFolder folder;
    const std::string gp =
        drawn(folder, fit("[[40, 0], [50, 0.1], [60, 0]]", "[[1146788.1, 0], [1146790.3, 0.02], [1146792.5, 0]]"));
    CHECK_THAT(gp, Contains("deviation from") && !Contains("deviation from 1."));
}

TEST_CASE("A fit whose depth and rate are known exactly has no posterior to draw") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(drawn(folder, fit("[]", "[]")), Contains("posterior: found none"));
}

TEST_CASE("The value of a model's feature has a panel of its own") {
    const TemporaryFolder folder;
    std::string text = fit("[[40, 0], [50, 0.1], [60, 0]]",
                           R"([[970, 0], [1000, 0.02], [1030, 0]], "feature": [[0.6, 0], [0.7, 5], [0.8, 0]])");
    text.insert(
        1,
        R"("feature": {"name": "resume", "unit": "of full", "estimate": 0.7, "interval68": [0.65, 0.75], "interval95": [0.6, 0.8]}, )");
    const std::string gp = drawn(folder, text);
    CHECK_THAT(gp, Contains("$feature << e\n0.6 0\n0.7 1\n0.8 0\ne\n") && Contains("'resume / of full'"));
}

TEST_CASE("Labels of an axis leave room between each other, however fine the steps are") {
    const TemporaryFolder folder;
    const std::string gp =
        drawn(folder, fit("[[49.999, 0], [50, 0.1], [50.001, 0]]", "[[999.93, 0], [1000, 0.02], [1000.05, 0]]"));
    // A range of 0.012 % in a panel that is two fifths of the figure wide: four labels of six characters
    CHECK_THAT(gp, Contains("set xtics 0.005"));
}

TEST_CASE("An axis has two tics at least, so that its scale can be read") {
    const TemporaryFolder folder;
    // From -0.093 to 0.108 %: a step of 0.2 would have a tic at 0 alone.
    const std::string gp =
        drawn(folder, fit("[[49.9535, 0], [50, 0.1], [50.054, 0]]", "[[999.07, 0], [1000, 0.02], [1001.08, 0]]"));
    CHECK_THAT(gp, Contains("set xtics 0.1\n") || Contains("set xtics 0.05\n"));
}
