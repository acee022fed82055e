// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/report/fit-report.h"

#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

const HiddenSwitch kHidden{Buffer::Sharing::Shared, MemorySize::Unit::Frame, 3080};

Fit fit_of(const std::vector<LossMapRow>& rows, const FitOptions& options = {}) {
    return fit_loss_map({"map.csv", rows}, default_conditions(), options);
}
Fit usual_fit() { return fit_of(measured_grid(kHidden)); }

std::string printed(const nlohmann::json& fit) {
    std::ostringstream text;
    print_report(text, fit, true);
    return text.str();
}
std::string printed(const Fit& fit) { return printed(to_json(fit)); }

const Disturbance kLoss{"loss", "of the frames", 0.98, 0.0104, {0.0091, 0.0119}, false};
const Disturbance kAbsent{"bucket", "bytes", 0.01, 700, {0, 3100}, false};

std::string text_of(const std::vector<Disturbance>& disturbances) {
    std::string text;
    for (const Note& note : notes_on(disturbances)) text += note.topic + ": " + note.text + "\n";
    return text;
}

}  // namespace

TEST_CASE("The JSON of a fit holds status, model, depth, rate, models and rows, in the units it names") {
    const auto json = to_json(usual_fit());
    CHECK(json["status"] == "separated");
    CHECK(json["model"] == "shared-frames");
    CHECK(json["depth"]["unit"] == "frames");
    CHECK(json["depth"]["estimate"] == 3080);
    // The closed form may be off by a part of a frame, and a frame may leave when it is sent or when it has been.
    CHECK(json["depth"]["hard"][0] >= 3077);
    CHECK(json["depth"]["hard"][0] <= 3080);
    CHECK(json["depth"]["hard"][1] >= 3080);
    CHECK(json["depth"]["hard"][1] <= 3083);
    CHECK(json["service_rate"]["bits_per_s"].get<double>() == Approx(10e9).epsilon(1e-3));
    // 1090 B on the wire
    CHECK(json["service_rate"]["frames_per_s"].get<double>() ==
          Approx(json["service_rate"]["bits_per_s"].get<double>() / 8720));
    CHECK(json["service_rate"]["interval95"][0].get<double>() <= json["service_rate"]["frames_per_s"].get<double>());
    CHECK(json["service_rate"]["fixed"] == false);
    CHECK(json["models"].size() == 4);
    double sum = 0;
    for (const auto& model : json["models"]) sum += model["probability"].get<double>();
    CHECK(sum == Approx(1));
    CHECK_FALSE(json["binding_rows"].empty());
    CHECK(json["violating_rows"].empty());
    CHECK(json["polygon"]["vertices"].size() >= 2);  // one depth: a segment of rates
    CHECK(json["half_planes"].size() == json["binding_rows"].size());
    for (const auto& side : json["half_planes"]) CHECK_FALSE(side["limits"].empty());
    CHECK(json["depth"]["fixed"] == false);
    CHECK_FALSE(json["curve"].empty());
    CHECK(json["ports"] == 44);
    CHECK(json["payload_bytes"] == 1024);
    CHECK(json["other_mixes"].empty());
}

TEST_CASE("A depth beside random loss is stated as one that holds beside it, and no plain memory before any number") {
    std::mt19937_64 random(1);
    std::vector<LossMapRow> rows = measured_grid(kHidden, {9, 20, 33}, {20, 60, 90, 130, 200, 400, 700});
    for (LossMapRow& row : rows)
        row.frames_received = std::binomial_distribution<std::int64_t>(row.frames_received, 0.99)(random);
    const Fit fit = fit_of(rows);
    const auto json = to_json(fit), plain = to_json(usual_fit());
    CHECK(json["plain_memory"] == false);
    CHECK_THAT(json["depth"]["provided_that"].get<std::string>(), Contains("of the frames are lost at random (95 %: "));
    CHECK(json["depth"]["interval95"][0] <= 3080);
    CHECK(json["depth"]["interval95"][1] >= 3080);
    CHECK(plain["plain_memory"] == true);
    CHECK(plain["depth"]["provided_that"].is_null());
    const std::string text = printed(fit);
    CHECK(text.find("map.csv: no plain memory but frames lost at random or dropped early, 21 bursts") <
          text.find('\n'));
    CHECK(text.find("early drop or random loss") < text.find("estimate"));
    CHECK_THAT(text, Contains("The depth is a conclusion, provided that"));
    CHECK_THAT(text, !Contains("explained to the frame"));
}

