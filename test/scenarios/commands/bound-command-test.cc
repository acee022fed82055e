// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <random>
#include <vector>

#include "model/exact/exact-engine.h"
#include "model/frontend/trigger.h"
#include "model/guarantee/switch-guarantee.h"
#include "model/guarantee/witness.h"
#include "scenarios/calculus/calculus-file.h"
#include "scenarios/catalogue/scenario-folders.h"
#include "scenarios/commands/answers.h"
#include "scenarios/commands/scenario-bound.h"
#include "scenarios/reader/reader.h"
#include "scenarios/text/input-error.h"
#include "test/scenarios/commands/told.h"

using namespace watershed;

namespace {

const EngineFactory kExact = exact_only().engine;

void check_bounds(const std::string& scenario, const std::vector<Told>& all) {
    for (const Told& told : all) check(bound_answer(asked_of<BoundAsked>(scenario, told.set), kExact), told);
}

}  // namespace

// An event of m frames comes at once and leaves in 0.872 us m: the memory holds m frames of 1070 B, and the last waits
// 0.872 us m. The uplink's load is 0.872 us m over the distance of triggers.
TEST_CASE("A bound tells what the memory must hold, and whether that of the scenario does") {
    const SmallCameras cameras;
    check_bounds(
        cameras.random,
        {{{},
          {"whenever triggers come, each at least 20 us after the one before, in whatever order frames of one instant",
           "13.08 %       3   3210  2.616 us\n",
           "\nswitch: at most 3 frames at once; its memory of 2 frames may lose some, 3 frames are enough.\nWitness: 1 "
           "trigger; a memory without limit then holds 3 frames, and the scenario loses 1 (switch: buffer-full).\n",
           "--witness FILE writes it.\n", "!hash", "!FIFO", "!beside"},
          {{"/lossless", false},
           {"/bounded", true},
           {"/bounded_from_dead_time_s", nullptr},
           {"/exact", true},
           {"/triggers", "all-admitted"},
           {"/queues/0/load", 3 * 0.872 / 20},
           {"/queues/0/backlog_bytes", 3210},
           {"/queues/0/memory_bytes", 3210},
           {"/queues/0/delay_s", 2.616e-6},
           {"/switches/0/lossless", false},
           {"/switches/0/backlog_frames", 3},
           {"/switches/0/needed_size", "3 frames"},
           {"/switches/0/reached_frames", 3},
           {"/gap_frames", 0},
           {"/reached_frames", 3},
           {"/witness/0/time_s", 0.0},
           {"/witness_triggers", 1},
           {"/witness_loses_frames", 1}}},
         {{"front_end.modules=2"},
          {"at most 2 frames at once; its memory of 2 frames never loses one, 2 frames are enough.", "loses 0.\n"},
          {{"/lossless", true}, {"/switches/0/lossless", true}, {"/witness_loses_frames", 0}}},
         {{"front_end.modules=1"},
          {"at most 1 frame at once; its memory of 2 frames never loses one, 1 frame is enough.", "holds 1 frame,"}},
         // 1070 B take 6 cells of 208 B.
         {{"switch.buffer.size=10 cells", "switch.buffer.cell=208 B"},
          {"its memory of 10 cells may lose some, 18 cells are enough."},
          {{"/queues/0/backlog_bytes", 3210}, {"/queues/0/memory_bytes", 18 * 208}}},
         {{"switch.uplinks=3", "switch.buffer.sharing=per-output", "switch.buffer.size=1 frames"},
          {"4.36 %       1", "its memory of 1 frame never loses one, 1 frame is enough."},
          {{"/queues/2/name", "switch, uplink 3"}, {"/queues/2/modules", 1}, {"/reached_frames", 3}}},
         {{"trigger.rules=[\"1 in 30 us\",\"2 in 61 us\",\"3 in 100 us\",\"4 in 130 us\",\"11 in 400 us\"]"},
          {"each at least 20 us after the one before and at least 30 us after the one before and at least 61 us after "
           "the 2nd before and at least 100 us after the 3rd before and at least 130 us after the 4th before and at "
           "least 400 us after the 11th before, in"}},
         {{"trigger.rules=[\"12 in 440 us\",\"13 in 480 us\",\"21 in 800 us\",\"112 in 4480 us\",\"bucket of 2, one in "
           "50 us\"]"},
          {"the 12th before", "the 13th before", "the 21st before", "the 112th before",
           " and by a token of a bucket of 2, which gets one each 50 us, in"}}});
    check_bounds(cameras.burst, {{{},
                                  {"for its train of triggers, in whatever order frames of one instant come.",
                                   "2             2   2140  1.744 us\n", "Witness: 2 triggers; a memory"},
                                  {{"/triggers", "one-train"}, {"/witness_triggers", 2}}}});
    CHECK_FALSE(bound_answer(asked_of<BoundAsked>(cameras.burst, {}), kExact).json.at("queues")[0].contains("load"));
    CHECK_THROWS_WITH(bound_answer(asked_of<BoundAsked>(cameras.random, {"switch.buffer.release=start"}), kExact),
                      Contains("switch.buffer.release: bound does not cover"));
}

