// SPDX-License-Identifier: GPL-2.0-only
// What each question "what if" changes of a design, the largest change at the top.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/style/gnuplot.h"
#include "plots/style/style.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-file.h"
#include "scenarios/text/readable.h"

namespace watershed {
namespace {

using Json = nlohmann::ordered_json;

/// What is drawn of each row: a chance as its decimal logarithm, or the events that a run did not complete.
struct Measure {
    bool chance = false;
    double lowest = 0;  ///< at which what never happens is drawn

    std::optional<double> operator()(const Json& row) const {
        if (chance && row.contains("risk")) {
            const Json& risk = row["risk"];
            return risk["log10_at_most"].is_null() ? lowest : risk["log10_at_most"].get<double>();
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

bool is_bound(const Json& row) { return row.contains("risk") && row["risk"].value("risk_kind", "") == "bound"; }

/// A bar of the figure.
struct Bar {
    std::string question, verdict;
    std::optional<double> value;
};

Measure measure_of(const Json& result) {
    Measure measure;
    measure.chance = result["rows"][0].contains("risk");
    if (!measure.chance) return measure;
    measure.lowest = std::log10(result["loss"].get<double>());
    for (const Json& row : result["rows"])
        if (row.contains("risk") && !row["risk"]["log10_at_most"].is_null())
            measure.lowest = std::min(measure.lowest, row["risk"]["log10_at_most"].get<double>());
    measure.lowest = 1.1 * measure.lowest;
    return measure;
}

/// The tics of an axis of logarithms: ('10⁻⁸' -8, …).
std::string power_tics(double lowest) {
    const int step = std::max(1, static_cast<int>(std::ceil(-lowest / 6)));
    std::string tics;
    for (int power = 0; power >= lowest; power -= step)
        tics += (tics.empty() ? "" : ", ") + gnuplot_tic(power == 0 ? "1" : power_of_ten(power)) + ' ' +
                std::to_string(power);
    return "(" + tics + ")";
}

void draw_bars(const Json& result, const FigureRequest& request, const std::string& source) {
    const Measure measure = measure_of(result);
    const double today = *measure(result["rows"][0]);
    std::vector<Bar> bars;
    for (const Json& row : result["rows"])
        if (row != result["rows"][0])
            bars.push_back(
                {row["what_if"].get<std::string>() + (is_bound(row) ? ", at most" : ""), row["verdict"], measure(row)});
    const auto change = [&](const Bar& bar) { return bar.value ? std::abs(*bar.value - today) : -1; };
    std::stable_sort(bars.begin(), bars.end(), [&](const Bar& a, const Bar& b) { return change(a) > change(b); });

    Figure figure(request.output, source);
    std::ostream& out = figure.script();
    Panel panel = panel_below(request.title);
    constexpr std::size_t kLetters = 46;
    std::size_t longest = 0;
    for (const Bar& bar : bars) longest = std::max(longest, shortened(bar.question, kLetters).size());
    panel.left = std::max(0.27, 0.03 + 0.0113 * static_cast<double>(longest));  // as in the figure of models
    const std::vector<std::pair<std::string, const char*>> kinds{
        {"holds", colour::green}, {"breaks", colour::vermilion}, {"open", colour::orange}};
    std::vector<std::string> titles;
    std::string plot;
    for (const auto& [verdict, color] : kinds) {
        Figure::Rows rows;
        for (std::size_t i = 0; i < bars.size(); ++i)
            if (bars[i].verdict == verdict && bars[i].value) rows.push_back({*bars[i].value, static_cast<double>(i)});
        if (rows.empty()) continue;
        figure.data(verdict, rows);
        titles.push_back(verdict);
        plot += (plot.empty() ? "plot $" : ", \\\n     $") + verdict + " using (0):2:(" + plain_number(today, 12) +
                "):1:($2 - 0.33):($2 + 0.33) with boxxyerror linecolor rgb '" + color +
                "' fillstyle solid 0.75 noborder title " + gnuplot_text(verdict);
    }
    write_panel(out, panel);
    const double wanted = measure.chance ? std::log10(result["loss"].get<double>()) : 0;
    const double low = measure.chance ? 1.05 * measure.lowest : 0, high = measure.chance ? 0 : 100;
    const auto line = [&](double at, const char* name, const std::string& look, const char* title) {
        figure.data(name, {{at, -0.6}, {at, static_cast<double>(bars.size()) - 0.4}});
        titles.push_back(title);
        plot += std::string(plot.empty() ? "plot $" : ", \\\n     $") + name + " with lines " + look + " title " +
                gnuplot_text(title);
    };
    line(today, "today", "linewidth 2 linecolor rgb '" + std::string(colour::black) + "'",
         is_bound(result["rows"][0]) ? "as it is, at most" : "as it is");
    if (measure.chance)
        line(wanted, "wanted", "dashtype 2 linewidth 2 linecolor rgb '" + std::string(colour::blue) + "'",
             "wanted at most");
    Panel whole = panel;  // beside the questions there is no room for a row of five
    whole.left = 1 - panel.right;
    write_legend(out, whole, titles);
    write_title(out, request.title);
    write_x_label(out, measure.chance ? "chance that an event is incomplete" : "incomplete events / %", panel);
    out << "set xrange [" << low << ":" << high << "]\nset yrange [" << static_cast<double>(bars.size()) - 0.4
        << ":-0.6]\nset xtics " << (measure.chance ? power_tics(low) : std::string("0, 20, 100")) << "\nset ytics (";
    for (std::size_t i = 0; i < bars.size(); ++i)
        out << (i == 0 ? "" : ", ") << gnuplot_tic(shortened(bars[i].question, kLetters)) << ' ' << i;
    out << ") scale 0 font ',15'\nunset grid; set grid xtics back linetype 1 linecolor rgb '#E6E6E6' linewidth 0.8\n";
    for (std::size_t i = 0; i < bars.size(); ++i)
        if (!bars[i].value)
            out << "set label "
                << gnuplot_text(bars[i].verdict == "refused" ? "cannot be built"
                                                             : bars[i].verdict + ": no event was incomplete")
                << " at " << today << ", " << i << " left offset character 0.7, 0 font ',14' front\n";
    out << plot << '\n';
    figure.finish();
}

}  // namespace

void draw_sensitivity(const FigureRequest& request) {
    if (request.inputs.size() != 1) throw InputError("expected one result of watershed sensitivity --json");
    const auto result = read_json<Json>(request.inputs.front());
    read_members(request.inputs.front(), "what watershed sensitivity --json writes", [&] {
        member<double>(result, "loss");
        const auto rows = member<std::vector<Json>>(result, "rows");
        if (rows.empty()) throw MemberError("rows: found none");
        for (const Json& row : rows)
            for (const char* name : {"what_if", "verdict"}) member<std::string>(row, name);
        if (!rows.front().contains("risk") && !rows.front().contains("events"))
            throw MemberError("rows: expected \"risk\" or \"events\" in the first");
    });
    draw_bars(result, request, stem_of(request.inputs.front()));
}

void draw_sensitivity_of(const Json& result, const std::string& output) {
    draw_bars(result, {{}, output, "", {}}, "watershed sensitivity " + result.value("scenario", ""));
}

}  // namespace watershed
