// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/explore-result.h"

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "scenarios/design/explore-text.h"
#include "scenarios/design/prices.h"
#include "scenarios/design/ranking.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

constexpr double kWanted = 1e-9;

RatedDesign way_of(const std::string& model, int switches, double log10_risk, double price = 0) {
    RatedDesign way;
    way.stacking = {model, 48 * switches, switches, 1, "modulo"};
    way.fits = RatedDesign::Fit::Yes;
    way.load = way.link_load = 0.5;
    way.capacity = 2;
    way.latency_us = 50;
    way.log_risk = Enclosure{log10_risk * std::log(10), log10_risk * std::log(10), log10_risk * std::log(10)};
    way.watershed = Boundary{100, 0};
    if (price > 0) way.price = price;
    return way;
}

std::string first_of(std::vector<RatedDesign> ways) {
    rank(ways, kWanted);
    return ways.front().stacking.model;
}

ExploreResult result_of(std::vector<RatedDesign> ways) {
    rank(ways, kWanted);
    ExploreResult result;
    result.ways = std::move(ways);
    result.currency = "EUR";
    result.modules = 48;
    for (RatedDesign& way : result.ways) way.stacking.modules = result.modules;
    result.rate = "8 kHz";
    result.accepted_rate_hz = 8000;
    result.dead_time = "2 us";
    result.fragments_bytes = {1024};
    result.switches = switches_of(result, {});
    return result;
}

RatedDesign any_way() {
    RatedDesign way = way_of(*rc::gen::element<std::string>("a", "b", "c"), *rc::gen::inRange(1, 4),
                             -0.5 - *rc::gen::inRange(7, 20), *rc::gen::element(0.0, 1000.0, 2000.0));
    if (*rc::gen::arbitrary<bool>()) way.power = *rc::gen::inRange(1, 3);
    for (const auto standing : {Unstated::Standing::Recalled, Unstated::Standing::Assumed})
        if (*rc::gen::arbitrary<bool>()) way.unstated.push_back({standing, {"switch.latency", "1 us", "a"}});
    way.capacity = *rc::gen::inRange(2, 4);
    way.watershed =
        *rc::gen::element(Boundary{std::nullopt, 0}, Boundary{std::nullopt, 5000}, Boundary{100, 0}, Boundary{7, 0});
    if (*rc::gen::inRange(0, 4) == 0) way.fits = RatedDesign::Fit::No;
    return way;
}

std::vector<RatedDesign> any_ways() {
    std::vector<RatedDesign> ways(static_cast<std::size_t>(*rc::gen::inRange(1, 9)));
    for (RatedDesign& way : ways) way = any_way();
    return ways;
}

}  // namespace

TEST_CASE("Of ways far below the wanted risk the cheaper is first, however much safer the dearer is") {
    CHECK(first_of({way_of("dear", 1, -15145, 5000), way_of("cheap", 1, -200, 1000)}) == "cheap");
    CHECK(first_of({way_of("dear", 1, -HUGE_VAL, 5000), way_of("cheap", 1, -12.1, 1000)}) == "cheap");
}

TEST_CASE("Without prices fewer switches are first, then less power where it is known of all") {
    CHECK(first_of({way_of("two", 2, -15145), way_of("one", 1, -200)}) == "one");
    RatedDesign hungry = way_of("hungry", 1, -15145), modest = way_of("modest", 1, -200);
    hungry.power = 400, modest.power = 300;
    CHECK(first_of({hungry, modest}) == "modest");
    CHECK(first_of({hungry, modest, way_of("unknown", 1, -300)}) == "hungry");  // power decides nothing
}

