// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/sensitivity.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/exact/exact-engine.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

using Json = nlohmann::ordered_json;

// 44 modules whose frames last 0.872 us on 10 Gb/s: an event of 44 brings 38.368 us of work.
const std::string kBurst =
    "[trigger]\npattern = \"burst\"\nseparation = \"30 us\"\nevents = 10\n[switch.buffer]\nsharing = \"shared\"\nsize "
    "= \"200 frames\"\n";
const std::string kRandom =
    "[trigger]\npattern = \"poisson\"\nrate = \"8 kHz\"\nevents = 1000\n[switch.buffer]\nsharing = \"shared\"\nsize = "
    "\"1 MB\"\n";

/// Options and scenario of a question, and its answer.
class Asked {
  public:
    explicit Asked(const std::string& text, double loss = 1e-9) : file_(folder_.write("camera.toml", text)) {
        std::vector<AssumedValue> assumed;
        const Scenario today = read_scenario(Scope::anything(), file_, {}, &assumed);
        const Design design{
            [&](const std::vector<std::string>& keys) { return read_scenario(Scope::anything(), file_, keys); },
            [&](const Scenario& scenario) { return find_risk(scenario, "auto", {}, engine_); }, engine_, loss};
        result = sensitivity_of(design, what_if_questions(today, assumed, read_catalogue(folder_ / "")));
    }

    const Json& row(const std::string& question) const {
        const auto found = std::find_if(result["rows"].begin(), result["rows"].end(),
                                        [&](const Json& each) { return each["what_if"] == question; });
        if (found == result["rows"].end()) throw std::logic_error(question);
        return *found;
    }
    /// The scenario with what --set would set.
    Scenario with(const std::vector<std::string>& keys) const { return read_scenario(Scope::anything(), file_, keys); }
    Outcome run(const Scenario& scenario) { return engine_.run(scenario); }
    Risk risk(const Scenario& scenario) { return find_risk(scenario, "auto", {}, engine_); }

    Json result;

  private:
    TemporaryFolder folder_;
    std::string file_;
    ExactEngine engine_;
};

std::vector<std::string> set_by(const Json& row) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : row["set"].items()) keys.push_back(key + "=" + value.get<std::string>());
    return keys;
}

}  // namespace

TEST_CASE("Each row of a sensitivity is what a run with its keys says") {
    Asked asked(kBurst);
    int simulated = 0;
    for (const Json& row : asked.result["rows"]) {
        if (!row.contains("frames")) continue;
        const Outcome outcome = asked.run(asked.with(set_by(row)));
        INFO(row.dump());
        CHECK(row["frames"]["lost"] == outcome.frames_lost());
        CHECK(row["events"]["complete"] == outcome.events_complete);
        CHECK((row["verdict"] == "holds") == (outcome.frames_lost() == 0));
        ++simulated;
    }
    CHECK(simulated == 7);  // as it is, three rates, half the memory, a module, a stream
}

TEST_CASE("The margins of a burst are those of the closed form") {
    // Ten events s apart ask for 44 + 9 (44 - s / 0.872 us) frames; s is in whole frames' times or the answer is one
    // frame off. At 30 us: 440 - 309.6 = 130.4, of 200 frames 66 %. 200 frames suffice down to s = 23.25 us: 129 %.
    const Asked asked(kBurst);
    CHECK(asked.result["holds"] == true);
    CHECK(asked.result["margins"]["memory_percent"].get<int>() == Approx(66).margin(1));
    CHECK(asked.result["margins"]["rate_percent"].get<int>() == Approx(129).margin(1));
    CHECK(asked.row("trigger rate + 10 %")["verdict"] == "holds");
    CHECK(asked.row("trigger rate + 30 %")["verdict"] == "breaks");
    CHECK(asked.row("half the memory of [switch]")["verdict"] == "breaks");
    CHECK(asked.result["breaks"].front() == "trigger rate + 30 %");
}

