// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>
#include <nlohmann/json.hpp>

#include "plots/page/html.h"
#include "plots/page/pages.h"
#include "scenarios/catalogue/scenario-folders.h"
#include "scenarios/commands/answers.h"
#include "scenarios/design/explore-result.h"
#include "test/catch.h"
#include "test/plots/page/words.h"
#include "test/temporary-folder.h"

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

/// A way with two switches and one uplink each that loses so many events.
RatedDesign way_of(int rank, const std::string& model, double risk) {
    RatedDesign way;
    way.stacking = {model, 4, 2, 1, "modulo"};
    way.fits = RatedDesign::Fit::Yes;
    way.load = 0.25;
    way.capacity = 4;
    way.watershed = Boundary{144};
    way.log_risk = Enclosure{std::log(risk), std::log(risk), std::log(risk)};
    way.latency_us = 5;
    way.recovery_us = 7;
    way.rank = rank;
    return way;
}

ExploreResult tried(const std::vector<RatedDesign>& ways) {
    ExploreResult result;
    result.scenario = "none.toml";
    result.modules = 4;
    result.rate = "8 kHz";
    result.accepted_rate_hz = 8000;
    result.fragments_bytes = {1024};
    result.dead_time = "2 us";
    result.separation_us = 20;
    result.ways = ways;
    result.switches = {{"a", "Box A", 1, 1, 1, {}, "it is"}};
    return result;
}

std::string explored_html(const ExploreResult& result) {
    const TemporaryFolder folder;
    const Json document = to_json(result);
    return explored_page(document, folder.write("explore.json", document.dump()));
}

std::string explored_words(const ExploreResult& result) { return barred(explored_html(result)); }

/// Text between two texts, the first of which is there.
std::string between(const std::string& text, const std::string& first, const std::string& last) {
    const auto begin = text.find(first);
    if (begin == std::string::npos) return "no " + first;
    return text.substr(begin + first.size(), text.find(last, begin) - begin - first.size());
}

