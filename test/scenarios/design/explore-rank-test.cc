// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/explore-rank.h"

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "scenarios/design/explore-advice.h"
#include "scenarios/design/explore-json.h"
#include "scenarios/design/explore-reasons.h"
#include "test/catch.h"

using namespace watershed;

namespace {

constexpr double kWanted = 1e-9;

Explored way_of(const std::string& model, int switches, double log10_risk, double price = 0) {
    Explored way;
    way.stacking = {model, 48 * switches, switches, 1, "modulo"};
    way.fits = Explored::Fit::Yes;
    way.load = way.link_load = 0.5;
    way.capacity = 2;
    way.latency_us = 50;
    way.log_risk = Bracket{log10_risk * std::log(10), log10_risk * std::log(10), log10_risk * std::log(10)};
    way.watershed = Boundary{100, 0};
    if (price > 0) way.price = price;
    return way;
}

std::string first_of(std::vector<Explored> ways) {
    rank(ways, kWanted);
    return ways.front().stacking.model;
}

nlohmann::ordered_json result_of(std::vector<Explored> ways) {
    rank(ways, kWanted);
    nlohmann::ordered_json result{{"ways", nlohmann::ordered_json::array()},
                                  {"loss", kWanted},
                                  {"currency", "EUR"},
                                  {"modules", 48},
                                  {"rate", "8 kHz"},
                                  {"names", nlohmann::ordered_json::object()},
                                  {"feasible", 0}};
    for (const Explored& way : ways) {
        result["ways"].push_back(to_json(way, kWanted));
        result["feasible"] = result["feasible"].get<int>() + (way.rank > 0);
    }
    result["unstated"] = unstated_of(ways);
    result["recommended"] = recommended(result["ways"], kWanted);
    return result;
}

Explored any_way() {
    Explored way = way_of(*rc::gen::element<std::string>("a", "b", "c"), *rc::gen::inRange(1, 4),
                          -0.5 - *rc::gen::inRange(7, 20), *rc::gen::element(0.0, 1000.0, 2000.0));
    if (*rc::gen::arbitrary<bool>()) way.power = *rc::gen::inRange(1, 3);
    if (*rc::gen::arbitrary<bool>()) way.recalled = {{"switch.latency", "1 us", "a"}};
    if (*rc::gen::arbitrary<bool>()) way.assumed = {{"switch.latency", "0 us", "a"}};
    way.capacity = *rc::gen::inRange(2, 4);
    way.watershed =
        *rc::gen::element(Boundary{std::nullopt, 0}, Boundary{std::nullopt, 5000}, Boundary{100, 0}, Boundary{7, 0});
    if (*rc::gen::inRange(0, 4) == 0) way.fits = Explored::Fit::No;
    return way;
}

std::vector<Explored> any_ways() {
    std::vector<Explored> ways(static_cast<std::size_t>(*rc::gen::inRange(1, 9)));
    for (Explored& way : ways) way = any_way();
    return ways;
}

}  // namespace

TEST_CASE("Of ways far below the wanted risk the cheaper is first, however much safer the dearer is") {
    CHECK(first_of({way_of("dear", 1, -15145, 5000), way_of("cheap", 1, -200, 1000)}) == "cheap");
    CHECK(first_of({way_of("dear", 1, -HUGE_VAL, 5000), way_of("cheap", 1, -12.1, 1000)}) == "cheap");
}

TEST_CASE("Without prices fewer switches are first, then less power where it is known of all") {
    CHECK(first_of({way_of("two", 2, -15145), way_of("one", 1, -200)}) == "one");
    Explored hungry = way_of("hungry", 1, -15145), modest = way_of("modest", 1, -200);
    hungry.power = 400, modest.power = 300;
    CHECK(first_of({hungry, modest}) == "modest");
    CHECK(first_of({hungry, modest, way_of("unknown", 1, -300)}) == "hungry");  // power decides nothing
}

TEST_CASE("Of ways that cost alike the sure ones are first, then those with room for more triggers and longer bursts") {
    Explored guessed = way_of("guessed", 1, -15145), wide = way_of("wide", 1, -200), deep = way_of("deep", 1, -200);
    guessed.assumed = {{"switch.latency", "0 us", "guessed"}}, guessed.capacity = 9;
    wide.capacity = 3;
    deep.watershed = Boundary{101, 0};
    const Explored plain = way_of("plain", 1, -300);
    CHECK(first_of({guessed, plain}) == "plain");
    CHECK(first_of({deep, wide}) == "wide");
    CHECK(first_of({plain, deep}) == "deep");
}

