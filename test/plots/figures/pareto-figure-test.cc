// SPDX-License-Identifier: GPL-2.0-only
#include <nlohmann/json.hpp>

#include "plots/figures/figures.h"
#include "test/catch.h"
#include "test/plots/legend.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

using nlohmann::ordered_json;

ordered_json explored_way(int rank, double log10_risk, bool pareto) {
    return {{"switch", "box"},
            {"selection", "modulo"},
            {"fits", "yes"},
            {"risk_kind", "exact"},
            {"risk_standing", "known"},
            {"switches", rank},
            {"uplinks", 1},
            {"interfaces", rank},
            {"rank", rank},
            {"load", 0.5},
            {"capacity", 2},
            {"watershed_events", 100},
            {"watershed_beyond", nullptr},
            {"risk", 0.0},
            {"log10_risk", log10_risk},
            {"latency_us", 50},
            {"recovery_us", nullptr},
            {"price", nullptr},
            {"power", nullptr},
            {"aggregation", nullptr},
            {"never_loses", false},
            {"same_as", nullptr},
            {"pareto", pareto},
            {"remark", ""},
            {"assumed", ordered_json::array()},
            {"recalled", ordered_json::array()},
            {"reason", nullptr}};
}

std::string pareto_script(const TemporaryFolder& folder, double loss, double log10_risk, const char* kind = "exact") {
    ordered_json result{{"scenario", "camera.toml"},
                        {"rate", "8 kHz"},
                        {"fragments_bytes", {1024}},
                        {"gap_us", 0},
                        {"dead_time", "0 s"},
                        {"separation_us", 20},
                        {"loss", loss},
                        {"equal_below", loss / 1000},
                        {"modules", 40},
                        {"feasible", 2},
                        {"notes", ordered_json::array()},
                        {"currency", ""},
                        {"switches", ordered_json::array()},
                        {"recommended", nullptr},
                        {"unstated", ordered_json::object()},
                        {"front", ordered_json::array()},
                        {"ways", {explored_way(1, log10_risk, true), explored_way(2, 2 * log10_risk, false)}}};
    for (ordered_json& way : result["ways"]) way["risk_kind"] = kind;
    draw_pareto({{folder.write("explore.json", result.dump())}, folder / "figure.svg", "", {}});
    CHECK(titles_not_drawn(folder.read("figure.gp"), folder.read("figure.svg")) == std::vector<std::string>());
    return folder.read("figure.gp");
}

}  // namespace

TEST_CASE("Below a thousandth of the wanted risk the Pareto figure is grey, where all risks count as equal") {
    const TemporaryFolder folder;
    CHECK_THAT(pareto_script(folder, 1e-9, -200),
               Contains("set object rectangle from graph 0, first 12 to graph 1, graph 0 behind") &&
                   Contains("set label 'risks this small count as equal' at graph 0.99, first 12 "));
}

TEST_CASE("An axis that does not reach risks so small has no grey part, nor a label beyond the panel") {
    const TemporaryFolder folder;
    CHECK_THAT(pareto_script(folder, 0.9, -0.1), !Contains("count as equal"));
}

TEST_CASE("A bound of a risk has a mark of its own, and the legend says that it is at most this") {
    const TemporaryFolder folder;
    CHECK_THAT(pareto_script(folder, 1e-9, -200), !Contains("at most") && Contains("title 'feasible'"));
    CHECK_THAT(pareto_script(folder, 1e-9, -200, "bound"),
               Contains("pointtype 11 pointsize 1 * mark linewidth 1 linecolor rgb '#56B4E9' title 'feasible'") &&
                   Contains("title 'pointing down: at most'"));
}
