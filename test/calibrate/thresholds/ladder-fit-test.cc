// SPDX-License-Identifier: GPL-2.0-only
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "calibrate/thresholds/thresholds.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

namespace {

Ladder read(const std::string& text) {
    std::istringstream in("pg,quantity,lower_cells,upper_cells,point_cells,pool_cells\n" + text);
    return ladder_from(CsvTable::read(in, "table.csv"), 1);
}

Ladder report_table(const std::string& text, std::int64_t tolerance = 1) {
    std::istringstream in("pg,quantity,point_cells,pool_cells\n" + text);
    return ladder_from(CsvTable::read(in, "table.csv"), tolerance);
}

}  // namespace

TEST_CASE("Two groups of a Tomahawk 2 tell its slice, alpha and minimum, and predict the other groups") {
    // Configured: 160236 cells in 4 slices of 40059, alpha 1, 6 cells for each group, 486 of headroom. By hand, the
    // third group finds 40059 - 20030 - 10015 = 10014 cells free and is told to pause at 5007 + 6.
    const Ladder ladder =
        ladder_from(CsvTable::read(std::string(std::getenv("WATERSHED_SOURCE")) + "/scenarios/data/mmu-probe.csv"), 1);
    const LadderFit fit = fit_ladder(ladder);
    CHECK(fit.told_apart);
    CHECK(fit.alphas().front().first.numerator == 1);
    CHECK(fit.alphas().front().first.denominator == 1);
    CHECK(fit.slice().interval95.holds(40059));
    CHECK(fit.slice().hard.width() < 40);
    CHECK(fit.reserved().interval95.holds(6));
    CHECK(fit.headroom->holds(486));
    CHECK(fit.at_least >= 970);
    CHECK_FALSE(fit.pool);
    CHECK(fit.xoff(3).interval95.holds(5013));
    CHECK(fit.xoff(3).interval95.width() <= 6);
    CHECK(fit.xoff(20).hard.holds(6));
}

TEST_CASE("One group knows alpha / (1 + alpha) of its pool alone, so that alpha and pool are not told apart") {
    const LadderFit fit = fit_ladder(read("1,pfc_xoff,,,20036,\n"));
    CHECK_FALSE(fit.told_apart);
    CHECK(fit.alphas().size() == 14);
    CHECK(fit.slice().hard.low < 21'000);
    CHECK(fit.slice().hard.high > 2'000'000);
    CHECK(fit.xoff(1).hard.low >= 20035);
    CHECK(fit.xoff(1).hard.high <= 20037);
}

TEST_CASE("Ranges are enough, and hold the truth of other switches") {
    // alpha 1/8, slice 9000, minimum 20: 1000 and 20; then 8000 / 9 = 888.9, so 889 and 20; then 7111 / 9 = 790.1
    const LadderFit fit = fit_ladder(read("1,pfc_xoff,1015,1025,,\n2,pfc_xoff,905,912,,\n3,pfc_xoff,,,811,\n"));
    CHECK(fit.slice().hard.holds(9000));
    CHECK(fit.reserved().hard.holds(20));
    bool found = false;
    for (const LadderModel& model : fit.models)
        found = found || (model.alpha.denominator == 8 && model.reserved == 20 && model.slice.holds(9000));
    CHECK(found);
}

TEST_CASE("A headroom pool is known once a group finds less of it") {
    const std::string first = "1,pfc_xoff,,,1000,\n1,ingress_drop,,,1101,\n";  // 100 between
    CHECK(fit_ladder(read(first)).at_least == 98);
    const LadderFit fit = fit_ladder(read(first + "2,headroom,,,101,\n3,headroom,,,41,\n"));
    REQUIRE(fit.pool);
    CHECK(fit.pool->holds(240));
    CHECK(fit.headroom_of(2)->holds(100));
    CHECK(fit.headroom_of(3)->holds(40));
    CHECK(fit.headroom_of(4)->high <= 3);
}

TEST_CASE("What no dynamic threshold explains leaves no model, and wrong cells are refused") {
    CHECK(fit_ladder(read("1,pfc_xoff,,,1000,\n2,pfc_xoff,,,3000,\n")).models.empty());
    CHECK_THROWS_WITH(read("1,pfc_xoff,20,10,,\n"), Contains("table.csv:2: upper_cells"));
    CHECK_THROWS_WITH(read("0,pfc_xoff,,,10,\n"), Contains("pg"));
    CHECK_THROWS_AS(read("1,colour,,,10,\n"), InputError);
}

TEST_CASE("The report says when alpha and pool cannot be told apart, and when they can") {
    Ladder ladder = report_table("1,pfc_xoff,20036,160236\n1,ingress_drop,20523,160236\n");
    auto json = to_json(ladder, fit_ladder(ladder));
    CHECK(json["status"] == "unbounded");
    CHECK(json["alpha"].is_null());
    CHECK_THAT(json["note"].get<std::string>(), Contains("cannot be told apart"));
    ladder = report_table("1,pfc_xoff,20036,160236\n1,ingress_drop,20523,160236\n2,pfc_xoff,10021,160236\n");
    json = to_json(ladder, fit_ladder(ladder));
    CHECK(json["status"] == "separated");
    CHECK(json["alpha"] == 1.0);
    CHECK(json["slices"] == nlohmann::ordered_json{4});
    CHECK(json["headroom"]["hard"][0] <= 486);
    CHECK(json["predictions"][0]["given"] == true);
    CHECK(json["predictions"][4]["given"] == false);
    CHECK(json["predictions"][4]["pg"] == 3);
    CHECK(json["predictions"][4]["interval95"][0] <= 5013);
    CHECK(json["predictions"][4]["interval95"][1] >= 5013);
    std::ostringstream out;
    print(out, ladder, fit_ladder(ladder));
    CHECK_THAT(out.str(), Contains("slices              4, if 160236 cells are the pool of all"));
}

TEST_CASE("The advice sets the plan beside bisection") {
    const Ladder ladder =
        report_table("1,pfc_xoff,20036,160236\n1,ingress_drop,20523,160236\n2,pfc_xoff,10021,160236\n", 0);
    const ThresholdAdvice advice = advise(ladder, {}, 9408);
    const auto json = to_json(advice);
    CHECK(json["status"] == "measure");
    CHECK(json["points"][0]["seconds"] > 0);
    CHECK(json["planned"]["seconds"] < 1200);
    CHECK(json["remaining"]["seconds"] < json["planned"]["seconds"]);
    CHECK(json["bisection"]["seconds"] > 3600);
    std::ostringstream out;
    print(out, advice);
    CHECK_THAT(out.str(), Contains("bisection to 68 cells"));
}
