// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/catalogue/scenario-folders.h"
#include "scenarios/design/prices.h"
#include "scenarios/text/input-error.h"
#include "test/scenarios/commands/told.h"

using namespace watershed;

namespace {

using Json = nlohmann::ordered_json;

const EngineFactory kExact = exact_only().engine;

/// 40 modules on one of two switches with one uplink: 34.88 us of 127 us at 8 kHz before 2 us of dead time.
ExploreAsked forty(std::vector<std::string> set = {}) {
    ExploreAsked asked;
    asked.wanted.scenario = std::string(scenario_folders().front()) + "/explore-nectarcam.toml";
    asked.wanted.overrides = std::move(set);
    asked.asked.modules = 40;
    asked.asked.models = "arista-7010t,dell-s60";
    asked.asked.counts = asked.asked.uplinks = "1";
    asked.asked.jobs = 1;
    return asked;
}

void refused(const ExploreAsked& asked, const std::string& words) {
    CHECK_THROWS_WITH(explore_answer(asked, kExact), Contains(words));
}

}  // namespace

TEST_CASE("An exploration says what it was asked and what it ranks by") {
    check(explore_answer(forty(), kExact), {{},
                                            {"2 of 2 ways to read out 40 modules at 8 kHz fit",
                                             "\nNo prices were given (--prices), so the fewest switches come first."},
                                            {{"/modules", 40},
                                             {"/rate", "8 kHz"},
                                             {"/margin", 1.0},
                                             {"/accepted_rate_hz", 1e6 / 127},
                                             {"/dead_time", "2 us"},
                                             {"/separation_us", 20.0},
                                             {"/ways/0/load", 34.88 / 127},
                                             {"/ways/0/rank", 1},
                                             {"/currency", ""}}});
    ExploreAsked more = forty();
    more.margin = 1.5;
    check(explore_answer(more, kExact),
          {{}, {"at 12 kHz"}, {{"/rate", "12 kHz"}, {"/margin", 1.5}, {"/set/0", "trigger.rate=12 kHz"}}});
    ExploreAsked sure = forty({"trigger.dead_time=40 us"});
    sure.guarantee = true;
    check(explore_answer(sure, kExact),
          {{}, {"lose no event, in whatever sequence"}, {{"/loss", 0.0}, {"/what_if", Json::array()}}});
    ExploreAsked fixed = forty({"trigger.pattern=periodic", "trigger.dead_time=0 us"});
    check(explore_answer(fixed, kExact),
          {{}, {"2 of 2 ways", "What if, rank 1"}, {{"/triggers", "fixed"}, {"/ways/0/risk", 0.0}}});
    ExploreAsked kinds = forty({"group.b.modules=2", "trigger.pattern=periodic", "trigger.dead_time=0 us"});
    kinds.asked.modules = 0;
    check(explore_answer(kinds, kExact),
          {{},
           {"What if, rank 1", "\nNo latency is told: of several kinds of modules, or builders, it takes a run."},
           {{"/what_if/0/rows/0/verdict", "holds"}}});
    fixed.guarantee = true;
    check(explore_answer(fixed, kExact),
          {{}, {"lose no event as long as triggers keep to the fixed rate;", "!sequence"}, {{"/triggers", "fixed"}}});
    ExploreAsked own = forty({"front_end.modules=44"});
    own.asked.modules = 0;
    CHECK(explore_answer(own, kExact).json.at("modules") == 44);
    const Answer parts = explore_answer(forty({"front_end.fragments=2"}), kExact);
    CHECK(parts.json.at("fragments_bytes").size() == 2);
    const Answer unlike = explore_answer(forty({"front_end.fragments=[\"100 B\", \"200 B\"]"}), kExact);
    CHECK(unlike.json.at("fragments_bytes") == Json{100, 200});
}

TEST_CASE("Prices decide where they are given, and limits need them") {
    const TemporaryFolder folder;
    ExploreAsked asked = forty();
    asked.prices = folder.write("prices.csv", "switch,price_EUR,power\ndell-s60,9000,200\narista-7010t,3000,100\n");
    asked.budget = "20 kEUR";
    const Answer answer = explore_answer(asked, kExact);
    check(answer, {{},
                   {"!No prices", "!Prices of"},
                   {{"/currency", "EUR"}, {"/ways/0/switch", "arista-7010t"}, {"/bill/0/each", 3000.0}}});
    asked.power = "150 W", asked.budget = "";
    CHECK_THAT(explore_answer(asked, kExact).text, Contains("1 of 2 ways"));
    asked.power = "2 kEUR";
    refused(asked, "--power: found \"2 kEUR\", expected watts");
    asked.power = "", asked.budget = "20 kCHF";
    refused(asked, "--budget: found \"20 kCHF\", expected EUR, the currency of");
    asked.prices = folder.write("some.csv", "switch,price_EUR\ndell-s60,9000\n"), asked.budget = "";
    check(explore_answer(asked, kExact), {{},
                                          {"Prices of 1 feasible ways are missing, so the fewest switches come first."},
                                          {{"/bill/0/what", "dell-s60"}}});
    for (const bool budget : {true, false}) {
        ExploreAsked without = forty();
        (budget ? without.budget : without.power) = budget ? "20 kEUR" : "2 kW";
        refused(without, "--budget, --power: expected --prices");
    }
}

TEST_CASE("What an exploration cannot cover it refuses by key") {
    refused(forty({"trigger.rules=[\"1 in 3 us\"]"}), "trigger.rules: found rules");
    refused(forty({"node.a.modules=40", "front_end.modules=40"}), "node.a: found a switch by name");
    refused(forty({"aggregation.count=2", "switch.uplinks=2"}), "aggregation.count: found 2, expected 1");
    refused(forty({"aggregation.buffer.sharing=shared", "aggregation.buffer.size=9 MB"}), "aggregation.model: missing");
}

TEST_CASE("The second tier of the scenario is tried unless others are named") {
    ExploreAsked asked = forty({"aggregation.model=arista-7150s", "aggregation.uplinks=2"});
    asked.asked.models = "arista-7010t";
    asked.asked.counts = "1,3";
    const Answer answer = explore_answer(asked, kExact);
    bool second = false;
    for (const Json& way : answer.json.at("ways")) second = second || way.at("aggregation") == "arista-7150s";
    CHECK(second);
    for (const Json& way : answer.json.at("ways"))
        if (way.at("aggregation") == "arista-7150s") CHECK(way.at("interfaces") == 2);
}
