// SPDX-License-Identifier: GPL-2.0-only
#include <nlohmann/json.hpp>
#include <regex>

#include "plots/page/pages.h"
#include "plots/page/parts.h"
#include "scenarios/design/needed-memory.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/plots/page/words.h"
#include "test/temporary-folder.h"

using namespace watershed;
using Json = nlohmann::ordered_json;

namespace {

/// Words that a reader sees.
std::string words_of(const std::string& html) {
    return std::regex_replace(std::regex_replace(html, std::regex("<svg[^]*?</svg>"), ""), std::regex("<[^>]*>"), " ");
}

/// No machine's numbers, and no names of members.
void check_readable(const std::string& html) {
    const std::string words = words_of(html);
    CHECK_FALSE(std::regex_search(words, std::regex("[0-9]e[-+]?[0-9]")));
    CHECK_FALSE(std::regex_search(words, std::regex("[0-9]\\.[0-9]{7}")));
    CHECK_FALSE(std::regex_search(words, std::regex("\\bnull\\b|[a-z]_[a-z]")));
}

Json risk() {
    return {{"probability", 1.0709627964835138e-12},
            {"bounds", {1.0659424477860002e-12, 1.0760061727696929e-12}},
            {"method", "chain"},
            {"risk_kind", "exact"},
            {"log10_probability", -11.97022561559443},
            {"log10_at_least", -11.97226624304275},
            {"log10_at_most", -11.968185237227134},
            {"remark", "what the queue settles to, from trigger to trigger"},
            {"per_hour", 3.0358000530241334e-05},
            {"per_night", 0.00024286400424193067},
            {"night_hours", 8.0},
            {"events_per_hour", 28346456.692913387},
            {"trigger_rate_hz", 7874.0157480314965},
            {"load", 0.3021102362204725},
            {"overload", nullptr},
            {"check", nullptr},
            {"assumed", Json::array()},
            {"overridden", Json::array()},
            {"seed", 1},
            {"program", "watershed 0.1.0"},
            {"command", "watershed risk camera.toml"}};
}

}  // namespace

TEST_CASE("A risk is told in a sentence, with its bounds and how often that is") {
    const std::string html = page_of_result(risk(), "risk.json");
    // One in 1 / (1.07096e-12 x 7874.02) s = 1.1858e8 s = 3.758 years of 365.25 days.
    CHECK_THAT(html, Contains("a chance of 1.071 × 10⁻¹² (1.065 × 10⁻¹² to 1.077 × 10⁻¹², certainly)"));
    CHECK_THAT(html, Contains("one in 3.758 years"));
    CHECK_THAT(html, Contains("30.21 %"));
    // Between the bounds times 28346457 events an hour, and 8 hours.
    CHECK_THAT(html, Contains("3.021 × 10⁻⁵ to 3.051 × 10⁻⁵"));
    CHECK_THAT(html, Contains("2.417 × 10⁻⁴ to 2.441 × 10⁻⁴"));
    check_readable(html);
}

TEST_CASE("A chance of which only limits are known is told by them, and the time between events keeps them") {
    Json result = risk();
    result["risk_kind"] = "bound";
    result["log10_at_least"] = -14;
    CHECK_THAT(page_of_result(result, "risk.json"),
               Contains("a chance of between 10⁻¹⁴ and 1.077 × 10⁻¹², certainly") &&
                   Contains("the time between two is between 3.74 years and 402.5 years"));
    result["log10_at_least"] = nullptr;
    result["bounds"][0] = 0;
    CHECK_THAT(page_of_result(result, "risk.json"), Contains("a chance of at most 1.077 × 10⁻¹²") &&
                                                        Contains("the time between two is at least 3.74 years") &&
                                                        !Contains("1.071"));
}

TEST_CASE("A sampled risk has an interval of confidence, and one of which nothing was seen does not say never") {
    Json result = risk();
    result["interval95"] = {0, 1e-4};
    result["risk_kind"] = "sampled";
    for (const char* name : {"bounds", "log10_at_least", "log10_at_most"}) result.erase(name);
    CHECK_THAT(page_of_result(result, "risk.json"), Contains("with 95 % confidence"));
    result["probability"] = 0.0;
    result["log10_probability"] = nullptr;
    CHECK_THAT(page_of_result(result, "risk.json"), Contains("with 95 % confidence the chance is at most 10⁻⁴."));
}

