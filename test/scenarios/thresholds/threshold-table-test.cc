// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/thresholds/threshold-table.h"

#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

namespace {

std::vector<ThresholdResult> results_of(const std::string& text) {
    std::istringstream in(text);
    return simulate(read_threshold_rows(CsvTable::read(in, "table.csv")), make_exact_tx_disabled_switch);
}

std::vector<ThresholdResult> sonic() {
    return simulate(read_threshold_rows(CsvTable::read(std::string(std::getenv("WATERSHED_SOURCE")) +
                                                       "/scenarios/data/sonic-set-points.csv")),
                    make_exact_tx_disabled_switch);
}

bool is_sound(const ThresholdRow& row) { return row.inputs == "complete" && row.suspect.empty(); }

}  // namespace

TEST_CASE(
    "Of the set points of SONiC with known inputs at least 95 % come within their margins, filled frame by frame") {
    std::map<std::string, std::pair<int, int>> chips;  // hits, rows
    const auto results = sonic();
    REQUIRE(results.size() == 359);
    for (const ThresholdResult& result : results) {
        if (!is_sound(result.row)) continue;
        REQUIRE(result.simulated);
        auto& [hits, rows] = chips[result.row.asic];
        ++rows;
        if (*result.hit())
            ++hits;
        else
            CHECK_FALSE(result.explanation().empty());
    }
    using Count = std::pair<int, int>;
    CHECK(chips["th2"] == Count{29, 29});
    CHECK(chips["th5"] == Count{181, 181});
    CHECK(chips["spc3"] == Count{6, 6});
    CHECK(chips["td3"] == Count{3, 3});
    CHECK(chips["td2"] == Count{11, 13});   // two tests of XON leave 5 and 6 more than the configuration says
    CHECK(chips["j2c+"] == Count{37, 38});  // one states 1 % less headroom than it configures
}

TEST_CASE("Lone groups and queues come to the closed form alpha slice / (1 + alpha) + minimum") {
    for (const ThresholdResult& result : sonic()) {
        const ThresholdRow& row = result.row;
        if (!row.test || row.unit != "cells") continue;
        const FillTest& test = *row.test;
        double formula = row.alpha * row.slice / (1 + test.together * row.alpha) + row.reserved;
        if (row.alpha == 1 && test.before > 0) formula = row.slice / std::pow(2, test.before + 1) + row.reserved;
        if (test.event == FillEvent::EgressDrop) formula += 1;
        if (test.event != FillEvent::Xoff && test.event != FillEvent::EgressDrop) continue;
        INFO("row " << row.number);
        CHECK(static_cast<double>(*result.simulated) == Approx(formula).margin(2));
    }
}

TEST_CASE("A row without what its quantity needs names the columns, and the others are simulated") {
    const auto results = results_of(
        "asic,quantity,pool_bytes,cell_bytes,alpha,slices,reserved_cells,headroom_cells,other\n"
        "new,pfc_xoff,2080000,208,1,1,6,,x\n"
        "new,pfc_xoff,2080000,208,,1,6,,x\n"
        "new,ingress_drop,2080000,,1,,,,x\n"
        "new,pfc_xon,2080000,208,1,1,6,,x\n"
        "new,ladder_k,2080000,208,1,1,6,,x\n"
        "new,colour,2080000,208,1,1,6,,x\n"
        "new,headroom_partial,,,,,,10,x\n");
    REQUIRE(results.size() == 7);
    using Names = std::vector<std::string>;
    CHECK(results[0].simulated == 5006);  // 10000 cells
    CHECK(results[0].row.missing.empty());
    CHECK(results[1].row.missing == Names{"alpha"});
    CHECK(results[2].row.missing == Names{"cell_bytes", "slices", "reserved_cells", "headroom_cells"});
    CHECK(results[3].row.missing == Names{"xon_offset"});
    CHECK(results[4].row.missing == Names{"k"});
    CHECK(results[5].row.missing == Names{"quantity"});
    CHECK(results[6].row.missing == Names{"xoff_pool_bytes", "cell_bytes", "slices"});
    for (int i = 1; i < 7; ++i) CHECK_FALSE(results[static_cast<std::size_t>(i)].simulated);
}