TEST_CASE("A bound that nothing may reach says what keeps it from that") {
    const SmallCameras cameras;
    const std::vector<std::string> stream{"traffic.a.rate=1 kHz", "traffic.a.payload=1024 B"};
    std::vector<std::string> classes = stream;
    for (const char* key : {"traffic.a.class=3", "front_end.class=1", "switch.scheduler=strict-priority"})
        classes.emplace_back(key);
    check_bounds(
        cameras.random,
        {{{"front_end.jitter=1 us"},
          {"before, whatever the phases and jitter of modules within their keys.",
           "may lose some, for all that this bound tells, 3 frames are enough.",
           "\nModules are out of step: nothing exceeds this, but it may be more than anything reaches.\n"},
          {{"/exact", false}, {"/bounded", true}}},
         // A frame of the stream every ms is 0.872 us / 1 ms of the uplink more.
         {stream,
          {"before, whatever the phases and jitter of streams and modules within their keys.", "modules, streams  ",
           "3, 1  13.17 %       4   4280  3.488 us\n", "\nStreams come beside the camera: nothing exceeds this"},
          {{"/queues/0/streams", 1}, {"/queues/0/load", 0.1308 + 0.000872}, {"/gap_frames", 1}}},
         {classes,
          {"\n  class 3                                         1   1070  1.744 us\n"
           "  class 1                                         3   3210  3.488 us\n"},
          {{"/queues/0/classes/0/class", 3}, {"/queues/0/classes/1/memory_bytes", 3210}}},
         // The FIFO has room for one of two fragments.
         {{"front_end.fifo=1 frames", "front_end.fragments=2"},
          {"\nfront end: a module's FIFO for 1 may lose some, room for 2 is enough.\n",
           "\nWhat a FIFO loses does not come to the memory: nothing", "(front-end: fifo-full, switch: buffer-full)"},
          {{"/fifo/lossless", false}, {"/fifo/frames", 1}, {"/fifo/backlog_frames", 2}}},
         {{"front_end.fifo=1 frames"},
          {"\nfront end: a module's FIFO for 1 never loses one, room for 1 is enough.\n", "!What a FIFO"},
          {{"/fifo/lossless", true}}},
         {{"front_end.jitter=1 us", "front_end.fifo=1 frames", "front_end.fragments=2"},
          {"\nModules are out of step"}}});
    CHECK_FALSE(
        bound_answer(asked_of<BoundAsked>(cameras.random, {}), kExact).json.at("queues")[0].contains("streams"));
    check_bounds(cameras.tiers, {{{},
                                  {"\nswitch 2: at most 2 frames at once, the witness 2; its memory of 2 frames never",
                                   "\naggregation: at most 3 frames at once, the witness 3; its memory of 3 frames",
                                   "\nSwitches feed others: nothing exceeds this"},
                                  {{"/lossless", true}, {"/switches/2/reached_frames", 3}}}});
}