Unstated unstated(Unstated::Standing standing, const std::string& key, const std::string& model) {
    return {standing, {key, "1 us", model, "2 us", "--set"}};
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
    CHECK_THAT(html, Contains("<figcaption>The way recommended, from the modules at the left"));
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

TEST_CASE("The page of the only way has what was asked, the advice, its row and why") {
    const std::string words = explored_words(tried({way_of(1, "a", 1e-12)})),
                      chance = "chance that an event is incomplete is at most 10⁻¹²";
    // 10^-12 of 8000 / s is one in 1.25 x 10^8 s, 3.96 years.
    CHECK_THAT(
        words,
        StartsWith("|Which switches to buy?|Asked: which switches read out 4 modules, each of which sends a fragment "
                   "of 1.024 kB of payload for each event, at 8 kHz of random triggers with 2 us of dead time, so that "
                   "no more than 10⁻⁹ of the events are incomplete? (Scenario none.toml)|Buy 2 × a with 1 uplink each, "
                   "to 2 interfaces of the server.|Why this one? No other way loses few enough.|The " +
                   chance +
                   ", at this rate fewer than one in 3.96 years; 10⁻⁹ was wanted. The busiest link behind a switch "
                   "carries 25 % of what it can. All links could carry 4 times as many events.|of all feasible "
                   "ways|is|Safest|the one recommended, the " +
                   chance +
                   "|Fastest|the one recommended, 5 µs from a trigger to the last frame at the server, in the "
                   "mean|First whose risk rests on nothing assumed or recalled|the one recommended, the " +
                   chance + "|The topology of the way recommended is not drawn: found &quot;a&quot;"));
    CHECK_THAT(
        words,
        EndsWith(
            "|The ways that lose few enough|The only way to read out 4 modules at 8 kHz fits and loses at most 10⁻⁹ of "
            "the events. Ways that hardly differ stand in one row. A bar at the left marks a way that no other beats: "
            "none is better in cost, server ports, uplinks or risk and no worse in the others.|rank|switches|uplinks "
            "of each|server ports|load|capacity|lossless burst|risk|standing|latency|recovery|1|2 × a|1|2|25 "
            "%|4|144|10⁻¹²|known|5 µs|7 µs|Load: that of the busiest link behind a switch. Capacity: how many times as "
            "many events all links could carry. Lossless burst: events 20 µs apart. Latency: mean, without the "
            "switches' own. Recovery: from a full memory to an empty one. Risk: after ≤ an upper bound, which may be "
            "far above it. Dead time: the shortest with which no sequence of triggers loses a frame. Standing: what it "
            "rests on. Known: calculated between bounds; bounded: certainly no more; sampled: simulated; assumed, "
            "recalled: one of these, provided that values which no document states are right.|Why not another "
            "switch?|switch|catalogue|ways tried|feasible|first at rank|why it is not the one recommended|Box "
            "A|a|1|1|1|it is|Each way whose risk is known: cost to the right; the lower, the smaller the risk. "
            "Diamonds are those that no other beats; in the grey part all risks count as equal, so that only the place "
            "from left to right matters.|"));
}

TEST_CASE("What was asked has the fragments of an event, the chance or none, and what was set") {
    ExploreResult result = tried({way_of(1, "a", 1e-12)});
    const auto asked = [&] { return between(explored_words(result), " each of which sends ", " for each event"); };
    result.fragments_bytes = {1400, 1400, 1400, 300};
    result.gap_us = 1;
    CHECK(asked() == "3 fragments of 1.4 kB and one of 300 B of payload, with pauses of 1 µs between them,");
    result.fragments_bytes = {1400, 300, 300, 20};
    result.gap_us = 0;
    CHECK(asked() == "a fragment of 1.4 kB, 2 of 300 B and one of 20 B of payload");
    result.loss = 0;
    result.set = {"k=1"};
    CHECK_THAT(explored_words(result), Contains("so that no event is lost, in whatever sequence triggers come, each at "
                                                "least 2 us after the one before? (Scenario none.toml with k=1)|"));
}

TEST_CASE("The row of a way has dashes for what is not known, and limits of all that it stands for") {
    RatedDesign first = way_of(1, "a", 1e-12), alike = way_of(2, "a", 2e-12), other = way_of(3, "b", 1e-11);
    first.stacking.uplinks = alike.stacking.uplinks = 2;
    alike.stacking.selection = "hash";
    alike.same_as = 1;
    alike.dead_time_us = 3;
    first.price = 1000;
    first.power = 50;
    first.pareto = true;
    other.stacking.aggregation = "c";
    other.stacking.server_interfaces = 4;
    other.recovery_us = INFINITY;
    other.watershed = std::nullopt;
    other.log_risk->lower = -INFINITY;
    ExploreResult result = tried({first, alike, other, way_of(0, "d", 0.1)});
    result.currency = "EUR";
    CHECK(between(explored_words(result), "no worse in the others.|", "Load: ") ==
          "rank|switches|uplinks of each|second tier|server ports|load|capacity|lossless burst|risk|dead "
          "time|standing|latency|recovery|price, EUR|power, W|1|2 × a|2 (modulo, hash)|–|4|25 %|4|144|2 × 10⁻¹²|3 "
          "µs|known|5 µs|7 µs|1000|50|3|2 × b|1|c|4|25 %|4|–|≤ 10⁻¹¹|–|known|5 µs|–|–|–|");
    for (double* log : {&result.ways[2].log_risk->lower, &result.ways[2].log_risk->upper}) *log = std::log(1.04e-12);
    CHECK_THAT(explored_words(result), Contains("|1.1 × 10⁻¹²|"));  // rounded up
    result.ways[2].log_risk = Enclosure{-INFINITY, -INFINITY, -INFINITY};
    result.ways[2].recovery_us.reset();
    CHECK_THAT(explored_words(result), Contains("|never|–|known|5 µs|–|"));
    CHECK(count_of(explored_html(result), "<tr class=\"front\">") == 2);  // and the switch of rank 1
}

TEST_CASE("A table of ways has 40 rows, and says how many more there are") {
    std::vector<RatedDesign> ways;
    for (int rank = 1; rank <= 40; ++rank) ways.push_back(way_of(rank, "a", 1e-12));
    const std::string all = explored_words(tried(ways));
    CHECK_THAT(all, Contains("|40|2 × a|") && !Contains("The first 40"));
    ways.push_back(way_of(41, "a", 1e-12));
    CHECK_THAT(explored_words(tried(ways)), Contains("|40|2 × a|") && !Contains("|41|2 × a|") &&
                                                Contains("|The first 40 of 41 rows; the others are in explore.json.|"));
}

TEST_CASE("Switches that were tried have the best rank of each, and together why others are out") {
    ExploreResult result = tried({way_of(1, "a", 1e-12)});
    result.switches[0].out = {{"are too dear", 2}};
    const auto table = [&] { return between(explored_words(result), "Why not another switch?|", "|Each way whose"); };
    CHECK_THAT(table(), !Contains("In all"));
    result.switches.push_back({"b", "Box B", 3, 0, std::nullopt, {{"are too dear", 3}}, "w"});
    CHECK(table() ==
          "switch|catalogue|ways tried|feasible|first at rank|why it is not the one recommended|ways left out, and "
          "why|Box A|a|1|1|1|it is|2 are too dear|Box B|b|3|0|–|w|3 are too dear|In all, of the ways that are not "
          "feasible 5 are too dear.");
    for (SwitchSummary& each : result.switches) each.out.clear();
    CHECK_THAT(table(), !Contains("In all"));
}

TEST_CASE("What nobody states is told once for all switches that lack it, and asked of each maker") {
    using Standing = Unstated::Standing;
    RatedDesign first = way_of(1, "a", 1e-12), second = way_of(2, "b", 1e-12), out = way_of(0, "c", 0.1);
    first.unstated = {
        unstated(Standing::Assumed, "switch.latency", "a"), unstated(Standing::Recalled, "switch.ports", "a"),
        unstated(Standing::Assumed, "switch.latency", "a"), unstated(Standing::Overridden, "switch.buffer.size", "a")};
    second.unstated = {unstated(Standing::Assumed, "switch.latency", "b"),
                       unstated(Standing::Overridden, "switch.buffer.size", "b")};
    out.unstated = {unstated(Standing::Assumed, "switch.buffer.cell", "c")};
    const ExploreResult result = tried({first, second, out});
    CHECK(between(explored_words(result), "What nobody states of these switches|", "~") ==
          "The latency of these switches is unknown; 1 us was taken. They are a, b.|The number of ports of a, 1 us, is "
          "recalled: no document states it.|The size of the memory of a, 2 us, is replaced by the 1 us of --set.|The "
          "size of the memory of b, 2 us, is replaced by the 1 us of --set.|");
    CHECK(between(explored_words(result), "What to ask the maker|", "Why not") ==
          "What is the latency of a? 1 us was taken (switch.latency).|Is the number of ports of a 1 us? Which document "
          "states it (switch.ports)?|");
    first.unstated = {first.unstated[3]};
    CHECK_THAT(explored_words(tried({first})), !Contains("What to ask") && Contains("What nobody states"));
    CHECK_THAT(explored_words(tried({way_of(1, "a", 1e-12)})),
               !Contains("nobody states") && !Contains("This rests on:"));
}

TEST_CASE("The watersheds of the best ways are drawn once each, and one that is not says why") {
    ExploreResult result = tried({way_of(1, "a", 1e-12), way_of(2, "b", 1e-12), way_of(3, "b", 1e-12)});
    const Json line = Json::parse("[[10, 3], [20, null]]");
    const auto words = [&] { return between(explored_words(result), "|it is|", "Each way whose risk"); };
    result.front = {{{"rank", 1}, {"watershed", line}},
                    {{"rank", 2}, {"watershed", Json::array()}, {"no_watershed", "w"}}};
    const std::string figure =
        "How long a burst the switches of the best ways bear, against the separation of its "
        "events: switches x uplinks of each. Higher is better; a line ends where its uplinks keep "
        "up with any burst.|";
    CHECK(words() == "The watershed of rank 2 is not drawn: w. |" + figure);
    CHECK_THAT(explored_html(result), Contains("<p class=\"quiet\">The watershed of rank 2"));
    result.front = {{{"rank", 1}, {"watershed", Json::parse("[[10, null]]")}}};
    CHECK(words().empty());  // it loses nothing
    CHECK_THAT(explored_html(result), !Contains("<p class=\"quiet\"></p>"));
    result.front = {{{"rank", 2}, {"watershed", line}}, {{"rank", 3}, {"watershed", line}}};
    CHECK(count_of(explored_html(result), ">b, 2 x 1</") == 1);
    result.ways[1].stacking.aggregation = "c";
    result.ways[1].stacking.server_interfaces = 4;
    CHECK_THAT(explored_html(result), Contains("b, 2 x 1, c to 4") && Contains("b, 2 x 1<"));
}

TEST_CASE("What if has a column for each way that was asked, and the bill a row for each item") {
    ExploreResult result = tried({way_of(1, "a", 1e-12), way_of(2, "b", 1e-12)});
    result.what_if = Json::parse(R"([
        {"rank": 1, "margins": {"rate_percent": 150, "rate_percent_at_least": true, "memory_percent": 50}, "rows": [
            {"what_if": "q", "verdict": "holds", "risk": {"probability": 0.25, "bounds": [0.25, 0.25]}},
            {"what_if": "r", "verdict": "refused", "why": "no ports; really"}]},
        {"rank": 2, "margins": null, "rows": [{"what_if": "s", "verdict": "open"}, {"what_if": "q", "verdict": "breaks"}]}])");
    CHECK(between(explored_words(result), "|What if?|", "Why not") ==
          "Holds: certainly no more events are lost than wanted. Breaks: certainly more. Open: neither is certain. "
          "Refused: it cannot be built so.|if|rank 1: 2 × a|rank 2: 2 × b|q|holds, 25 %|breaks|r|refused: no "
          "ports|–|s|–|open|trigger rate that it bears, of that asked|more than 150 %|–|memory that suffices, of its "
          "own|50 %|–|");
    result.what_if = Json::array();
    result.names = {{"a", "Box A"}};
    result.currency = "EUR";
    result.bill =
        Json::parse(R"([{"what": "a", "number": 2, "each": 1000.5}, {"what": "uplink", "number": 3, "each": 10},
                                  {"what": "interface", "number": 4, "each": 20}])");
    CHECK(between(explored_words(result), "|The bill of the way recommended|", "Why not") ==
          "item|number|each, EUR|together, EUR|Box A (a)|2|1000.5|2001|links behind switches|3|10|30|interfaces of the "
          "server|4|20|80|in all|–|–|2111|");
    CHECK_THAT(explored_html(result), Contains("<tr class=\"front\"><td class=\"text\" data-label=\"item\">in all"));
    result.currency = "";
    CHECK_THAT(explored_words(result), Contains("|item|number|each|together|") && !Contains("What if?"));
}

