// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/watershed-panel.h"

#include <sstream>

#include "test/catch.h"

using namespace watershed;

namespace {

DividingLine with_asymptote(double low, double high) {
    DividingLine line;
    line.line = {{1, 10}, {2, 20}};
    line.asymptote = Bounds{low, high};
    return line;
}

std::string asymptotes(const std::vector<DividingLine>& lines) {
    std::ostringstream out;
    write_asymptotes(out, lines, {0, 100, 0, 1000}, 9);
    return out.str();
}

std::string style_of_first_line(const std::vector<DividingLine>& lines) {
    for (const Layer& layer : layers_of({{}, lines}))
        if (layer.data.rfind("$curve1", 0) == 0) return layer.style;
    return "";
}

}  // namespace

TEST_CASE("Of two asymptotes side by side one is labelled, of two apart both") {
    // Labels of 3.5 % of the width would lie on each other.
    CHECK_THAT(asymptotes({with_asymptote(40, 40), with_asymptote(43, 43)}), !Contains("asymptote 43 "));
    CHECK_THAT(asymptotes({with_asymptote(40, 40), with_asymptote(44, 44)}), Contains("asymptote 44 "));
}

TEST_CASE("An asymptote that is known to a thousandth is one number, else two") {
    CHECK_THAT(asymptotes({with_asymptote(40, 40.01)}), Contains("asymptote 40"));
    CHECK_THAT(asymptotes({with_asymptote(40, 40.1)}), Contains("asymptote 40 to 40.1 "));
}

TEST_CASE("A fit is dashed where it covers another line, and solid alone") {
    DividingLine fit = with_asymptote(40, 40), prediction = fit;
    fit.fitted = true;
    CHECK_THAT(style_of_first_line({fit}), !Contains("dashtype"));
    CHECK_THAT(style_of_first_line({fit, prediction}), Contains("dashtype '-'"));
}
