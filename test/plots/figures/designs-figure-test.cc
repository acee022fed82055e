// SPDX-License-Identifier: GPL-2.0-only
#include <nlohmann/json.hpp>

#include "plots/figures/figures.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/plots/legend.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

using nlohmann::ordered_json;

/// @param longest  bursts without loss at 10, 20 and 30 us
ordered_json design(const std::string& name, const std::vector<ordered_json>& longest) {
    ordered_json watershed = ordered_json::array();
    for (std::size_t i = 0; i < longest.size(); ++i) watershed.push_back({10 * static_cast<int>(i + 1), longest[i]});
    return {{"name", name}, {"risk", {{"log10_probability", -9}}}, {"watershed", watershed}};
}

const ordered_json kLossless = design("lossless", {nullptr, nullptr, nullptr});

}  // namespace

TEST_CASE("A design is drawn with its chance of loss where any burst loses, and named where none does") {
    const TemporaryFolder folder;
    const ordered_json result{{"designs", {design("small", {10, 20, nullptr}), kLossless}}};
    draw_designs_of(result, folder / "designs.svg");
    const std::string script = folder.read("designs.gp");
    CHECK_THAT(script, Contains("small: risk"));
    CHECK_THAT(script, !Contains("lossless: risk"));
    CHECK_THAT(script, Contains("without a watershed: lossless"));
    CHECK(titles_not_drawn(script, folder.read("designs.svg")) == std::vector<std::string>());
}

TEST_CASE("The figure of designs that never lose has no line, and says why") {
    const TemporaryFolder folder;
    draw_designs_of({{"designs", {kLossless}}}, folder / "designs.svg");
    CHECK_THAT(folder.read("designs.gp"), Contains("no line: no burst of any length loses") &&
                                              Contains("the region without loss") && !Contains("$curve1"));
}

TEST_CASE("A design whose watershed is not known is named, and a chance of which a bound is known stays one") {
    const TemporaryFolder folder;
    ordered_json tiers = design("tiers", {}), small = design("small", {10, 20, nullptr});
    small["risk"] = {{"log10_probability", -13.9}, {"log10_at_most", -13.8431}, {"risk_kind", "bound"}};
    draw_designs_of({{"designs", {small, tiers}}}, folder / "designs.svg");
    CHECK_THAT(folder.read("designs.gp"),
               Contains("small: risk ≤ 1.5 × 10⁻¹⁴") && Contains("not known: tiers"));  // 1.4352e-14
    draw_designs_of({{"designs", {tiers}}}, folder / "none.svg");
    CHECK_THAT(folder.read("none.gp"), Contains("no line: it is not known") && !Contains("$lossless"));
}