TEST_CASE("Notes stand above the ways, and risks are drawn where any is known") {
    ExploreResult result = tried({way_of(1, "a", 1e-12)});
    result.notes = {"n", "m"};
    CHECK_THAT(explored_words(result),
               Contains("|n|m|The ways that lose few enough|") && Contains("|Each way whose risk is known: "));
    result = tried({way_of(0, "a", 1e-12)});
    result.ways[0].log_risk.reset();
    CHECK_THAT(explored_words(result), !Contains("risk is known: ") && !Contains("A figure is missing") &&
                                           !Contains("|rank|") && !Contains("In all"));
}

TEST_CASE("The topology has the switches of both tiers, of the catalogue and of files that were named") {
    const TemporaryFolder folder;
    const std::string folder_of_all = scenario_folders().front(),
                      file = folder.write("own-box.toml", contents(folder_of_all + "/switches/dell-s60.toml"));
    ExploreResult result = tried({way_of(1, "own-box", 1e-12)});
    result.scenario = folder_of_all + "/explore-nectarcam.toml";
    CHECK_THAT(explored_html(result), Contains("The topology of the way recommended is not drawn"));
    result.switch_files = {file};
    const std::string one = explored_html(result);
    CHECK_THAT(
        one, Contains("<figcaption>The way recommended") && Contains("nectarcam.toml ·") && Contains("(own&#45;box)"));
    result.ways[0].stacking.aggregation = "arista-7150s-24";
    result.ways[0].stacking.server_interfaces = 4;
    CHECK_THAT(explored_html(result), Contains("(arista&#45;7150s&#45;24)") && Contains("interface 4: 10 Gb/s"));
}
