// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/style/chart.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

/// One quantity's panel.
struct Marginal {
    std::string name;
    Axis axis;
    Figure::Rows density, central95, central68;  ///< value on the axis, density relative to its highest
    double estimate = 0;
};

Marginal marginal_of(const std::string& quantity, const std::string& name, const std::string& unit,
                     const std::vector<std::pair<double, double>>& density, std::optional<double> estimate,
                     const std::optional<Bounds>& interval68, const std::optional<Bounds>& interval95) {
    Marginal marginal;
    marginal.name = name;
    double most = 0;
    for (const auto& [value, probability] : density) most = std::max(most, probability);
    const double middle = estimate.value_or((density.front().first + density.back().first) / 2);
    marginal.axis = axis_for(quantity, unit, middle, density.front().first, density.back().first);
    marginal.estimate = marginal.axis(middle);
    for (const auto& [value, probability] : density) {
        const std::vector<double> row{marginal.axis(value), probability / most};
        marginal.density.push_back(row);
        const auto inside = [value = value](const std::optional<Bounds>& interval) {
            return interval && value >= interval->low && value <= interval->high;
        };
        if (inside(interval95)) marginal.central95.push_back(row);
        if (inside(interval68)) marginal.central68.push_back(row);
    }
    return marginal;
}

/// The step of an axis whose labels must not touch each other, and that has two of them at least.
/// @param screen width of the axis, as a part of the figure's
double roomy_step(double low, double high, double screen) {
    constexpr double kCharacters = 80;  // across the figure
    const double range = high - low;
    const auto with_two = [&](double step) {
        constexpr double kNextSmaller = 2.99;
        while (std::floor(high / step) - std::ceil(low / step) < 1) step = tic_step(kNextSmaller * step);
        return step;
    };
    for (double wider = 1;; wider *= 1.5) {
        const double step = tic_step(range * wider), characters = 3 + std::max(0.0, -std::floor(std::log10(step)));
        if (range / step * (characters + 1) <= kCharacters * screen || step > range) return with_two(step);
    }
}

/// A label on two lines where it is long, and on three where its panel is narrow, too.
std::string label_of(const Marginal& marginal, const Panel& place) {
    std::string label = marginal.axis.label;
    if (const std::size_t comma = label.find(", "); comma != std::string::npos) label.replace(comma, 2, "\n");
    constexpr double kNarrow = 0.3;
    constexpr std::size_t kLong = 42;  // characters that fit beneath half a figure
    const bool narrow =
        place.right - place.left < kNarrow || label.size() - std::min(label.size(), label.find('\n')) > kLong;
    if (const std::size_t from = label.find(" from "); from != std::string::npos && narrow) label[from + 5] = '\n';
    return label;
}

/// @param first  its series are those of the legend
ChartPanel panel_of(const Marginal& marginal, const Panel& place, bool first) {
    ChartPanel panel;
    panel.place = place;
    panel.notes = {{label_of(marginal, place), "screen " + num((place.left + place.right) / 2) + ", screen " +
                                                   num(place.bottom - 0.08) + " center font ',16'"}};
    const double low = marginal.density.front()[0], high = marginal.density.back()[0];
    panel.x = {"", low, high, false, num(roomy_step(low, high, place.right - place.left))};
    panel.y = {"", 0, 1.08, false, "0.5"};
    panel.y.bare = !first;
    panel.shapes = {upright(marginal.estimate, stroke(colour::black, 1.8, 2))};
    const auto add = [&](const char* title, const Figure::Rows& rows, const std::string& look, const char* part) {
        if (!rows.empty()) panel.series.push_back({first ? title : "", rows, look, {}, marginal.name + part});
    };
    add("95 %", marginal.central95, filled(colour::blue, 0.25, "above y1=0"), "_central95");
    add("68 %", marginal.central68, filled(colour::blue, 0.45, "above y1=0"), "_central68");
    add("posterior", marginal.density, lines(colour::blue, 2.4), "");
    panel.series.front().comment = marginal.axis.label + "; density relative to its highest";
    return panel;
}

}  // namespace

void draw_posterior(const FigureRequest& request) {
    const Inputs inputs = read_inputs(request.inputs, {InputKind::Fit});
    if (inputs.fits.size() != 1)
        throw InputError("posterior: found " + std::to_string(inputs.fits.size()) + " fits, expected one");
    const FitFile& fit = inputs.fits.front();
    std::vector<Marginal> marginals;
    const auto has_width = [](const std::vector<std::pair<double, double>>& density) {
        return !density.empty() && density.back().first > density.front().first;
    };
    if (has_width(fit.depth_density))
        marginals.push_back(
            marginal_of("depth", "depth", fit.depth_unit, fit.depth_density, fit.depth, fit.depth68, fit.depth95));
    if (has_width(fit.rate_density))
        marginals.push_back(marginal_of("service rate", "rate", "frames/s", fit.rate_density, fit.frames_per_s,
                                        fit.frames_per_s68, fit.frames_per_s95));
    if (has_width(fit.feature_density))
        marginals.push_back(marginal_of(fit.feature, "feature", fit.feature_unit, fit.feature_density,
                                        fit.feature_value, fit.feature68, fit.feature95));
    if (marginals.empty())
        throw InputError(fit.file +
                         ": posterior: found none, expected a depth or a service rate that is neither known exactly "
                         "nor limited on one side only");

    Chart chart(request.output, request.title, inputs.source() + " (" + fit.model + ", " + fit.status + ")");
    chart.y.label = "probability density, relative";
    chart.wide_legend = true;
    chart.place.bottom = marginals.size() > 2 ? 0.24 : 0.2;
    constexpr double kGap = 0.06;
    const std::vector<Panel> places = panel_grid(chart.place, marginals.size(), 1, kGap, 0);
    chart.panels.clear();
    for (std::size_t i = 0; i < marginals.size(); ++i)
        chart.panels.push_back(panel_of(marginals[i], places[i], i == 0));
    draw_chart(std::move(chart));
}

}  // namespace watershed
