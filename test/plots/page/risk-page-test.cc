// SPDX-License-Identifier: GPL-2.0-only
#include <nlohmann/json.hpp>

#include "plots/page/pages.h"
#include "scenarios/design/needed-memory.h"
#include "test/catch.h"
#include "test/plots/page/words.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

using Json = nlohmann::ordered_json;

/// A risk of 10^-6 at 1 kHz, in nights of an hour: 3600 s x 1000 / s x 10^-6 = 3.6 incomplete events.
Json one_in_a_million() {
    return Json::parse(R"({"program": "watershed 0", "probability": 1e-6, "bounds": [1e-6, 1e-6], "method": "chain",
        "risk_kind": "exact", "remark": "r", "night_hours": 1, "events_per_hour": 3.6e6, "trigger_rate_hz": 1000,
        "load": 0.25, "hash": null, "overload": null, "shortfall": null, "check": null, "not_checked": null})");
}

std::string risk_words(const Json& result) { return barred(page_of_result(result, "risk.json")); }

const std::string kMethod = "The chance is calculated, from the chain of the memory's states: r.|";

/// A size for 8 kHz, of 1 and 2 uplinks.
Json sized() {
    return Json::parse(R"({"program": "watershed 0", "memory": "the memory", "fewest_uplinks": null, "points": [
        {"rate_khz": 8, "loss": 1e-6, "uplinks": 1, "load": 0.5, "frames": 3, "frames_at_least": 3, "bytes": 3210},
        {"rate_khz": 8, "loss": 1e-6, "uplinks": 2, "load": 0.25, "frames": 2, "frames_at_least": 2, "bytes": 2140}]})");
}

std::string size_words(const Json& result) {
    const TemporaryFolder folder;
    return barred(page_of_result(result, folder.write("size.json", result.dump())));
}

}  // namespace

TEST_CASE("A risk has its chance, how often that is, and what it was calculated by") {
    CHECK(
        risk_words(one_in_a_million()) ==
        "|How often is an event lost?|An event is incomplete with a chance of 10⁻⁶ (10⁻⁶ to 10⁻⁶, certainly). Of 1000 "
        "events a second that is one in 16.67 min, or 3.6 in a night of 1 h.|quantity|value|between, certainly|"
        "chance that an event is incomplete|10⁻⁶|10⁻⁶ to 10⁻⁶|incomplete events in an hour|3.6|3.6 to 3.6|"
        "incomplete events in a night|3.6|3.6 to 3.6|events in an hour|3\u202f600\u202f000|–|"
        "load of the busiest link|25 %|–|" +
            kMethod);
}

TEST_CASE("A risk says what it depends on where that is known, and what a second method gave") {
    Json result = one_in_a_million();
    for (const char* name : {"hash", "overload", "shortfall", "not_checked"}) result[name] = name;
    result["check"] = {{"method", "bound"}, {"bounds", {0, 1e-3}}};
    const std::string words = risk_words(result);
    CHECK_THAT(words, Contains("|If the switch's hash is that of the scenario: hash.|Overload: overload.|quantity|"));
    CHECK_THAT(words, Contains("|" + kMethod +
                               "This is shortfall.|Checked by a second method, calculated, as a bound: at most "
                               "0.1 %.|Not checked: not_checked.|"));
}

TEST_CASE("The groups of a risk are listed with their senders, rates and loads") {
    Json result = one_in_a_million();
    CHECK_THAT(risk_words(result), !Contains("Groups of modules"));
    result["groups"] = {{{"name", "new"}, {"modules", 64}, {"rate_hz", 5000.0}, {"link_load", 0.125}}};
    CHECK_THAT(risk_words(result), Contains("|Groups of modules|group|modules|events a second|load of a module's link|"
                                            "new|64|5000|12.5 %|"));
}

TEST_CASE("The method of a risk is told in words, and one without words by its name") {
    const auto [method, words] = GENERATE(table<const char*, const char*>({
        {"bound", "calculated, as a bound"},
        {"direct", "sampled, by simulation"},
        {"repetition", "exact, since all repeats"},
        {"tilted", "sampled, by simulation in which losses are made frequent (importance sampling)"},
        {"other", "other"},
    }));
    Json result = one_in_a_million();
    result["method"] = method;
    CHECK_THAT(risk_words(result), Contains("|The chance is " + std::string(words) + ": r.|"));
}

