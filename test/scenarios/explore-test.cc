// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/explore.h"

#include "test/catch.h"

#include <cmath>

#include "model/exact-engine.h"
#include "scenarios/reader.h"
#include "scenarios/scenario-folders.h"

using namespace watershed;

namespace {

Explored explored(const std::string& model, int switches, int uplinks, const std::string& selection = "modulo") {
    Wanted wanted;
    wanted.scenario = std::string(scenario_folders().front()) + "/explore-nectarcam.toml";
    ExactEngine engine;
    return explore(wanted, {model, 265, switches, uplinks, selection}, read_catalogue_switch(model, scenario_folders().front()), engine);
}

}  // namespace

TEST_CASE("265 modules on 6 switches are 45 on the fullest, and its numbers those of arithmetic") {
    const Explored way = explored("arista-7010t", 6, 1);
    CHECK(way.stacking.modules_of_switch() == 45);
    CHECK(way.fits == Explored::Fit::Yes);
    // 45 slots of 0.872 us are 39.24 us: 25.48 kHz; 7874 triggers a second are 30.9 % of that.
    CHECK(way.saturation_khz == Approx(1e3 / 39.24));
    CHECK(way.load == Approx(39.24 / 127));
    CHECK(way.margin == Approx(127 / 39.24));
    // 8.72 us on the link and 39.24 us on the uplink, and a wait of 8 kHz (37.24 us)^2 / 2 / (1 - 8 kHz 37.24 us) = 7.90 us.
    CHECK(way.latency_us == Approx(8.72 + 39.24 + 7.901).epsilon(1e-3));
    // 4 MB are 19230 cells of 208 B, 3205 frames of 6 cells. The m-th event finds (m - 1)(45 - 22.94) frames left.
    REQUIRE(way.watershed);
    CHECK(way.watershed->events_lossless == 144);
    CHECK(way.log_risk->upper < std::log(1e-60));
    CHECK(*way.recovery_us == Approx(3205 * 0.872 / (1 - 39.24 / 127)).epsilon(1e-3));
}

TEST_CASE("Too few ports are too few, and faster ones that may do are not known to") {
    const Explored no = explored("dell-s60", 6, 1);
    CHECK(no.fits == Explored::Fit::Unknown);   // 44 ports of 1 Gb/s, 45 needed, and three of 10 Gb/s left
    CHECK_THAT(no.remark, Contains("44 ports of 1 Gb/s") && Contains("45 are needed"));
    CHECK(explored("dell-s60", 4, 1).fits == Explored::Fit::No);
    CHECK(explored("dell-s60", 7, 1).fits == Explored::Fit::Yes);
    CHECK(explored("dell-s60", 7, 5).fits == Explored::Fit::No);
}

TEST_CASE("An unknown memory stays unknown, and says so") {
    const Explored way = explored("juniper-ex4300", 6, 1);
    CHECK_FALSE(way.log_risk);
    CHECK_FALSE(way.watershed);
    CHECK_THAT(way.remark, Contains("unknown for switch.model"));
    CHECK(way.load > 0);
    CHECK_FALSE(feasible(way, 0.5));
}

TEST_CASE("What a scenario says of its own memory is left aside for the catalogue's switch, unless --set says it") {
    Wanted wanted;
    wanted.scenario = std::string(scenario_folders().front()) + "/camera-1to1.toml";   // [switch.buffer] of 7000 frames per input
    const CatalogueSwitch entry = read_catalogue_switch("arista-7010t", scenario_folders().front());
    std::vector<std::string> left_out;
    const Stacking stacking{"arista-7010t", 265, 6, 1, "modulo"};
    CHECK(read_switch(wanted, stacking, entry, &left_out).network_switch.buffer.size.amount == 4'000'000);
    CHECK_THAT(left_out, Catch::Matchers::VectorContains(std::string("switch.buffer")));
    wanted.overrides = {"switch.buffer.size=1 MB"};
    CHECK(read_switch(wanted, stacking, entry).network_switch.buffer.size.amount == 1'000'000);
}

