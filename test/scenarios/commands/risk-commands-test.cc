// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>

#include "scenarios/commands/options.h"
#include "scenarios/design/needed-memory.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"
#include "test/scenarios/commands/told.h"

using namespace watershed;

namespace {

using Json = nlohmann::ordered_json;

const EngineFactory kExact = exact_only().engine;

/// 40 modules, whose events take the uplink 34.88 us, at 8 kHz before 2 us of dead time: an event in 127 us.
std::vector<std::string> forty(const std::string& frames, std::vector<std::string> more = {}) {
    for (const char* key : {"front_end.modules=40", "trigger.dead_time=2 us"}) more.emplace_back(key);
    more.push_back("switch.buffer.size=" + frames + " frames");
    return more;
}

}  // namespace

// 8 kHz and 20 us of dead time are an event in 145 us, whose frame takes its link 8.72 us; one of its three is always
// lost.
TEST_CASE("A risk tells how often events are incomplete, and whether a bound proves that none ever is") {
    const SmallCameras cameras;
    const auto ask = [&](const Told& told, const std::string& scenario = {}) {
        check(risk_answer(asked_of<RiskAsked>(scenario.empty() ? cameras.random : scenario, told.set), kExact), told);
    };
    ask({{},
         {"  probability         1, between 1 and 1 (bounds)\n",
          "  events              6896.55 per second, 2.48276e+07 per hour (8 kHz before 20 us of dead time)\n",
          "  incomplete          2.483e+07 per hour, 1.986e+08 per night of 8 h\n",
          "\n                      one in 145 us\n", "!never", "!seed", "!overload", "!hecked"},
         {{"/per_hour", 3600e6 / 145},
          {"/per_night", 8 * 3600e6 / 145},
          {"/events_per_hour", 3600e6 / 145},
          {"/trigger_rate_hz", 1e6 / 145},
          {"/night_hours", 8},
          {"/load", 8.72 / 145},
          {"/never", false},
          {"/hash", nullptr},
          {"/overload", nullptr},
          {"/check", nullptr},
          {"/not_checked", nullptr},
          {"/seed", 1}}});
    ask({{"switch.buffer.size=3 frames"},
         {"  probability         0\n",
          "\n                      never: no triggers that dead time and rules admit lose a frame",
          "  incomplete          no event\n", "!one in"},
         {{"/never", true}, {"/per_hour", 0.0}}});
    // 34.88 us of 7 us and of 18.667 us: above 1 by so much, a share of 1 - 1 / 1.869 is lost.
    ask({forty("80", {"trigger.rate=60 kHz"}), {"\n  overload            switch, uplink 1 is given 1.869 times"}});
    CHECK(risk_answer(asked_of<RiskAsked>(cameras.random, forty("80", {"trigger.rate=60 kHz"})), kExact)
              .json.at("overload")
              .is_string());
    // A sample without an incomplete event tells nothing but the limit, as the page says.
    RiskAsked sampled = asked_of<RiskAsked>(cameras.random, forty("500"));
    sampled.method = "direct", sampled.effort.events = 1000;
    CHECK_THAT(risk_answer(sampled, kExact).text,
               Contains("  probability         at most ") && Contains(" with 95 % confidence\n"));
    RiskAsked none = asked_of<RiskAsked>(cameras.random, {"trigger.pattern=burst"});
    CHECK_THROWS_WITH(risk_answer(none, kExact), Contains(cameras.random + ": "));
}

