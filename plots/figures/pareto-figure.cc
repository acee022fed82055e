// SPDX-License-Identifier: GPL-2.0-only
// Ways to read out a camera: what each asks of the server, or costs, against the chance that it loses an event.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/figures/results.h"
#include "plots/style/chart.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/readable.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

/// 1, 3, 10, 30 … up to the deepest: six of them at most.
std::vector<int> tic_powers(double deepest) {
    std::vector<int> powers;
    constexpr int kLargest = 100'000'000;  // a multiple of it is still an int
    for (int decade = 1; decade <= deepest && decade <= kLargest; decade *= 10)
        for (const int part : {1, 3})
            if (part * decade <= deepest) powers.push_back(part * decade);
    while (powers.size() > 6) {
        std::vector<int> fewer;
        for (std::size_t i = 0; i < powers.size(); i += 2) fewer.push_back(powers[i]);
        powers = fewer;
    }
    return powers;
}

}  // namespace

void draw_pareto(const FigureRequest& request) {
    const Json result = read_result(request.inputs, "watershed explore --json", {});
    check_explored(result, request.inputs.front());

    const auto& ways = result["ways"];
    const bool priced = std::all_of(ways.begin(), ways.end(),
                                    [](const auto& way) { return way["rank"].is_null() || !way["price"].is_null(); }) &&
                        result["feasible"] > 0;
    // Risks reach from 10^-1 to 10^-30000: what is drawn is the number of zeros, on a logarithmic axis.
    constexpr double kFewest = 0.1;
    const auto loss = result["loss"].get<double>();
    double most = 1, deepest = loss > 0 ? -std::log10(loss) : 1;
    for (const auto& way : ways)
        if (!way["log10_risk"].is_null()) deepest = std::max(deepest, -way["log10_risk"].get<double>());
    const double never = 4 * deepest, bottom = 8 * deepest;
    // A risk that is known as a bound alone points downwards.
    Series groups[][2] = {
        {{"not feasible", {}, points(colour::grey, 6, 0.8), {}, "others"}, {"", {}, points(colour::grey, 10, 0.8)}},
        {{"feasible", {}, points(colour::sky_blue, 7), {}, "feasible"}, {"", {}, points(colour::sky_blue, 11)}},
        {{"no way is better in all respects", {}, points(colour::vermilion, 13, 1.6), {}, "front"},
         {"", {}, points(colour::vermilion, 11, 1.6)}}};
    const auto cost_of = [&](const Json& way) { return way[priced ? "price" : "interfaces"].get<double>(); };
    const auto zeros_of = [&](const Json& way) {
        return way["log10_risk"].is_null() ? never : std::max(kFewest, -way["log10_risk"].get<double>());
    };
    std::vector<const Json*> named;  // in the order of the ranking
    bool some_never = false;
    for (const auto& way : ways) {
        if (way["risk"].is_null() || (priced && way["price"].is_null())) continue;
        some_never = some_never || way["log10_risk"].is_null();
        most = std::max(most, cost_of(way));
        groups[way["pareto"] == true   ? 2
               : way["rank"].is_null() ? 0
                                       : 1][way["risk_kind"] == "bound"]
            .rows.push_back({cost_of(way), zeros_of(way)});
        if (way["pareto"] == true && way["same_as"].is_null()) named.push_back(&way);
    }

    Chart chart(request.output, request.title, stem_of(request.inputs.front()));
    ChartPanel& panel = chart.panel();
    panel.place.left = 0.17;  // tics such as 10⁻¹⁰⁰⁰⁰
    bool bounds = false;
    for (auto& [known, bound] : groups) {
        if (known.rows.empty()) bound.title = known.title;
        bounds = bounds || !bound.rows.empty();
        for (const Series& series : {known, bound})
            if (!series.rows.empty()) panel.series.push_back(series);
    }
    if (panel.series.empty()) throw InputError(request.inputs.front() + ": the risk of no way is known");
    if (bounds) panel.series.push_back({"pointing down: at most", {}, points(colour::black, 10)});
    const std::string currency = result.value("currency", "");
    panel.x = {
        priced ? "price of all switches" + (currency.empty() ? "" : " / " + currency) : "interfaces of the server", 0,
        1.12 * most, false, priced || most > 8 ? "" : "1"};
    panel.y = {"chance that an event is incomplete", bottom, kFewest, true};
    for (const int power : tic_powers(deepest)) panel.y.names.emplace_back(power_of_ten(-power), power);
    if (some_never) panel.y.names.emplace_back("never", never);

    const auto across_of = [&](double x) { return x / (1.12 * most); };
    const auto up_of = [&](double y) { return 1 - std::log10(bottom / y) / std::log10(bottom / kFewest); };
    std::vector<std::pair<double, double>> taken;
    const auto write_at_right = [&](const std::string& text, double y, double offset) {
        panel.notes.push_back(
            {text, "graph 0.99, first " + num(y) + " right offset 0, " + num(offset) + " font ',14'"});
        for (double x = 0.99; x > 0.99 - 0.0135 * static_cast<double>(text.size()); x -= 0.01)
            taken.emplace_back(x, up_of(y) + 0.04 * offset);
    };
    const double wanted = loss > 0 ? -std::log10(loss) : never,
                 equal = loss > 0 ? -std::log10(result["equal_below"].get<double>()) : bottom;
    panel.shapes = {across(wanted, stroke(colour::black, 1.5, 2))};
    write_at_right("wanted", wanted, 0.6);
    if (equal < bottom) {
        panel.shapes.push_back("object rectangle from graph 0, first " + num(equal) +
                               " to graph 1, graph 0 behind fillstyle solid 0.07 noborder fillcolor rgb '" +
                               colour::black + "'");
        write_at_right("risks this small count as equal", equal, -0.7);
    }
    for (const Series& series : panel.series)
        for (const auto& row : series.rows) taken.emplace_back(across_of(row[0]), up_of(row[1]));
    // Each of the best ways has its rank beside it, and where there is room also what it is.
    std::vector<PointName> names;
    for (const Json* way : named) {
        const std::string rank = way->at("rank").dump();
        names.push_back(
            {across_of(cost_of(*way)), up_of(zeros_of(*way)), num(cost_of(*way)) + ", " + num(zeros_of(*way)),
             rank + ": " + way->at("switches").dump() + " × " + way->at("switch").get<std::string>(), rank});
    }
    name_points(panel, names, taken);
    draw_chart(std::move(chart));
}

}  // namespace watershed