TEST_CASE("Where links are given too much a bound says which, from which dead time on there is one, and what is lost") {
    const SmallCameras cameras;
    check_bounds(
        cameras.random,
        {// 40 frames take the uplink 34.88 us.
         {{"front_end.modules=40", "trigger.dead_time=30 us"},
          {"116.3 %  no bound\n",
           "\nThere is no bound: triggers may come faster than an uplink sends what they bring. From 34.88 us between "
           "two triggers on (trigger.dead_time) there is one.\nWitness: 1 trigger, as early as they may come, lose a "
           "frame (switch: buffer-full).\n",
           "!switch: at most", "!nothing exceeds"},
          {{"/lossless", false},
           {"/bounded", false},
           {"/bounded_from_dead_time_s", 34.88e-6},
           {"/queues/0/backlog_frames", nullptr},
           {"/queues/0/delay_s", nullptr},
           {"/switches/0/memory_bytes", nullptr}}},
         // One frame takes a module's link 8.72 us. Triggers 2 us apart leave 4 frames less one at 6 us.
         {{"front_end.modules=2", "trigger.dead_time=2 us", "front_end.fifo=3 frames"},
          {"\nfront end: a module's FIFO for 3 may lose some, whatever its size.\n",
           "faster than a module's link sends what they bring. From 8.72 us", "Witness: 4 triggers,",
           "lose a frame (front-end: fifo-full).\n"},
          {{"/fifo/backlog_frames", nullptr}, {"/fifo/lossless", false}, {"/lossless", false}, {"/bounded", false}}}});
    // Four frames of 8.72 us each 20 us: 100,000 triggers gather 174,400 frames, of 1070 B.
    BoundAsked deep =
        asked_of<BoundAsked>(cameras.tiers, {"aggregation.uplink_rate=1 Gb/s", "aggregation.buffer.size=330 MB"});
    check(bound_answer(deep, kExact),
          {deep.overrides,
           {"No witness is known: 100000 triggers, as early as they may come, lose no frame, and more are not "
            "followed.\n",
            "\nswitch 1: at most 2 frames at once; its memory", "!--witness FILE"},
           {{"/witness", nlohmann::ordered_json::array()}, {"/witness_triggers", 0}, {"/witness_loses_frames", 0}}});
    deep.witness = "train.txt";
    CHECK_THROWS_WITH(bound_answer(deep, kExact), Contains("--witness: found train.txt, expected none: no triggers"));
}

TEST_CASE("A witness is sought among so many triggers that the frames of streams beside them are few, too") {
    // A trigger keeps each module's link busy for 8.72 us, in which the streams send 8.72 x 1.001 frames.
    const SmallCameras cameras;
    BoundAsked asked = asked_of<BoundAsked>(
        cameras.random, {"trigger.dead_time=1 us", "switch.buffer.size=100000 frames", "traffic.a.rate=1 kHz",
                         "traffic.a.payload=1024 B", "traffic.a.module=1", "traffic.b.rate=1 MHz",
                         "traffic.b.payload=46 B", "traffic.b.link_rate=1 Gb/s"});
    const ScenarioBound bound = bound_of(asked, kExact);
    CHECK_FALSE(bound.guarantee.bounded);
    CHECK(bound.witness.empty());
    const Scenario scenario = read_scenario(Scope::camera().with_streams(), cameras.random, asked.overrides);
    const double frames =
        frames_of_streams(with_triggers(scenario, densest_triggers(scenario.trigger, bound.followed)));
    CHECK(frames == Approx(1.001 * 8.72 * double(bound.followed)).epsilon(0.01));
    CHECK(frames < 1e7);
    CHECK(bound_answer(asked, kExact).text.find("bring all that a module's link sends") != std::string::npos);
}

TEST_CASE("A frame that a stream loses beside the camera counts as a loss of the witness") {
    // Six frames come at 100 Gb/s in the time in which the uplink sends one of them.
    const SmallCameras cameras;
    check_bounds(
        cameras.random,
        {{{"traffic.a.pattern=bursts", "traffic.a.burst=6", "traffic.a.period=150 us", "traffic.a.payload=1024 B",
           "traffic.a.link_rate=100 Gb/s", "traffic.a.class=1", "switch.scheduler=strict-priority",
           "switch.buffer.size=99 frames", "switch.buffer.class_limits=[\"99 frames\", \"2 frames\"]"},
          {"and the scenario loses 0 and 4 of streams (switch: threshold)."},
          {{"/lossless", false}, {"/witness_loses_frames", 0}, {"/witness_loses_of_streams", 4}}}});
}