TEST_CASE("With a second tier an event is lost no more often than both tiers' chances add up to, and the longest lossless burst is no shorter than told") {
    // 60 modules on 3 switches, their 3 uplinks through one switch to 2 interfaces: at 20 kHz these are busy for 30 slots of 0.872 us
    // in 52 us. 250 kB are 1201 cells of 208 B, or 200 frames of 6 cells.
    Wanted wanted;
    wanted.scenario = std::string(scenario_folders().front()) + "/explore-nectarcam.toml";
    wanted.overrides = {"switch.buffer.size=250 kB", "trigger.rate=20 kHz", "trigger.events=20000"};
    wanted.separation = Time{20'000'000};
    const CatalogueSwitch entry = read_catalogue_switch("arista-7010t", scenario_folders().front());
    const CatalogueSwitch of_uplinks = read_catalogue_switch("arista-7150s", scenario_folders().front());
    ExactEngine engine;
    const Explored first = explore(wanted, {"arista-7010t", 60, 3, 1, "modulo"}, entry, engine);
    Explored second = explore_aggregation(wanted, 60, 2, entry, engine);
    REQUIRE(second.log_risk);
    const Explored way = through(first, second, of_uplinks, BitRate{10'000'000'000}, Bytes{1090});
    CHECK(way.stacking.interfaces() == 2);
    CHECK(way.stacking.switches_in_all() == 4);
    CHECK(way.fits == Explored::Fit::Yes);
    CHECK(way.load == Approx(30 * 0.872 / 52));
    REQUIRE(way.log_risk);

    Scenario camera = read_camera(wanted, way.stacking, entry);
    camera.aggregation->buffer = camera.network_switch.buffer;
    camera.aggregation->latency = camera.network_switch.latency;
    const Outcome outcome = engine.run(camera);
    const auto lost = static_cast<double>(outcome.incomplete.size());
    const double bound = 20000 * std::exp(way.log_risk->upper);
    CHECK(lost > 0);
    CHECK(lost < bound + 4 * std::sqrt(bound));
    CHECK(lost > bound / 20);   // else the bound would be of no use

    REQUIRE(way.watershed);
    REQUIRE(way.watershed->events_lossless);
    camera.trigger = Trigger{};
    camera.trigger.separation = wanted.separation;
    camera.trigger.events = *way.watershed->events_lossless;
    CHECK(engine.run(camera).frames_lost() == 0);
    camera.trigger.events = 2 * *camera.trigger.events + 20;
    CHECK(engine.run(camera).frames_lost() > 0);
}

TEST_CASE("The first is cheapest if prices are known, else has fewest switches; the Pareto front is not dominated") {
    std::vector<Explored> ways;
    for (const auto& [model, switches, uplinks] : {std::tuple("arista-7010t", 7, 1), std::tuple("arista-7010t", 6, 2), std::tuple("arista-7010t", 6, 1), std::tuple("arista-7048t", 6, 1)}) ways.push_back(explored(model, switches, uplinks));
    std::vector<Explored> unpriced = ways;
    rank(unpriced, 1e-9);
    CHECK(unpriced.front().stacking.model == "arista-7048t");   // as few switches and interfaces, and more memory
    CHECK(unpriced.front().pareto);
    CHECK(unpriced.back().stacking.switches == 7);
    CHECK(unpriced.back().rank == 4);
    CHECK_FALSE(unpriced.back().pareto);
    for (Explored& way : ways) way.price = way.stacking.switches * (way.stacking.model == "arista-7010t" ? 1000.0 : 5000.0);
    rank(ways, 1e-9);
    CHECK(ways.front().stacking.model == "arista-7010t");
    CHECK(ways.front().stacking.interfaces() == 6);
    CHECK(ways.front().pareto);
}
