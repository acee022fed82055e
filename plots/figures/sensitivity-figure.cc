// SPDX-License-Identifier: GPL-2.0-only
// The figure of `sensitivity`: the effect of each change on a design, the largest at the top.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/figures/results.h"
#include "plots/style/chart.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/known.h"
#include "scenarios/text/readable.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

/// The value drawn for each row: a chance as its decimal logarithm, or the events that a run did not complete.
struct Measure {
    bool chance = false;
    double lowest = 0;  ///< at which what never happens is drawn

    std::optional<double> operator()(const Json& row) const {
        if (chance && row.contains("risk")) {
            const Known risk = risk_of_members(row["risk"]);
            return risk.upper == -Known::kInfinite ? lowest : risk.log10_upper();
        }
        if (row.contains("events")) {
            const double incomplete =
                1 - row["events"]["complete"].get<double>() / std::max(1.0, row["events"]["sent"].get<double>());
            if (!chance) return 100 * incomplete;
            if (incomplete > 0) return std::log10(incomplete);
            return std::nullopt;  // a run that loses nothing tells no chance
        }
        if (row["verdict"] == "breaks") return chance ? 0 : 100;  // modules are cut off
        return std::nullopt;
    }
};

/// How the drawn value is known, behind what it is of: of a risk the upper limit is drawn.
std::string how_known(const Json& row, const Measure& measure) {
    if (!row.contains("risk")) return measure.chance && row.contains("events") ? ", sampled" : "";
    const Known risk = risk_of_members(row["risk"]);
    return risk.sampled ? ", at most (95 %)" : risk.is_close() ? "" : ", at most";
}

/// A bar of the figure.
struct Bar {
    std::string question, known, verdict;
    std::optional<double> value;
};

Measure measure_of(const Json& result) {
    Measure measure;
    measure.chance = result["rows"][0].contains("risk");
    if (!measure.chance) return measure;
    measure.lowest = std::log10(result["loss"].get<double>());
    for (const Json& row : result["rows"])
        if (const Known risk = row.contains("risk") ? risk_of_members(row["risk"]) : Known::at_most(1);
            risk.upper > -Known::kInfinite)
            measure.lowest = std::min(measure.lowest, risk.log10_upper());
    measure.lowest = 1.1 * measure.lowest;
    return measure;
}

void draw_bars(const Json& result, const FigureRequest& request, const std::string& source) {
    const Measure measure = measure_of(result);
    const double today = *measure(result["rows"][0]);
    std::vector<Bar> changes;
    for (const Json& row : result["rows"])
        if (row != result["rows"][0])
            changes.push_back(
                {row["what_if"].get<std::string>(), how_known(row, measure), row["verdict"], measure(row)});
    const auto change = [&](const Bar& bar) { return bar.value ? std::abs(*bar.value - today) : -1; };
    std::stable_sort(changes.begin(), changes.end(), [&](const Bar& a, const Bar& b) { return change(a) > change(b); });

    Chart chart(request.output, request.title, source);
    ChartPanel& panel = chart.panel();
    const double bottom = static_cast<double>(changes.size()) - 0.4, low = measure.chance ? 1.05 * measure.lowest : 0;
    panel.x = measure.chance ? ChartAxis{"chance that an event is incomplete", low, 0}
                             : ChartAxis{"incomplete events / %", 0, 100, false, "0, 20, 100"};
    const int step = std::max(1, static_cast<int>(std::ceil(-low / 6)));
    for (int power = 0; measure.chance && power >= low; power -= step)
        panel.x.names.emplace_back(power == 0 ? "1" : power_of_ten(power), power);
    panel.y = {"", bottom, -0.6};
    panel.y.tics_look = "scale 0 font ',15'";
    constexpr std::size_t kLetters = 46;
    constexpr double kSeen = 0.002;  // fraction of the axis: the shortest bar that has a colour
    std::size_t longest = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const std::string known = changes[i].value ? changes[i].known : "";
        const std::string question = shortened(changes[i].question, kLetters - known.size()) + known;
        longest = std::max(longest, question.size());
        panel.y.names.emplace_back(question, static_cast<double>(i));
        if (!changes[i].value)
            panel.notes.push_back(
                {changes[i].verdict == "refused" ? "cannot be built" : changes[i].verdict + ": no event was incomplete",
                 num(today) + ", " + std::to_string(i) + " left offset character 0.7, 0 font ',14' front"});
    }
    panel.place.left = std::max(0.27, 0.03 + 0.0113 * static_cast<double>(longest));  // letters are 9 of 800 wide
    chart.settings = {"grid noytics"};
    for (const auto& [verdict, colour] :
         {std::pair("holds", colour::green), {"breaks", colour::vermilion}, {"open", colour::orange}}) {
        Figure::Rows rows;
        for (std::size_t i = 0; i < changes.size(); ++i)
            if (changes[i].verdict == verdict && changes[i].value)
                rows.push_back({*changes[i].value, static_cast<double>(i)});
        const bool seen = std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
            return std::abs(row[0] - today) > kSeen * std::abs(measure.chance ? low : 100);
        });
        if (!rows.empty()) panel.series.push_back({seen ? verdict : "", rows, bars(colour, today), {}, verdict});
    }
    const auto line = [&](double at, const char* name, const std::string& look, const std::string& title) {
        panel.series.push_back({title, {{at, -0.6}, {at, bottom}}, look, {}, name});
    };
    line(today, "today", lines(colour::black, 2), "as it is" + how_known(result["rows"][0], measure));
    if (measure.chance)
        line(std::log10(result["loss"].get<double>()), "wanted", lines(colour::blue, 2, 2), "wanted at most");
    chart.wide_legend = true;  // beside the questions there is no room for a row of five
    draw_chart(std::move(chart));
}

}  // namespace

void draw_sensitivity(const FigureRequest& request) {
    const Json result = read_result(request.inputs, "watershed sensitivity --json",
                                    {{"number", "loss"}, {"some", "rows"}, {"text", "rows[].what_if rows[].verdict"}});
    if (!result["rows"][0].contains("risk") && !result["rows"][0].contains("events"))
        throw InputError(request.inputs.front() + ": rows: expected \"risk\" or \"events\" in the first");
    draw_bars(result, request, stem_of(request.inputs.front()));
}

void draw_sensitivity_of(const Json& result, const std::string& output) {
    draw_bars(result, {{}, output, "", {}}, "watershed sensitivity " + result.value("scenario", ""));
}

}  // namespace watershed