TEST_CASE("Shapers and input FIFOs keep a bound from being exact, and near a shaper's rate the refusal names it") {
    // Three frames of 8.72 us leave by the shaper: 26.16 us between triggers.
    const SmallCameras cameras;
    const auto shaped = [](const std::string& rate, const std::string& dead_time) {
        return std::vector<std::string>{"switch.scheduler=strict-priority", "switch.class_rates=[\"" + rate + "\"]",
                                        "trigger.dead_time=" + dead_time};
    };
    check_bounds(
        cameras.random,
        {{shaped("5 Gb/s", "20 us"), {"\nShapers hold up frames: nothing", "!FIFO"}, {{"/exact", false}}},
         {shaped("1 Gb/s", "20 us"),
          {"triggers may come faster than a shaper or a module's link sends what they bring. From 26.160001 us"},
          {{"/bounded", false}}},
         {shaped("1 Gb/s", "26.2 us"), {"at most"}, {{"/bounded", true}}},
         {shaped("1.1 Gb/s", "26.160001 us"), {"at most"}, {{"/bounded", true}}},
         {{"switch.input_fifo=1 frames", "switch.buffer.size=3 frames"},
          {"never loses one", "\nFrames may wait in other places than the queues of uplinks: nothing"},
          {{"/exact", false}, {"/lossless", true}}}});
    CHECK_THROWS_WITH(bound_answer(asked_of<BoundAsked>(cameras.random, shaped("1 Gb/s", "26.160001 us")), kExact),
                      Contains("trigger: bound follows at most 4000000 frames") &&
                          Contains("near the full load of a shaper") &&
                          Contains("a longer trigger.dead_time, a higher rate in switch.class_rates"));
}

TEST_CASE("Under dynamic thresholds a bound says what each queue takes whatever the others hold") {
    // Another queue leaves 32 of 64 frames, and half of that are below the threshold.
    const SmallCameras cameras;
    check_bounds(cameras.random,
                 {{{"switch.uplinks=2", "switch.buffer.size=64 frames", "switch.buffer.sharing=dynamic-threshold",
                    "switch.buffer.alpha=1"},
                   {"\nswitch: whatever comes for its other uplinks, its memory takes 16 frames for any one.\n"},
                   {{"/switches/0/kept_frames", 16}}}});
    CHECK_FALSE(
        bound_answer(asked_of<BoundAsked>(cameras.random, {}), kExact).json.at("switches")[0].contains("kept_frames"));
}