TEST_CASE("Of ways that cost alike the sure ones are first, then those with room for more triggers and longer bursts") {
    RatedDesign guessed = way_of("guessed", 1, -15145), wide = way_of("wide", 1, -200), deep = way_of("deep", 1, -200);
    guessed.unstated = {{Unstated::Standing::Assumed, {"switch.latency", "0 us", "guessed"}}}, guessed.capacity = 9;
    wide.capacity = 3;
    deep.watershed = Boundary{101, 0};
    const RatedDesign plain = way_of("plain", 1, -300);
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
        std::vector<RatedDesign> ways = any_ways(), safer = ways;
        for (RatedDesign& way : safer)
            if (way.log_risk->upper <= std::log(kWanted * kFarBelow))
                way.log_risk = Enclosure{-HUGE_VAL, -1e5, -*rc::gen::inRange(100, 90000) * 1.0};
        rank(ways, kWanted), rank(safer, kWanted);
        for (std::size_t i = 0; i < ways.size(); ++i) {
            RC_ASSERT(ways[i].rank == safer[i].rank);
            if (ways[i].rank == 0) break;
            RC_ASSERT(ways[i].stacking.model == safer[i].stacking.model);
            RC_ASSERT(ways[i].pareto == safer[i].pareto);
        }
    }));
}

TEST_CASE("Ranks follow the merits, and a result is read from its JSON as it was written") {
    REQUIRE(rc::check([] {
        const ExploreResult result = result_of(any_ways());
        const UsableCosts known = known_of_all(result.ways, kWanted);
        Merits before{};
        for (std::size_t i = 0; i < result.ways.size() && result.ways[i].rank > 0; ++i) {
            const Merits merits = merits_of(result.ways[i], kWanted, known);
            RC_ASSERT(i == 0 || before <= merits);
            before = merits;
        }
        const nlohmann::ordered_json json = to_json(result);
        const ExploreResult back = explore_result_of(nlohmann::ordered_json::parse(json.dump()), "explore.json");
        for (const char* name : {"unstated", "advice", "switches", "recommended"})
            RC_ASSERT(to_json(back).at(name).dump() == json.at(name).dump());
        RC_ASSERT(ways_as_csv(back.ways) == ways_as_csv(result.ways));
        RC_ASSERT(ways_as_table(back, 9) == ways_as_table(result, 9));
    }));
}

TEST_CASE("A document that is no result of explore is refused by its first wrong member") {
    nlohmann::ordered_json json = to_json(result_of({way_of("a", 1, -20), way_of("b", 2, -20)}));
    const auto refuse = [](const nlohmann::ordered_json& document, const std::string& words) {
        CHECK_THROWS_WITH(explore_result_of(document, "explore.json"),
                          Contains("explore.json: " + words) && Contains("watershed explore --json"));
    };
    nlohmann::ordered_json less = json;
    less.erase("rate");
    refuse(less, "rate: missing");
    less = json;
    less["ways"][1]["uplinks"] = "two";
    refuse(less, "uplinks: found a string");
    less["ways"] = nlohmann::ordered_json::array();
    refuse(less, "ways: found none");
    less = json;
    less["front"] = {{{"rank", 7}, {"watershed", nlohmann::ordered_json::array()}}};
    refuse(less, "front: rank: found 7");
}

TEST_CASE("The same numbers stand in the table, the CSV and the JSON, with the same standing") {
    RatedDesign bound = way_of("bound", 1, -20), sampled = way_of("sampled", 2, -10);
    bound.log_risk->lower = -HUGE_VAL, bound.bounded = true;
    bound.load = 0.3456, bound.capacity = 2.345;
    bound.watershed = Boundary{std::nullopt, 5000};
    sampled.log_risk->lower -= 2, sampled.sampled = true;
    const ExploreResult result = result_of({bound, sampled, way_of("exact", 3, -400)});
    const std::string table = ways_as_table(result, 10), csv = ways_as_csv(result.ways);
    CHECK_THAT(table, Contains(" 34.6 % ") && Contains(" 2.35 ") && Contains("> 5000") && Contains("<= 1.0e-20") &&
                          Contains("1.0e-10, sampled") && Contains("1e-400") && Contains("bounded"));
    CHECK_THAT(csv, Contains("0.3456,0.5,0,2.345,,5000,false") && Contains(",bound,bounded,"));
    RatedDesign unranked = way_of("small", 1, -20);
    unranked.fits = RatedDesign::Fit::No;
    CHECK_THAT(ways_as_csv(result_of({unranked}).ways), Contains("\n,small,1,48,1,modulo,,1,no,,,,,100,,false,"));
    const nlohmann::ordered_json ways = to_json(result).at("ways");
    CHECK(ways[0].at("risk_kind") == "bound");
    CHECK(ways[1].at("risk_kind") == "sampled");
    CHECK(ways[2].at("log10_risk").get<double>() == Approx(-400));
}