TEST_CASE("The time between two incomplete events is told in the largest unit that is not above it") {
    const SmallCameras cameras;
    constexpr double kDay = 86400;
    const struct {
        const char* frames;
        const char* unit;
        double seconds;
    } units[] = {{"39", "us", 1e-6},     {"80", "ms", 1e-3},    {"200", "s", 1},
                 {"320", "hours", 3600}, {"420", "days", kDay}, {"500", "years", 365.25 * kDay}};
    for (const auto& [frames, unit, seconds] : units) {
        const Answer answer = risk_answer(asked_of<RiskAsked>(cameras.random, forty(frames)), kExact);
        const double apart = 127e-6 / answer.json.at("probability").get<double>();
        INFO(answer.text);
        CHECK_THAT(answer.text, Contains(text_line("one in %.4g %s\n", apart / seconds, unit)));
    }
    // Bounds that are apart leave no estimate: the longer time goes with the lower bound, and both are rounded
    // outwards.
    const Answer apart = risk_answer(
        asked_of<RiskAsked>(cameras.random, forty("20", {"switch.buffer.sharing=per-input", "trigger.rate=23 kHz"}),
                            [] {
                                RiskAsked asked;
                                asked.method = "chain";
                                return asked;
                            }()),
        kExact);
    const double low = apart.json.at("bounds")[0], high = apart.json.at("bounds")[1];
    double told[6] = {};
    const char* const line = std::strstr(apart.text.c_str(), "  probability ");
    REQUIRE(line);
    REQUIRE(std::sscanf(line, "  probability         between %lg and %lg (bounds)", told, told + 1) == 2);
    const double period = (1 / 23e3 + 2e-6);
    const char* const one_in = std::strstr(apart.text.c_str(), "one in ");
    REQUIRE(one_in);
    REQUIRE(std::sscanf(one_in, "one in %lg s to %lg s", told + 2, told + 3) == 2);
    CHECK((told[0] <= low && told[0] == Approx(low).epsilon(1e-3)));
    CHECK((told[1] >= high && told[1] == Approx(high).epsilon(1e-3)));
    CHECK((told[2] <= period / high && told[2] == Approx(period / high).epsilon(1e-3)));
    CHECK((told[3] >= period / low && told[3] == Approx(period / low).epsilon(1e-3)));
    // A chance below 1e-299 is written as a power of ten.
    RiskAsked tiny = asked_of<RiskAsked>(cameras.random, forty("14000"));
    tiny.method = "bound";
    const Answer answer = risk_answer(tiny, kExact);
    const double most = answer.json.at("log10_at_most");
    CHECK(most < -299);
    CHECK_THAT(answer.text, Contains(text_line(" and 10^%.1f (bounds)", std::ceil(10 * most) / 10)));
    CHECK(plain_number(-299.97, 3, Rounded::Up) == "10^-299.9");
    CHECK(plain_number(-299.91, 3, Rounded::Down) == "10^-300.0");
    CHECK(plain_number(-299.92, 3, Rounded::Nearest) == "10^-299.9");
    CHECK(plain_number(299.92, 3, Rounded::Nearest) == "10^299.9");
    CHECK(plain_number(-299, 1, Rounded::Nearest) == "1e-299");
    CHECK(plain_number(-HUGE_VAL, 3, Rounded::Up) == "0");
    CHECK(plain_number(std::log10(0.12341), 4, Rounded::Up) == "0.1235");
}