// Two of three modules share an uplink by the hash of the scenario, so do 20 of 40.
TEST_CASE("A bound behind a hash says what any other hash could do") {
    const SmallCameras cameras;
    const auto hashed = [](std::vector<std::string> set) {
        for (const char* key : {"switch.uplinks=2", "switch.uplink_selection=hash"}) set.emplace_back(key);
        return set;
    };
    const std::string whatever = "Whatever the hash, with all senders of a switch on one uplink: ";
    check_bounds(
        cameras.random,
        {{hashed({}),
          {"All this holds if the switch's hash is that of the scenario (layer3+4, crc16); a real one",
           whatever + "at most 3 frames at once; the memory may lose some.\n", "its memory of 2 frames may lose some"},
          {{"/hash/of", "layer3+4, crc16"},
           {"/hash/lossless_whichever", false},
           {"/hash/modules_on_one_uplink", nullptr}}},
         {hashed({"switch.buffer.size=20 frames"}),
          {"its memory of 20 frames loses none with this hash, 3",
           whatever + "at most 3 frames at once; the memory never loses one.\n"},
          {{"/hash/lossless_whichever", true}, {"/hash/modules_on_one_uplink", 3}}},
         {hashed({"front_end.modules=40", "trigger.dead_time=30 us", "switch.buffer.size=40 frames"}),
          {"58.13 %", whatever + "there is no bound. With no more than 34 modules on each, whichever, none is lost.\n",
           "loses none with this hash"},
          {{"/hash/lossless_whichever", false}, {"/hash/modules_on_one_uplink", 34}, {"/lossless", true}}},
         // The last of m frames in a queue finds 39 in memory: m - 1 < (140 - 39) / 4.
         {hashed({"front_end.modules=40", "trigger.dead_time=300 us", "switch.buffer.size=140 frames",
                  "switch.buffer.sharing=dynamic-threshold", "switch.buffer.alpha=1/4"}),
          {"With no more than 26 modules on each, whichever, none is lost.\n"},
          {{"/hash/lossless_whichever", false}, {"/hash/modules_on_one_uplink", 26}}},
         // Two queues halve the threshold of ABM, one does not; nothing is known of classes, either.
         {hashed({"switch.buffer.size=20 frames", "switch.buffer.sharing=abm", "switch.buffer.alpha=1"}),
          {"For any other hash nothing is known.\n"},
          {{"/hash/lossless_whichever", nullptr}, {"/hash/modules_on_one_uplink", nullptr}}},
         {hashed({"switch.buffer.size=20 frames", "switch.scheduler=strict-priority", "traffic.other.payload=64 B",
                  "traffic.other.rate=1 kHz"}),
          {"For any other hash nothing is known.\n"},
          {{"/hash/lossless_whichever", nullptr}}},
         {hashed(
              {"switch.buffer.size=20 frames", "switch.scheduler=strict-priority", "switch.class_rates=[\"1 Gb/s\"]"}),
          {"loses none with this hash", "For any other hash nothing is known.\n"},
          {{"/hash/lossless_whichever", nullptr}, {"/lossless", true}}}});
    check_bounds(cameras.tiers, {{hashed({}),
                                  {"on one uplink. For any other hash nothing is known.\n", "!Whatever the hash"},
                                  {{"/hash/lossless_whichever", nullptr}}}});
}

TEST_CASE("However modules are spread, no more than the stated number on one uplink lose none, and one more may") {
    const SmallCameras cameras;
    std::mt19937_64 random(5);
    const auto draw = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
    int known = 0, some = 0, ran = 0;
    for (int i = 0; i < 120; ++i) {
        const int modules = draw(2, 9), uplinks = draw(2, 3);
        std::vector<std::string> set{"switch.uplink_selection=hash", "switch.uplinks=" + std::to_string(uplinks),
                                     "front_end.modules=" + std::to_string(modules),
                                     "trigger.dead_time=" + std::to_string(draw(10, 90)) + "00 ns",
                                     "switch.buffer.size=" + std::to_string(draw(modules, 6 * modules)) + " frames"};
        switch (draw(0, 4)) {
            case 0: break;
            case 1: set.emplace_back("switch.buffer.sharing=per-output"); break;
            default:
                set.emplace_back("switch.buffer.sharing=dynamic-threshold");
                set.push_back("switch.buffer.alpha=1/" + std::to_string(draw(1, 8)));
        }
        const auto json = bound_answer(asked_of<BoundAsked>(cameras.random, set), kExact).json.at("hash");
        if (json.at("modules_on_one_uplink").is_null()) continue;
        ++known;
        const int most = json.at("modules_on_one_uplink");
        REQUIRE((most == modules) == json.at("lossless_whichever").get<bool>());
        some += most < modules;
        Scenario scenario = read_scenario(Scope::camera(), cameras.random, set);
        UplinkChoice& choice = scenario.network_switch.uplink_choice;
        choice.rule = UplinkChoice::Rule::Static;
        for (int trial = 0; trial < 60; ++trial) {
            choice.list.clear();
            std::vector<int> on(std::size_t(uplinks), 0);
            const int to_first = draw(0, 2) * 40;
            for (int module = 0; module < modules; ++module) {
                const int uplink = draw(1, 100) <= to_first ? 1 : draw(1, uplinks);
                choice.list.push_back(uplink);
                ++on[std::size_t(uplink - 1)];
            }
            const int fullest = *std::max_element(on.begin(), on.end());
            const auto guarantee = Guarantee::of(scenario);
            REQUIRE(guarantee);
            CAPTURE(i, most, on);
            if (fullest > most) continue;
            REQUIRE((guarantee->bounded && guarantee->fits()));
            REQUIRE(ExactEngine().run(with_triggers(scenario, guarantee->witness)).frames_lost() == 0);
            ++ran;
        }
        if (most < modules) {
            choice.list.clear();
            for (int module = 0; module < modules; ++module) choice.list.push_back(1 + module / (most + 1));
            const auto guarantee = Guarantee::of(scenario);
            REQUIRE_FALSE((guarantee->bounded && guarantee->fits()));
        }
    }
    CHECK(known > 40);
    CHECK(some > 10);
    CHECK(ran > 500);
}