TEST_CASE("A row of ways that hardly differ shows the largest limit and the longest dead time of them") {
    RatedDesign modulo = way_of("a", 1, -11.02), hash = way_of("a", 1, -11);
    hash.stacking.selection = "hash";
    for (RatedDesign* each : {&modulo, &hash}) each->log_risk->lower = -HUGE_VAL, each->bounded = true;
    modulo.dead_time_us = 19.18401, hash.dead_time_us = 20;
    const ExploreResult result = result_of({modulo, hash});
    CHECK(result.ways[1].same_as == 1);
    CHECK_THAT(ways_as_table(result, 1), Contains("modulo, hash") && Contains("<= 1.0e-11") && Contains("20 us"));
    hash.stacking.model = "b";
    CHECK_THAT(ways_as_table(result_of({modulo, hash}), 1), Contains("<= 9.6e-12") && Contains("19.185 us"));
}

TEST_CASE("Limits of risks that overlap do not tell the safest way, nor do risks that count as equal") {
    RatedDesign low = way_of("low", 1, -11.8), high = way_of("high", 1, -11);
    CHECK(recommended(result_of({low, high}))["safest"] == 1);
    for (RatedDesign* each : {&low, &high}) each->log_risk->lower = -HUGE_VAL, each->bounded = true;
    const ExploreResult result = result_of({low, high});
    CHECK(recommended(result)["safest"].is_null());
    CHECK_THAT(ways_as_table(result, 2), Contains("the lowest limit of the risk is 1.6 x 10^-12") &&
                                             Contains("Safest: no difference is certain") &&
                                             !Contains("the smallest risk"));
    CHECK(recommended(result_of({way_of("a", 1, -20), way_of("b", 1, -40)}))["safest"].is_null());
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
    CHECK(recommended(result)["safest"].is_null());
    CHECK(result.switches[1].why == "needs more switches: 2 against 1");
    CHECK(result.switches[2].why == "costs more: 5000 EUR against 1000 EUR");
}

TEST_CASE("A switch that needs more of itself has the reason why fewer do not do") {
    RatedDesign few = way_of("small", 1, -20), enough = way_of("small", 2, -20);
    few.fits = RatedDesign::Fit::No;
    few.remark = "switch.ports: 24 ports of 1 Gb/s, 45 are needed";
    CHECK(result_of({few, enough, way_of("large", 1, -20)}).switches[1].why ==
          "needs more switches: 2 against 1 (1 switch with 1 uplink: switch.ports: 24 ports of 1 Gb/s, 45 are "
          "needed)");
}

TEST_CASE(
    "Ways stand in one row only if risk and lossless burst are alike, too, and ties do not depend on their order") {
    // All of one kind and one margin: 1e-40 and 1e-20 count as equal, 2.8e-10 does not; nor does a burst of half.
    std::vector<RatedDesign> ways{way_of("a", 2, -40), way_of("a", 2, -20), way_of("a", 2, -9.55), way_of("a", 2, -40)};
    ways[3].watershed = Boundary{50, 0};
    rank(ways, kWanted);
    CHECK(ways[0].same_as == 0);
    CHECK(ways[1].same_as == 1);
    CHECK(std::count_if(ways.begin(), ways.end(), [](const RatedDesign& way) { return way.same_as == 0; }) == 3);
    CHECK(first_of({way_of("b", 2, -40), way_of("a", 2, -40)}) == "a");
    CHECK(first_of({way_of("a", 2, -40), way_of("b", 2, -40)}) == "a");
}
TEST_CASE("Only a risk that is surely above the wanted loses too many events; between its bounds little is known") {
    const auto reason = [](double lower, double upper) {
        RatedDesign way;
        way.fits = RatedDesign::Fit::Yes;
        way.log_risk = Enclosure{std::log(lower), std::log(upper), std::log(upper)};
        return reason_of(way, 1e-9);
    };
    CHECK(reason(1e-8, 1e-7) == "lose too many events");
    CHECK_THAT(reason(1e-10, 1e-8), Contains("not known to lose few enough"));
}

