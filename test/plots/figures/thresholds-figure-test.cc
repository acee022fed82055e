// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>
#include <regex>
#include <vector>

#include "plots/figures/figures.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/plots/legend.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

std::string thresholds_script(const TemporaryFolder& folder, const std::string& rows) {
    draw_thresholds({{folder.write("thresholds.json", rows)}, folder / "figure.svg", "", {}});
    CHECK(titles_not_drawn(folder.read("figure.gp"), folder.read("figure.svg")) == std::vector<std::string>());
    return folder.read("figure.gp");
}

}  // namespace

TEST_CASE("Each chip has its points on logarithmic axes, and a miss is named") {
    const TemporaryFolder folder;
    const std::string gp = thresholds_script(
        folder, R"([{"row": 1, "asic": "th2", "quantity": "pfc_xoff", "simulated": 20036, "value": 20034, "hit": true,
                     "sound": true},
                    {"row": 2, "asic": "td2", "quantity": "pfc_xon", "simulated": 12, "value": 18, "hit": false,
                     "sound": true},
                    {"row": 3, "asic": "td2", "quantity": "pfc_xoff", "simulated": 100, "value": 500, "hit": false,
                     "sound": false},
                    {"row": 4, "asic": "td2", "quantity": "egress_drop", "simulated": null, "value": 7}])");
    CHECK_THAT(gp, Contains("$chip1 << e\n20034 20036\n") && Contains("$missed << e\n18 12\n") &&
                       Contains("$doubted << e\n500 100\n"));
    CHECK_THAT(gp, Contains("row 2, pfc") && !Contains("row 3") && Contains("set logscale x\n") &&
                       Contains("set logscale y\n"));
}

TEST_CASE("Where all are missed, no name lies on another or beyond the panel") {
    const TemporaryFolder folder;
    std::string rows;
    for (int row = 1; row <= 200; ++row) {
        const std::string value = std::to_string(row * row);
        rows +=
            (row == 1 ? "" : ", ") +
            (R"({"row": )" + std::to_string(row) + R"(, "quantity": "headroom_full", "hit": false, "simulated": )") +
            value + R"(, "value": )" + value + "}";
    }
    const std::string gp = thresholds_script(folder, "[" + rows + "]");
    std::vector<double> at;
    const std::regex label("set label 'row (\\d+), headroom_full' at [0-9.]+, [0-9.]+ (left|right)");
    for (std::sregex_iterator match(gp.begin(), gp.end(), label), end; match != end; ++match)
        at.push_back(2 * std::log10(std::stod((*match)[1])));
    CHECK(at.size() > 5);
    // The axis has 5 powers of ten and a half, in which a line of text takes a twentieth.
    for (std::size_t i = 1; i < at.size(); ++i) CHECK(at[i] - at[i - 1] >= 0.05 * 5);
    CHECK_THAT(gp, Contains(" right offset -1"));
}

TEST_CASE("What is no result of thresholds is refused") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(thresholds_script(folder, "{}"), Contains("thresholds.json: found no list"));
    CHECK_THROWS_WITH(thresholds_script(folder, "[{\"row\": 1}]"), Contains("without row, simulated and value"));
    CHECK_THROWS_WITH(thresholds_script(folder, "[]"), Contains("no threshold"));
}
