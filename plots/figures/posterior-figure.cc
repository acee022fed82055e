// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/style/gnuplot.h"
#include "plots/style/style.h"
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

void draw_panel(std::ostream& out, const Marginal& marginal, const Panel& panel) {
    out << '\n';
    write_panel(out, panel);
    std::string label = marginal.axis.label;  // on two lines where it is long
    if (const std::size_t comma = label.find(", "); comma != std::string::npos) label.replace(comma, 2, "\n");
    constexpr double kNarrow = 0.3;
    constexpr std::size_t kLong = 42;  // characters that fit beneath half a figure
    const bool narrow =
        panel.right - panel.left < kNarrow || label.size() - std::min(label.size(), label.find('\n')) > kLong;
    if (const std::size_t from = label.find(" from "); from != std::string::npos && narrow) label[from + 5] = '\n';
    out << "set label 201 " << gnuplot_lines(label) << " at screen " << (panel.left + panel.right) / 2 << ", screen "
        << panel.bottom - 0.08 << " center font ',16'\n";
    const double low = marginal.density.front()[0], high = marginal.density.back()[0];
    out << "set xrange [" << low << ':' << high << "]; set yrange [0:1.08]; set xtics "
        << roomy_step(low, high, panel.right - panel.left) << "\n"
        << "set arrow 201 from first " << marginal.estimate << ", graph 0 to first " << marginal.estimate
        << ", graph 1 nohead dashtype 2 linewidth 1.8 linecolor rgb '" << colour::black << "'\n"
        << "plot ";
    const auto area = [&](const char* part, double solid, const char* title) {
        out << '$' << marginal.name << part << " using 1:2 with filledcurves above y1=0 fillstyle transparent solid "
            << solid << " noborder linecolor rgb '" << colour::blue << "' title " << gnuplot_text(title)
            << ", \\\n     ";
    };
    if (!marginal.central95.empty()) area("_central95", 0.25, "95 %");
    if (!marginal.central68.empty()) area("_central68", 0.45, "68 %");
    out << '$' << marginal.name << " using 1:2 with lines linewidth 2.4 linecolor rgb '" << colour::blue
        << "' title 'posterior'\n";
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

    Figure figure(request.output, inputs.source() + " (" + fit.model + ", " + fit.status + ")");
    std::ostream& out = figure.script();
    for (const Marginal& marginal : marginals) {
        out << gnuplot_comment(marginal.axis.label + "; density relative to its highest");
        figure.data(marginal.name, marginal.density);
        if (!marginal.central95.empty()) figure.data(marginal.name + "_central95", marginal.central95);
        if (!marginal.central68.empty()) figure.data(marginal.name + "_central68", marginal.central68);
    }
    Panel all = panel_below(request.title);
    all.bottom = marginals.size() > 2 ? 0.24 : 0.2;
    constexpr double kGap = 0.06;
    const std::vector<Panel> panels = panel_grid(all, marginals.size(), 1, kGap, 0);
    out << "\nset multiplot\n";
    write_title(out, request.title);
    write_legend(out, all, {"95 %", "68 %", "posterior"});
    out << "set key maxrows 1\n";
    write_y_label(out, "probability density, relative", all);
    out << "set ytics 0.5\n";
    for (std::size_t i = 0; i < marginals.size(); ++i) {
        if (i == 1) out << "unset label 1; unset label 1000; unset label 1001; unset key; set format y ''\n";
        draw_panel(out, marginals[i], panels[i]);
    }
    out << "unset multiplot\n";
    figure.finish();
}

}  // namespace watershed