TEST_CASE("Of a switch whose ways all fell out before they were tried the commonest reason is told") {
    const auto list = switches_of({}, {{"a", {{"cost much", 2}, {"draw much", 3}, {"need much", 1}}}});
    REQUIRE(list.size() == 1);
    CHECK(list[0].why == "its ways draw much");
    CHECK(list[0].ways == 6);
}

TEST_CASE("The longest lossless burst is told as a number, as more than one, as no limit, or as none") {
    const auto told = [](const std::optional<Boundary>& watershed) {
        RatedDesign way = way_of("a", 1, -20);
        way.watershed = watershed;
        return merit_text(RankingCriterion::Burst, way, "");
    };
    CHECK(told(Boundary{144, 0}) == "144");
    CHECK(told(Boundary{std::nullopt, 5000}) == "more than 5000");
    CHECK(told(Boundary{std::nullopt, 0}) == "no limit");
    CHECK(told(std::nullopt) == "0");
}

TEST_CASE(
    "Of ways that are all excluded the closest is one that never loses, before any other risk and an unknown one") {
    RatedDesign never = way_of("a", 1, -std::numeric_limits<double>::infinity()), often = way_of("a", 1, -5),
                unknown = often;
    never.refuted = true;
    unknown.log_risk.reset();
    unknown.obstacle = "have a memory whose risk cannot be calculated";
    CHECK(result_of({unknown, often, never}).switches.at(0).why == "its ways lost too many events when simulated");
    CHECK(result_of({unknown, often}).switches.at(0).why == "its ways lose too many events");
    CHECK(result_of({unknown}).switches.at(0).why == "its ways have a memory whose risk cannot be calculated");
}

TEST_CASE(
    "Of ranked ways the first is recommended, and the cheapest, the safest, the fastest and the first without "
    "assumptions are named") {
    const auto ranked = [](int rank, const char* standing, double price, double log10_risk, double latency) {
        RatedDesign one = way_of("a", 1, log10_risk, price);
        one.rank = rank;
        one.latency_us = latency;
        one.bounded = std::string(standing) == "bounded";
        for (const auto each : {Unstated::Standing::Assumed, Unstated::Standing::Recalled})
            if (name_of(each) == standing) one.unstated = {{each, {"switch.latency", "1 us", "a"}}};
        return one;
    };
    ExploreResult result;
    result.loss = 1e-300;
    result.ways = {ranked(1, "assumed", 0, -20, 50), ranked(2, "recalled", 9000, -HUGE_VAL, 40),
                   ranked(3, "bounded", 4000, -300, 30), ranked(4, "known", 4000, -10, 30),
                   ranked(0, "known", 1, -HUGE_VAL, 1)};
    CHECK(recommended(result) ==
          nlohmann::ordered_json{{"first", 1}, {"sure", 3}, {"cheapest", 3}, {"safest", 2}, {"fastest", 3}});
    result.ways = {result.ways.back()};
    CHECK(recommended(result).is_null());
    CHECK(recommended({}).is_null());
    CHECK(advice_json({}).is_null());
}

namespace {

RatedDesign way(const std::string& aggregation) {
    RatedDesign one;
    one.stacking.model = "a";
    one.stacking.switches = 3;
    one.stacking.aggregation = aggregation;
    return one;
}

SpendingLimit euros(double amount) { return {"so much", amount, "EUR"}; }

}  // namespace

TEST_CASE("A way costs each switch of its first tier, and one of the second") {
    const Prices prices{{{"a", {100, 20}}, {"b", {1000, std::nullopt}}}, "EUR"};
    std::vector<RatedDesign> ways{way(""), way("b"), way("unpriced")};
    add_prices(ways, prices, {}, {});
    CHECK(ways[0].price == 300);
    CHECK(ways[0].power == 60);
    CHECK(ways[1].price == 1300);
    CHECK_FALSE(ways[1].power);
    CHECK_FALSE(ways[2].price);
}

