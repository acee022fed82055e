// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"
#include "test/scenarios/commands/told.h"

using namespace watershed;

namespace {

using Json = nlohmann::ordered_json;

const EngineFactory kExact = exact_only().engine;

/// Links of 10 Gb/s let triggers come faster than the uplink sends their three frames, 2.616 us, and fill a memory.
std::vector<std::string> fast(const std::string& frames, std::vector<std::string> more = {}) {
    for (const char* key : {"front_end.link_rate=10 Gb/s", "trigger.dead_time=1 us"}) more.emplace_back(key);
    more.push_back("switch.buffer.size=" + frames + " frames");
    return more;
}

Answer ask(const std::string& scenario, const Told& told, ThrottleAsked asked = {}) {
    Answer answer = throttle_answer(asked_of(scenario, told.set, std::move(asked)), kExact);
    check(answer, told);
    return answer;
}

}  // namespace

TEST_CASE("Where no rule is needed or none helps a throttle says so, and why") {
    const SmallCameras cameras;
    const std::string triggers = "Throttle of " + cameras.random + ", triggers at 8 kHz: ";
    ask(cameras.random, {{},
                         {triggers + "no rule helps: a single trigger may lose frames.\n"},
                         {{"/needless", false}, {"/rules", Json::array()}, {"/modules", 3}, {"/memory", "2 frames"}}});
    ask(cameras.random,
        {{"switch.buffer.size=3 frames", "switch.uplinks=2", "server.builders=2", "server.assignment=random"},
         {triggers + "of no rule it is proven that it helps: "},
         {{"/rules", Json::array()}}});
    const Answer needless =
        ask(cameras.random,
            {{"switch.buffer.size=3 frames"},
             {triggers + "no rule is needed. With a dead time of 20 us no sequence of triggers loses a frame.\n"},
             {{"/needless", true},
              {"/without", nullptr},
              {"/rate_hz", 8000.0},
              {"/dead_time_s", 20e-6},
              {"/own_rules", Json::array()}}});
    CHECK_FALSE(needless.json.contains("why_not"));
    ask(cameras.random, {{"switch.buffer.size=3 frames", "trigger.rules=[\"3 in 100 us\", \"4 in 200 us\"]"},
                         {"no other rule is needed. With a dead time of 20 us and the scenario's own \"3 in 100 us\", "
                          "\"4 in 200 us\" no sequence"},
                         {{"/own_rules/1", "4 in 200 us"}}});
}

