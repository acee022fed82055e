// SPDX-License-Identifier: GPL-2.0-only
#include <nlohmann/json.hpp>

#include "plots/page/pages.h"
#include "scenarios/catalogue/scenario-folders.h"
#include "scenarios/commands/answers.h"
#include "test/catch.h"

using namespace watershed;
using Json = nlohmann::ordered_json;

namespace {

Json explored(const std::string& models, const std::vector<std::string>& overrides = {}) {
    ExploreAsked asked;
    asked.wanted.scenario = std::string(scenario_folders().front()) + "/explore-nectarcam.toml";
    asked.asked.modules = 265;
    asked.asked.models = models;
    asked.asked.counts = "6";
    asked.asked.uplinks = "1";
    asked.asked.jobs = 1;
    asked.wanted.overrides = overrides;
    return explore_answer(asked, exact_only().engine).json;
}

std::size_t count_of(const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
    return count;
}

}  // namespace

TEST_CASE("The page of an exploration has a row for each ranked way, what it rests on, and what to ask") {
    const Json result = explored("arista-7010t,dell-s60,cisco-4948e");
    const std::string html = page_of_result(result, "explore.json");
    std::size_t rows = 0;
    for (const Json& way : result.at("ways")) rows += !way.at("rank").is_null() && way.at("same_as").is_null();
    REQUIRE(rows > 0);
    const auto table = html.find("The ways that lose few enough");
    REQUIRE(table != std::string::npos);
    const std::string ways = html.substr(table, html.find("Why not another switch?") - table);
    CHECK(count_of(ways.substr(0, ways.find("</table>")), "<tr") == rows + 1);
    CHECK_THAT(html, Contains("Why not another switch?") && !Contains("None that was tried"));
    CHECK_THAT(html, Contains("What if?") && Contains("What to ask the maker"));
    CHECK_THAT(html, Contains(" They are "));  // a value that several switches lack is told once
}

TEST_CASE("The page of an exploration without a way says so, and neither counts nor asks what nobody buys") {
    const Json result = explored("dell-s60", {"trigger.rate=100 kHz"});  // 10 us apart, 39 us of work each
    REQUIRE(result.at("feasible") == 0);
    const std::string html = page_of_result(result, "explore.json");
    CHECK_THAT(html, Contains("None that was tried. The tables below say why."));
    CHECK_THAT(html, !Contains("What if?") && !Contains("The bill of the way recommended"));
    CHECK_THAT(html, !Contains("In all, of the ways"));  // the table of one switch says it all
}
