// SPDX-License-Identifier: GPL-2.0-only
#include <nlohmann/json.hpp>

#include "plots/page/pages.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/plots/page/words.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

using Json = nlohmann::ordered_json;

Json planned(const char* name, double log10_risk) {
    Json design = Json::parse(R"({"scenario": "s.toml", "modules": 2, "uplinks": 1, "peak_frames": 1,
        "peak_bytes": 1070, "risk": null, "events_lossless": null, "events_unknown_beyond": null, "load": null,
        "latency": null, "price": null, "power": null, "switches": {"switch": 1}, "frames": {"lost": 0},
        "events": {"sent": 1, "complete": 1}, "watershed": [[10, 3], [20, null]], "assumed": []})");
    design["name"] = name;
    design["events_lossless"] = 3;
    design["risk"] = {{"log10_probability", log10_risk}, {"log10_at_most", log10_risk}};
    return design;
}

std::string designs_words(const Json& designs) {
    const TemporaryFolder folder;
    const Json result{{"program", "watershed 0"}, {"separation_us", 10}, {"designs", designs}, {"a", 5}};
    return barred(page_of_result(result, folder.write("designs.json", result.dump())));
}

}  // namespace

TEST_CASE("Designs stand beside each other, below which is best and above their watersheds") {
    CHECK(
        designs_words({planned("x", -9), planned("y", -6)}) ==
        "|Which design is better?|Smallest risk: x (10⁻⁹). Longest lossless burst: all alike. Fewest frames lost in "
        "the "
        "run: all alike.|x|y|modules|2|2|switches|1|1|links behind switches|1|1|chance that an event is "
        "incomplete|10⁻⁹|"
        "10⁻⁶|longest lossless burst, events 10 µs apart|3|3|events complete in the run|1 of 1|1 of 1|frames lost in "
        "the run|0|0|fullest moment of a memory|1 frame, 1.07 kB|1 frame, 1.07 kB|How long a burst each design bears, "
        "against the separation of its events. Higher is better; a line ends where the uplinks keep up with any burst.|"
        "All other values|value of|is|a|5|");
}

TEST_CASE("Designs say what was assumed of their switches, and why a watershed is missing") {
    Json one = planned("x", -9), other = planned("y", -6);
    const auto value = [](const char* key) { return Json{{"key", key}, {"value", "1 us"}, {"model", "box"}}; };
    one["assumed"] = {value("k"), value("l")};
    other["assumed"] = Json::array({value("m")});
    other["overridden"] = Json::array({value("n")});
    one["no_watershed"] = "it takes too long";
    one["watershed"] = Json::array();
    CHECK_THAT(
        designs_words({one, other}),
        Contains("This rests on 3 assumed values, listed below.|x|y|") &&
            Contains("|No watershed of x: it takes too long.|Values of switches that were assumed or "
                     "overridden|x, assumed: key k, value 1 us, model box|x, assumed: key l, value 1 us, model box|"
                     "y, assumed: key m, value 1 us, model box|y, overridden: key n, value 1 us, model box|"));
    CHECK_THAT(designs_words(Json::array({planned("x", -9)})), Contains("?|No two of them tell the same quantity.|"));
}