TEST_CASE("Never is said only where that is proven, with its condition, before what was sampled") {
    Json result = risk();
    result["method"] = "bound";
    result["probability"] = 0.0;
    result["bounds"] = {0, 0};
    for (const char* name : {"log10_probability", "log10_at_least", "log10_at_most"}) result[name] = nullptr;
    result["never"] = false;
    CHECK_THAT(page_of_result(result, "risk.json"),
               Contains("No event is incomplete, certainly") && !Contains("ever incomplete"));
    result["never"] = true;
    result["remark"] = "no triggers lose a frame";
    CHECK_THAT(page_of_result(result, "risk.json"),
               Contains("No event is ever incomplete: no triggers lose a frame.") && !Contains(" 0 to 0"));
    result["risk_kind"] = "sampled";
    result["interval95"] = {0, 0.00018442696};
    result["log10_at_most"] = std::log10(0.00018442696);
    CHECK_THAT(page_of_result(result, "risk.json"),
               Contains("No event is ever incomplete, as watershed bound proves. ") &&
                   Contains("the chance is at most 1.845 × 10⁻⁴") && Contains("0 to 1.845 × 10⁻⁴"));
}

TEST_CASE("Sizes name the memory for the hardest of what was asked, and where none is enough say so") {
    const auto point = [](double loss, int uplinks, Json frames) {
        return Json{{"rate_khz", 8.0},       {"loss", loss},
                    {"uplinks", uplinks},    {"load", 0.3021102362204725},
                    {"frames", frames},      {"frames_at_least", frames},
                    {"memory_of", "switch"}, {"bytes", frames.is_null() ? Json(nullptr) : Json(465450)}};
    };
    Json result{{"loss", 1e-6},
                {"memory", "the whole memory"},
                {"frames", 299},
                {"frames_at_least", 299},
                {"bytes", 319930},
                {"fewest_uplinks_at_least", nullptr},
                {"fewest_uplinks", nullptr},
                {"answer", {"with 46 frames at 8 kHz: fewest uplinks 1 for 10⁻⁶"}},
                {"points", {point(1e-6, 1, 299), point(1e-9, 1, nullptr), point(1e-9, 2, 435)}},
                {"program", "watershed 0.1.0"}};
    const std::string html = page_of_result(result, "size.json");
    CHECK_THAT(html, Contains("no more than 10⁻⁹ of the events"));
    CHECK_THAT(html, Contains("kHz: with 1 uplink no memory is enough; with 2 uplinks the whole memory must hold 435 "
                              "frames, 465.45 kB."));
    CHECK_THAT(html, Contains("With 46 frames at 8 kHz: fewest uplinks 1 for 10⁻⁶."));
    CHECK_THAT(words_of(html), Contains("434") && Contains("[switch]"));  // certainly too few, if 435 are the fewest
    check_readable(html);
    // A memory of which only a bound is known, and one of a second tier.
    result["points"][2]["frames_at_least"] = 1;
    result["points"][1]["memory_of"] = "aggregation";
    CHECK_THAT(
        page_of_result(result, "size.json"),
        Contains("with 1 uplink no memory of [aggregation] is enough; with 2 uplinks the whole memory of [switch] "
                 "is enough if it holds 435 frames, 465.45 kB, and far less may suffice.") &&
            !Contains("must hold"));
    result["points"][2]["frames_at_least"] = 430;
    CHECK_THAT(page_of_result(result, "size.json"), Contains("465.45 kB, and not enough with less than 430 frames."));
}

TEST_CASE("A run says what was lost, where and why, or that nothing was") {
    Json run{{"program", "watershed 0.1.0"},
             {"scenario", "camera.toml"},
             {"set", {"front_end.modules=29"}},
             {"frames", {{"sent", 58}, {"received", 56}, {"lost", 2}}},
             {"events", {{"sent", 2}, {"complete", 1}}},
             {"buffer", {{"peak_frames", 46}, {"peak_bytes", 49220}}},
             {"losses", {{{"where", "switch"}, {"reason", "buffer-full"}, {"frames", 2}}}},
             {"first_loss", {{"event", 2}, {"module", 28}, {"time_s", 1.744e-05}, {"where", "switch"}}},
             {"lost_by_module", {2}},
             {"incomplete_events", {{{"event", 2}, {"missing", 2}}}},
             {"uplinks", {{{"frames", 56}, {"wire_bytes", 61040}, {"utilisation", 0.8484848484848485}}}},
             {"recovery", {{"places", Json::array()}, {"events", nullptr}}},
             {"latency", nullptr},
             {"something_new", 12345}};
    const std::string html = page_of_result(run, "run.json");
    CHECK_THAT(html, Contains("1 of 2 events arrived complete (50 %)"));
    CHECK_THAT(html,
               Contains("2 of 58 frames were lost (3.45 %): 2 frames at the switch, because its memory was full"));
    CHECK_THAT(html, Contains("something new"));
    CHECK_THAT(html, Contains("12\u202f345"));
    run["frames"] = {{"sent", 58}, {"received", 58}, {"lost", 0}};
    run["events"]["complete"] = 2;
    run["losses"] = Json::array();
    run["first_loss"] = nullptr;
    run["lost_by_module"] = {0};
    CHECK_THAT(page_of_result(run, "run.json"), Contains("Nothing was lost: all 2 events arrived complete"));
}

