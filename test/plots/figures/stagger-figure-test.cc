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

ordered_json delayed() {
    ordered_json result;
    result["watersheds"] = {
        {{"kind", "none"}, {"step_s", 0}, {"points", {{8.72, 1}, {37.5, 2}, {38.4, nullptr}}}},
        {{"kind", "groups"}, {"step_s", 6.976e-6}, {"points", {{8.72, 2}, {37.5, 30}, {38.4, nullptr}}}}};
    return result;
}

}  // namespace

TEST_CASE("The watershed before the delays stands beside the one after them, each with its name") {
    const TemporaryFolder folder;
    draw_stagger_of(delayed(), folder / "figure.svg");
    const std::string script = folder.read("figure.gp");
    CHECK_THAT(script, Contains("title 'no delays'") && Contains("title 'groups, step 6.976 µs'"));
    CHECK_THAT(script, Contains("\n8.72 1\n") && Contains("\n8.72 2\n") && Contains("set logscale y"));
    CHECK(titles_not_drawn(script, folder.read("figure.svg")) == std::vector<std::string>());
}

TEST_CASE("A result without watersheds is refused by what it lacks, and one without losses says why it has no line") {
    const TemporaryFolder folder;
    ordered_json result = delayed();
    for (ordered_json& each : result["watersheds"]) each["points"] = ordered_json::parse("[[38.4, null]]");
    draw_stagger_of(result, folder / "figure.svg");
    CHECK_THAT(folder.read("figure.gp"), Contains("no line: no burst of any length loses") && !Contains("$curve1"));
    result.erase("watersheds");
    CHECK_THROWS_WITH(draw_stagger({{folder.write("result.json", result.dump())}, folder / "figure.svg", "", {}}),
                      Contains("result.json: watersheds: missing") && Contains("watershed stagger --watershed --json"));
}