TEST_CASE("A gross pool is what headroom pool and minima leave") {
    // 10000 - 2000 - 1000 = 7000 cells in 2 slices: 1750 and 7
    const auto results = results_of(
        "quantity,pool_bytes,cell_bytes,xoff_pool_bytes,reserved_sum_cells,alpha,slices,reserved_cells\n"
        "pfc_xoff,2080000,208,416000,1000,1,2,7\n"
        "pfc_xoff,2080000,208,,,1,2,7\n");
    CHECK(results[0].simulated == 1757);
    CHECK(results[1].simulated == 2507);
}

TEST_CASE("Packets are charged with their header where memory has steps, and in whole cells elsewhere") {
    // 64 + 48 = 112 B; 2430 + 48 = 2478, that is 2480 B: a headroom of 100 x 2478 B takes 99 packets
    const auto results = results_of(
        "asic,quantity,unit,cell_bytes,headroom_cells,step_bytes\n"
        "j2c+,headroom_full,64-B packets,112,100,\n"
        "j2c+,headroom_full,2430-B packets,2478,100,\n"
        "th6,headroom_full,2430-B packets,2478,100,16\n"
        "th6,headroom_full,64-B packets,420,100,\n"
        "th6,headroom_full,2430-B packets,420,100,\n");
    CHECK(results[0].simulated == 100);
    CHECK(results[1].simulated == 99);
    CHECK(results[2].simulated == 99);
    CHECK(results[3].simulated == 100);
    CHECK(results[4].simulated == 100 / 6);  // 2430 B take 6 cells of 420 B
}

TEST_CASE("A row counts within the margin that it states, in its unit") {
    const std::string head = "asic,quantity,shared_cells,alpha,slices,reserved_cells,value,margin\n";
    for (const auto& [row, hit] :
         {std::pair("th6,pfc_xoff,1000,1,1,0,520,20", true), std::pair("th6,pfc_xoff,1000,1,1,0,520,19", false),
          std::pair("th6,pfc_xoff,1000,1,1,0,504,", true), std::pair("th6,pfc_xoff,1000,1,1,0,505,", false)})
        CHECK(results_of(head + row + "\n")[0].hit() == hit);
}

TEST_CASE("On Spectrum chips the lossless groups of a port share its headroom") {
    const std::string head = "asic,hwsku,quantity,shared_cells,alpha,slices,reserved_cells,headroom_cells\n";
    CHECK(results_of(head + "spc4,SN5600,ingress_drop,1000,1,1,0,50\n")[0].simulated == 500 + 2 * 50 + 1);
    CHECK(results_of(head + "spc4,SN5600 (dualtor),ingress_drop,1000,1,1,0,50\n")[0].simulated == 500 + 4 * 50 + 1);
    CHECK(results_of(head + "th,7060,ingress_drop,1000,1,1,0,50\n")[0].simulated == 500 + 50 + 1);
}

TEST_CASE("Cells that are no numbers are refused by file, line and column") {
    CHECK_THROWS_WITH(results_of("quantity,alpha\npfc_xoff,much\n"), Contains("table.csv:2: alpha: found \"much\""));
    CHECK_THROWS_WITH(results_of("quantity,slices\npfc_xoff,1.5\n"), Contains("slices"));
    CHECK_THROWS_WITH(results_of("quantity,shared_cells\npfc_xoff,-1\n"), Contains("shared_cells"));
    CHECK_THROWS_WITH(results_of("quantity,unit\npfc_xoff,apples\n"), Contains("unit"));
    CHECK_THROWS_AS(results_of("asic\nth2\n"), InputError);
}

TEST_CASE("The report counts hits by chip, explains misses, and says null for what cannot be simulated") {
    std::istringstream in(
        "asic,quantity,shared_cells,alpha,slices,reserved_cells,inputs,suspect,value\n"
        "a,pfc_xoff,1000,1,1,0,complete,,503\n"
        "a,pfc_xoff,1000,1,1,0,complete,,333\n"
        "a,pfc_xoff,1000,1,1,0,complete,copied,400\n"
        "b,pfc_xoff,1000,,1,0,complete,,500\n");
    const auto results = simulate(read_threshold_rows(CsvTable::read(in, "table.csv")), make_exact_tx_disabled_switch);
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
