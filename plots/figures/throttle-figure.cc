// SPDX-License-Identifier: GPL-2.0-only
// The price of certainty: the part of random triggers that each rule without loss refuses, by trigger rate, beside the
// events that the memory leaves incomplete without a rule.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/figures/results.h"
#include "plots/style/chart.h"
#include "scenarios/text/json-file.h"
#include "scenarios/text/known.h"
#include "scenarios/text/readable.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLowest = 1e-9;  ///< smallest part of triggers on the axis
constexpr double kRoom = 1.25;    ///< factor on either side of a single rate

/// The rule itself, of "38.368 us", "[\"5 in 191.84 us\"]".
std::string rule_title(const Json& rule) {
    const Json& set = rule["set"];
    std::string text = set.begin().value();
    if (text.size() > 4 && text.front() == '[') text = text.substr(2, text.size() - 4);
    if (rule["kind"] == "dead-time") text = "dead time " + text;
    if (const auto micro = text.rfind(" us"); micro != std::string::npos) text.replace(micro, 3, " µs");
    return text;
}

/// kHz and part of each rule's curve, and what its interval covers as another series.
std::vector<std::pair<Series, Series>> curves_of(const Json& result) {
    static const char* const kColours[] = {colour::vermilion, colour::blue, colour::green, colour::purple};
    std::vector<std::pair<Series, Series>> curves;
    for (const Json& rule : result["rules"]) {
        const std::size_t i = curves.size();
        const char* colour = kColours[i % std::size(kColours)];
        Series curve{rule_title(rule), {}, lines(colour, 2.6, static_cast<int>(i) + 2)};
        Series band{"", {}, "using 1:2:3 " + filled(colour, 0.2)};
        for (const Json& point : result["curve"]) {
            const Json& refused = point["refused"].at(rule["kind"].get<std::string>());
            const double rate = point["rate_hz"].get<double>() / 1000, part = refused["estimate"];
            const bool sampled = refused.contains("interval95");
            // Too few may have been refused to tell how many.
            if (!((sampled ? refused["interval95"][0].get<double>() : part) > 0)) continue;
            curve.rows.push_back({rate, part});
            if (sampled) band.rows.push_back({rate, refused["interval95"][0], refused["interval95"][1]});
        }
        const auto same = std::find_if(curves.begin(), curves.end(), [&](const auto& other) {
            return other.first.rows == curve.rows && other.second.rows == band.rows;
        });
        if (same != curves.end())
            same->first.title += " or " + curve.title;
        else
            curves.emplace_back(curve, band);
    }
    Series without{"no rule: events incomplete", {}, lines(colour::black, 2.6)};
    bool bound = false, sampled = false;
    for (const Json& point : result["curve"]) {
        if (point["without"].is_null()) continue;
        const Known risk = risk_of_members(point["without"]).as_probability();
        const bool at_most = !risk.sampled && !risk.is_close();
        const double log10 = at_most ? risk.log10_upper() : risk.log10_estimate();
        if (!std::isfinite(log10)) continue;
        bound = bound || at_most, sampled = sampled || risk.sampled;
        without.rows.push_back({point["rate_hz"].get<double>() / 1000, std::pow(10, std::max(-300.0, log10))});
    }
    if (bound) without.title += ", at most";
    if (sampled) without.title += bound ? " or sampled" : ", sampled";
    if (!without.rows.empty()) curves.emplace_back(without, Series{});
    return curves;
}

void draw_refused(const Json& result, const FigureRequest& request, const std::string& source) {
    Chart chart(request.output, request.title, source + apparatus_of(result));
    ChartPanel& panel = chart.panel();
    double first = HUGE_VAL, last = 0, least = 1;
    std::vector<Series> above;
    for (auto& [curve, band] : curves_of(result)) {
        const std::string number = std::to_string(above.size() + 1);
        double most = 0;
        for (const auto& row : curve.rows) {
            first = std::min(first, row[0]), last = std::max(last, row[0]);
            least = std::min(least, row[1]), most = std::max(most, row[1]);
        }
        if (most < kLowest) curve.title += " (below " + power_of_ten(-9) + ")";
        curve.name = "part" + number, band.name = "band" + number;
        curve.comment = curve.title + ": rate / kHz, part of the triggers";
        if (!band.rows.empty()) {
            if (panel.series.empty()) band.title = "95 % interval";  // one entry for all of them
            panel.series.push_back(band);
        }
        above.push_back(curve);
    }
    panel.series.insert(panel.series.end(), above.begin(), above.end());
    if (first == last) first /= kRoom, last *= kRoom;
    const int lowest = static_cast<int>(std::floor(std::log10(std::max(least, kLowest)) - 0.01));
    const double dead_time = result["dead_time_s"], rate = result["rate_hz"].get<double>() / 1000;
    const bool dead = dead_time > 0;
    constexpr std::size_t kTics = 8;
    panel.x = {"trigger rate" + (dead ? " before " + readable_seconds(dead_time) + " of dead time" : "") + " / kHz",
               first, last, true, log_tics(first, last, kTics)};
    panel.y = {std::string("part refused, or incomplete") + (dead ? ", after dead time" : ""), std::pow(10, lowest), 1,
               true};
    for (int power = lowest; power <= 0; ++power)
        panel.y.names.emplace_back(power == 0 ? "1" : power_of_ten(power), std::pow(10, power));
    chart.settings = {"mytics 10"};
    chart.legend_sample = 4;
    if (rate > first && rate < last) {
        panel.shapes = {upright(rate, stroke(colour::grey, 1.4, 3))};
        panel.notes = {{"the scenario: " + plain_number(rate, 3) + " kHz",
                        "first " + num(rate) +
                            ", graph 0.03 left rotate by 90 offset -0.9, 0 font ',14' textcolor rgb '#505050'"}};
    }
    draw_chart(std::move(chart));
}

}  // namespace

void draw_throttle(const FigureRequest& request) {
    static const RequiredMembers kMembers{{"number", "rate_hz dead_time_s curve[].rate_hz"},
                                          {"some", "rules curve rules[].set"},
                                          {"text", "rules[].kind rules[].set[]"},
                                          {"any", "curve[].refused curve[].without"}};
    const std::string command = "watershed throttle --rate LIST --json";
    if (request.inputs.size() == 1)
        if (const auto told = read_json<Json>(request.inputs.front());
            told.is_object() && told.value("rules", Json()) == Json::array())
            throw InputError(request.inputs.front() +
                             ": rules: no rule is needed, or none helps, so that there is no figure of rules");
    const Json result = read_result(request.inputs, command, kMembers);
    read_members(request.inputs.front(), "what " + command + " writes", [&] {
        for (const Json& rule : result["rules"])
            for (const Json& point : result["curve"])
                member<double>(member<Json>(point["refused"], rule["kind"].get<std::string>().c_str()), "estimate");
    });
    draw_refused(result, request, stem_of(request.inputs.front()));
}

void draw_throttle_of(const Json& result, const std::string& output) {
    if (!result.contains("curve"))
        throw InputError("--output: no rule is needed, or none helps, so that there is no figure of rules");
    draw_refused(result, {{}, output, "", {}}, "watershed throttle " + result.value("scenario", ""));
}

}  // namespace watershed
