// SPDX-License-Identifier: GPL-2.0-only
#include <nlohmann/json.hpp>

#include "plots/page/pages.h"
#include "test/catch.h"
#include "test/plots/page/words.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

using Json = nlohmann::ordered_json;

/// Four modules that send two events, each frame of which arrives.
Json lossless_run() {
    return Json::parse(R"({"program": "watershed 0", "frames": {"sent": 8, "received": 8, "lost": 0},
        "events": {"sent": 2, "complete": 2}, "buffer": {"peak_frames": 1, "peak_bytes": 1070}, "losses": [],
        "first_loss": null, "lost_by_module": [0, 0, 0, 0], "uplinks": [], "recovery": {"places": []}})");
}

std::string page_of_run(const Json& run) {
    const TemporaryFolder folder;
    return page_of_result(run, folder.write("run.json", run.dump()));
}

const std::string kLossless =
    "|What does the camera lose?|Nothing was lost: all 2 events arrived complete, in 8 frames.|"
    "The fullest moment of a switch's memory: 1 frame, 1.07 kB.";

}  // namespace

TEST_CASE("A run without losses says so, how full a memory was, and nothing of what it has not") {
    CHECK(barred(page_of_run(lossless_run())) == kLossless + "|");
}

TEST_CASE("A run with losses tells how many, why, who lost most, and what came of it") {
    Json run = lossless_run();
    run["frames"] = {{"sent", 8}, {"received", 4}, {"lost", 4}};
    run["events"]["complete"] = 0;
    run["losses"] = {{{"frames", 1}, {"where", "switch"}, {"reason", "queue-full"}},
                     {{"frames", 3}, {"where", "server"}, {"reason", "timeout"}}};
    run["first_loss"] = {{"module", 2}, {"event", 1}, {"time_s", 3e-6}};
    run["lost_by_module"] = {0, 0, 2, 2};  // of equals the first
    run["uplinks"] = {{{"utilisation", 0.5}}, {{"utilisation", 0.25}}};
    run["incomplete_events"] = {{{"event", 1}}, {{"event", 2}}};
    run["decided_by_ties"] = 1;
    run["fairness"] = {{"modules", 0.6666}, {"inputs", nullptr}, {"switches", 1}};
    const std::string index = " losses is ", meaning = ": 1 if all lose alike, 1/n if one of n loses all.";
    CHECK(
        barred(page_of_run(run)) ==
        "|What does the camera lose?|0 of 2 events arrived complete (0 %). 4 of 8 frames were lost (50 %): 1 frame at "
        "the switch, because its queue was full; 3 frames at the server, because its time was out. The first loss is "
        "a frame of module 2 and event 1, at 3 µs.|"
        "The fullest moment of a switch's memory: 1 frame, 1.07 kB. The busiest uplink sent 50 % of the time.|"
        "2 of 4 modules lost frames: 3, 4. Module 3 lost the most: 2 frames. Incomplete events: 1, 2.|"
        "Frames lost by each module. Where all bars are alike the loss is shared evenly; where they are not, the "
        "order in which frames arrive decides who loses.|"
        "Ties decided 1 loss: another input's frame came at the same instant, or in step with it, and first. "
        "Jain's fairness index of the modules'" +
            index + "0.667" + meaning + " Jain's fairness index of the switches'" + index + "1" + meaning + "|");
}

TEST_CASE("What is lost without an incomplete event, or incomplete without a loss, is not nothing") {
    Json run = lossless_run();
    run["frames"] = {{"sent", 0}, {"received", 0}, {"lost", 0}};
    run["events"]["complete"] = 1;
    CHECK_THAT(barred(page_of_run(run)),
               Contains("|1 of 2 events arrived complete (50 %). 0 of 0 frames were lost (0 %)"));
    run["events"]["complete"] = 2;
    run["frames"] = {{"sent", 8}, {"received", 7}, {"lost", 1}};
    run["lost_by_module"] = {1};
    const std::string words = barred(page_of_run(run));
    CHECK_THAT(words, Contains("|2 of 2 events arrived complete (100 %). 1 of 8 frames were lost (12.5 %)") &&
                          Contains("|1 of 1 module lost frames: 1. Module 1 lost the most: 1 frame.") &&
                          !Contains("Frames lost by each module"));  // one bar is no figure
    run["incomplete_events"] = Json::array();
    run["decided_by_ties"] = 0;
    CHECK(barred(page_of_run(run)) == words);
}

TEST_CASE("A run tells how long memories need to empty, and what else there is of it") {
    Json run = lossless_run();
    run["fairness"] = {{"modules", 0.5}};
    run["recovery"] = Json::parse(R"({"events": 3, "places": [
        {"place": "p", "of": "switch", "peak": 12345.5, "unit": "cells", "fullest_s": 2e-6, "recovery_s": 1e-3},
        {"place": "q", "of": "port", "peak": 1, "unit": "frames", "fullest_s": 0, "recovery_s": null}]})");
    CHECK(barred(page_of_run(run)) ==
          kLossless +
              "|Jain's fairness index of the modules' losses is 0.5: 1 if all lose alike, 1/n if one of n loses "
              "all.|Memories and queues|place|of it|most in it|at|empty again after|p|switch|12\u202f345.5 cells|2 "
              "µs|1 ms|"
              "q|port|1 frames|0 s|not during the run|value of|is|recovery, events|3|");
}

TEST_CASE("The latency of a run is told and drawn where there is one") {
    Json run = lossless_run();
    run["latency"] = Json::parse(R"({"median_us": 2, "min_us": 1, "mean_us": 2.5, "max_us": 9, "p99_us": 8,
                                     "histogram": {"edges_us": [1, 5, 10], "events": [1, 1]}})");
    CHECK_THAT(
        barred(page_of_run(run)),
        Contains("|From its trigger to its last fragment an event takes 2 µs (median), at least 1 µs, on average "
                 "2.5 µs, at most 9 µs; 99 % take no more than 8 µs.|Events by the time from the trigger"));
}
