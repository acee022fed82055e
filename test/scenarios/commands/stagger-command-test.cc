// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>

#include "scenarios/text/input-error.h"
#include "test/scenarios/commands/told.h"

using namespace watershed;

namespace {

using Json = nlohmann::ordered_json;

const EngineFactory kExact = exact_only().engine;

Answer ask(const std::string& scenario, const Told& told, StaggerAsked asked = {}) {
    Answer answer = stagger_answer(asked_of(scenario, told.set, std::move(asked)), kExact);
    check(answer, told);
    return answer;
}

StaggerAsked of_kind(const std::string& kind, double risk = 0) {
    StaggerAsked asked;
    asked.kind = kind;
    asked.risk = risk;
    asked.effort = {1'000, 100, 1, 1e4};
    return asked;
}

}  // namespace

// A frame leaves after 0.872 us. With room for two, the third must come 0.872 us after the first; two steps are that.
// Room for one lets the second come as late. 20 ppm of 0.436 us are nothing; 100 ns of jitter add as much to a delay,
// half of it to a step.
TEST_CASE("A stagger tells each kind's step, latency and peak, and the keys of the best") {
    const SmallCameras cameras;
    const Answer answer =
        ask(cameras.random,
            {{},
             {": linear delays add least, 872 ns, and then it loses nothing in these 1000 triggers (seed 1; --risk "
              "asks for a "
              "chance); now 1000 of 3000 frames are lost\n\n",
              "\n  linear   436 ns         872 ns         2            436 ns           486 ns",
              "\n  groups   872 ns         872 ns         2            872 ns           972 ns           2 groups\n",
              "\n  free     872 ns         872 ns         2            -                -",
              "\n  gap      front_end.fragments: a gap needs several frames of an event, found one\n",
              "\nModules that lose nothing: 2 without delays, ",
              " with linear ones of 872 ns.\n\nWith clocks within 20 ppm, drawn from seed 1,",
              "\n    [front_end]\n    skew = [\"0 us\", \"436 ns\", \"872 ns\"]\n", "!by search", "!FIFO",
              "!tried, not proven"},
             {{"/kind", "linear"},
              {"/step_s", 436e-9},
              {"/latency_added_s", 872e-9},
              {"/lossless", true},
              {"/smallest", true},
              {"/any_jitter", false},
              {"/peak_frames", 2},
              {"/step_with_clocks_s", 436e-9},
              {"/step_with_jitter_s", 486e-9},
              {"/asked_clocks", true},
              {"/asked_jitter", true},
              {"/kinds/2/asked_clocks", false},
              {"/modules", 3},
              {"/memory", "2 frames"},
              {"/burst", nullptr},
              {"/frames_lost_now", 1000},
              {"/overload", nullptr},
              {"/most_modules", 2},
              {"/most_modules_at_least", false},
              {"/most_modules_with_delays_at_least", false},
              {"/risk_wanted", nullptr},
              {"/drawn", Json{"triggers"}},
              {"/frames_lost_with_longest", nullptr},
              {"/kinds/1/groups", 2},
              {"/kinds/3/lossless", false},
              {"/kinds/3/searched_to_s", nullptr},
              {"/kinds/3/step_s", nullptr},
              {"/kinds/3/set", Json::object()}}});
    CHECK_FALSE(answer.json.contains("groups"));
    CHECK_FALSE(answer.json.contains("risk"));
    CHECK_FALSE(answer.json.at("kinds")[0].contains("why_not"));
    CHECK_THAT(answer.json.at("kinds")[3].at("why_not").get<std::string>(), Contains("front_end.fragments"));
    ask(cameras.burst,
        {{},
         {"and then it loses nothing; now 2 of 4 frames are lost\n", "    skew = [\"0 us\", \"872 ns\"]\n"},
         {{"/burst", Json{{"separation_us", 20.0}, {"events", 2}}}, {"/drawn", Json::array()}}});
    const Answer single = ask(cameras.burst, {{"trigger.events=1"}, {}, {{"/burst/events", 1}}});
    ask(cameras.burst, {{"front_end.modules=1"},
                        {": as it is, it loses nothing\nModules that lose nothing: 1 without"},
                        {{"/step_s", 0.0}, {"/set", Json::object()}}});
}

TEST_CASE("A stagger says which draws it was tried with, and what holds whatever is drawn") {
    const SmallCameras cameras;
    ask(cameras.random,
        {{"front_end.clock_spread=20 ppm", "switch.arrival_order=random"},
         {"(seed 1; --risk asks for a chance) with the clocks and order of seed 1, tried, not proven; now",
          "           by search: a shorter one may do\n", "2 groups, by search: a shorter"},
         {{"/drawn", Json{"triggers", "clocks", "order"}}, {"/smallest", false}}});
    // 1 us of jitter: 0.872 us after the latest.
    ask(cameras.burst,
        {{"front_end.jitter=1 us"},
         {"add least, 1.872 us, and then it loses nothing, whatever jitter of up to 1 us is drawn; now",
          "\n  linear   1.872 us       1.872 us       1            1.872 us         -                by search: a"},
         {{"/any_jitter", true}, {"/drawn", Json::array()}, {"/step_with_jitter_s", nullptr}}});
    // Inputs with memory of their own lose others in another order: one draw is tried.
    ask(cameras.burst,
        {{"front_end.jitter=1 us", "front_end.fragments=8", "switch.buffer.sharing=per-input",
          "switch.uplink_rate=1 Gb/s", "trigger.events=1"},
         {" with the jitter of seed 1, tried, not proven", "by search: tried with one draw of the jitter"},
         {{"/any_jitter", false}, {"/drawn", Json{"jitter"}}}});
    ask(cameras.burst, {{"switch.uplinks=2", "switch.uplink_selection=hash", "front_end.modules=3"},
                        {"loses nothing, if the switch's hash is that of the scenario"}});
    ask(cameras.random,
        {{"trigger.pattern=periodic", "trigger.dead_time=0 us"}, {"loses nothing; now"}, {{"/drawn", Json::array()}}});
    ask(cameras.random, {{"trigger.pattern=periodic", "trigger.dead_time=0 us", "trigger.burst.events=1",
                          "trigger.burst.separation=1 us", "trigger.burst.rate=1 kHz"},
                         {"in these 1"},
                         {{"/drawn", Json{"triggers"}}}});
}

// The uplink takes 8.72 us for a frame on 1 Gb/s, as long as a link, and 87.2 us on 100 Mb/s: each 20 us it is given
// two. A frame of the first event and none of the second are sent.
TEST_CASE("Where no delay helps a stagger says up to which it tried, why, and what is lost with the longest") {
    const SmallCameras cameras;
    ask(cameras.burst,
        {{"switch.uplink_rate=100 Mb/s"},
         {": no step that was tried helps (linear up to 87.2 us, groups up to 87.2 us, free up to 87.2 us, gap: "
          "of no use), since switch, uplink 1 is given 8.72 times what it carries; 3 of 4 frames are lost now, and "
          "with linear delays of 87.2 us 2 (switch: buffer-full)\nModules that lose nothing: 0 without delays, 0 "
          "with linear ones of 87.2 us.\n"},
         {{"/kind", "linear"},
          {"/step_s", nullptr},
          {"/latency_added_s", nullptr},
          {"/peak_frames", nullptr},
          {"/searched_to_s", 87.2e-6},
          {"/smallest", false},
          {"/lossless", false},
          {"/frames_lost_with_longest", 2}}});
    CHECK_THAT(ask(cameras.burst, {{"switch.uplink_rate=100 Mb/s"}, {}}).json.at("overload").get<std::string>(),
               Contains("8.72 times"));
    // A gap alone: of two modules both first frames come at once, which room for one does not take.
    ask(cameras.burst,
        {{"front_end.fragments=2"}, {"pace up to 1.744 us); 4 of 8 frames are lost now, and with pace delays"}},
        of_kind("pace"));
    ask(cameras.burst, {{"front_end.fragments=2"}, {"\n  gap      none that was tried up to 1.744 us helps\n"}});
    CHECK_THROWS_WITH(ask(cameras.burst, {{}, {}}, of_kind("gap")),
                      Contains(cameras.burst + ": front_end.fragments: a gap"));
    CHECK_THROWS_AS(ask(cameras.random, {{"trigger.pattern=line-rate-plus-burst"}, {}}), InputError);
    // Random triggers of which more come than the uplink carries: for so few it is enough. 3 x 8.72 us in 9.69 us.
    const std::vector<std::string> much{"switch.uplink_rate=1 Gb/s", "trigger.events=1", "trigger.rate=130 kHz",
                                        "trigger.dead_time=2 us"};
    ask(cameras.random,
        {much,
         {": switch, uplink 1 is given 2.699 times what it carries, so that more and more waits; for a while, linear",
          "\nWith these delays frames wait in the modules, whose FIFOs have no limit here (front_end.fifo).\n"}});
}

TEST_CASE("A gap or a pace tells itself as a gap of Ethernet and as a rate") {
    // Two modules with three frames each, which come at once on links as fast as the uplink, and memory for four: the
    // third frames must wait.
    const SmallCameras cameras;
    const std::vector<std::string> set{"front_end.fragments=3", "front_end.link_rate=10 Gb/s",
                                       "switch.buffer.size=3 frames", "trigger.separation=80 us"};
    const Answer gap =
        ask(cameras.burst, {set, {"gap delays add least, ", "  with Ethernet's own 12 B ", "\n    gap = \""}},
            of_kind("gap"));
    CHECK(gap.json.at("kinds").size() == 1);
    CHECK_FALSE(gap.json.contains("rate_bps"));
    // 12 B of Ethernet's own pass a link of 10 Gb/s in 9.6 ns.
    CHECK(gap.json.at("gap_of_makers_s").get<double>() == Approx(gap.json.at("step_s").get<double>() + 9.6e-9));
    const Answer pace =
        ask(cameras.burst, {set, {"pace delays add least, ", "a bucket of one frame, "}}, of_kind("pace"));
    // A frame of 1090 B each gap and its own time.
    const double step = pace.json.at("step_s");
    CHECK(pace.json.at("rate_bps").get<double>() == Approx(1090 * 8 / (step + 0.872e-6)).epsilon(0.05));
    CHECK(step == Approx(gap.json.at("step_s").get<double>()).epsilon(0.05));
}

TEST_CASE("A stagger for a chance tells the one wanted and the one found, and looks for no number of modules") {
    const SmallCameras cameras;
    const Answer answer =
        ask(cameras.random,
            {{"switch.buffer.size=2 frames"},
             {"has a risk of at most 0.1, ", ", sampled; now 1000 of 3000", "!Modules that lose nothing"},
             {{"/risk_wanted", 0.1}, {"/most_modules", nullptr}, {"/drawn", Json::array()}}},
            of_kind("free", 0.1));
    CHECK(answer.json.at("risk").contains("risk_kind"));
    ask(cameras.random,
        {{"switch.buffer.size=3 frames"}, {"as it is, it has a risk of at most 0.1, never loses an event\n"}},
        of_kind("linear", 0.1));
}

TEST_CASE("Watersheds before and after are told where they are asked for") {
    const SmallCameras cameras;
    StaggerAsked asked = of_kind("linear");
    CHECK_FALSE(ask(cameras.burst, {{}, {}}, asked).json.contains("watersheds"));
    asked.watersheds = true;
    const Json found = ask(cameras.burst, {{"trigger.separation=1 ms"}, {}}, asked).json.at("watersheds");
    REQUIRE(found.size() == 2);
    CHECK(found[0].at("kind") == "none");
    CHECK(found[0].at("step_s") == 0.0);
    CHECK(found[1].at("kind") == "linear");
    // Without delays the first event loses a frame already.
    CHECK_FALSE(found[1].at("points").empty());
    CHECK(ask(cameras.burst, {{"front_end.modules=1"}, {}}, asked).json.at("watersheds").size() == 1);
}
