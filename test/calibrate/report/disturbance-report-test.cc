// SPDX-License-Identifier: GPL-2.0-only
#include <nlohmann/json.hpp>

#include "calibrate/report/fit-report.h"
#include "test/catch.h"

using namespace watershed;

namespace {

const Disturbance kLoss{"loss", "of the frames", 0.98, 0.0104, {0.0091, 0.0119}, false};
const Disturbance kAbsent{"bucket", "bytes", 0.01, 700, {0, 3100}, false};

std::string text_of(const std::vector<Disturbance>& disturbances) {
    std::string text;
    for (const Note& note : notes_on(disturbances)) text += note.topic + ": " + note.text + "\n";
    return text;
}

}  // namespace

TEST_CASE("A likely loss is told in per cent, with what it means for the depth") {
    const std::string text = text_of({kLoss});
    CHECK_THAT(text, Contains("random loss") &&
                         Contains("1.04 % of the frames (95 %: 0.91 to 1.19), there with a probability of 98 %"));
    CHECK_THAT(text, Contains("losses begin long before the memory is full and grow with length"));
    CHECK_THAT(text, !Contains("not seen"));
}

TEST_CASE("A depth holds beside a loss that is likely or given, and beside nothing where none is") {
    ModelFit one;
    CHECK(loss_beside(one).empty());
    one.disturbances = {kAbsent, kLoss};
    CHECK(loss_beside(one) == "1.04 % of the frames are lost at random (95 %: 0.91 to 1.19)");
    one.disturbances.back().interval95.low = 0;
    CHECK(loss_beside(one).empty());
    one.disturbances.back().known = true;
    CHECK_THAT(loss_beside(one), Contains("as it was given"));
    one.disturbances.back().value = 0;
    CHECK(loss_beside(one).empty());
}

TEST_CASE("What was hardly seen is listed with its limit and without a meaning") {
    const std::string text = text_of({kAbsent});
    CHECK_THAT(text, Contains("not seen") && Contains("token bucket, at most 3100 bytes (95 %)"));
    CHECK_THAT(text, !Contains("beside the memory"));
    CHECK(text_of({}).empty());
}

TEST_CASE("What was given is not called an estimate") {
    CHECK_THAT(text_of({{"loss", "of the frames", 1, 0.001, {0.001, 0.001}, true}}),
               Contains("0.1 % of the frames, as it was given"));
    CHECK_THAT(text_of({{"bucket", "bytes", 0, std::nullopt, {0, 0}, true}}), Contains("none, as it was given"));
}

TEST_CASE("The JSON has all fields of every disturbance, and null where there is no number") {
    const auto json = to_json({kLoss, {"bucket", "bytes", 0, std::nullopt, {}, false}});
    REQUIRE(json.size() == 2);
    CHECK(json[0]["name"] == "loss");
    CHECK(json[0]["unit"] == "of the frames");
    CHECK(json[0]["probability"] == 0.98);
    CHECK(json[0]["estimate"] == 0.0104);
    CHECK(json[0]["interval95"] == nlohmann::json({0.0091, 0.0119}));
    CHECK(json[0]["known"] == false);
    CHECK(json[1]["estimate"].is_null());
    CHECK(json[1]["interval95"] == nlohmann::json({nullptr, nullptr}));
}
