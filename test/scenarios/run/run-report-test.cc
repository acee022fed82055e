// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/run-report.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "model/exact/exact-engine.h"
#include "scenarios/keys/trigger-rule.h"
#include "test/catch.h"

using namespace watershed;

namespace {

Scenario shallow(int modules) {
    Scenario s;
    s.front_end.modules = modules;
    s.trigger.events = 2;
    s.trigger.separation = Time{8'720'000};
    s.network_switch.buffer.size = {46};
    return s;
}

/// The JSON of a run with this outcome, and its text.
std::pair<nlohmann::ordered_json, std::string> told(const Scenario& scenario, const Outcome& outcome,
                                                    const std::vector<AssumedValue>& assumed = {}) {
    const RunReport report{"exact", scenario, outcome, 0.5, assumed};
    std::ostringstream text;
    print(text, report);
    return {to_json(report), text.str()};
}

}  // namespace

TEST_CASE(
    "The JSON of a run holds the fields that others rely on, its frames add up, and losses have place and reason") {
    const auto [json, text] = told(shallow(29), ExactEngine().run(shallow(29)));
    CHECK(json["engine"] == "exact");
    CHECK(json["seed"] == 1);
    CHECK(json["frames"]["sent"] == 58);
    CHECK(json["frames"]["lost"] == 2);
    CHECK(json["frames"]["received"] == 56);
    CHECK(json["events"]["sent"] == 2);
    CHECK(json["events"]["complete"] == 1);
    CHECK(json["buffer"]["peak_frames"] == 46);
    CHECK(json["buffer"]["peak_bytes"] == 46 * 1070);
    REQUIRE(json["losses"].size() == 1);
    CHECK(json["losses"][0] == nlohmann::ordered_json({{"where", "switch"}, {"reason", "buffer-full"}, {"frames", 2}}));
    // 19 frames are left when the second event arrives: 27 of its 29 fit, so module 28 is the first to lose, at 2
    // * 8.72 us.
    CHECK(json["first_loss"]["event"] == 2);
    CHECK(json["first_loss"]["module"] == 28);
    CHECK(json["first_loss"]["time_s"] == Approx(17.44e-6));
    CHECK(json["wall_s"] == 0.5);
    CHECK(json["lost_by_module"].size() == 29);
    CHECK_FALSE(json.contains("incomplete_events_left_out"));
    CHECK_THAT(text, Contains("switch: buffer-full") && Contains("first loss: event 2, module 28, at 17.44 us"));
}

TEST_CASE("Of many incomplete events the JSON lists the first ones, and says how many it leaves out") {
    // 28 modules at 1 Gb/s bring 2.8 times what the uplink carries: from event 3 on every one loses.
    Scenario scenario = shallow(28);
    scenario.trigger.events = kIncompleteListed + 10;
    Observer observer;
    observer.incomplete_kept = kIncompleteListed;
    const auto json = told(scenario, ExactEngine().run(scenario, &observer)).first;
    CHECK(json["events"]["complete"] == 2);
    CHECK(json["incomplete_events"].size() == kIncompleteListed);
    CHECK(json["incomplete_events"][0]["event"] == 3);
    CHECK(json["incomplete_events_left_out"] ==
          nlohmann::ordered_json({{"events", 8}, {"last", kIncompleteListed + 10}}));
}

TEST_CASE(
    "A run whose frames are copied counts copies, tells for which builder the first was lost, and counts links once") {
    // Three modules' frames come at one instant, two copies of each: room for five lacks the last one's second.
    Scenario s = shallow(3);
    s.trigger.events = 1;
    s.network_switch.uplinks = s.builders.count = 2;
    s.builders.copies = Builders::Copies::All;
    s.network_switch.buffer.size = {5};
    const Outcome outcome = ExactEngine().run(s);
    CHECK(outcome.module_links[0].frames == 1);
    const auto [json, text] = told(s, outcome);
    CHECK(json["frames"]["sent"] == 6);
    CHECK(json["frames"]["lost"] == 1);
    CHECK(json["events"]["complete"] == 0);
    CHECK(json["first_loss"]["builder"] == 2);
    CHECK(json["builders"][0]["complete"] == 1);
    CHECK(json["builders"][1]["lost"] == 1);
    CHECK_THAT(text, Contains("first loss: event 1, module 3, for builder 2, at 8.72 us"));
}

TEST_CASE("A run without loss has no first loss") {
    const auto json = told(shallow(28), ExactEngine().run(shallow(28))).first;
    CHECK(json["first_loss"].is_null());
    CHECK(json["losses"].empty());
    CHECK(json["first_idle_event"].is_null());  // 18 frames are left when the second event comes
}