TEST_CASE("Links and interfaces cost what the table says, and nothing where it does not") {
    // Three switches with two uplinks each; behind a second tier one interface, and its link besides the six.
    Prices prices{{{"a", {100, 20}}, {"b", {1000, 50}}, {"uplink", {30, 1}}, {"interface", {400, 5}}}, "EUR"};
    std::vector<RatedDesign> ways{way(""), way("b")};
    for (RatedDesign& each : ways) each.stacking.uplinks = 2;
    ways[1].stacking.server_interfaces = 1;
    add_prices(ways, prices, {}, {});
    CHECK(ways[0].price == 3 * 100 + 6 * 30 + 6 * 400);
    CHECK(ways[1].price == 3 * 100 + 1000 + 7 * 30 + 400);
    CHECK(ways[1].power == 3 * 20 + 50 + 7 * 1 + 5);
    const std::vector<BillRow> bill = bill_of(ways[1].stacking, prices);
    REQUIRE(bill.size() == 4);
    CHECK((bill[1].what == "b" && bill[1].number == 1));
    CHECK((bill[2].what == "uplink" && bill[2].number == 7));
    prices.of.erase("uplink");
    prices.of.erase("interface");
    CHECK(bill_of(ways[1].stacking, prices).size() == 2);
}

TEST_CASE("A price list may name switches that no way has, but only those of the catalogue, each once") {
    const TemporaryFolder folder;
    std::vector<CatalogueSwitch> catalogue(3);
    catalogue[0].id = "a", catalogue[1].id = "b", catalogue[2].id = "dell-s60";
    const auto prices = [&](const std::string& rows) {
        return read_prices(folder.write("prices.csv", "switch,price_EUR\n" + rows), catalogue);
    };
    std::vector<RatedDesign> ways{way("")};
    add_prices(ways, prices("a,100\nb,1000\ndell-s60,\n"), {}, {});
    CHECK(ways[0].price == 300);
    CHECK_THROWS_WITH(prices("a,100\ndell-s61,3\n"),
                      Contains("prices.csv:3: switch: found \"dell-s61\"") && Contains("did you mean dell-s60?"));
    CHECK_THROWS_WITH(prices("a,100\na,3\n"), Contains("each switch once"));
}

TEST_CASE("What costs as much as may be spent is within it, and what has no known price is not") {
    const Prices prices{{{"a", {100, 20}}}, "EUR"};
    const auto beyond = [&](const RatedDesign& one, double budget) {
        std::vector<RatedDesign> ways{one};
        add_prices(ways, prices, euros(budget), {});
        return ways.front().beyond;
    };
    CHECK(beyond(way(""), 300) == "");
    CHECK(beyond(way(""), 299) == "cost more than so much");
    CHECK(beyond(way("b"), 300) == "have no known price");
}

TEST_CASE("A limit has an amount with a prefix and a unit, and kr is no thousand") {
    const auto limit = [](const char* text) { return limit_of("--budget", text, "20 kEUR"); };
    CHECK(limit("20 kEUR").amount == 20'000);
    CHECK(limit("2 MEUR").amount == 2'000'000);
    CHECK(limit("2 MEUR").unit == "EUR");
    CHECK(limit("50 kr").amount == 50);
    CHECK_THROWS_WITH(limit("much"), Contains("20 kEUR"));
}

TEST_CASE("Numbers of the table of ways end below the end of their heading") {
    RatedDesign slow = way_of("slow", 1, -20), fast = way_of("fast", 1, -20);
    slow.dead_time_us = 34.88, fast.dead_time_us = 8.72;
    slow.stacking.model = "slower";
    const std::string table = ways_as_table(result_of({slow, fast}), 9);
    const auto end_of = [&](const std::string& part) {
        const auto at = table.find(part);
        REQUIRE(at != std::string::npos);
        return at + part.size() - table.rfind('\n', at);
    };
    CHECK(end_of(" 34.88 us") == end_of(" dead time"));
    CHECK(end_of(" 8.72 us") == end_of(" dead time"));
    CHECK(end_of("  50.0 %") == end_of("  load"));
    CHECK(end_of("  slower  ") == end_of("  fast    "));  // names begin below one another
}