TEST_CASE("The margins of random triggers are the last percent at which the risk is small enough") {
    Asked asked(kRandom);
    REQUIRE(asked.result["holds"] == true);
    const auto risk_at = [&](std::int64_t rate_percent, std::int64_t memory_percent) {
        return std::exp(asked
                            .risk(asked.with({"trigger.rate=" + std::to_string(80 * rate_percent) + " Hz",
                                              "switch.buffer.size=" + std::to_string(10'000 * memory_percent) + " B"}))
                            .log.upper);
    };
    const std::int64_t rate = asked.result["margins"]["rate_percent"],
                       memory = asked.result["margins"]["memory_percent"];
    CHECK((rate > 100 && memory < 100));
    CHECK(risk_at(rate, 100) <= 1e-9);
    CHECK(risk_at(rate + 1, 100) > 1e-9);
    CHECK(risk_at(100, memory) <= 1e-9);
    CHECK(risk_at(100, memory - 1) > 1e-9);
    CHECK(asked.row("trigger rate + 10 %")["risk"]["probability"] ==
          std::exp(asked.risk(asked.with({"trigger.rate=8.8 kHz"})).log.estimate));
}

TEST_CASE("A run with random triggers says as much of a chance as its incomplete events do") {
    // A stream of a tenth of the uplink beside triggers that load it to 85 %; 100 frames are full after two events.
    const std::string narrow =
        "[trigger]\npattern = \"poisson\"\nrate = \"22 kHz\"\nevents = 1000\n[switch.buffer]\nsharing = "
        "\"shared\"\nsize = \"100 frames\"\n";
    const auto second_stream = [](const std::string& text, double loss) {
        return Asked(text, loss).row("a second stream of a tenth of an uplink");
    };
    const Json lossy = second_stream(narrow, 1e-9);
    const double share = 1 - lossy["events"]["complete"].get<double>() / lossy["events"]["sent"].get<double>();
    CHECK((share > 0.05 && share < 0.9));
    CHECK(lossy["verdict"] == "breaks");
    CHECK(second_stream(narrow, 0.98)["verdict"] == "holds");  // though frames are lost
    CHECK(second_stream(narrow, share)["verdict"] == "open");
    CHECK(second_stream(kRandom, 1e-9)["verdict"] == "open");  // none is lost of a thousand, which says 3.7e-3 at most
    CHECK(second_stream(kRandom, 4e-3)["verdict"] == "holds");
}

TEST_CASE("A design that does not hold has no margins") {
    const Asked asked(kRandom, 1e-60);
    CHECK(asked.result["holds"] == false);
    CHECK(asked.result["margins"].is_null());
    CHECK_THAT(sensitivity_as_table(asked.result), Contains("As it is the design does not do that."));
}

TEST_CASE("The only uplink and the only switch cut modules off; of several one may go") {
    const Asked one(kBurst);
    CHECK(one.row("the uplink of the switch is gone")["verdict"] == "breaks");
    CHECK(one.row("the switch is gone")["set"].empty());
    const Asked two(kBurst + "[front_end]\nmodules = 88\n[switch]\ncount = 2\nuplinks = 2\n[server]\ninterfaces = 4\n");
    CHECK(two.row("an uplink of each switch is gone")["set"] ==
          Json{{"switch.uplinks", "1"}, {"server.interfaces", "2"}});
    CHECK(two.row("a switch is gone, its modules are at the others")["set"] ==
          Json{{"switch.count", "1"}, {"server.interfaces", "2"}});
    CHECK(two.row("one more module at each switch")["set"] == Json{{"front_end.modules", "90"}});
}

TEST_CASE("What cannot be built is refused by key, and does not end the table") {
    const Asked asked(kBurst + "[switch]\nports = \"44 x 1 Gb/s + 1 x 10 Gb/s\"\n");
    const Json& row = asked.row("one more module");
    CHECK(row["verdict"] == "refused");
    CHECK_THAT(row["why"].get<std::string>(), Contains("45"));
}

TEST_CASE("A value that nobody knows is asked at the worst that the catalogue has") {
    TemporaryFolder folder;
    std::filesystem::create_directory(folder / "switches");
    const auto entry = [&](const std::string& name, const std::string& cell) {
        folder.write("switches/" + name + ".toml",
                     "name = \"" + name +
                         "\"\n[switch]\nlatency = { value = \"0 us\", source = \"maker\" }\n[switch.buffer]\n"
                         "sharing = { value = \"shared\", source = \"maker\" }\nsize = { value = \"214 kB\", source = "
                         "\"maker\" }\n"
                         "cell = " +
                         cell + "\n");
    };
    entry("wide", "{ value = \"1100 B\", source = \"maker\" }");
    entry("narrow", "{ value = \"107 B\", source = \"maker\" }");
    entry("unknown", "\"unknown\"");
    const std::string file = folder.write(
        "camera.toml",
        "[trigger]\npattern = \"burst\"\nseparation = \"30 us\"\nevents = 10\n[switch]\nmodel = \"unknown\"\n");
    std::vector<AssumedValue> assumed;
    const Scenario today = read_scenario(Scope::anything(), file, {}, &assumed);
    std::vector<std::string> asked;
    for (const WhatIf& each : what_if_questions(today, assumed, read_catalogue(folder / "")))
        if (each.question == "switch.buffer.cell, unknown, at its worst") asked.push_back(each.keys.front());
    CHECK(std::count(asked.begin(), asked.end(), "switch.buffer.cell=1100 B") == 1);
    CHECK(std::count(asked.begin(), asked.end(), "switch.buffer.cell=107 B") == 1);
    // So is that of a switch with a name.
    const std::string graph =
        folder.write("graph.toml",
                     "[trigger]\npattern = \"burst\"\nseparation = \"30 us\"\nevents = 10\n[node.core]\nmodules = "
                     "44\nmodel = \"unknown\"\n");
    std::vector<AssumedValue> at_node;
    const Scenario named = read_scenario(Scope::anything(), graph, {}, &at_node);
    const std::vector<WhatIf> questions = what_if_questions(named, at_node, read_catalogue(folder / ""));
    CHECK(std::any_of(questions.begin(), questions.end(), [](const WhatIf& each) {
        return !each.keys.empty() && each.keys.front() == "node.core.buffer.cell=1100 B";
    }));
    ExactEngine engine;
    const Design design{
        [&](const std::vector<std::string>& keys) { return read_scenario(Scope::anything(), file, keys); }, {}, engine};
    const Json result = sensitivity_of(
        design, {{"as it is", {}}, {"cell", {"switch.buffer.cell=107 B"}}, {"cell", {"switch.buffer.cell=1800 B"}}});
    CHECK(result["rows"][1]["set"] == Json{{"switch.buffer.cell", "1800 B"}});  // 118 frames, of which 130 are asked
    CHECK(result["rows"][1]["verdict"] == "breaks");
}

TEST_CASE("A table of answers tells the margins that were sought, and no column that is empty") {
    Json result{{"holds", true},
                {"loss", 1e-9},
                {"margins", {{"rate_percent", 129}, {"rate_percent_at_least", false}, {"memory_percent", 66}}},
                {"rows",
                 {{{"what_if", "as it is"}, {"verdict", "holds"}, {"frames", {{"lost", 0}, {"sent", 9}}}},
                  {{"what_if", "more"}, {"verdict", "refused"}, {"why", "too much"}}}}};
    const std::string table = sensitivity_as_table(result);
    CHECK_THAT(table, StartsWith("Wanted: no frame is lost. As it is the design does that.\n"
                                 "It bears 129 % of the trigger rate, or 66 % of the memory.\n"));
    CHECK_THAT(table, Contains("what if   frames lost  verdict\n") && Contains("as it is       0 of 9  holds") &&
                          EndsWith("more: too much\n") && !Contains("not sought"));
    result["margins"]["rate_percent_at_least"] = true;
    CHECK_THAT(sensitivity_as_table(result), Contains("It bears more than 129 % of the"));
    result["margins"]["rate_percent"] = nullptr;
    CHECK_THAT(sensitivity_as_table(result), Contains("It bears 66 % of the memory."));
    result["margins"] = nullptr;
    CHECK_THAT(sensitivity_as_table(result), !Contains("It bears") && Contains("was not sought, since its risk"));
    result["holds"] = nullptr;
    CHECK_THAT(sensitivity_as_table(result), Contains("the design may or may not do that.") && !Contains("sought"));
    result["rows"][0]["risk"] = Risk{"chain", {std::log(1e-7), std::log(1e-7), std::log(1e-7)}, true, ""};
    result["rows"][0]["load"] = 0.25;
    CHECK_THAT(sensitivity_as_table(result), StartsWith("Wanted: an event is incomplete with a chance of at most ") &&
                                                 Contains("load  chance of loss  verdict\n") && Contains("25 %"));
}