TEST_CASE("Delays of modules are long enough as the page says them, and the answer is the command's own sentence") {
    const Json kind{{"kind", "linear"}, {"step_s", 1.1761e-05}, {"latency_added_s", 2.79042e-05}, {"lossless", true}};
    const Json result{{"program", "watershed 0.1.0"}, {"kind", "linear"},
                      {"step_s", 1.1761e-05},         {"latency_added_s", 2.7904e-05},
                      {"kinds", Json::array({kind})}, {"answer", {"linear delays add least", "more"}}};
    const std::string html = page_of_result(result, "stagger.json");
    CHECK_THAT(html, Contains("<p class=\"answer\">linear delays add least</p>\n<p>more</p>"));
    Json assuming = result;
    assuming["assumed"] = {{{"key", "switch.latency"}, {"value", "0 us"}, {"model", "box"}}};
    CHECK_THAT(page_of_result(assuming, "stagger.json"),
               Contains("add least. This rests on 1 assumed value, listed below.</p>\n<p>more</p>"));
    CHECK_THAT(html,
               Contains("11.761 µs") && Contains("27.905 µs") && !Contains("11.76 µs") && !Contains("In the scenario"));
}

TEST_CASE("A bound is at most so much, queue by queue and class by class") {
    const Json queue{
        {"name", "uplink 1"},     {"modules", 44},
        {"load", 0.9592},         {"backlog_frames", 44},
        {"backlog_bytes", 47080}, {"memory_bytes", 47080},
        {"delay_s", 3.83671e-05}, {"classes", {{{"class", 0}, {"backlog_frames", 7}, {"delay_s", 1e-06}}}}};
    const Json result{{"program", "watershed 0.1.0"},
                      {"lossless", true},
                      {"bounded", true},
                      {"queues", Json::array({queue})},
                      {"switches", {{{"name", "switch"}, {"lossless", true}, {"backlog_frames", 44}}}},
                      {"witness", {{{"time_s", 0.0}}}}};
    const std::string words = words_of(page_of_result(result, "bound.json"));
    CHECK_THAT(words, Contains("38.368 µs") && Contains("uplink 1, class 0") && Contains("frames, at most") &&
                          Contains("never loses one"));
    Json open = result;
    open["exact"] = false;
    open["switches"][0]["lossless"] = false;
    for (int i = 0; i < 30; ++i) open["witness"].push_back({{"time_s", 0.0}});
    CHECK_THAT(words_of(page_of_result(open, "bound.json")), Contains("may lose some, for all that this bound tells") &&
                                                                 Contains("and so on, 31 in all.") &&
                                                                 !Contains("the file has all"));
}

TEST_CASE("A share of an interval is rounded outwards") {
    CHECK(share_in_words({{"refused", 0.0282}, {"interval95", {0.027904172, 0.028521399}}}, "refused") ==
          "2.79 to 2.853 % (95 %)");
    CHECK(share_in_words({{"refused", 0.2348562}, {"bounds", {0.2348562, 0.2348562}}}, "refused") == "23.49 %");
}

TEST_CASE("A sensitivity of bursts tells the frames that are lost, and nothing of a chance") {
    const auto row = [](const char* what, int lost) {
        return Json{{"what_if", what},
                    {"set", Json::object()},
                    {"verdict", lost ? "breaks" : "holds"},
                    {"frames", {{"sent", 40}, {"lost", lost}}},
                    {"events", {{"sent", 10}, {"complete", 10 - lost}}}};
    };
    const Json result{{"program", "watershed 0.1.0"},
                      {"holds", true},
                      {"loss", 1e-9},
                      {"margins", {{"rate_percent", 102400}, {"rate_percent_at_least", true}}},
                      {"rows", {row("as it is", 0), row("half", 3)}},
                      {"answer", {"What if?", "It bears more than 102400 % of the trigger rate."}}};
    const TemporaryFolder folder;
    const std::string words = words_of(page_of_result(result, folder.write("s.json", result.dump())));
    CHECK_THAT(words, Contains("frames lost") && Contains("3 of 40 frames") && Contains("more than 102400 %") &&
                          !Contains("chance") && !Contains("102\u202f400"));
}