TEST_CASE("A risk of which nothing is known says so, and one that was sampled has no certain range") {
    Json result = one_in_a_million();
    result["bounds"] = {0, 1};
    result["probability"] = 1;
    result["risk_kind"] = "unknown";
    CHECK_THAT(risk_words(result), Contains("|How often an event is incomplete is not known.|"));
    result = one_in_a_million();
    result.erase("bounds");
    result["risk_kind"] = "sampled";
    result["interval95"] = {1e-7, 1e-5};
    CHECK_THAT(risk_words(result),
               Contains("a chance of 10⁻⁶ (10⁻⁷ to 10⁻⁵ with 95 % confidence). Of 1000 events a second that is one in "
                        "16.67 min, or 3.6 in") &&
                   Contains("|between, with 95 % confidence|") && !Contains("certainly"));
}

TEST_CASE("A memory is told for the highest rate and the smallest chance that were asked") {
    Json result = sized();
    CHECK(
        size_words(result) ==
        "|How large must the memory be?|So that no more than 10⁻⁶ of the events are incomplete at 8 kHz: with 1 uplink "
        "the memory must hold 3 frames, 3.21 kB; with 2 uplinks the memory must hold 2 frames, 2.14 kB.|triggers, kHz|"
        "incomplete, at most|uplinks|load of an uplink|frames that suffice|frames that are too few|memory|"
        "8|10⁻⁶|1|50 %|3|2|3.21 kB|8|10⁻⁶|2|25 %|2|1|2.14 kB|So many frames certainly suffice, and so few certainly "
        "do not; where these are neighbours the answer is exact. Where a chance is sampled nothing is certain: the "
        "memory is "
        "the smallest that kept to the wanted chance in a simulation.|");
    result["points"][0]["rate_khz"] = 7;  // of one uplink nothing is told for 8 kHz
    CHECK_THAT(size_words(result), Contains(" at 8 kHz: with 2 uplinks the memory must hold 2 frames, 2.14 kB.|"));
    result["points"][0]["rate_khz"] = 8;
    result["points"][0]["loss"] = 1e-5;
    CHECK_THAT(size_words(result), Contains("than 10⁻⁶ of the events are incomplete at 8 kHz: with 2 uplinks the"));
}

TEST_CASE("A memory of which only limits are known is told by them, and where none is enough by that") {
    Json result = sized();
    result["answer"] = {"one", "two"};
    result["points"][0]["frames"] = nullptr;
    result["points"][0]["bytes"] = nullptr;
    for (const int at_least : {0, 1, 2}) {
        result["points"][1]["frames"] = 3;
        result["points"][1]["frames_at_least"] = at_least;
        const char* known = at_least > 1 ? ", and not enough with less than 2 frames." : ", and far less may suffice.";
        const char* too_few = at_least == 0 ? "-1" : at_least == 1 ? "–" : "1";
        CHECK_THAT(size_words(result),
                   Contains("with 1 uplink no memory is enough; with 2 uplinks the memory is enough if it holds 3 "
                            "frames, 2.14 kB" +
                            std::string(known) + "|One.|Two.|triggers") &&
                       Contains("|none is enough|2|–|8|10⁻⁶|2|25 %|3|" + std::string(too_few) + "|2.14 kB|"));
    }
}

TEST_CASE("The memory of each tier has its curve where there are several rates") {
    Json result = sized();
    const auto curve = [](const char* tier) {
        return "|The memory of [" + std::string(tier) + "] that is enough against the trigger rate.";
    };
    result["points"][1]["rate_khz"] = 9;
    CHECK_THAT(size_words(result), Contains(curve("switch")) && !Contains(curve("aggregation")));
    for (Json& point : result["points"]) point["memory_of"] = "aggregation";
    CHECK_THAT(size_words(result), !Contains(curve("switch")) && Contains(curve("aggregation")));
    result["points"][0]["memory_of"] = "switch";
    CHECK_THAT(size_words(result), Contains(curve("switch")) && Contains(curve("aggregation")));
    CHECK_THAT(size_words(result), Contains("with 2 uplinks the memory of [aggregation] must hold"));
    for (Json& point : result["points"]) point["frames"] = point["bytes"] = nullptr;  // no curve of nothing
    CHECK_THAT(size_words(result), Contains("|A figure is missing: "));
    result = sized();
    CHECK_THAT(size_words(result), !Contains("against the trigger rate"));
    result["points"].erase(1);
    result["points"][0]["rate_khz"] = 0.5;
    CHECK_THAT(size_words(result), Contains(" at 0.5 kHz: with 1 uplink the") && !Contains("against the trigger rate"));
}
