// SPDX-License-Identifier: GPL-2.0-only
#include <nlohmann/json.hpp>

#include "plots/page/pages.h"
#include "test/catch.h"
#include "test/plots/page/words.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

using Json = nlohmann::ordered_json;

/// The words of a page of these members and those of every result.
std::string guaranteed(const char* members) {
    Json result = Json::parse(members);
    if (result.is_object()) result["program"] = "watershed 0";
    const TemporaryFolder folder;
    return barred(page_of_result(result, folder.write("result.json", result.dump())));
}

std::string bounded(const std::string& switches, const std::string& others = "\"witness\": []") {
    return guaranteed(
        ("{\"queues\": [], \"lossless\": true, \"bounded\": true, \"switches\": [" + switches + "], " + others + "}")
            .c_str());
}

}  // namespace

TEST_CASE("A bound of flows has each fraction as it is, and rounded up where it is not whole") {
    CHECK(guaranteed(R"({"analysis": "x", "multiplexing": "y", "time_unit": "s", "data_unit": "bit", "flows": [
              {"name": "f", "delay": "2205/64", "backlog": "7"}, {"name": "g", "delay": null, "backlog": "2/3"}]})") ==
          // 2205 / 64 = 34.453125, and 2 / 3 = 0.6666666...
          "|What does no arrival exceed that the flows' buckets admit?|flow|delay|backlog|f|2205/64 s, at most 34.4532 "
          "s|7 bit|g|infinite|2/3 bit, at most 0.666667 bit|All other values|value of|is|analysis|x|multiplexing|y|");
}

TEST_CASE("A bound has each queue above its classes, and of each switch what it tells of its memory") {
    CHECK(guaranteed(R"({"lossless": true, "bounded": true, "witness": "w.csv", "switches": [
              {"name": "s", "lossless": true, "backlog_frames": 12345, "backlog_bytes": 12345678}], "queues": [
              {"name": "q", "load": 0.5, "backlog_bytes": 12345678, "memory_bytes": 23456789, "delay_s": 1.00041e-6,
               "classes": [{"class": 0, "backlog_frames": 3}, {"class": 1, "backlog_frames": 4}]},
              {"name": "r", "load": 0.25}]})") ==
          "|What does no sequence of triggers exceed?|Queues|queue|load|frames, at most|bytes, at most|bytes of memory|"
          "delay, at most|q|50 %|–|12\u202f345\u202f678|23\u202f456\u202f789|1.001 µs|q, class 0|–|3|–|–|–|"
          "q, class 1|–|4|–|–|–|r|25 %|–|–|–|–|Switches|switch|its memory|frames, at most|bytes, at most|s|never loses "
          "one|12\u202f345|12\u202f345\u202f678|The witness is in w.csv.|All other values|value of|is|lossless|yes|"
          "bounded|yes|");
}

TEST_CASE("A switch loses none, may lose some, or has no bound") {
    const std::string lossless = R"({"name": "s", "lossless": true, "backlog_frames": 1})",
                      lossy = R"({"name": "s", "lossless": false, "backlog_frames": 1})";
    const auto words = [](const std::string& end) { return Contains("|s|" + end + "|"); };
    CHECK_THAT(bounded(lossless), words("never loses one|1"));
    CHECK_THAT(bounded(lossless, "\"hash\": 1, \"witness\": []"), words("loses none with this hash|1"));
    CHECK_THAT(bounded(lossy), words("may lose some|1"));
    CHECK_THAT(bounded(lossy, "\"exact\": false, \"witness\": []"),
               words("may lose some, for all that this bound tells|1"));
    CHECK_THAT(bounded(R"({"name": "s", "lossless": true})"), words("there is no bound"));
}

TEST_CASE("A witness has its first twenty triggers, and their number where there are more") {
    const auto witness = [](int triggers) {
        std::string list;
        for (int i = 0; i < triggers; ++i) list += (i > 0 ? ", " : "") + ("{\"time_s\": " + std::to_string(i)) + "}";
        return bounded("{\"name\": \"s\"}", "\"witness\": [" + list + "]");
    };
    CHECK_THAT(witness(2), Contains("|Triggers of the witness: 0 s, 1 s.|"));
    CHECK_THAT(witness(20), Contains(", 18 s, 19 s.|"));
    CHECK_THAT(witness(21), Contains(", 18 s, 19 s and so on, 21 in all.|"));
}

