// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/exact/exact-engine.h"
#include "scenarios/catalogue/scenario-folders.h"
#include "scenarios/design/explore.h"
#include "scenarios/design/risk.h"
#include "test/catch.h"

using namespace watershed;

namespace {

using Json = nlohmann::ordered_json;

const Json& row_of(const Json& asked, const std::string& question) {
    for (const Json& row : asked["rows"])
        if (row["what_if"] == question) return row;
    throw std::logic_error(question);
}

}  // namespace

TEST_CASE("What is asked of a way is what risk says of its scenario with those keys") {
    const std::string folder = scenario_folders().front();
    Wanted wanted;
    wanted.scenario = folder + "/explore-nectarcam.toml";
    const std::vector<CatalogueSwitch> catalogue = read_catalogue(folder);
    std::vector<RatedDesign> ways(2);
    ways[0].stacking = {"ibm-g8052", 265, 6, 1, "modulo"};
    ways[1].stacking = {"arista-7048t", 265, 6, 2, "modulo"};
    ExactEngine engine;
    const Json all = what_if_of(wanted, ways, {1, 2}, catalogue, engine);
    REQUIRE(all.size() == 2);
    CHECK(all[0]["rank"] == 1);
    CHECK(all[0]["holds"] == true);

    // 45 of the 265 modules at 0.872 us a frame are 39.24 us an event; 2 us are dead after each.
    const auto load_at = [](double percent) { return 39.24 / (125 * 100 / percent + 2); };
    CHECK(row_of(all[0], "trigger rate + 30 %")["load"].get<double>() == Approx(load_at(130)));
    const int bears = all[0]["margins"]["rate_percent"];
    CHECK(load_at(bears) < 1);
    CHECK(load_at(bears + 1) > 0.5);
    for (const Json& row : all[0]["rows"]) {
        if (!row.contains("risk")) continue;
        const CandidateDesign& stacking = ways[0].stacking;
        DesignKeys keys = keys_of(wanted, stacking, entry_of(catalogue, stacking.model));
        for (const auto& [key, value] : row["set"].items())
            keys.overrides.push_back(key + "=" + value.get<std::string>());
        const Risk truth = find_risk(read_camera(wanted, keys, nullptr, nullptr), "chain", {}, engine);
        INFO(row.dump());
        CHECK(truth.log.lower / std::log(10) <= row["risk"]["log10_at_most"].get<double>() + 1e-9);
        CHECK((row["verdict"] == "holds") == (row["risk"]["log10_at_most"] <= -9));
    }
    CHECK(row_of(all[0], "the uplink of each switch is gone")["verdict"] == "breaks");
    CHECK(row_of(all[1], "an uplink of each switch is gone")["verdict"] == "holds");
    CHECK_THAT(what_if_in_words(all[0]),
               Contains("first breaks with: the uplink of each switch is gone; ") &&
                   Contains("bears " + std::to_string(bears) + " % of the trigger rate asked for"));
    for (const Json& row : all[0]["rows"]) CHECK(row["what_if"].get<std::string>().find("stream") == std::string::npos);
}

TEST_CASE("Links of modules that are given too much break a design, whatever its memory") {
    // A frame lasts 8.72 us on 1 Gb/s: 8 kHz are 7 %, and more than 14 times as many are too many.
    const std::string folder = scenario_folders().front();
    Wanted wanted;
    wanted.scenario = folder + "/explore-nectarcam.toml";
    std::vector<RatedDesign> ways(1);
    ways[0].stacking = {"arista-7048t", 265, 30, 1, "modulo"};
    ExactEngine engine;
    const Json all = what_if_of(wanted, ways, {1}, read_catalogue(folder), engine);
    CHECK(all[0]["margins"]["rate_percent"].get<int>() == Approx(100 * 125 / (8.72 - 2)).margin(2));
}
