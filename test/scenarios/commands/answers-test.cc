// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/commands/answers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "scenarios/catalogue/scenario-folders.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"
#include "test/catch.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

using Json = nlohmann::ordered_json;

const EngineFactory kExact = exact_only().engine;

std::string scenario(const std::string& name) { return std::string(scenario_folders().front()) + "/" + name; }

template <class Asked>
Asked about(const std::string& name, std::vector<std::string> overrides = {}) {
    Asked asked;
    asked.scenario = scenario(name);
    asked.overrides = std::move(overrides);
    return asked;
}

}  // namespace

TEST_CASE("The sentences of an answer are its lines but for captions, tables and the keys to set") {
    CHECK(answer_of("# run: a.toml\nIt holds.\n\n  4  frames\nkey  value\nIn the scenario:\nAnd so on.\n") ==
          Json{"It holds.", "And so on."});
}

// 44 modules whose frames of 1090 B take 0.872 us at 10 Gb/s: an event is 38.368 us of work. 8 kHz before 2 us of dead
// time are one event in 127 us.
constexpr double kLoad = 38.368 / 127;

TEST_CASE("A risk is told per hour and night, and one that is at most so much stays that in every line") {
    const Answer exact = risk_answer(about<RiskAsked>("risk-cheap-switch.toml"), kExact);
    const double probability = exact.json.at("probability");
    CHECK(exact.json.at("load").get<double>() == Approx(kLoad));
    CHECK(exact.json.at("per_hour").get<double>() == Approx(probability * 3600e6 / 127));
    CHECK(exact.json.at("per_night").get<double>() == Approx(8 * probability * 3600e6 / 127));
    CHECK_THAT(exact.text, Contains(text_line("one in %.4g us", 127 / probability)) && !Contains("at most"));

    RiskAsked bounded = about<RiskAsked>("camera-four-fragments.toml");
    bounded.method = "bound";
    bounded.night = "10 h";
    const Answer bound = risk_answer(bounded, kExact);
    CHECK(bound.json.at("risk_kind") == "bound");
    CHECK(bound.json.at("night_hours") == 10);
    const auto line = [&](const std::string& name) {
        const auto from = bound.text.find("\n  " + name);
        return bound.text.substr(from, bound.text.find('\n', from + 1) - from);
    };
    CHECK_THAT(line("probability"), Contains("at most "));
    CHECK_THAT(line("incomplete"), Contains("  at most ") && Contains(", at most "));
    CHECK_THAT(bound.text, Contains("one in at least "));
    const Known known = risk_of_members(bound.json);
    CHECK(known.kind() == Known::Kind::AtMost);
    CHECK_THAT(bound.text, Contains("the chance itself may be far below"));
    RiskAsked close = about<RiskAsked>("risk-cheap-switch.toml");
    close.method = "bound";
    CHECK_THAT(risk_answer(close, kExact).text, Contains("exponential tails") && !Contains("far below"));
    // None of 20000 events lost: at most 1.84427e-4, which as a limit is 0.0001845.
    close.method = "direct";
    close.effort.events = 20000;
    close.overrides = {"trigger.dead_time=40 us"};
    CHECK_THAT(risk_answer(close, kExact).text,
               Contains("at most 0.0001845 with 95 % confidence") && !Contains("0.0001844"));
    bounded.check = "bound";
    CHECK_THROWS_WITH(risk_answer(bounded, kExact), Contains("expected another one"));
}

TEST_CASE("A size tells the load in percent, and in JSON, CSV and text the same memory") {
    SizeAsked asked = about<SizeAsked>("risk-cheap-switch.toml");
    asked.uplinks = "1,2";
    asked.jobs = 1;
    const Answer answer = size_answer(asked);
    const Json& first = answer.json.at("points").at(0);
    CHECK(first.at("load").get<double>() == Approx(kLoad));
    CHECK(first.at("link_load").get<double>() == Approx(8.72 / 127));
    CHECK((first.at("frames") == 435 && first.at("frames_at_least") == 435 && first.at("bytes") == 435 * 1070));
    CHECK(answer.json.at("frames") == 435);
    CHECK(answer.json.at("points").at(1).at("load").get<double>() == Approx(kLoad / 2));
    CHECK_THAT(answer.text, Contains("1     30.21 %           435          465450           435"));
    CHECK_THAT(answer.csv, Contains("\n8,1e-09,1,0.30211,435,465450,435\n"));
    CHECK(answer.json.at("answer").back() ==
          "With 46 frames at 8 kHz: none of these numbers of uplinks is enough for 10⁻⁹");
    asked.rates = "28 kHz";
    CHECK_THAT(size_answer(asked).text, Contains("no memory is enough") && Contains("With 46 frames at 28 kHz"));
}