TEST_CASE("A rate that is off the scenario's is in the first line, and in JSON") {
    Fit fit = usual_fit();
    CHECK(to_json(fit)["rate_off_nominal"].is_null());
    fit.conditions.scenario = "rack.toml";
    fit.conditions.nominal_rate = BitRate{20'000'000'000};  // and 10 Gb/s were measured
    CHECK(to_json(fit)["rate_off_nominal"].get<double>() == Approx(-0.5).margin(0.01));
    const std::string text = printed(fit);
    CHECK(text.find("map.csv: service rate 50 % below the scenario's 20 Gb/s, 18 bursts") < text.find('\n'));
    CHECK(text.find("  rate off  usually by a shaper") < text.find("estimate"));
}

TEST_CASE("A limit that the data do not give is null in JSON and a limit on one side in the text") {
    const Fit fit = fit_of(measured_grid(kHidden, {9, 20, 33}, {5, 10}));
    const auto json = to_json(fit);
    CHECK(json["status"] == "unbounded");
    CHECK(json["depth"]["estimate"].is_null());
    CHECK(json["depth"]["hard"][0].is_number());
    CHECK(json["depth"]["hard"][1].is_null());
    const std::string text = printed(fit);
    CHECK_THAT(text, Contains("unbounded") && Contains("at least") && !Contains("at least 0 "));
    CHECK_THAT(text, !Contains("service rate, Mb/s"));  // nothing limits it
}

TEST_CASE("A burst that limits the region does so at both ends of the depths") {
    // Flags: M N - B - (M - 1) d c = 0 is where a burst begins to lose.
    const auto json = to_json(fit_of(as_flags(measured_grid(kHidden))));
    int lines = 0;
    for (const auto& side : json["half_planes"]) {
        for (const auto& end : side["limits"].empty() ? nlohmann::json::array() : side["limits"][0]) {
            ++lines;
            const double events = side["events"], depth = end[0], frames_per_s = end[1];
            CHECK(44 * events - depth - (events - 1) * side["separation_us"].get<double>() * 1e-6 * frames_per_s ==
                  Approx(0).margin(1.5));
        }
    }
    CHECK(lines >= 4);
}

TEST_CASE("Long numbers do not run into the next column") {
    LossMapRow lossless = measured(kHidden, 24, 1024, Time{10'000'000}, 120), lossy = lossless;
    lossy.events = 40'000'000'000, lossy.frames_sent = 24 * lossy.events,
    lossy.frames_received = lossy.frames_sent - 10;
    const std::string text = printed(fit_of({lossy, lossless}));
    const std::size_t line = text.find("  depth, frames  ");
    REQUIRE(line != std::string::npos);
    std::string rest = text.substr(line + 2, text.find('\n', line) - line - 2);
    int columns = 1;
    for (std::size_t gap; (gap = rest.find("  ")) != std::string::npos; ++columns)
        rest = rest.substr(rest.find_first_not_of(' ', gap));
    CHECK(columns == 5);  // name, estimate, 68 %, 95 %, hard limits
}

TEST_CASE("Numbers of lost frames that were left out are not said to be explained") {
    Fit fit = usual_fit();
    fit.models.front().violating = {3};
    const std::string text = printed(fit);
    CHECK_THAT(text, Contains("used: all but those of the violating rows are explained to the frame"));
}

TEST_CASE("Rows whose frames sent are not ports x events are named as flags, unless flags are what is wanted") {
    std::vector<LossMapRow> rows = measured_grid(kHidden, {20}, {60, 90, 130, 200});
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].line = static_cast<int>(i) + 2;
    CHECK_THAT(printed(fit_of(rows)), !Contains("flags"));
    CHECK(to_json(fit_of(rows))["rows_without_counts"].empty());

    // Twice 44 x 90 frames, and one frame short of 44 x 200
    rows[1].frames_sent = 7920, rows[1].frames_received = 7920;
    rows[3].frames_sent = 8799, rows[3].frames_received = 8000;
    CHECK_THAT(printed(fit_of(rows)),
               Contains("2 of 4 rows only say whether frames were lost") &&
                   Contains("the first is row 2 (line 3): found 7920, expected 44 ports x 90 events = 3960\n"));
    CHECK(
        to_json(fit_of(rows))["rows_without_counts"] ==
        nlohmann::json::parse(
            R"([{"row": 2, "line": 3, "frames_sent": 7920, "expected": 3960}, {"row": 4, "line": 5, "frames_sent": 8799, "expected": 8800}])"));
    FitOptions ignored;
    ignored.counts = CountUse::Flag;
    CHECK_THAT(printed(fit_of(rows, ignored)), !Contains("flags"));
}

