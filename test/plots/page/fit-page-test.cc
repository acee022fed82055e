// SPDX-License-Identifier: GPL-2.0-only
#include <nlohmann/json.hpp>

#include "plots/page/pages.h"
#include "test/catch.h"
#include "test/plots/page/words.h"
#include "test/temporary-folder.h"

using namespace watershed;

namespace {

using Json = nlohmann::ordered_json;

std::string page_in_file(const Json& result) {
    const TemporaryFolder folder;
    return barred(page_of_result(result, folder.write("result.json", result.dump())));
}

Json fitted() {
    return Json::parse(R"({"program": "watershed 0", "headline": "H", "answer": "A.", "standing": "standing",
        "rows_used": 3, "model": "m", "service_rate": {"frames_per_s": 1000}, "depth": {"unit": "frames", "estimate": 50},
        "quantities": [
            {"name": "depth", "unit": "bytes", "estimate": 1234567.8, "interval68": [1, 2], "interval95": [null, 3],
             "hard": [null, null]},
            {"name": "rate", "unit": "Mb/s", "estimate": null, "interval68": [4, null], "interval95": [5, 6],
             "hard": [7, 8]}],
        "notes": {"data": [{"topic": "t", "text": "x"}], "basis": [{"topic": "u", "text": "y"}]},
        "models": [{"name": "m", "words": "w", "feasible": true, "probability_text": "p", "depth_text": "d"},
                   {"name": "n", "words": "v", "feasible": false, "probability_text": "q", "depth_text": "e"}]})");
}

const std::string kNumbers =
                      "|How deep is the buffer?|H. A. Standing.|quantity|unit|estimate|68 %|95 %|hard limits, m|"
                      "depth|bytes|1\u202f234\u202f568|1 to 2|any to 3|–|rate|Mb/s|unknown|4 to any|5 to 6|"
                      "7 to 8|",
                  kKinds =
                      "Kinds of memory that were compared|kind of memory|which is|explains every burst|probability|"
                      "depth|m|w|yes|p|d|n|v|no|q|e|What to know of it|about|what there is to know|u|y|t|x|"
                      "All other values of the fit|",
                  kEnd =
                      "The points of the curves, the outline of the region and what is left of each burst are drawn by "
                      "watershed plot: watershed, polygon and residuals.|",
                  kMissing = "A figure is missing: ";

/// Advice of one burst behind a map.
Json advised() {
    return Json::parse(R"({"program": "watershed 0", "headline": "H", "stop": false, "reason": "r", "target": "depth",
        "checks": {"made": 1, "points": []}, "kinds": [], "rows_set_aside": [], "points": [
            {"events": 1, "separation_us": 10.5, "ports": 2, "payload_bytes": 1024, "probability_of_loss": 0.5,
             "seconds": 60, "information_bits": 0.25, "bits_per_second": 0.01, "reason": "why"}]})");
}

const std::string kAsked = "|What to measure next?|", kBefore = "Before any measurement|",
                  kSend = "H. Send next a burst of 1 event 10.5 µs apart from 2 ports.|",
                  kHeads = "|separation|events|ports|payload|chance of loss|it takes|information, bits|why|",
                  kRow = "10.5 µs|1|2|1.024 kB|50 %|1 min|0.25|why|",
                  kMade = "value of|is|target|depth|checks, made|1|";

}  // namespace

TEST_CASE("A fit has its sentences, every number, the kinds that were compared, and what to know") {
    CHECK(page_in_file(fitted()) == kNumbers + kKinds + kEnd);
    Json fit = fitted();
    fit["scenario"] = "s.toml";
    fit["other"] = 9;
    CHECK(page_in_file(fit) == "|How deep is the buffer?|Framing and links from s.toml|" +
                                   kNumbers.substr(std::string("|How deep is the buffer?|").size()) + kKinds +
                                   "value of|is|other|9|" + kEnd);
}

TEST_CASE("A fit is drawn where it has a curve, a posterior, and an estimate that stands") {
    Json fit = fitted();
    fit["curve"] = Json::array();
    CHECK(page_in_file(fit) == kNumbers + kKinds + kEnd);
    fit["curve"] = {1};  // no figure can read it
    CHECK_THAT(page_in_file(fit), Contains(kNumbers + kMissing));
    for (Json* estimate : {&fit["depth"]["estimate"], &fit["quantities"][0]["estimate"]}) {
        const Json was = std::exchange(*estimate, nullptr);
        CHECK_THAT(page_in_file(fit), !Contains(kMissing));
        *estimate = was;
    }
    fit.erase("curve");
    fit["posterior"] = 1;
    CHECK_THAT(page_in_file(fit), Contains(kNumbers + kMissing));
    fit.update(Json::parse(R"({"status": "overlap", "model": "m", "ports": 44, "payload_bytes": 1024, "depth": {
        "unit": "frames", "estimate": 50, "hard": [40, 60], "interval68": [45, 55], "interval95": [42, 58]},
        "service_rate": {"frames_per_s": 1000, "interval68": [990, 1010], "interval95": [980, 1020]}, "posterior": {
        "depth": [[40, 0], [50, 0.1], [60, 0]], "frames_per_s": [[970, 0], [1000, 0.02], [1030, 0]]}})"));
    CHECK_THAT(page_in_file(fit), Contains(kNumbers + "How probable each depth and each service rate is after all "
                                                      "bursts; the shaded parts hold 95 %.|Kinds"));
}