TEST_CASE(
    "What was assumed of the switch, and what the scenario overrides, stand apart in the JSON, and in the table") {
    const auto [json, text] = told(
        shallow(28), ExactEngine().run(shallow(28)),
        {{"switch.latency", "0 us", "dell-s60"}, {"switch.buffer.size", "46 frames", "dell-s60", "1.25 GB", "--set"}});
    CHECK(json["assumed"] ==
          nlohmann::ordered_json::parse(R"([{"key": "switch.latency", "value": "0 us", "model": "dell-s60"}])"));
    CHECK(json["overridden"] ==
          nlohmann::ordered_json::parse(R"([{"key": "switch.buffer.size", "value": "46 frames", "by": "--set",
                                             "model": "dell-s60", "value_of_model": "1.25 GB"}])"));
    CHECK_THAT(text, Contains("assumed: switch.latency = 0 us, unknown for dell-s60") &&
                         Contains("\n  overridden: switch.buffer.size = 1.25 GB of dell-s60, by 46 frames of --set\n"));
}

TEST_CASE("A run with a server tells the latency of its events and when each place was empty again") {
    // Two events of 28 frames, 8.72 us apart: the last frame of the first leaves the switch 28 slots of 0.872 us after
    // it came at 8.72 us, that of the second 28 slots later; an ideal server takes each as it comes.
    Scenario scenario = shallow(28);
    scenario.server.receiver.emplace();
    scenario.server.receiver->path = Receiver::Path::Ideal;
    const auto [json, text] = told(scenario, ExactEngine().run(scenario));
    CHECK(json["latency"]["events"] == 2);
    CHECK(json["latency"]["min_us"].get<double>() == Approx(8.72 + 28 * 0.872));
    CHECK(json["latency"]["max_us"].get<double>() == Approx(56 * 0.872));
    CHECK(json["latency"]["p99_us"] == json["latency"]["max_us"]);
    CHECK(json["latency"]["histogram"]["events"].front() == 1);
    CHECK(json["latency"]["histogram"]["edges_us"].size() == json["latency"]["histogram"]["events"].size() + 1);
    const auto& places = json["recovery"]["places"];
    REQUIRE(places.size() == 3);
    CHECK(places[0]["place"] == "switch");
    CHECK(places[0]["peak"] == 46);
    CHECK(places[0]["recovery_s"].get<double>() == Approx(46 * 0.872e-6));
    CHECK(places[2]["of"] == "memory");
    CHECK(json["recovery"]["events"].is_null());
    CHECK_THAT(
        text,
        Contains("latency from trigger to complete event: min 33.14 us, median 33.14 us, 99 % 48.83 us, max 48.83 us"));
}