// Flows of 4 b/s and 5 b/s with bursts of 10 b and 25 b share a server of 10 b/s after 10 s. FIFO: 10 s and 35 b / 10
// b/s; its backlog is 35 b and the 90 b of 10 s. Arbitrary: what is left of the server for f1 is 6 b/s, after (10 s 10
// b/s + 10 b) / 6 b/s; together with 25 b / 6 b/s 22.5 s, and a backlog of 25 b + 5 b/s 55/3 s.
TEST_CASE("Bounds of a network are told as fractions, and what is not proven is said so") {
    BoundAsked asked;
    asked.network = std::string(scenario_folders().front()) + "/data/network-calculus/S_1SC_2F_2AC.json";
    check(network_bound_answer(asked),
          {{},
           {"by total flow analysis (TFA), servers in FIFO order:\n", "\nflow  delay, s  about  backlog, b  about\n",
            "\nf0        27/2  13.5          125\n", "largest of all servers on the path", "!infinite", "!No guarantee",
            "!capacity"},
           {{"/analysis", "tfa"},
            {"/multiplexing", "fifo"},
            {"/proven", true},
            {"/flows/1/delay", "27/2"},
            {"/flows/1/backlog", "125"}}});
    asked.analysis = "sfa";
    check(network_bound_answer(asked), {{},
                                        {"by separate flow analysis (SFA), servers in FIFO", "No guarantee: "},
                                        {{"/analysis", "sfa"}, {"/proven", false}}});
    asked.multiplexing = "arbitrary";
    check(network_bound_answer(asked),
          {{},
           {"in arbitrary order:\n", "\nf1        45/2  22.5        350/3  116.667\n", "that of the flow itself, in",
            "!No guarantee"},
           {{"/multiplexing", "arbitrary"}, {"/proven", true}, {"/flows/1/backlog", "350/3"}}});
    asked.analysis = "tfa", asked.multiplexing = "fifo";
    CHECK(network_bound_answer(asked).json.at("proven") == true);
    // Flows that bring all that is served: a delay in FIFO order, none in arbitrary order.
    const TemporaryFolder folder;
    const auto full = [&](const std::string& order, const std::string& more) {
        return folder.write(
            "full.json",
            R"({"network": {"name": "full", "time_unit": "s", "data_unit": "b", "rate_unit": "bps")" + order +
                R"(}, "flows": [{"name": "f", "path": ["s"], "arrival_curve": {"bursts": [10], "rates": [5]}},
                {"name": "g", "path": ["s"], "arrival_curve": {"bursts": [10], "rates": [5]}}],
                "servers": [{"name": "s", "service_curve": {"latencies": [1], "rates": [10]})" +
                more + "}]}");
    };
    asked = {};
    asked.network = full("", "");
    CHECK_THROWS_WITH(network_bound_answer(asked), Contains("network.multiplexing: missing, expected \"FIFO\""));
    asked.network = full(R"(, "multiplexing": "ARBITRARY")", R"(, "capacity": 100)");
    check(network_bound_answer(asked),
          {{},
           {"\nf     infinite ", "\nA delay is infinite where flows bring all", "\nThe capacity of links is left out"},
           {{"/flows/0/delay", nullptr}, {"/multiplexing", "arbitrary"}}});
}