TEST_CASE("A check tells the other method's chance, or why there is none") {
    const SmallCameras cameras;
    const auto ask = [&](const std::string& method, const std::string& with, std::vector<std::string> set,
                         std::vector<std::string> text, std::vector<std::pair<std::string, Json>> members) {
        RiskAsked asked = asked_of<RiskAsked>(cameras.random, set);
        asked.method = method;
        asked.check = with;
        asked.effort = {10'000, 100, 1, 1e5};
        check(risk_answer(asked, kExact), {asked.overrides, std::move(text), std::move(members)});
    };
    ask("auto", "direct", forty("80"), {"\n  seed                1\n", "\nChecked:\n  probability", "!Not checked"},
        {{"/method", "chain"}, {"/check/method", "direct"}, {"/not_checked", nullptr}});
    ask("direct", "chain", forty("80"), {"\n  seed                1\n", "\nChecked:\n"}, {{"/check/method", "chain"}});
    ask("auto", "chain", forty("80"),
        {"\nNot checked: chain gave the answer itself; --check direct is another method\n", "!\nChecked", "!seed"},
        {{"/check", nullptr}});
    ask("auto", "direct", forty("80", {"front_end.jitter=1 ns"}),
        {"\nNot checked: direct gave the answer itself; --check tilted is another method\n"}, {});
    ask("direct", "chain", forty("80", {"front_end.jitter=1 ns"}),
        {"\nNot checked: chain has no answer: ", "same instants"}, {{"/check", nullptr}});
}

// Three frames of an event that come at once are held at once, whatever the uplinks.
TEST_CASE(
    "A size tells the memory of each rate and number of uplinks, and how many uplinks that of the scenario needs") {
    const SmallCameras cameras;
    const auto ask = [&](const std::string& scenario, const Told& told, const std::string& uplinks = "",
                         const std::string& rates = "") {
        SizeAsked asked = asked_of<SizeAsked>(scenario, told.set);
        asked.uplinks = uplinks;
        asked.rates = rates;
        asked.jobs = 1;
        const Answer answer = size_answer(asked);
        check(answer, told);
        return answer;
    };
    const double load = 3 * 0.872 / 145;
    const Answer plain =
        ask(cameras.random,
            {{},
             {": the whole memory that keeps",
              text_line("  %10d  %10s  %8d  %8.2f %%  %12d  %14d  %12d\n", 8, "1e-09", 1, 100 * load, 3, 3210, 3),
              "\nframes certainly suffice, and one fewer certainly does not\nWith 2 frames at 8 kHz: none of these "
              "numbers of "
              "uplinks is enough for 1e-09\n",
              "!memory of", "!tier", "!a bound", "!At "},
             {{"/memory", "the whole memory"},
              {"/frames", 3},
              {"/frames_at_least", 3},
              {"/bytes", 3210},
              {"/fewest_uplinks", nullptr},
              {"/fewest_uplinks_at_least", nullptr},
              {"/points/0/memory_of", "switch"},
              {"/points/0/link_load", 8.72 / 145},
              {"/points/2/uplinks", 3},
              {"/points/2/load", load / 3}}});
    CHECK(plain.json.at("points").size() == 3);  // as many as there are modules
    CHECK_THAT(plain.csv,
               Contains("# memory: the whole memory, for") &&
                   Contains("\nrate_khz,loss,uplinks,load,frames,bytes,frames_at_least\n8,1e-09,1,0.0180414,3,3210,"
                            "3\n"));
    ask(cameras.random,
        {{"front_end.modules=2"}, {"With 2 frames at 8 kHz: fewest uplinks 1 for 1e-09"}, {{"/fewest_uplinks", 1}}});
    // One output holds the two frames of its modules, of two uplinks, or one.
    ask(cameras.random, {{"switch.buffer.sharing=per-output"},
                         {": each output's memory that", "fewest uplinks 2 for"},
                         {{"/points/0/frames", 3}, {"/points/1/frames", 2}, {"/points/2/frames", 1}}});
    ask(cameras.random, {{"switch.buffer.sharing=per-input"}, {": each input's memory that"}, {{"/frames", 1}}});
    // The links carry an event in 8.72 us: at 200 kHz after 2 us of dead time 1.246 of what they can, and 1.56 at
    // 280 kHz. Of 40 modules the uplink carries one in 34.88 us, which 60 kHz are too many for.
    const Answer many =
        ask(cameras.random,
            {forty("2"),
             {"                         no memory is enough\n", "                            links overloaded\n",
              "\nAt 200 kHz the modules' links are given 1.246 times", "; at higher rates more so\n"},
             {{"/points/0/frames", 369}, {"/points/1/frames", nullptr}, {"/points/1/bytes", nullptr}}},
            "1", "8 kHz,60 kHz,200 kHz,280 kHz");
    CHECK_THAT(many.csv, Contains("\n60,1e-09,1,1.86857,,,\n"));
    const Answer one =
        ask(cameras.random, {forty("2"), {"given 1.246 times", "!higher rates", " at 200 kHz: none"}}, "1", "200 kHz");
    CHECK(one.json.at("frames").is_null());
    const Answer tiers =
        ask(cameras.tiers,
            {{},
             {"at least  memory of\n", "             2  [switch]\n", "             1  [aggregation]\n",
              "\neach tier may lose half of the chance\nonly a bound tells the memory of [aggregation], and far",
              "\nframes certainly suffice, fewer than `at least` certainly do not: the smallest",
              "no number of uplinks is certainly enough, fewer than 1 are certainly not for"},
             {{"/frames", 2},
              {"/points/1/memory_of", "aggregation"},
              {"/fewest_uplinks_at_least", 1},
              {"/fewest_uplinks", nullptr}}},
            "1");
    CHECK(tiers.json.at("bounds").size() == 1);
    CHECK_THAT(tiers.csv, Contains("frames_at_least,memory_of\n") && Contains(",2,2140,2,switch\n"));
    ask(cameras.random,
        {{"front_end.fragments=[\"1024 B\", \"100 B\"]"},
         {"\nbytes certainly suffice, fewer than", "\na frame is the largest of an event here"}},
        "1");
    const auto refused = [&](std::vector<std::string> set, const std::string& uplinks, const std::string& words) {
        SizeAsked asked = asked_of<SizeAsked>(cameras.random, set);
        asked.uplinks = uplinks;
        CHECK_THROWS_WITH(size_answer(asked), Contains(words));
    };
    refused({}, "4", "--uplinks: expected at most front_end.modules, 3");
    CHECK_NOTHROW(ask(cameras.random, {{}, {}}, "3"));
    refused({"switch.ports=48 x 1 Gb/s + 2 x 10 Gb/s"}, "3", "--uplinks: 3: ");
    // A jitter is drawn, and no bound covers this memory: the answer is sampled.
    const Answer sampled = ask(
        cameras.random,
        {{"trigger.pattern=periodic", "front_end.jitter=1 ns", "switch.buffer.release=start"}, {"\nsampled: "}}, "1");
    CHECK(sampled.json.at("points")[0].at("frames_at_least").is_null());
    CHECK(sampled.json.at("points")[0].at("sampled").at("risk_kind") == "sampled");
    CHECK(sampled.json.at("fewest_uplinks_sampled") == true);
    // Without a list those that the switch has ports for.
    CHECK(ask(cameras.random, {{"switch.ports=48 x 1 Gb/s + 2 x 10 Gb/s"}, {}}).json.at("points").size() == 2);
    // The interfaces follow the uplinks: as many as there are, or as the second tier has.
    ask(cameras.random, {{"server.interfaces=1"}, {}, {{"/points/1/uplinks", 2}}}, "1,2");
    ask(cameras.tiers, {{"server.interfaces=1"}, {}, {{"/points/2/uplinks", 2}}}, "1,2");
}

TEST_CASE("A size between two limits of uplinks tells both") {
    // A memory by input at 23 kHz: the chain's bounds leave open whether 1 uplink keeps to the chance, 2 certainly do.
    const SmallCameras cameras;
    SizeAsked asked =
        asked_of<SizeAsked>(cameras.random, forty("20", {"switch.buffer.sharing=per-input", "trigger.rate=23 kHz"}));
    asked.losses = "5e-6";
    asked.uplinks = "1,2";
    asked.jobs = 1;
    check(size_answer(asked),
          {{}, {"fewest uplinks 1 to 2 for 5e-06\n"}, {{"/fewest_uplinks", 2}, {"/fewest_uplinks_at_least", 1}}});
}

TEST_CASE("A comparison or a sensitivity says what it was asked with, and refuses what it cannot answer") {
    const SmallCameras cameras;
    CompareOptions asked;
    asked.scenarios = {cameras.burst, cameras.burst};
    asked.labels = {"a", "b"};
    asked.overrides = {"2:trigger.events=10", "1:front_end.modules=1"};
    asked.limit = 100;
    const Answer compared = compare_answer(asked, "", kExact);
    check(compared,
          {{},
           {"Fewest frames lost in the run: a (0)."},
           {{"/set/0", "2:trigger.events=10"}, {"/currency", ""}, {"/engine", "exact"}, {"/separation_us", 20.0}}});
    CHECK(compared.json.at("table")[0] == Json{{"quantity", "modules"}, {"values", {"1", "2"}}});

    SensitivityAsked what_if = asked_of<SensitivityAsked>(cameras.burst, {"front_end.modules=1"});
    check(sensitivity_answer(what_if, kExact),
          {{},
           {"Wanted: no frame is lost. As it is the design does that.\n"},
           {{"/set/0", "front_end.modules=1"}, {"/seed", 1}, {"/command", Provenance::command()}}});
    const std::vector<std::string> ruled{"trigger.rules=[\"3 in 100 us\"]", "front_end.jitter=1 ns"};
    CHECK_THROWS_WITH(sensitivity_answer(asked_of<SensitivityAsked>(cameras.random, ruled), kExact),
                      Contains(cameras.random + ": trigger.rules: how many triggers"));
}

TEST_CASE("A risk of groups lists them: modules, events a second, and the load of a module's link") {
    const TemporaryFolder folder;
    RiskAsked asked;
    asked.scenario =
        folder.write("groups.toml",
                     "[group.a]\nmodules = 2\npayload = \"934 B\"\n[group.b]\nmodules = 3\nlink_rate = "
                     "\"10 Gb/s\"\ntrigger = { pattern = \"periodic\", rate = \"2 kHz\" }\n[trigger]\npattern = "
                     "\"periodic\"\nrate = \"1 kHz\"\n[switch]\nuplink_rate = \"10 Gb/s\"\n[switch.buffer]\n"
                     "size = \"1 MB\"\n");
    const Json groups = risk_answer(asked, kExact).json.at("groups");
    REQUIRE(groups.size() == 2);
    // 1000 B with all headers, preamble and gap are 8 us of 1 Gb/s.
    CHECK(groups[0] == Json{{"name", "a"}, {"modules", 2}, {"rate_hz", 1e3}, {"link_load", 8e-3}});
    CHECK((groups[1].at("modules") == 3 && groups[1].at("rate_hz") == 2e3));
    const SmallCameras cameras;
    CHECK_FALSE(risk_answer(asked_of<RiskAsked>(cameras.random, forty("20", {})), kExact).json.contains("groups"));
}