TEST_CASE("The JSON has the line of the first row's mix, and beside it those of the others") {
    const auto json = to_json(fit_of(measured_grid(kHidden, {9, 20}, {60, 90, 130, 200}, {44, 28})));
    CHECK(json["ports"] == 44);
    REQUIRE(json["other_mixes"].size() == 1);
    const auto& other = json["other_mixes"][0];
    CHECK(other["ports"] == 28);
    CHECK(other["payload_bytes"] == 1024);
    CHECK(other["congested_uplinks"] == 1);
    CHECK(other["curve"].size() > 10);
    // The uplink drains as fast, so that the asymptotes are as the ports.
    CHECK(other["asymptote_us"].get<double>() / json["asymptote_us"].get<double>() == Approx(28.0 / 44).epsilon(1e-4));
}

TEST_CASE("Frames per second are those of the first row's payload, and the text names it where others are larger") {
    std::vector<LossMapRow> rows = measured_grid(kHidden, {9, 20}, {60, 90, 130, 200}, {44}, {512});
    const std::vector<LossMapRow> larger = measured_grid(kHidden, {9, 20}, {60, 90, 130, 200});
    rows.insert(rows.end(), larger.begin(), larger.end());
    const Fit fit = fit_of(rows);
    const auto json = to_json(fit);
    const double bits = 8 * (512 + 66), per_s = json["service_rate"]["frames_per_s"];
    CHECK(json["service_rate"]["bits_per_s"].get<double>() == Approx(per_s * bits).epsilon(1e-4));
    CHECK_THAT(printed(fit), Contains("service rate, frames/s of 512 B"));
}