// Triggers at 8 kHz: a dead time of 2.616 us refuses 0.020928 / 1.020928 of them. Of those that 1 us of it lets pass it
// refuses 1 - 1.008 / 1.020928. A count of 1 and a bucket of 1 are that dead time.
TEST_CASE("A throttle tells of each rule what it refuses and what a weaker one loses") {
    const SmallCameras cameras;
    const std::string refused = text_line("  %.4g %%  ", 100 * 0.020928 / 1.020928),
                      beyond = text_line("  %.4g %%  ", 100 * (1 - 1.008 / 1.020928));
    const Answer answer = ask(
        cameras.random,
        {fast("3"),
         {"each of these rules alone makes every loss impossible\n\n", "--set  ",
          "refused with dead time  of what passes 1 us  one step",
          "\n  dead-time     'trigger.dead_time=2.616 us'                    ", refused, beyond,
          "  2.615 us at trigger 2\n", "\n  token-bucket  'trigger.rules=[\"bucket of 1, one in 2.616 us\"]'",
          "[\"bucket of 2, one in 2.616 us\"] at trigger 2\n",
          "\n  almost-full   not sought: --latency: missing, expected how long", "\nThe bucket is the weakest of those",
          "\nNow, with a dead time of 1 us (0.7937 % of the triggers refused), ", " (bounds).\n", "!sampled", "!phases",
          "!hash"},
         {{"/rules/0/set", Json{{"trigger.dead_time", "2.616 us"}}},
          {"/rules/0/weaker/loses_at_trigger", 2},
          {"/rules/0/weaker/witness", nullptr},
          {"/rules/2/kind", "token-bucket"},
          {"/without/method", "chain"}}});
    CHECK(answer.json.at("not_sought").size() == 1);
    // The chance is told with three digits.
    const double log10 = answer.json.at("without").at("log10_probability");
    CHECK_THAT(answer.text,
               Contains("refused), " + text_line("%.3g of the events are incomplete", std::pow(10, log10))));
    // Without dead time there is nothing that it lets pass.
    ask(cameras.random, {{"front_end.link_rate=10 Gb/s", "trigger.dead_time=0 us", "switch.buffer.size=3 frames"},
                         {"  refused  one step weaker loses\n", "!of what passes", "(0 % of the triggers refused)"}});
    // The chain does not know a jitter, and no bucket is sought for one.
    ask(cameras.random,
        {fast("3", {"front_end.jitter=1 ns"}),
         {"\n  kind          --set", "\n  token-bucket  not sought: front_end.jitter: ", "!The bucket is", ", between ",
          " (95 %).\n"},
         {{"/without/risk_kind", "sampled"}}},
        [] {
            ThrottleAsked asked;
            asked.effort = {10'000, 100, 1, 1e5};
            return asked;
        }());
    const Answer beside =
        ask(cameras.random, {fast("4", {"traffic.a.rate=1 kHz", "traffic.a.payload=1024 B"}),
                             {"makes every loss impossible, whatever the phases of streams\n",
                              "the chance of an incomplete event is not known: traffic: expected none"},
                             {{"/without", nullptr}}});
    CHECK_THAT(beside.json.at("why_not").get<std::string>(), Contains("traffic: expected none"));
    ask(cameras.random,
        {fast("3", {"switch.uplinks=2", "switch.uplink_selection=hash"}), {"impossible, if the switch's hash is"}});
}

TEST_CASE("Shares that a run tells are the ends of an interval, and a chance beyond the doubles is not called none") {
    const SmallCameras cameras;
    ThrottleAsked asked;
    // Some 133 triggers within 133 us are less likely than the least double.
    const Answer rare = ask(cameras.random, {fast("400"), {"!), 0 of the events"}});
    const double log10 = rare.json.at("without").at("log10_probability");
    CHECK(log10 < -324);
    CHECK_THAT(rare.text, Contains(text_line("), 10^%.1f of the events are incomplete, between 10^-", log10)));
    asked.latency = "100 ns";
    asked.witness = "w-";
    const Answer answer =
        ask(cameras.random,
            {fast("6"),
             {" to ", "\nOf what is refused, shares from one number to another are sampled",
              "\n  almost-full   'trigger.rules=[\"almost full at 5 frames, after 100 ns\"]'", "!not sought"},
             {{"/not_sought", Json::object()},
              {"/rules/0/weaker/witness", "w-dead-time.txt"},
              {"/rules/3/kind", "almost-full"}}},
            asked);
    CHECK(answer.json.at("rules")[1].at("weaker").at("witness") == "w-count.txt");
    // The ends of an interval, in percent, rounded outwards to three digits.
    const auto ends = answer.json.at("rules")[3].at("interval95");
    const auto end = [&](int i, Rounded rounded) {
        return plain_number(std::log10(100 * ends[std::size_t(i)].get<double>()), 3, rounded);
    };
    CHECK_THAT(answer.text, Contains("  " + end(0, Rounded::Down) + " to " + end(1, Rounded::Up) + " %  "));
    asked.latency = "100 ns,1 us";
    CHECK_THROWS_WITH(throttle_answer(asked_of(cameras.random, fast("3"), asked), kExact),
                      Contains("--latency: found several times"));
    CHECK_THROWS_WITH(ask(cameras.random, {fast("3", {"trigger.rules=[\"4 in 2 us\"]"}), {}}),
                      Contains(cameras.random + ": trigger.rules: "));
    // A level that no latency leaves has no rule, and its reason.
    asked.latency = "1 us", asked.witness = "";
    ask(cameras.random, {fast("3"), {"\n  almost-full   not sought: --latency: found 1 us, expected less"}}, asked);
}

TEST_CASE("The curves of a throttle are drawn at the rates asked for, where there are rules") {
    const SmallCameras cameras;
    ThrottleAsked asked;
    CHECK_FALSE(ask(cameras.random, {fast("3"), {}}, asked).json.contains("curve"));
    asked.curve = true;
    CHECK_FALSE(ask(cameras.random, {{}, {}}, asked).json.contains("curve"));
    asked.rates = "8 kHz,9 kHz";
    CHECK(ask(cameras.random, {fast("3"), {}}, asked).json.at("curve").size() == 2);
}

TEST_CASE("A throttle writes the triggers that a weaker rule lets pass, each to a file of its own") {
    const SmallCameras cameras;
    const TemporaryFolder folder;
    const std::string told =
        printed([&](CLI::App& app) { add_throttle_command(app, kExact, {}); },
                "throttle " + cameras.random +
                    " --set \"front_end.link_rate=10 Gb/s\" --set \"trigger.dead_time=1 us\" --set "
                    "\"switch.buffer.size=3 frames\" --witness " +
                    (folder / "w-"));
    CHECK_THAT(told, Contains("each of these rules"));
    CHECK(folder.files() == std::set<std::string>{"w-count.txt", "w-dead-time.txt", "w-token-bucket.txt"});
    CHECK_THAT(folder.read("w-count.txt"),
               Contains("# trigger.rules=[\"2 in 5.232 us\"] lets these triggers pass") && Contains("\n0 us\n"));
}
