// SPDX-License-Identifier: GPL-2.0-only
#include <nlohmann/json.hpp>

#include "plots/page/pages.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/plots/page/words.h"

using namespace watershed;

namespace {

using Json = nlohmann::ordered_json;

Json compared(const char* system, const char* basis, const char* verdict, double published, double simulated) {
    return {{"system", system},       {"quantity", "q"},
            {"unit", "us"},           {"source", "paper"},
            {"basis", basis},         {"verdict", verdict},
            {"remark", ""},           {"published", published},
            {"simulated", simulated}, {"difference", simulated - published},
            {"tolerance", 0.25}};
}

std::string rows_of(const Json& result) {
    const std::string words = barred(validation_page(result));
    return words.substr(words.rfind("|verdict|") + 8);
}

}  // namespace

TEST_CASE("A comparison has a table for each system and basis, below how many numbers agree") {
    const Json result{compared("b", "predicted", "agrees", 2, 2), compared("a", "theory", "as calculated", 3, 3),
                      compared("b", "predicted", "differs", 4, 5)};
    const std::string heads = "|quantity|unit|published|simulated|difference|tolerance|verdict|paper|";
    CHECK_THAT(barred(page_of_result(result, "v.json")),
               Contains("|System: b|predicted: nothing of these numbers went into the parameters" + heads +
                        "q|us|2|2|0|0.25|agrees|q|us|4|5|1|0.25|differs|System: a|theory: ") &&
                   Contains("|formula|simulated|difference|tolerance|verdict|paper|q|us|3|3|0|0.25|"));
    CHECK_THAT(validation_page(result), Contains("<p class=\"answer\">1 of 2 predicted numbers agree.") &&
                                            Contains("</p>\n<p>1 of 1 numbers agree with the formula.</p>"));
}

TEST_CASE("A compared number has as many digits as show its difference, and what is whole has all") {
    CHECK(rows_of(Json::array({compared("a", "predicted", "agrees", 103217.5, 103818.25)})) ==
          "|paper|q|us|103\u202f220|103\u202f820|601|0.25|agrees|");
    CHECK(rows_of(Json::array({compared("a", "predicted", "agrees", 1e9, 1000000001.0)})) ==
          "|paper|q|us|1\u202f000\u202f000\u202f000|10⁹|1|0.25|agrees|");
    Json open = compared("a", "predicted", "agrees", 1.5, 2.25);
    open["published"] = nullptr;  // a column of dashes is left out
    CHECK(rows_of(Json::array({open})) == "|paper|q|us|2.25|0.75|0.25|agrees|");
}

TEST_CASE("A compared number stands below its source, if that is new, and above what there is to say of it") {
    Json other = compared("a", "calibrated", "reached", 1, 1);
    other["calibrated_keys"] = {"k", "l"};
    other["scenario"] = "s.toml";
    other["explanation"] = "why";
    other["remark"] = "so";
    other["tolerance_reason"] = "read off";
    const Json first = compared("a", "calibrated", "reached", 2, 2);
    Json last = first;
    last["source"] = "book";
    for (Json* each : {&other, &last}) (*each)["verdict"] = first["verdict"];
    CHECK(rows_of({first, other, last}) ==
          "|paper|q|us|2|2|0|0.25|reached|q|us|1|1|0|0.25|reached|calibrated to it: k, l of s.toml|why|so|"
          "tolerance: read off|book|q|us|2|2|0|0.25|reached|");
}

TEST_CASE("A comparison that lacks a member, or has a verdict of another basis, is refused by it") {
    const auto refused = [](const char* member, const Json& value) {
        Json row = compared("a", "calibrated", "reached", 1, 1);
        row["scenario"] = "s.toml";
        row["calibrated_keys"] = {"k"};
        if (value.is_null())
            row.erase(member);
        else
            row[member] = value;
        std::string message;
        try {
            check_comparison(Json::array({row}), "v.json");
        } catch (const InputError& error) {
            message = error.what();
        }
        return message;
    };
    CHECK(refused("unit", "s").empty());
    for (const char* name : {"system", "quantity", "unit", "source", "basis", "verdict", "remark", "published",
                             "simulated", "difference", "tolerance", "scenario", "calibrated_keys"})
        CHECK_THAT(refused(name, nullptr), Contains(std::string(name) + ": missing"));
    CHECK_THAT(refused("verdict", "agrees"), Contains("v.json: found basis \"calibrated\" with verdict \"agrees\""));
    check_comparison(Json::array({compared("a", "predicted", "agrees", 1, 1)}), "v.json");  // needs no keys
}