TEST_CASE("Of the kinds of delays the one is chosen that adds least latency, and each is told with its own step") {
    const StaggerAsked asked = about<StaggerAsked>("shallow-28-ports.toml", {"front_end.modules=44"});
    const Answer answer = stagger_answer(asked, kExact);
    const Json& kinds = answer.json.at("kinds");
    REQUIRE(kinds.size() == 4);
    const Json* least = nullptr;
    double most = 0;
    for (const Json& each : kinds) {
        if (each.at("latency_added_s").is_null()) continue;
        if (!least || each.at("latency_added_s") < least->at("latency_added_s")) least = &each;
        most = std::max(most, each.at("latency_added_s").get<double>());
    }
    REQUIRE(least);
    CHECK(least->at("latency_added_s").get<double>() < most);
    for (const char* name : {"kind", "step_s", "set", "latency_added_s", "peak_frames"})
        CHECK(answer.json.at(name) == least->at(name));
    CHECK_THAT(answer.text, Contains(least->at("kind").get<std::string>() + " delays add least, "));
    for (const Json& each : kinds) {
        if (each.at("set").empty()) continue;
        StaggerAsked set = asked;
        for (const auto& [key, value] : each.at("set").items())
            set.overrides.push_back(key + "=" + value.get<std::string>());
        const std::string key = each.at("set").begin().key();
        if (key == "front_end.gap") {
            CHECK(stagger_answer(set, kExact).json.at("frames_lost_now") == 0);
        } else {
            CHECK_THROWS_WITH(stagger_answer(set, kExact), Contains("front_end.skew"));
        }
    }
    StaggerAsked one = asked;
    one.kind = "linear";
    CHECK(stagger_answer(one, kExact).json.at("kind") == "linear");
    // Nothing is to be delayed where nothing is lost.
    one.overrides = {"front_end.modules=10"};
    CHECK(stagger_answer(one, kExact).json.at("step_s") == 0);
}

TEST_CASE("A rule tells in percent what it refuses, of all triggers and of those that the dead time lets pass") {
    const ThrottleAnswer answer =
        throttle_answer(about<ThrottleAsked>("risk-cheap-switch.toml", {"switch.buffer.size=200 frames"}), kExact);
    const Json& dead = answer.json.at("rules").at(0);
    CHECK(dead.at("kind") == "dead-time");
    CHECK(dead.at("set") == Json{{"trigger.dead_time", "38.368 us"}});
    const double refused = 1 - 125 / (125 + 38.368), beyond = 1 - 127 / (125 + 38.368);
    CHECK(dead.at("refused").get<double>() == Approx(refused));
    CHECK(dead.at("beyond_dead_time").at("refused").get<double>() == Approx(beyond));
    CHECK_THAT(answer.text, Contains(text_line("%.4g %%", 100 * refused)) &&
                                Contains(text_line("%.4g %%", 100 * beyond)) &&
                                Contains("almost-full   not sought: --latency: missing"));
    CHECK(answer.json.at("not_sought").size() == 1);
    CHECK(answer.found.rules.size() == answer.json.at("rules").size());
    CHECK_FALSE(answer.json.contains("curve"));
    ThrottleAsked with_curve = about<ThrottleAsked>("risk-cheap-switch.toml", {"switch.buffer.size=200 frames"});
    with_curve.rates = "8kHz";
    CHECK(throttle_answer(with_curve, kExact).json.at("curve").size() == 1);
}

TEST_CASE("Every answer tells assumed and overridden values in JSON and below its first line") {
    const TemporaryFolder folder;
    folder.write("box.toml",
                 "name = \"box\"\n[switch.buffer]\nsharing = \"shared\"\nsize = \"9 MB\"\ncell = "
                 "\"unknown\"\n[switch]\nlatency = \"unknown\"\n");
    const std::string camera = folder.write(
        "camera.toml",
        "[front_end]\nmodules = 8\n[trigger]\npattern = \"poisson\"\nrate = \"8 kHz\"\ndead_time = \"1 us\"\nevents = "
        "1000\n[switch]\nmodel = \"box.toml\"\n[switch.buffer]\nsize = \"40 kB\"\n");
    const auto check = [&](const Answer& answer) {
        CHECK(answer.json.at("assumed").size() == 2);
        CHECK(answer.json.at("overridden").size() == 1);
        CHECK_THAT(answer.text.substr(answer.text.find('\n')),
                   Contains("\n  assumed: switch.latency = 0 us, unknown for box.toml\n") &&
                       Contains("\n  overridden: switch.buffer.size = 9 MB of box.toml, by 40 kB of "));
    };
    const auto asking = [&](auto asked) { return asked.scenario = camera, asked; };
    check(stagger_answer(asking(StaggerAsked()), kExact));
    check(throttle_answer(asking(ThrottleAsked()), kExact));
    check(bound_answer(asking(BoundAsked()), kExact));
    check(risk_answer(asking(RiskAsked()), kExact));
    check(size_answer(asking(SizeAsked())));
}

