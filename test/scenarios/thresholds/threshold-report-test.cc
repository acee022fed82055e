// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/thresholds/threshold-report.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("The report counts hits by chip, explains misses, and says null for what cannot be simulated") {
    std::istringstream in(
        "asic,quantity,shared_cells,alpha,slices,reserved_cells,inputs,suspect,value\n"
        "a,pfc_xoff,1000,1,1,0,complete,,503\n"
        "a,pfc_xoff,1000,1,1,0,complete,,333\n"
        "a,pfc_xoff,1000,1,1,0,complete,copied,400\n"
        "b,pfc_xoff,1000,,1,0,complete,,500\n");
    const auto results = simulate(read_threshold_rows(CsvTable::read(in, "table.csv")), stop_exactly);
    const auto json = to_json(results);
    REQUIRE(json.size() == 4);
    CHECK(json[0]["row"] == 1);
    CHECK(json[0]["simulated"] == 500);
    CHECK(json[0]["hit"] == true);
    CHECK(json[1]["hit"] == false);
    CHECK(json[3]["simulated"].is_null());
    CHECK(json[3]["missing"] == nlohmann::ordered_json{"alpha"});
    std::ostringstream out;
    print(out, results);
    CHECK_THAT(out.str(), Contains("1 of 2"));
    CHECK_THAT(out.str(), Contains("what 2 groups that fill together get each"));  // 1000 / 3
    CHECK_THAT(out.str(), Contains("copied"));
    CHECK_THAT(out.str(), Contains("b           pfc_xoff          alpha"));
}