TEST_CASE("The page of a fit has the sentences of the text, caveats among them, and every interval of every quantity") {
    const auto quantity = [](const char* name, const char* unit, double value) {
        return Json{{"name", name},
                    {"unit", unit},
                    {"estimate", value},
                    {"interval68", {value - 1, value + 1}},
                    {"interval95", {value - 2, value + 2}},
                    {"hard", {nullptr, nullptr}}};
    };
    const std::string headline = "Fit of m.csv: a queue behind a token bucket, 36 bursts used, 0 set aside",
                      found = "The buffer holds 6000 cells, 1248000 bytes (95 %: 5998 to 6002 cells).";
    const Json fit{{"program", "watershed 0.1.0"},
                   {"command", "watershed fit m.csv"},
                   {"headline", headline},
                   {"answer", found},
                   {"model", "shared-cells"},
                   {"standing", "one threshold tells lossy from lossless bursts"},
                   {"quantities",
                    {quantity("depth", "cells", 6000), quantity("depth", "bytes", 1248000),
                     quantity("service rate", "Mb/s", 9346)}},
                   {"notes", {{"basis", {{{"topic", "counts"}, {"text", "used: all of them"}}}}}},
                   {"depth", {{"unit", "cells"}, {"estimate", nullptr}}},
                   {"service_rate", {{"bits_per_s", 9.346e9}}},
                   {"models",
                    {{{"name", "shared-cells"},
                      {"words", "one memory for all inputs, counted in cells"},
                      {"feasible", true},
                      {"probability_text", "> 0.99"},
                      {"depth_text", "6000 cells"}}}},
                   {"rows_used", 36}};
    const std::string html = page_of_result(fit, "fit.json");
    CHECK_THAT(html, Contains(headline + ". " + found + " One threshold tells lossy from lossless bursts."));
    CHECK_THAT(html, Contains("9345 to 9347") && Contains("9344 to 9348") && Contains("used: all of them") &&
                         Contains("one memory for all inputs, counted in cells"));
    CHECK_THAT(html, Contains("1\u202f248\u202f000"));
    check_readable(html);
}

TEST_CASE("A document that lacks what its kind has is refused with the file's name") {
    Json result = risk();
    result.erase("trigger_rate_hz");
    CHECK_THROWS_WITH(page_of_result(result, "risk.json"), Contains("risk.json"));
    CHECK_THROWS_AS(page_of_result(Json{{"a", 1}}, "other.json"), InputError);
}

TEST_CASE("A result without a page of its own is all it says, below its command and its scenario") {
    const auto words = [](const char* members) {
        Json result = Json::parse(members);
        result["program"] = "watershed 0";
        return barred(page_of_result(result, "r.json"));
    };
    CHECK(words(R"({"a": 1, "scenario": "s.toml", "set": ["k=1", "l=2"]})") ==
          "|Result, r.json|Scenario s.toml with k=1, l=2|value of|is|a|1|");
    CHECK(words(R"({"command": "watershed balance  .toml s.toml t.toml --x", "scenario": 1, "set": "k"})") ==
          "|Result of watershed balance, r.json|Scenario .toml|");
    CHECK(words(R"({"command": "watershed blame s.toml", "scenario": ""})") ==
          "|Result of watershed blame, r.json|Scenario s.toml|");
    CHECK(words(R"({"command": "watershed refit stoml", "set": ["k=1"]})") == "|Result, r.json|");
    CHECK_THAT(page_of_result({{"program", "watershed 0"}}, "r.json"), !Contains("<p"));
}

TEST_CASE("A list is a comparison, a page of its rows, or a result for each switch") {
    const Json one{{"program", "watershed 0"}, {"a", 1}}, row{{"frame_bytes", 64}, {"lossless", 1}, {"drops", 1}};
    CHECK(barred(page_of_result({one, one}, "r.json")) ==
          "|Result, r.json|value of|is|a|1|Result, r.json|value of|is|a|1|");
    CHECK_THAT(page_of_result({row, row}, "r.json"), Contains("How long a burst of frames of each size"));
    CHECK_THROWS_WITH(page_of_result(Json::array({{{"verdict", "agrees"}}}), "r.json"), Contains("watershed validate"));
    CHECK_THAT(barred(page_of_result({{"program", "watershed 0"}, {"verdict", 1}}, "r.json")), Contains("verdict|1"));
    for (const char* other : {"[]", "{}", "[{\"a\": 1}]", "1", "[1]", "{\"threshold_cells\": 1}"})
        CHECK_THROWS_WITH(page_of_result(Json::parse(other), "r.json"), Contains("no command of watershed writes"));
}