TEST_CASE("Shares of a throttle that are sampled say so, and no end is rounded inwards") {
    const ThrottleAnswer answer =
        throttle_answer(about<ThrottleAsked>("risk-cheap-switch.toml", {"switch.buffer.size=200 frames"}), kExact);
    CHECK_THAT(answer.text, Contains("shares from one number to another are sampled: the ends of 95 % intervals"));
    const Json& bounds = answer.json.at("without").at("bounds");
    const auto from = answer.text.find(", between ") + 10;
    double low = 0, high = 0;
    REQUIRE(std::sscanf(answer.text.c_str() + from, "%lg and %lg", &low, &high) == 2);
    CHECK((low <= bounds.at(0) && high >= bounds.at(1)));
}

TEST_CASE("A stagger for a risk tells the wanted one and the one that was found") {
    StaggerAsked asked = about<StaggerAsked>("risk-cheap-switch.toml", {"switch.buffer.size=40 frames"});
    asked.kind = "linear";
    asked.risk = 1e-3;
    asked.effort.work = 1e6;
    const Answer answer = stagger_answer(asked, kExact);
    CHECK(answer.json.at("risk_wanted") == 1e-3);
    REQUIRE(answer.json.at("risk").contains("risk_kind"));
    CHECK(risk_of_members(answer.json.at("risk")).upper <= std::log(1e-3));
    CHECK_THAT(answer.text, Contains("has a risk of at most 0.001, ") && Contains(", sampled; now "));
    const Answer without = stagger_answer(about<StaggerAsked>("shallow-28-ports.toml"), kExact);
    CHECK(without.json.at("risk_wanted").is_null());
    CHECK(without.json.at("most_modules_at_least") == false);
}

TEST_CASE("A bound tells the load of each uplink in percent, and its witness reaches it") {
    const Answer answer =
        bound_answer(about<BoundAsked>("risk-cheap-switch.toml", {"trigger.dead_time=40 us"}), kExact);
    const Json& queue = answer.json.at("queues").at(0);
    CHECK(queue.at("load").get<double>() == Approx(38.368 / 40));
    CHECK_THAT(answer.text, Contains("95.92 %") && Contains("--witness FILE writes it."));
    CHECK_THAT(answer.text, Contains("47080  38.368 us\n"));  // all digits: a longest delay must not be rounded down
    CHECK(answer.json.at("reached_frames") == queue.at("backlog_frames"));
    CHECK(answer.json.at("witness").size() == answer.json.at("witness_triggers"));
    BoundAsked named = about<BoundAsked>("risk-cheap-switch.toml", {"trigger.dead_time=40 us"});
    named.witness = "w.txt";
    const Answer written = bound_answer(named, kExact);
    CHECK(written.json.at("witness") == "w.txt");
    CHECK(std::count(written.csv.begin(), written.csv.end(), '\n') ==
          2 + written.json.at("witness_triggers").get<std::int64_t>());
}

TEST_CASE("Designs are compared by their loads in percent and the watershed of their whole networks") {
    const TemporaryFolder folder;
    CompareOptions asked;
    asked.scenarios = {scenario("risk-cheap-switch.toml"), scenario("risk-4mb.toml")};
    asked.limit = 1000;
    const Answer answer = compare_answer(asked, folder.write("prices.csv", "switch,price_EUR\nuplink,30\n"), kExact);
    CHECK(answer.json.at("designs").at(0).at("load").get<double>() == Approx(kLoad));
    CHECK(answer.json.at("currency") == "EUR");
    CHECK_THAT(answer.text, Contains("load of the busiest") && Contains("30.2 %"));
    CHECK_THAT(answer.json.at("best").at(0).get<std::string>(), Contains("Smallest risk: risk-4mb"));
    asked.scenarios.pop_back();
    CHECK_THROWS_WITH(compare_answer(asked, "", kExact), Contains("at least two"));
}

TEST_CASE("A sensitivity tells the load of each change in percent") {
    SensitivityAsked asked = about<SensitivityAsked>("risk-4mb.toml");
    asked.effort.work = 1e6;
    const Answer answer = sensitivity_answer(asked, kExact);
    const Json& today = answer.json.at("rows").at(0);
    CHECK(today.at("load").get<double>() == Approx(kLoad));
    CHECK_THAT(answer.text, Contains("30.2 %") && Contains(text_line("%.3g %%", 100 * 38.368 / (125 / 1.1 + 2))));
    CHECK(answer.json.at("set").empty());
}

