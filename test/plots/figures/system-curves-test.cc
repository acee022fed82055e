// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/system-curves.h"

#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

std::string script(const TemporaryFolder& folder, const std::vector<SystemCurve>& curves, const SystemAxes& axes) {
    draw_curves({{"run.json"}, folder / "figure.svg", "", {}}, curves, axes);
    return folder.read("figure.gp");
}

}  // namespace

TEST_CASE("A curve of one point, or of several in one place, is a mark, as it makes no line") {
    const TemporaryFolder folder;
    CHECK_THAT(
        script(folder, {{"a", {{1, 2}, {1, 2}}, line_look("lines", 0)}, {"b", {{1, 2}, {3, 4}}, line_look("lines", 1)}},
               {"x", "y"}),
        Contains("$curve1 using 1:2 with points") && Contains("$curve2 using 1:2 with lines"));
}

TEST_CASE("Curves without a point that a logarithmic axis has a place for are refused by the file's name") {
    const TemporaryFolder folder;
    SystemAxes axes{"bit rate / (Gb/s)", "y"};
    const std::vector<SystemCurve> at_zero{{"a", {{0, 2}}, line_look("lines", 0)}};
    CHECK_NOTHROW(script(folder, at_zero, axes));
    axes.log_x = true;
    CHECK_THROWS_WITH(script(folder, at_zero, axes), Contains("run.json: found no point") && Contains("bit rate"));
}

TEST_CASE("More curves than a legend has room for are refused") {
    const TemporaryFolder folder;
    const std::vector<SystemCurve> many(200, {"1000 B", {{1, 2}, {3, 4}}, line_look("lines", 0)});
    CHECK_THROWS_WITH(script(folder, many, {"x", "y"}), Contains("run.json: found 200"));
}

TEST_CASE(
    "Curves of large numbers are drawn in a power of a thousand, ranges with them, unless an axis is logarithmic") {
    const TemporaryFolder folder;
    SystemAxes axes{"spacing / µs", "rate / (Gb/s)", {0}, {0, 4}};
    const std::vector<SystemCurve> large{{"a", {{1e9, 1}, {5e10, 2}}, line_look("lines", 0)}};
    CHECK_THAT(script(folder, large, axes), Contains("'spacing / (10⁹ µs)'") && Contains("1 1\n50 2\n") &&
                                                Contains("set xrange [0:*]") && Contains("set yrange [0:4]"));
    axes.log_x = true;
    axes.x_range = {};
    CHECK_THAT(script(folder, large, axes), Contains("'spacing / µs'") && Contains("50000000000 2\n"));
}
