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

/// Row of a dead time and a count.
ordered_json point(double rate_hz, double dead_time, double low, double high, const ordered_json& without) {
    return {{"rate_hz", rate_hz},
            {"without", without},
            {"refused",
             {{"dead-time", {{"estimate", dead_time}, {"bounds", {dead_time, dead_time}}}},
              {"count", {{"estimate", (low + high) / 2}, {"interval95", {low, high}}}}}}};
}

ordered_json throttled() {
    ordered_json result{{"rate_hz", 4000}, {"dead_time_s", 2e-6}};
    result["rules"] = {{{"kind", "dead-time"}, {"set", {{"trigger.dead_time", "38.368 us"}}}},
                       {{"kind", "count"}, {"set", {{"trigger.rules", "[\"5 in 191.84 us\"]"}}}}};
    result["curve"] = {point(2000, 0.0625, 0, 3e-6, {{"log10_probability", -6}}),
                       point(4000, 0.125, 2e-5, 4e-5, nullptr),
                       point(8000, 0.25, 0.25, 0.75, {{"log10_probability", -2}})};
    return result;
}

}  // namespace

TEST_CASE("Each rule has a curve of what it refuses, beside what is lost without, and the scenario's rate a line") {
    const TemporaryFolder folder;
    draw_throttle_of(throttled(), folder / "figure.svg");
    const std::string script = folder.read("figure.gp");
    CHECK_THAT(script, Contains("$part1 << e\n2 0.0625\n4 0.125\n8 0.25\ne\n") && !Contains("$band1 <<"));
    // Nothing is drawn where none may have been refused, nor where the risk is not known.
    CHECK_THAT(script, Contains("$part2 << e\n4 3e-05\n8 0.5\ne\n") &&
                           Contains("$band2 << e\n4 2e-05 4e-05\n8 0.25 0.75\ne\n"));
    CHECK_THAT(script, Contains("title '95 % interval'") || Contains("title '95 %% interval'"));
    CHECK_THAT(script, Contains("$part3 << e\n2 1e-06\n8 0.01\ne\n"));
    CHECK_THAT(script, Contains("title 'dead time 38.368 µs'") && Contains("title '5 in 191.84 µs'"));
    CHECK_THAT(script, Contains("'the scenario: 4 kHz' at first 4,") && Contains("'10⁻⁷' 1e-07, '10⁻⁶' 1e-06"));
    CHECK(titles_not_drawn(script, folder.read("figure.svg")) == std::vector<std::string>());
}

TEST_CASE("A single rate has room on both sides, and marks in place of lines") {
    const TemporaryFolder folder;
    ordered_json result = throttled();
    result["curve"] = {result["curve"][1]};
    draw_throttle_of(result, folder / "figure.svg");
    CHECK_THAT(folder.read("figure.gp"), Contains("set xrange [3.2:5]") && Contains("$part1 << e\n4 0.125\ne\n"));
}

TEST_CASE("A sampled loss without a rule is called sampled") {
    const TemporaryFolder folder;
    ordered_json result = throttled();
    for (ordered_json& each : result["curve"])
        each["without"] = {{"probability", 1e-3}, {"interval95", {9e-4, 2e-3}}, {"risk_kind", "sampled"}};
    draw_throttle_of(result, folder / "figure.svg");
    CHECK_THAT(folder.read("figure.gp"), Contains("no rule: events incomplete, sampled"));
}

TEST_CASE("A memory that hardly ever loses lies below the axis") {
    const TemporaryFolder folder;
    ordered_json result = throttled();
    for (ordered_json& each : result["curve"]) each["without"] = {{"log10_probability", -6769}};
    draw_throttle_of(result, folder / "figure.svg");
    CHECK_THAT(folder.read("figure.gp"),
               Contains("no rule: events incomplete (below 10⁻⁹)") && Contains("set yrange [1e-10:1]"));
}

TEST_CASE("A result without curves, or of something else, is refused by what it lacks") {
    const TemporaryFolder folder;
    ordered_json result = throttled();
    result.erase("curve");
    CHECK_THROWS_WITH(draw_throttle_of(result, folder / "figure.svg"), Contains("no rule is needed"));
    const auto draw = [&] {
        draw_throttle({{folder.write("result.json", result.dump())}, folder / "figure.svg", "", {}});
    };
    CHECK_THROWS_WITH(draw(),
                      Contains("result.json: curve: missing") && Contains("watershed throttle --rate LIST --json"));
    result = throttled();
    result["curve"][1]["refused"].erase("count");
    CHECK_THROWS_WITH(draw(), Contains("count: missing"));
    result = throttled();
    result["rules"] = ordered_json::array();
    CHECK_THROWS_WITH(draw(), Contains("result.json: rules: no rule is needed, or none helps"));
    result = throttled();
    draw();
    CHECK_THAT(folder.read("figure.gp"), Contains("'data: result ·"));
}
