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

ordered_json row(const std::string& question, const std::string& verdict, const ordered_json& log10_at_most) {
    return {{"what_if", question},
            {"verdict", verdict},
            {"risk", {{"log10_probability", log10_at_most}, {"log10_at_most", log10_at_most}}}};
}

}  // namespace

TEST_CASE("A sensitivity has a bar for each question, the largest change at the top") {
    const TemporaryFolder folder;
    ordered_json result{
        {"loss", 1e-9},
        {"rows", {row("as it is", "holds", -20), row("rate + 10 %", "holds", -18), row("half", "breaks", -3)}}};
    result["rows"].push_back({{"what_if", "gone"}, {"verdict", "breaks"}});
    result["rows"].push_back({{"what_if", "no ports"}, {"verdict", "refused"}});
    result["rows"].push_back({{"what_if", "stream"}, {"verdict", "open"}, {"events", {{"sent", 9}, {"complete", 9}}}});
    draw_sensitivity_of(result, folder / "figure.svg");
    const std::string script = folder.read("figure.gp");
    CHECK_THAT(script, Contains("$breaks << e\n0 0\n-3 1\ne\n") && Contains("$holds << e\n-18 2\ne\n"));
    CHECK_THAT(script, Contains("'gone' 0, 'half' 1, 'rate + 10 %%' 2, 'no ports' 3, 'stream' 4"));
    CHECK_THAT(script, Contains("$wanted << e\n-9 -0.6\n"));
    CHECK_THAT(script, Contains("'cannot be built'") && Contains("'open: no event was incomplete'"));
    CHECK(titles_not_drawn(script, folder.read("figure.svg")) == std::vector<std::string>());
}

TEST_CASE("Of a run the figure shows incomplete events, and of something else nothing") {
    const TemporaryFolder folder;
    const auto of_run = [](const char* question, int complete) {
        return ordered_json{{"what_if", question},
                            {"verdict", complete < 200 ? "breaks" : "holds"},
                            {"events", {{"sent", 200}, {"complete", complete}}}};
    };
    draw_sensitivity_of({{"loss", 1e-9}, {"rows", {of_run("as it is", 200), of_run("half", 150)}}},
                        folder / "figure.svg");
    CHECK_THAT(folder.read("figure.gp"), Contains("$breaks << e\n25 0\ne\n") && Contains("incomplete events / %"));
    CHECK_THROWS_WITH(
        draw_sensitivity({{folder.write("other.json", "{\"loss\": 1, \"rows\": []}")}, folder / "figure.svg", "", {}}),
        Contains("other.json") && Contains("rows: found none"));
}

TEST_CASE("A limit of a sample is called at most, and no colour of a bar that is not there is in the legend") {
    const TemporaryFolder folder;
    const auto sampled = [](const char* question, double at_most) {
        ordered_json one = row(question, "open", at_most);
        one["risk"]["risk_kind"] = "sampled";
        one["risk"]["log10_probability"] = nullptr;
        return one;
    };
    draw_sensitivity_of({{"loss", 1e-9}, {"rows", {sampled("as it is", -4), sampled("half", -4)}}},
                        folder / "figure.svg");
    CHECK_THAT(folder.read("figure.gp"),
               (Contains("title 'as it is, at most (95 %)'") || Contains("title 'as it is, at most (95 %%)'")) &&
                   Contains("half, at most (95 %") && !Contains("title 'open'"));
}