TEST_CASE("A service rate that was given is stated as it was given") {
    FitOptions options;
    options.service_rate = BitRate{10'000'000'000};
    const auto json = to_json(fit_of(measured_grid(kHidden, {9}, {60, 90, 130, 200}), options));
    CHECK(json["service_rate"]["fixed"] == true);
    CHECK(json["service_rate"]["bits_per_s"] == 1e10);
    CHECK(json["service_rate"]["interval95_bits_per_s"] == nlohmann::json({1e10, 1e10}));
}

TEST_CASE("Where bursts overlap no limit is called hard") {
    std::vector<LossMapRow> rows;
    for (int i = 0; i < 20; ++i) {  // lossy from 100 events on, but once at 97 and once not at 103
        LossMapRow row = measured(kHidden, 44, 1024, Time{9'000'000}, 90 + i);
        const bool lossy = i == 7 || (i >= 10 && i != 13);
        row.frames_received = row.frames_sent - (lossy ? 1 : 0);
        rows.push_back(row);
    }
    const Fit fit = fit_of(rows);
    REQUIRE(fit.status == FitStatus::Overlap);
    const auto json = to_json(fit);
    CHECK(json["depth"]["hard"] == nlohmann::json({nullptr, nullptr}));
    CHECK(json["depth"]["interval95"][0].is_number());
}

TEST_CASE("A misfit is said before any number, and every field of the contract is there") {
    Fit fit = usual_fit();
    fit.status = FitStatus::Misfit;
    fit.goodness = 0.002;
    fit.misfit = "the worst residual";
    fit.models.front().depth = {};
    const std::string text = printed(fit);
    std::istringstream lines(text);
    std::string headline, second;
    std::getline(lines, headline), std::getline(lines, second);
    CHECK(headline.rfind("Fit of map.csv: misfit, ", 0) == 0);
    CHECK(second ==
          "  status    misfit: no kind of memory explains the bursts, which are unusual by the worst residual; do not "
          "trust what is said below");
    const auto json = to_json(fit);
    CHECK(json["status"] == "misfit");
    CHECK(json["depth"]["estimate"].is_null());
    for (const char* interval : {"hard", "interval68", "interval95"})
        CHECK(json["depth"][interval] == nlohmann::json({nullptr, nullptr}));
    CHECK(json["goodness"] == 0.002);
    CHECK(json["unusual"] == "the worst residual");

    fit.losses_begin_early = true;
    const std::string early = printed(fit);
    CHECK(early.rfind("Fit of map.csv: no plain memory but frames lost at random or dropped early, ", 0) == 0);
    CHECK_THAT(early, Contains(second));
}

TEST_CASE("Where bursts contradict each other the headline says that there is no estimate, and the table has none") {
    Fit fit = usual_fit();
    fit.status = FitStatus::Inconsistent;
    const std::string text = printed(fit);
    CHECK(text.rfind("Fit of map.csv: no estimate, because bursts contradict each other; ", 0) == 0);
    CHECK_THAT(text, Contains("depth, frames           -  ") && Contains("service rate, Mb/s      -  "));
    CHECK(to_json(fit)["depth"]["estimate"].is_number());  // for programs, which read the status
}

TEST_CASE("The JSON of every status has what the contract names") {
    Fit fit = usual_fit();
    for (const FitStatus status :
         {FitStatus::Separated, FitStatus::Overlap, FitStatus::Inconsistent, FitStatus::Unbounded, FitStatus::Misfit}) {
        fit.status = status;
        if (status == FitStatus::Misfit) {  // nothing known at all
            fit.models.front().depth = fit.models.front().rate = {};
            fit.models.front().support.clear();
            fit.models.front().region = {};
        }
        const auto json = to_json(fit);
        CHECK(json["status"] == to_text(status));
        CHECK(json["plain_memory"] == (status != FitStatus::Misfit && status != FitStatus::Inconsistent));
        CHECK(json["model"].is_string());
        for (const char* field : {"hard", "interval68", "interval95"}) CHECK(json["depth"][field].size() == 2);
        CHECK(json["depth"]["unit"] == "frames");
        for (const char* field : {"frames_per_s", "bits_per_s", "interval95", "fixed"})
            CHECK(json["service_rate"].contains(field));
        CHECK(json["service_rate"]["interval95"].size() == 2);
        for (const auto& model : json["models"])
            for (const char* field : {"name", "feasible", "probability", "prior"}) CHECK(model.contains(field));
        for (const char* field : {"binding_rows", "violating_rows", "disturbances"}) CHECK(json[field].is_array());
        for (const char* field : {"goodness", "unusual"}) CHECK(json.contains(field));
    }
}

TEST_CASE("The odds before the first burst are stated, for each model and in words") {
    Fit fit = usual_fit();
    fit.conditions.scenario = "s.toml";
    for (ModelFit& one : fit.models) one.log_prior = one.model.name() == "shared-frames" ? std::log(20.0) : 0;
    double sum = 0;
    const auto json = to_json(fit);
    for (const auto& model : json["models"]) {
        sum += model["prior"].get<double>();
        CHECK(model["prior"].get<double>() == Approx((model["name"] == "shared-frames" ? 20.0 : 1.0) / 23));
    }
    CHECK(sum == Approx(1));
    const std::string text = printed(fit);
    CHECK_THAT(text, Contains("before any burst shared-frames, the kind that the scenario names, is 20 times as "
                              "likely as another plain memory"));
    for (ModelFit& one : fit.models) one.log_prior = 0;
    fit.conditions.scenario.clear();
    const std::string even = printed(fit);
    CHECK_THAT(even, Contains("shared-frames, the kind taken where no scenario names one, is as likely as another"));
}

TEST_CASE("Headline, answer and standing are the same sentences in JSON and in the text, caveats among them") {
    Fit fit = usual_fit();
    fit.queued = 0.9;
    fit.options.depth = MemorySize{3080, MemorySize::Unit::Frame};
    const auto json = to_json(fit);
    const std::string text = printed(fit);
    CHECK(json["headline"] == "Fit of map.csv: a queue behind a token bucket, 18 bursts used, 0 set aside");
    CHECK(text.rfind(json["headline"].get<std::string>() +
                         "\n  status    separated: " + json["standing"].get<std::string>() + "\n  answer    " +
                         json["answer"].get<std::string>() + "\n",
                     0) == 0);
    CHECK_THAT(
        json["answer"].get<std::string>(),
        Contains("The buffer holds 3080 frames (95 %: ") &&
            Contains(" frames): one memory for all inputs, counted in frames. It drains at 9999.97 Mb/s (95 %: ") &&
            Contains("The depth was given and not fitted."));
    for (const auto& one : json["quantities"])
        CHECK_THAT(text, Contains(one["name"].get<std::string>() + ", " + one["unit"].get<std::string>()));
    for (const char* part : {"basis", "data"})
        for (const auto& note : json["notes"][part]) CHECK_THAT(text, Contains(note["text"].get<std::string>()));
}

TEST_CASE("A depth in cells is told in bytes and frames, too") {
    Fit fit = usual_fit();
    ModelFit& best = fit.models.front();
    best.model.unit = MemorySize::Unit::Cell;
    best.model.cell = 208;
    best.error_of_ends = 0;
    best.depth = {6000, {5990, 6010}, {5999, 6001}, {5998, 6002}};
    const auto json = to_json(fit);
    // 1070 B take 6 cells of 208 B.
    CHECK(json["depth"]["unit"] == "cells");
    CHECK(json["depth"]["bytes"]["estimate"] == 6000 * 208);
    CHECK(json["depth"]["bytes"]["interval95"] == nlohmann::json({5998 * 208, 6002 * 208}));
    CHECK_THAT(json["answer"].get<std::string>(), Contains("6000 cells, 1248000 bytes, 1000 frames of 1024 B"));
    const std::string text = printed(fit);
    CHECK_THAT(text, Contains("depth, bytes            1248000"));
    CHECK_FALSE(to_json(fit_of(measured_grid(kHidden, {9, 20, 33}, {60, 90, 130})))["depth"].contains("bytes"));
}

TEST_CASE("No estimate is told outside of its own interval") {
    Fit fit = usual_fit();
    ModelFit& best = fit.models.front();
    best.depth = {3085, {3070, 3090}, {3079, 3081}, {3080, 3082}};
    best.feature = Estimate{0.00425, {}, {0, 0}, {0, 0}};
    best.model.feature = Feature::Resume;
    const auto inside = [](const nlohmann::json& one) {
        for (const char* interval : {"interval68", "interval95"})
            CHECK((one[interval][0] <= one["estimate"] && one["estimate"] <= one[interval][1]));
        CHECK((one["interval95"][0] <= one["interval68"][0] && one["interval68"][1] <= one["interval95"][1]));
    };
    const auto json = to_json(fit);
    inside(json["depth"]), inside(json["feature"]);
    for (const auto& one : json["quantities"]) inside(one);
}

TEST_CASE("An estimate outside of the feasible region is told with the reason, in notes and polygon") {
    Fit fit = usual_fit();
    CHECK(to_json(fit)["polygon"]["note"].is_null());
    fit.models.front().depth.value = 6000;
    const auto json = to_json(fit);
    CHECK(json["polygon"]["note"] ==
          "the estimate of 6000 frames lies outside of the feasible region, which takes every burst at its word; the "
          "estimate weighs noise and disturbances");
    CHECK_THAT(json["notes"].dump(), Contains(json["polygon"]["note"].get<std::string>()));
}

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

TEST_CASE("A text without details is no longer than a screen, keeps its warnings and counts what it leaves out") {
    auto json = to_json(usual_fit());
    const auto short_text = [&] {
        std::ostringstream text;
        print_report(text, json);
        return text.str();
    };
    const auto lines_of = [](const std::string& text) {
        return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    };
    json["notes"]["diagnosis"] = Notes{{"detail", "of no use", kDetail}, {"contradiction", "of two rows", kWarning}};
    CHECK(lines_of(short_text()) <= kScreen);
    CHECK_THAT(short_text(), Contains("of two rows") && !Contains("of no use") && Contains(" more lines: --verbose\n"));
    CHECK_THAT(printed(json), Contains("of no use") && !Contains("--verbose"));
    // More notes of each rank than there are lines: the lowest go first.
    Notes many;
    for (const Rank rank : {kUseful, kBasis})
        for (int i = 0; i < 40; ++i) many.push_back({"note", "of rank " + std::to_string(rank), rank});
    many.push_back({"note", "that warns", kWarning});
    json["notes"]["diagnosis"] = many;
    CHECK(lines_of(short_text()) == kScreen);
    CHECK_THAT(short_text(), Contains("of rank 2") && !Contains("of rank 3") && Contains("that warns"));
    for (int i = 0; i < 40; ++i) many.push_back({"note", "that warns", kWarning});
    json["notes"]["diagnosis"] = many;
    CHECK(lines_of(short_text()) == kScreen);
    CHECK_THAT(short_text(), StartsWith("Fit of map.csv: ") && Contains("\n  status    separated"));
}