TEST_CASE("Rules have their setting, what they refuse, one step weaker, and the risk without one") {
    CHECK(
        guaranteed(R"({"needless": false, "not_sought": {"a": "b", "c": "d"},
              "without": {"probability": 0.25, "bounds": [0.25, 0.25], "remark": "r"}, "rules": [
              {"kind": "k", "set": {"x": "1", "y": "2"}, "refused": 0.5, "beyond_dead_time": {"refused": 0.25},
               "weaker": {"set": {"x": "3"}, "loses_at_trigger": 4, "witness": "w.csv"}}, {"kind": "l", "refused": 0}]})") ==
        "|Which rule of triggers makes every loss impossible?|rule|setting|refuses, with dead time|refuses of what the "
        "dead time passes|one step weaker|loses at trigger|witness|k|x = 1, y = 2|50 %|25 %|x = 3|4|w.csv|"
        "l|–|0 %|–|–|–|–|A rule one step weaker without a trigger at which it loses does so, if at all, after more "
        "triggers than were tried.|Not sought: a: b. Not sought: c: d.|The chance that an event is incomplete without "
        "a rule: 25 %; r.|All other values|value of|is|needless|no|");
    CHECK(guaranteed(R"({"rules": [], "not_sought": {}, "needless": null})") ==
          "|Which rule of triggers makes every loss impossible?|");
    CHECK_THAT(guaranteed(R"({"rules": [], "not_sought": {}, "needless": null, "why_not": "w", "curve": []})"),
               Contains("|The chance of a loss without a rule is not known: w.|A figure is missing: "));
}

TEST_CASE("Delays have their latency rounded up, and a figure where a burst is limited by any") {
    const auto delays = [](const std::string& points) {
        return guaranteed((R"({"step_s": 1, "latency_added_s": 2, "kinds": [{"kind": "k", "rate_bps": 2e9,
            "step_s": 1.00041e-6, "set": {"x": "1"}}], "watersheds": [{"kind": "none", "step_s": 0, "points": )" +
                           points + "}]}")
                              .c_str());
    };
    const std::string table = "|Which delays of modules make it lose nothing?|kind|step|pace|k|1.001 µs|2 Gb/s|",
                      settings = "In the scenario|kind|setting|k|x = 1|";
    CHECK(delays("[[8, null], [9, null]]") == table + settings);
    CHECK(delays("[]") == table + settings);
    CHECK(delays("[[8, 3], [9, null]]") == table +
                                               "The longest burst without loss against the separation of its events, "
                                               "without delays and with those that add least latency.|" +
                                               settings);
}

TEST_CASE("What if has a row for each question, with its chance or with the frames that a run lost") {
    const std::string question = "|What if something is other than planned?|what if|setting|",
                      figure = "What each change does to the ", top = ", the largest change at the top.|";
    CHECK(guaranteed(R"({"holds": true, "margins": {}, "loss": 1e-9, "rows": [
              {"what_if": "as it is", "verdict": "holds", "risk": {"log10_probability": -20, "log10_at_most": -20}},
              {"what_if": "b", "verdict": "refused", "why": "c"},
              {"what_if": "a", "verdict": "breaks", "set": {"x": "1"}, "load": 0.5,
               "risk": {"log10_probability": -3, "log10_at_most": -3}}]})") ==
          question +
              "load|chance that an event is incomplete|verdict|why|as it is|–|–|10⁻²⁰|holds|–|"
              "b|–|–|–|refused|c|a|x = 1|50 %|0.1 %|breaks|–|" +
              figure + "chance that an event is incomplete" + top +
              "All other values|value of|is|holds|yes|loss|10⁻⁹|");
    CHECK(guaranteed(R"({"holds": true, "margins": {}, "loss": 1e-9, "rows": [
              {"what_if": "as it is", "verdict": "holds", "frames": {"sent": 1, "lost": 0},
               "events": {"sent": 2, "complete": 2}},
              {"what_if": "a", "verdict": "breaks", "set": {"x": "1"}, "frames": {"sent": 4, "lost": 2},
               "events": {"sent": 2, "complete": 1}, "events_lossless": 3, "events_unknown_beyond": null},
              {"what_if": "b", "verdict": "refused"}]})") ==
          question +
              "frames lost|longest lossless burst|verdict|as it is|–|0 of 1 frame|–|holds|a|x = 1|2 of 4 "
              "frames|3|breaks|b|–|–|–|refused|" +
              figure + "part of the events that are incomplete" + top +
              "All other values|value of|is|holds|yes|loss|10⁻⁹|");
}

TEST_CASE("Sizes of frames and thresholds are told, with how many thresholds come out") {
    CHECK(guaranteed(R"([{"frame_bytes": 64, "lossless": 10, "drops": 1}])") ==
          "|How long a burst of frames of each size does the switch absorb?|frame|longest burst without loss, frames|"
          "lost when it is one frame longer|64 B|10|1|");
    CHECK_THAT(
        guaranteed(R"([{"row": 1, "value": 2, "simulated": 2, "hit": true}, {"row": 2, "value": 3, "simulated": 4},
                              {"row": 3, "value": 3, "simulated": 3, "hit": true}])"),
        Contains("|Do simulated thresholds agree with those that are stated?|2 of 3 thresholds come out within "
                 "their margins.|") &&
            Contains("|row|stated|simulated|within it|1|2|2|yes|2|3|4|–|3|3|3|yes|"));
    CHECK(guaranteed(R"({"threshold_cells": 1})") ==
          "|How long is a queue when its first frame is dropped?|One congested queue holds 1 cell when its first frame "
          "is dropped.|");
}
