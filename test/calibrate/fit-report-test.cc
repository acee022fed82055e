// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit-report.h"

#include "test/catch.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "test/calibrate/maps.h"

using namespace watershed;

namespace {

Fit fit_of(std::vector<std::int64_t> lengths) {
    const HiddenSwitch hidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3080, 10'000'000'000, 1};
    std::vector<LossMapRow> rows;
    for (const std::int64_t microseconds : {9, 20, 33})
        for (const std::int64_t events : lengths) rows.push_back(measured(hidden, 44, 1024, Time{microseconds * 1'000'000}, events));
    return fit_loss_map({"map.csv", rows}, default_conditions(), {});
}

}  // namespace

TEST_CASE("The JSON of a fit holds status, model, depth, rate, models and rows, in the units it names") {
    const auto json = to_json(fit_of({60, 90, 130, 200, 400, 700}));
    CHECK(json["status"] == "separated");
    CHECK(json["model"] == "shared-frames");
    CHECK(json["depth"]["unit"] == "frames");
    CHECK(json["depth"]["estimate"] == 3080);
    CHECK(json["depth"]["hard"] == nlohmann::json({3080, 3080}));
    CHECK(json["service_rate"]["bits_per_s"].get<double>() == Approx(10e9).epsilon(1e-3));
    // 1090 B on the wire
    CHECK(json["service_rate"]["frames_per_s"].get<double>() == Approx(json["service_rate"]["bits_per_s"].get<double>() / 8720));
    CHECK(json["service_rate"]["interval95"][0].get<double>() <= json["service_rate"]["frames_per_s"].get<double>());
    CHECK(json["service_rate"]["fixed"] == false);
    CHECK(json["models"].size() == 4);
    double sum = 0;
    for (const auto& model : json["models"]) sum += model["probability"].get<double>();
    CHECK(sum == Approx(1));
    CHECK_FALSE(json["binding_rows"].empty());
    CHECK(json["violating_rows"].empty());
    CHECK(json["polygon"]["vertices"].size() >= 2);   // one depth: a segment of rates
    CHECK(json["half_planes"].size() == json["binding_rows"].size());
    CHECK_FALSE(json["curve"].empty());
    CHECK(json["ports"] == 44);
    CHECK(json["payload_bytes"] == 1024);
}

TEST_CASE("A limit that the data do not give is null in JSON and a limit on one side in the text") {
    const Fit fit = fit_of({5, 10});
    const auto json = to_json(fit);
    CHECK(json["status"] == "unbounded");
    CHECK(json["depth"]["estimate"].is_null());
    CHECK(json["depth"]["hard"][0].is_number());
    CHECK(json["depth"]["hard"][1].is_null());
    std::ostringstream text;
    print(text, fit);
    CHECK_THAT(text.str(), Contains("unbounded") && Contains("at least"));
}

TEST_CASE("The text names model, status, limits and the framing it assumes") {
    std::ostringstream text;
    print(text, fit_of({60, 90, 130, 200, 400, 700}));
    CHECK_THAT(text.str(), Contains("separated") && Contains("shared-frames") && Contains("3080") && Contains("payload + 66 B on a link") && Contains("binding rows"));
}