TEST_CASE("Within a thousandth of the wanted risk the smaller one is first of ways that cost alike, not of others") {
    CHECK(first_of({way_of("more", 1, -10), way_of("less", 1, -11)}) == "less");
    CHECK(first_of({way_of("less", 1, -11, 2000), way_of("more", 1, -10, 1000)}) == "more");
    CHECK(first_of({way_of("below", 1, -12.1), way_of("far below", 1, -40)}) == "below");
}

TEST_CASE("How far below the wanted risk a way is changes neither ranks nor the Pareto front") {
    REQUIRE(rc::check([] {
        std::vector<Explored> ways = any_ways(), safer = ways;
        for (Explored& way : safer)
            if (way.log_risk->upper <= std::log(kWanted * kFarBelow))
                way.log_risk = Bracket{-HUGE_VAL, -1e5, -*rc::gen::inRange(100, 90000) * 1.0};
        rank(ways, kWanted), rank(safer, kWanted);
        for (std::size_t i = 0; i < ways.size(); ++i) {
            RC_ASSERT(ways[i].rank == safer[i].rank);
            if (ways[i].rank == 0) break;
            RC_ASSERT(ways[i].stacking.model == safer[i].stacking.model);
            RC_ASSERT(ways[i].pareto == safer[i].pareto);
        }
    }));
}

TEST_CASE("Ranks follow the merits, which JSON tells as the ways themselves do") {
    REQUIRE(rc::check([] {
        std::vector<Explored> ways = any_ways();
        rank(ways, kWanted);
        const nlohmann::ordered_json result = result_of(ways);
        const KnownOfAll known = known_of_all(ways, kWanted), told = known_of_all(result["ways"]);
        RC_ASSERT(known.price == told.price && known.power == told.power);
        Merits before{};
        for (std::size_t i = 0; i < ways.size() && ways[i].rank > 0; ++i) {
            const Merits merits = merits_of(ways[i], kWanted, known);
            RC_ASSERT(merits == merits_of(result["ways"][i], kWanted, told));
            RC_ASSERT(i == 0 || before <= merits);
            before = merits;
        }
    }));
}

TEST_CASE("The advice says what set the first way before the others, and that small risks count as equal") {
    const auto result =
        result_of({way_of("dear", 1, -15145, 5000), way_of("cheap", 1, -200, 1000), way_of("big", 2, -15145, 1000)});
    const ExploreAdvice advice = advice_on(result);
    CHECK(advice.buy.rfind("1 × cheap with 1 uplink, to 1 interface", 0) == 0);
    CHECK(advice.why ==
          "Of the 3 ways that lose few enough, the lowest price of all switches together is 1000 EUR; 2 have that. Of "
          "these, the fewest "
          "switches are 1, and only this way has it. Risks below 10⁻¹² count as equal, because that is a thousandth of "
          "what is wanted.");
    CHECK(result["recommended"]["safest"] == 1);
    const auto switches = switches_of(result, {});
    CHECK(switches[1]["why"] == "needs more switches: 2 against 1");
    CHECK(switches[2]["why"] == "costs more: 5000 EUR against 1000 EUR");
}

TEST_CASE("A switch that needs more of itself has the reason why fewer do not do") {
    Explored few = way_of("small", 1, -20), enough = way_of("small", 2, -20);
    few.fits = Explored::Fit::No;
    few.remark = "switch.ports: 24 ports of 1 Gb/s, 45 are needed";
    const auto switches = switches_of(result_of({few, enough, way_of("large", 1, -20)}), {});
    CHECK(switches[1]["why"] ==
          "needs more switches: 2 against 1 (1 switch with 1 uplink: switch.ports: 24 ports of 1 Gb/s, 45 are "
          "needed)");
}

TEST_CASE(
    "Ways stand in one row only if risk and lossless burst are alike, too, and ties do not depend on their order") {
    // All of one kind and one margin: 1e-40 and 1e-20 count as equal, 2.8e-10 does not; nor does a burst of half.
    std::vector<Explored> ways{way_of("a", 2, -40), way_of("a", 2, -20), way_of("a", 2, -9.55), way_of("a", 2, -40)};
    ways[3].watershed = Boundary{50, 0};
    rank(ways, kWanted);
    CHECK(ways[0].same_as == 0);
    CHECK(ways[1].same_as == 1);
    CHECK(std::count_if(ways.begin(), ways.end(), [](const Explored& way) { return way.same_as == 0; }) == 3);
    CHECK(first_of({way_of("b", 2, -40), way_of("a", 2, -40)}) == "a");
    CHECK(first_of({way_of("a", 2, -40), way_of("b", 2, -40)}) == "a");
}
