// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/explore-check.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "model/exact/exact-engine.h"
#include "scenarios/catalogue/scenario-folders.h"
#include "scenarios/design/design-search.h"
#include "scenarios/design/explore.h"
#include "scenarios/design/risk.h"
#include "test/camera.h"
#include "test/catch.h"

using namespace watershed;

namespace {

using Json = nlohmann::ordered_json;

const Json& row_of(const Json& asked, const std::string& question) {
    for (const Json& row : asked["rows"])
        if (row["what_if"] == question) return row;
    throw std::logic_error(question);
}

std::unique_ptr<Engine> exact(const std::string&, const std::string&) { return std::make_unique<ExactEngine>(); }

/// Verdict on `modules` modules with memory for `room` frames, of which a burst and a risk are told.
Verification verified(std::int64_t room, std::optional<std::int64_t> lossless, double loss, double told,
                      Time jitter = Time{0}, int modules = 44) {
    Scenario scenario = camera(room);
    scenario.front_end.jitter = jitter;
    scenario.front_end.modules = modules;
    DesignRequirements wanted;
    wanted.loss = loss;
    RatedDesign way;
    way.log_risk = Enclosure{std::log(told), std::log(told), std::log(told)};
    if (lossless) way.watershed = Boundary{*lossless, 0};
    return verify(wanted, way, scenario, exact, 1);
}

}  // namespace

TEST_CASE("What is asked of a way is what risk says of its scenario with those keys") {
    const std::string folder = scenario_folders().front();
    DesignRequirements wanted;
    wanted.scenario = folder + "/explore-nectarcam.toml";
    const std::vector<CatalogueSwitch> catalogue = read_catalogue(folder);
    std::vector<RatedDesign> ways(2);
    ways[0].stacking = {"ibm-g8052", 265, 6, 1, "modulo"};
    ways[1].stacking = {"arista-7048t", 265, 6, 2, "modulo"};
    ExactEngine engine;
    std::vector<std::string> notes;
    const Json all = what_if_of(wanted, ways, {1, 2}, catalogue, engine, notes);
    CHECK(notes.empty());
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
    DesignRequirements wanted;
    wanted.scenario = folder + "/explore-nectarcam.toml";
    std::vector<RatedDesign> ways(1);
    ways[0].stacking = {"arista-7048t", 265, 30, 1, "modulo"};
    ExactEngine engine;
    std::vector<std::string> notes;
    const Json all = what_if_of(wanted, ways, {1}, read_catalogue(folder), engine, notes);
    CHECK(all[0]["margins"]["rate_percent"].get<int>() == Approx(100 * 125 / (8.72 - 2)).margin(2));
}

TEST_CASE("At a fixed rate what is asked of a way is certain, and what cannot be asked is told") {
    const std::string folder = scenario_folders().front();
    DesignRequirements wanted;
    wanted.scenario = folder + "/explore-nectarcam.toml";
    wanted.overrides = {"trigger.pattern=periodic", "trigger.dead_time=0 us"};
    std::vector<RatedDesign> ways(1);
    ways[0].stacking = {"arista-7048t", 265, 6, 1, "modulo"};
    ExactEngine engine;
    std::vector<std::string> notes;
    // 45 frames of 0.872 us are 39.24 us, and 125 us pass between two events: up to 318 % an uplink carries them.
    const Json all = what_if_of(wanted, ways, {1}, read_catalogue(folder), engine, notes);
    CHECK(all[0]["holds"] == true);
    CHECK(all[0]["margins"]["rate_percent"] == 318);
    CHECK(notes.empty());
    wanted.overrides = {"trigger.pattern=burst", "trigger.separation=1 us"};
    CHECK(what_if_of(wanted, ways, {1}, read_catalogue(folder), engine, notes).empty());
    REQUIRE(notes.size() == 1);
    CHECK_THAT(notes[0], StartsWith("Rank 1 was not asked what if: "));
}