TEST_CASE("An answer that rests on the hash of the scenario says so in its first line") {
    const auto first_line = [](const Answer& answer) { return answer.text.substr(0, answer.text.find('\n')); };
    const std::vector<std::string> hash{"switch.uplinks=2", "switch.uplink_selection=hash"}, one{"switch.uplinks=1"};
    const std::string condition = "if the switch's hash is that of the scenario (layer3+4, crc16)";
    const char* const camera = "risk-cheap-switch.toml";
    RiskAsked risk = about<RiskAsked>(camera, hash);
    risk.effort.events = 1000;
    risk.method = "direct";
    CHECK_THAT(first_line(risk_answer(risk, kExact)), Contains(condition));
    CHECK(risk_answer(risk, kExact).json.at("hash") == "layer3+4, crc16");
    ThrottleAsked throttle = about<ThrottleAsked>(camera, hash);
    throttle.effort.events = 1000;
    CHECK_THAT(first_line(throttle_answer(throttle, kExact)), Contains(condition));
    CHECK_THAT(stagger_answer(about<StaggerAsked>("shallow-28-ports.toml",
                                                  {"front_end.modules=44", "switch.uplinks=2",
                                                   "switch.uplink_selection=hash", "switch.buffer.size=20 frames"}),
                              kExact)
                   .text,
               Contains(condition));
    risk.overrides = one;
    CHECK_THAT(risk_answer(risk, kExact).text, !Contains("hash"));
    CHECK(risk_answer(risk, kExact).json.at("hash").is_null());
    throttle.overrides = one;
    CHECK_THAT(throttle_answer(throttle, kExact).text, !Contains("hash"));
}

TEST_CASE("Source ports load all uplinks of a hash alike") {
    ScenarioAsked asked{scenario("hash-uplinks.toml"), {"switch.uplinks=3"}};
    const Answer answer = balance_answer(asked);
    const auto loads = [&](const std::string& after) {
        const auto from = answer.text.find(after) + after.size();
        std::vector<int> numbers;
        const char* at = answer.text.c_str() + from;
        for (char* end = nullptr; numbers.size() < 3; at = end + 1)
            numbers.push_back(static_cast<int>(std::strtol(at, &end, 10)));
        return numbers;
    };
    const std::vector<int> before = loads("each uplink "), after = loads("these ports ");
    const auto spread = [](const std::vector<int>& of) {
        return *std::max_element(of.begin(), of.end()) - *std::min_element(of.begin(), of.end());
    };
    CHECK(spread(after) <= 1);
    CHECK(spread(before) > 1);
    CHECK_THAT(answer.csv, Contains("source_ports = [") && Contains("uplink_selection = \"hash\""));
}

TEST_CASE("The longest lossless burst beside a stream is told for each size of frame, with what one more loses") {
    NPlus1Asked asked = about<NPlus1Asked>("n-plus-1.toml");
    asked.frames = "64,1518";
    const Answer answer = n_plus_1_answer(asked, kExact);
    REQUIRE(answer.json.size() == 2);
    CHECK(answer.json.at(0).at("frame_bytes") == 64);
    CHECK(answer.json.at(0).at("lossless") > answer.json.at(1).at("lossless"));
    CHECK(answer.json.at(0).at("drops") > 0);
    asked.frames = "63";
    CHECK_THROWS_WITH(n_plus_1_answer(asked, kExact), Contains("63") && Contains("64 to 1518"));
}

TEST_CASE("An exploration ranks its ways, says the same in every form, and writes no more than is asked") {
    ExploreAsked asked;
    asked.wanted.scenario = scenario("explore-nectarcam.toml");
    asked.asked.modules = 265;
    asked.asked.models = "arista-7010t,dell-s60,cisco-4948e";
    asked.asked.counts = "6";
    asked.asked.uplinks = "1";
    asked.asked.aggregations = "arista-7150s";
    asked.asked.interfaces = "3";
    asked.asked.jobs = 1;
    const Answer answer = explore_answer(asked, kExact);
    const Json& first = answer.json.at("ways").at(0);
    CHECK(first.at("rank") == 1);
    CHECK(first.at("load").get<double>() == Approx(89 * 0.872 / 127));
    CHECK_THAT(answer.text, Contains("Recommended: 6 x ") && Contains(" 61.1 % "));
    CHECK_THAT(answer.csv, Contains("\nrank,switch,switches,") && Contains("\n1,"));
    const Json& front = answer.json.at("front").at(0);
    CHECK((front.at("watershed").size() > 5 || !front.at("no_watershed").is_null()));
    asked.guarantee = true;
    asked.wanted.overrides = {"trigger.dead_time=40 us"};
    asked.asked.aggregations = asked.asked.interfaces = "";
    CHECK(explore_answer(asked, kExact).json.at("what_if").empty());
}
