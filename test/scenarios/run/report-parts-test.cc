// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/run/report-parts.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "test/catch.h"

namespace watershed {

TEST_CASE("A run's JSON has the list of streams where there are any, and sent is received and lost") {
    Outcome outcome;
    nlohmann::ordered_json json;
    add_streams(json, outcome);
    CHECK(!json.contains("streams"));
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
    add_streams(json, outcome);
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
    std::ostringstream text;
    print_streams(text, outcome);
    CHECK(text.str().find("switch: threshold") != std::string::npos);
    CHECK(text.str().find("none arrived") != std::string::npos);
}

// Jain's index of {1, 2, 3} is 36 / (3 * 14).
TEST_CASE("Fairness is Jain's index over modules and over streams, and is said where something was lost") {
    Outcome outcome;
    std::ostringstream nothing, text;
    print_fairness(nothing, outcome);
    CHECK(nothing.str().empty());
    outcome.lost_by_module = {1, 2, 3};
    outcome.decided_by_ties = {5, 0, 2};
    for (const std::int64_t lost : {0, 0, 4}) {
        outcome.streams.emplace_back().frames_sent = 8;
        outcome.streams.back().frames_received = 8 - lost;
    }
    nlohmann::ordered_json json;
    add_fairness(json, outcome);
    CHECK(json["decided_by_ties"] == 7);
    CHECK(json["fairness"]["modules"] == Approx(36.0 / 42));
    CHECK(json["fairness"]["streams"] == 0.5);
    print_fairness(text, outcome);
    CHECK(text.str().find("ties decided 7 of") != std::string::npos);
    CHECK(text.str().find("modules 0.857, streams 0.500") != std::string::npos);
    outcome.lost_by_module = {0, 0};
    add_fairness(json, outcome);
    CHECK(json["fairness"]["modules"].is_null());
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

}  // namespace watershed