TEST_CASE("After losses a run tells which event was complete again") {
    Scenario scenario = shallow(29);
    scenario.trigger.pattern = Trigger::Pattern::File;
    scenario.trigger.times = {Time{0}, Time{8'720'000}, Time{1'000'000'000}};
    scenario.trigger.events.reset();
    const auto [json, text] = told(scenario, ExactEngine().run(scenario));
    const auto& events = json["recovery"]["events"];
    CHECK(events["first_incomplete"] == 2);
    CHECK(events["last_incomplete"] == 2);
    CHECK(events["complete_again"] == 3);
    CHECK(events["complete_again_s"].get<double>() == Approx(1e-3));
    CHECK_THAT(text, Contains("only event 2 is incomplete; complete again: event 3, at 1 ms"));
    CHECK(events["completed_s"].is_null());  // a server without limits builds no events
    // Each pair's second event, 8.72 us later, loses; the two pairs are 1 ms apart.
    scenario.trigger.times = {Time{0}, Time{8'720'000}, Time{1'000'000'000}, Time{1'008'720'000}};
    CHECK_THAT(told(scenario, ExactEngine().run(scenario)).second,
               Contains("incomplete events lie between 2 and 4, triggered within 1 ms\n"));
}

TEST_CASE(
    "A core of the server is never busy for more than the time that passes, though it works on after the last frame "
    "has left the switch") {
    Scenario scenario = shallow(28);
    scenario.trigger.events = 100;
    scenario.network_switch.buffer.size = {100'000};
    scenario.server.receiver = Receiver{};
    scenario.server.receiver->path = Receiver::Path::Socket;
    const Outcome outcome = ExactEngine().run(scenario);
    REQUIRE(outcome.server->busy > outcome.simulated);  // one core, which ends behind
    // 1.5 us and 1024 * 200 ps for each frame that found a descriptor, 3 us for each wake-up
    CHECK(outcome.server->busy ==
          Time{outcome.frames_received * (1'500'000 + 1024 * 200)} + outcome.server->wake_ups * Time{3'000'000});
    const auto json = told(scenario, outcome).first;
    CHECK(json["server"]["utilisation"] <= 1.0);
    CHECK(json["server"]["utilisation"] > 0.95);  // it works almost all the time
}

TEST_CASE("A run's JSON has the list of streams where there are any, and sent is received and lost") {
    const Scenario scenario = shallow(28);
    Outcome outcome = ExactEngine().run(scenario);
    CHECK(!told(scenario, outcome).first.contains("streams"));
    Outcome::Stream slow;
    slow.name = "slow";
    slow.traffic_class = 3;
    slow.frames_sent = 5;
    slow.frames_received = slow.frames_arrived = 4;
    slow.losses = {{"switch", "threshold", 1}};
    slow.latency = Time{8'000'000};
    slow.latency_most = Time{3'000'000};
    slow.peaks = {{2, Bytes{0}}};
    outcome.streams = {slow};
    outcome.streams.emplace_back().name = "silent";
    outcome.decided_by_ties = {1, 0};
    const auto [json, text] = told(scenario, outcome);
    const auto& first = json["streams"][0];
    CHECK(first["name"] == "slow");
    CHECK(first["class"] == 3);
    CHECK(first["sent"] == 5);
    CHECK(first["lost"] == 1);
    CHECK(first["losses"][0]["reason"] == "threshold");
    CHECK(first["latency"]["mean_us"] == 2.0);
    CHECK(first["latency"]["max_us"] == 3.0);
    CHECK(first["peak_frames"] == 2);
    CHECK(first["decided_by_ties"] == 1);
    CHECK(json["streams"][1]["latency"].is_null());
    CHECK_THAT(text, Contains("switch: threshold") && Contains("none arrived"));
}

// Jain's index of {1, 2, 3} is 36 / (3 * 14).
TEST_CASE("Fairness is Jain's index over modules and over streams, and is said where something was lost") {
    const Scenario scenario = shallow(3);
    Outcome outcome = ExactEngine().run(scenario);
    CHECK_THAT(told(scenario, outcome).second, !Contains("fairness") && !Contains("ties"));
    outcome.lost_by_module = {1, 2, 3};
    outcome.decided_by_ties = {5, 0, 2};
    for (const std::int64_t lost : {0, 0, 4}) {
        outcome.streams.emplace_back().frames_sent = 8;
        outcome.streams.back().frames_received = 8 - lost;
        outcome.streams.back().peaks = {{0, Bytes{0}}};
    }
    const auto [json, text] = told(scenario, outcome);
    CHECK(json["decided_by_ties"] == 7);
    CHECK(json["fairness"]["modules"] == Approx(36.0 / 42));
    CHECK(json["fairness"]["streams"] == 0.5);
    CHECK_THAT(text, Contains("3 of 3 modules lost frames, module 3 the most: 3"));
    CHECK_THAT(text, Contains("ties decided 7 of 4 losses") && Contains("modules 0.857, streams 0.500"));
    outcome.lost_by_module = {0, 0, 0};
    CHECK(told(scenario, outcome).first["fairness"]["modules"].is_null());
}

// Class 7 is served first, but class 5 may fill the memory before it comes.
TEST_CASE("Strict priority without limits of classes is warned of, if there are two classes") {
    Scenario scenario;
    scenario.network_switch.scheduling.kind = Scheduling::Kind::StrictPriority;
    CHECK(warnings_of(scenario).empty());
    scenario.traffic.emplace_back().traffic_class = scenario.front_end.traffic_class;
    CHECK(warnings_of(scenario).empty());
    scenario.traffic.back().traffic_class = 7;
    REQUIRE(warnings_of(scenario).size() == 1);
    CHECK(warnings_of(scenario).front().find("class_limits") != std::string::npos);
    scenario.network_switch.buffer.class_limits = {{10, MemorySize::Unit::Frame}};
    CHECK(warnings_of(scenario).empty());
    scenario.network_switch.buffer.class_limits.clear();
    scenario.network_switch.scheduling.kind = Scheduling::Kind::DeficitRoundRobin;
    CHECK(warnings_of(scenario).empty());
}

// A frame of 1024 B is stored as 1070 B: six cells of 200 B, where bytes alone would be 5.35.
TEST_CASE("A memory that is handed out in cells tells the most cells in use, others none") {
    Scenario scenario = shallow(28);
    CHECK(!told(scenario, ExactEngine().run(scenario)).first["buffer"].contains("peak_cells"));
    scenario.network_switch.buffer.size = {46 * 6, MemorySize::Unit::Cell};
    scenario.network_switch.buffer.cell = Bytes{200};
    const auto [json, text] = told(scenario, ExactEngine().run(scenario));
    CHECK(json["buffer"]["peak_frames"] == 46);
    CHECK(json["buffer"]["peak_cells"] == 276);
    CHECK(json["switches"][0]["peak_cells"] == 276);
    CHECK_THAT(text, Contains("buffer peak, cells                  276"));
}

// The uplink sends 56 frames of 1090 B, 48.832 us of the 57.552 us that the run takes; a module's link two, 17.44 us.
TEST_CASE("A link is busy for what it sends, at its rate, of the time of the run") {
    const auto [json, text] = told(shallow(29), ExactEngine().run(shallow(29)));
    REQUIRE(json["uplinks"].size() == 1);
    CHECK(json["uplinks"][0]["utilisation"].get<double>() == Approx(48.832 / 57.552));
    CHECK(json["links"][0]["utilisation"] == json["uplinks"][0]["utilisation"]);
    CHECK(json["switches"][0]["module_links"]["utilisation"].get<double>() == Approx(17.44 / 57.552));
    CHECK_THAT(text, Contains("busy 84.8 %") && !Contains("module links"));
}

TEST_CASE("Several switches and their links have tables of their own") {
    Scenario scenario = shallow(29);
    scenario.network_switch.count = 2;
    const auto [json, text] = told(scenario, ExactEngine().run(scenario));
    REQUIRE(json["switches"].size() == 2);
    CHECK(json["switches"][0]["modules"] == 15);
    CHECK(json["switches"][1]["first_module"] == 16);
    CHECK(json["uplinks"].size() == 2);
    CHECK_THAT(text,
               Contains("\n  switch 2             14") && Contains("switch 2, uplink 1          server, interface 2"));
}

// Event k of 20 is complete 28 k slots of 0.872 us after the first frame came at 8.72 us, (17.44 + 15.696 k) us after
// its trigger: the tenth is the median, and the last what 99 % keep to.
TEST_CASE("The median of the latencies is exceeded by half of the events, the last hundredth by none of twenty") {
    Scenario scenario = shallow(28);
    scenario.trigger.events = 20;
    scenario.network_switch.buffer.size = {1000};
    scenario.server.receiver.emplace();
    scenario.server.receiver->path = Receiver::Path::Ideal;
    const auto json = told(scenario, ExactEngine().run(scenario)).first["latency"];
    CHECK(json["median_us"].get<double>() == Approx(17.44 + 156.96));
    CHECK(json["p99_us"].get<double>() == Approx(17.44 + 313.92));
    CHECK(json["mean_us"].get<double>() == Approx(17.44 + 15.696 * 10.5));
}

TEST_CASE(
    "A run counts marks, frames through DRAM, what cutting through saves, pauses and refused triggers, where there are "
    "any") {
    Scenario scenario = shallow(28);
    scenario.network_switch.buffer.size = {1000};
    scenario.network_switch.flow_control.kind = FlowControl::Kind::Pause;
    scenario.network_switch.flow_control.xoff = {900};
    scenario.trigger.dead_time = Time{1'000'000};  // refuses none
    Outcome outcome = ExactEngine().run(scenario);
    CHECK_THAT(told(scenario, outcome).second,
               !Contains("marked") && !Contains("DRAM") && !Contains("cut through") && !Contains("refused"));
    outcome.frames_marked = 1;
    outcome.frames_to_dram = 5;
    outcome.frames_cut_through = 4;
    outcome.latency_saved = Time{8'000'000};
    outcome.pauses = 7;
    // Triggers at 0, 8.72 and 17.44 us, of which one may pass in any 20 us.
    scenario.trigger.events = 3;
    scenario.trigger.rules = {parse_trigger_rule("1 in 20 us")};
    const auto [json, text] = told(scenario, outcome);
    CHECK(json["frames"]["marked"] == 1);
    CHECK(json["frames"]["to_dram"] == 5);
    CHECK(json["cut_through"]["mean_saved_us"] == 2);
    CHECK(json["pauses"] == 7);
    CHECK(json["events"]["refused"] == 2);
    CHECK_THAT(text, Contains("frames marked                         1") &&
                         Contains("frames to DRAM                        5") &&
                         Contains("frames cut through                    4  2 us saved each, on average") &&
                         Contains("pauses                                7") &&
                         Contains("triggers refused                      2"));
}