TEST_CASE("Advice is the burst to send next, with all that are worth it") {
    const std::string drawn =
        "Where the advised bursts lie among those that were measured: close to the watershed, "
        "where it is least certain whether a burst loses.|";
    Json next = advised();
    CHECK(page_in_file(next) ==
          kAsked + kBefore + kSend + "Bursts worth measuring, the best first" + kHeads + kRow + drawn + kMade);
    next["points"][0]["frames_lost"] = 2.6;
    CHECK_THAT(page_in_file(next),
               Contains("|chance of loss|frames lost, if so|it takes|") && Contains("|50 %|3|1 min|"));
    next["stop"] = true;
    CHECK_THAT(page_in_file(next), Contains(kBefore + "H.|For still more, the best first|"));
    next["points"] = Json::array();
    CHECK(page_in_file(next) == kAsked + kBefore + "H.|" + kMade);
    next["stop"] = false;
    CHECK(page_in_file(next) == kAsked + kBefore + "H.|" + kMade);
    next["points"] = advised()["points"];
    next["points"][0].erase("bits_per_second");  // the figure needs it
    CHECK_THAT(page_in_file(next), Contains("|The advised bursts are not drawn: "));
}

TEST_CASE("Advice to check the model first has its bursts in place of the others, which stand at the end") {
    Json next = advised();
    next["checks"]["points"] = next["points"];
    next["checks"]["points"][0]["ports"] = 3;
    const std::string words = page_in_file(next);
    CHECK_THAT(words, Contains(" from 3 ports.|Bursts that check noise and model|"));
    CHECK_THAT(words, Contains("checks, made|1|points|events|"));  // checks of points
    next["points"] = Json::array();
    CHECK_THAT(page_in_file(next), EndsWith("checks, made|1|"));
}

TEST_CASE("Advice says what is known so far, which kinds are left, and what was set aside") {
    Json next = advised();
    next["points"] = Json::array();
    next["kinds"] = Json::parse(R"([{"model": "m", "words": "w", "probability": 0.75,
                                     "depth": {"unit": "bytes", "estimate": 123456.7}},
                                    {"model": "n", "words": "v", "probability": 0.25, "depth": {"unit": "bytes"}}])");
    next["rows_set_aside"] = {{{"row", 3}, {"reason", "r"}}, {{"row", 4}, {"reason", "s"}}};
    next["map"] = "m.csv";
    const std::string rest =
                          "kind of memory left possible|which is|probability|depth|m|w|75 %|123.46 kB|n|v|25 %|unknown|"
                          "Row 3 was set aside: r.|Row 4 was set aside: s.|" +
                          kMade,
                      head = kAsked + "After m.csv|H.|";
    next["depth"] = {{"unit", "frames"}, {"estimate", nullptr}};
    CHECK(page_in_file(next) == head + rest);
    next["depth"] = Json::parse(R"({"unit": "frames", "estimate": 50, "interval95": null})");
    CHECK(page_in_file(next) == head + "So far the depth is 50 frames (95 %: –).|" + rest);
    next["kind"] = "a queue";
    const auto known = [&](const char* interval) {
        next["depth"]["interval95"] = Json::parse(interval);
        return page_in_file(next).substr(head.size());
    };
    const std::string so_far = "So far the depth is 50 frames (95 %: ", kind = "), of a queue.|";
    CHECK(known("[null, null]") == so_far + "–" + kind + rest);
    CHECK(known("[40, null]") == so_far + "40 frames to any" + kind + rest);
    CHECK(known("[null, 60]") == so_far + "any to 60 frames" + kind + rest);
    CHECK(known("[40, 60]") == so_far + "40 frames to 60 frames" + kind + rest);
}

TEST_CASE("Beside advice stand the bursts of the map with its ports and payload, and no others") {
    const TemporaryFolder folder;
    Json next = advised();
    const auto drawn = [&](const std::string& rows) {
        next["map"] =
            folder.write("map.csv", "ports,payload_bytes,separation_us,events,frames_sent,frames_received\n" + rows);
        return page_of_result(next, folder.write("next.json", next.dump()));
    };
    const std::string like = "2,1024,9,5,8,8\n", other = "3,1024,9,6,8,8\n2,512,9,7,8,8\n3,512,9,8,8,8\n";
    const std::string alone = drawn(like);
    CHECK_THAT(alone, Contains("<svg") && !Contains("not drawn"));
    CHECK(drawn(like + other) == alone);
    next["stop"] = true;
    CHECK_THAT(drawn(like), Contains("The bursts that were measured with these ports and this payload: "));
    next["stop"] = false;
    CHECK(drawn(other) != alone);
    CHECK_THAT(drawn(other), Contains("<svg"));  // the advice alone
}
