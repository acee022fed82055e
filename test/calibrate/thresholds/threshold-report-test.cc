// SPDX-License-Identifier: GPL-2.0-only
#include <nlohmann/json.hpp>
#include <sstream>

#include "calibrate/thresholds/thresholds.h"
#include "test/catch.h"

using namespace watershed;

namespace {

Ladder report_table(const std::string& text, std::int64_t tolerance = 1) {
    std::istringstream in("pg,quantity,point_cells,pool_cells\n" + text);
    return ladder_from(CsvTable::read(in, "table.csv"), tolerance);
}

}  // namespace

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