// An event of 44 frames takes the uplink 38.368 us; at 20 us 22.9 have left when the next comes, so that the second
// fills 66 frames.
TEST_CASE("A burst is verified by itself and one event more, and what contradicts either refutes the design") {
    const auto text = [](std::int64_t room, std::optional<std::int64_t> lossless, bool holds, int modules = 44) {
        const Verification verdict = verified(room, lossless, 1, 1, Time{0}, modules);
        CHECK(verdict.holds == holds);
        const auto from = verdict.text.find("triggers") + 8, to = verdict.text.find(';');
        return verdict.text.substr(from, to - from);
    };
    CHECK(text(60, 1, true) == ", a burst of 1 loses nothing, a burst of 2 loses");
    CHECK(text(40, 0, true) == ", a burst of 1 loses");
    CHECK(text(60, 0, false) == ", a burst of 1 loses nothing");
    CHECK(text(60, 2, false) == ", a burst of 2 loses, a burst of 3 loses");
    CHECK(text(70, 1, false) == ", a burst of 1 loses nothing, a burst of 2 loses nothing");
    CHECK(text(60, std::nullopt, true).empty());
    CHECK(text(60, 9'091, true).empty());  // 9092 events are 400048 frames, more than 400000
    CHECK_FALSE(text(10, 9'999, false, 40).empty());
}

TEST_CASE("A risk is verified by counting, or by importance sampling where losses are rare, against told and wanted") {
    // A quarter of the events is incomplete at 46 frames, a millionth at 300.
    CHECK(verified(46, {}, 0.5, 0.5).holds);
    CHECK_FALSE(verified(46, {}, 0.1, 0.5).holds);
    CHECK_FALSE(verified(46, {}, 0.5, 0.1).holds);
    CHECK_THAT(verified(46, {}, 0.5, 0.5).text,
               Contains(" of 4992 simulated events incomplete") && !Contains("sampling"));
    const Verification rare = verified(300, {}, 1e-5, 1e-5), often = verified(300, {}, 1e-8, 1e-8);
    CHECK(rare.holds);
    CHECK_THAT(rare.text, Contains("; importance sampling gives a risk of ") && Contains("e-0"));
    CHECK_FALSE(often.holds);
    CHECK_THAT(often.text, Contains("; importance sampling gives a risk of "));
    // No interval excludes the risk itself: the third and last of the samplings is told.
    ExactEngine engine;
    const double truth = std::exp(find_risk(camera(300), "chain", {}, engine).log.estimate);
    CHECK_THAT(verified(300, {}, truth, truth).text, Contains("; importance sampling gives a risk of "));
    // Each event of 44 frames at once is incomplete in a memory for ten: nothing is left to sample.
    CHECK_THAT(verified(10, {}, 1, 1).text, Contains("4992 of 4992") && !Contains("rarer") && !Contains("sampling"));
    CHECK(verified(600, {}, 1e-8, 0, Time{20'000'000}).holds);
    // Frames of different events overtake one another: no busy cycle is sampled.
    CHECK_THAT(verified(600, {}, 1e-8, 1e-8, Time{20'000'000}).text,
               EndsWith("; rarer losses are too rare to be simulated"));
}

TEST_CASE("A risk that is only bounded is counted or sampled, and told where that is less than the bound") {
    const auto sampled = [](std::int64_t room, double bound, Time jitter = Time{0}) {
        Scenario scenario = camera(room);
        scenario.front_end.jitter = jitter;
        RatedDesign way;
        way.log_risk = Enclosure{-INFINITY, std::log(bound), std::log(bound)};
        way.bounded = true;
        const std::string text = sample_risk(way, 1e-3, scenario, exact, 1);
        CHECK(way.sampled == (text != "losses are too rare to be simulated"));
        CHECK(way.bounded != way.sampled);
        return way.sampled ? way.log_risk->upper : std::log(bound) + 1;
    };
    CHECK(sampled(10, 1) == 0);  // each event of 44 frames is incomplete
    CHECK(sampled(46, 0.9) == Approx(std::log(0.25)).margin(0.05));
    CHECK(sampled(300, 1e-3) == Approx(std::log(1e-6)).margin(0.5));
    CHECK(sampled(46, 0.1) > std::log(0.1));
    CHECK(sampled(600, 1e-9, Time{20'000'000}) > std::log(1e-9));
}
