// SPDX-License-Identifier: GPL-2.0-only
// Ways to read out a camera: what each asks of the server, or costs, against the chance that it loses an event.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "plots/figures/explored-result.h"
#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/style/gnuplot.h"
#include "plots/style/style.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-file.h"
#include "scenarios/text/readable.h"

namespace watershed {
namespace {

/// 1, 3, 10, 30 … up to the deepest: six of them at most.
std::vector<int> tic_powers(double deepest) {
    std::vector<int> powers;
    constexpr int kLargest = 100'000'000;  // of which a multiple is still an int
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
    if (request.inputs.size() != 1) throw InputError("expected one result of watershed explore --json");
    const auto result = read_json<nlohmann::ordered_json>(request.inputs.front());
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
    bool some_never = false;
    Figure::Rows feasible, others, front;
    struct Name {
        std::string text, rank;
        double x, y;
    };
    std::vector<Name> names;  // in the order of the ranking
    for (const auto& way : ways) {
        if (way["risk"].is_null() || (priced && way["price"].is_null())) continue;
        const double x = priced ? way["price"].get<double>() : way["interfaces"].get<double>();
        const bool is_never = way["log10_risk"].is_null();
        some_never = some_never || is_never;
        const double y = is_never ? never : std::max(kFewest, -way["log10_risk"].get<double>());
        most = std::max(most, x);
        (way["pareto"] == true ? front : way["rank"].is_null() ? others : feasible).push_back({x, y});
        if (way["pareto"] == true && way["same_as"].is_null())
            names.push_back(
                {way["rank"].dump() + ": " + way["switches"].dump() + " × " + way["switch"].template get<std::string>(),
                 way["rank"].dump(), x, y});
    }
    if (feasible.empty() && others.empty() && front.empty())
        throw InputError(request.inputs.front() + ": the risk of no way is known");

    // Each of the best ways has its rank beside it, and where there is room also what it is.
    const double height = std::log10(bottom / kFewest);
    std::string labels;
    struct Place {
        double left, right, y;  // in parts of the panel
    };
    std::vector<Place> taken;
    constexpr double kLetter = 0.0135;  // width, in parts of the panel
    const auto place_of = [&](const Name& name, const std::string& text, double lines_up) {
        constexpr double kLine = 0.04;
        const double left = name.x / (1.12 * most) + 0.018;
        return Place{left, left + kLetter * static_cast<double>(text.size()),
                     std::log10(name.y / kFewest) / height - lines_up * kLine};
    };
    const auto is_free = [&](const Place& place) {
        return place.right < 1 && std::none_of(taken.begin(), taken.end(), [&](const Place& other) {
                   return place.left < other.right && other.left < place.right && std::abs(place.y - other.y) < 0.045;
               });
    };
    const double wanted = loss > 0 ? -std::log10(loss) : never,
                 equal = loss > 0 ? -std::log10(result["equal_below"].get<double>()) : bottom;
    const std::string equal_text = "risks this small count as equal";
    const auto write_at_right = [&](const std::string& text, double y, double offset) {
        taken.push_back(
            {0.99 - kLetter * static_cast<double>(text.size()), 1, std::log10(y / kFewest) / height + offset});
    };
    write_at_right("wanted", wanted, -0.02);
    if (equal < bottom) write_at_right(equal_text, equal, 0.03);
    const auto covers_a_point = [&](const Place& place) {
        for (const Figure::Rows* rows : {&front, &feasible, &others})
            for (const auto& row : *rows) {
                const double x = row[0] / (1.12 * most), y = std::log10(row[1] / kFewest) / height;
                if (x > place.left && x < place.right && std::abs(y - place.y) < 0.03) return true;
            }
        return false;
    };
    for (const Name& name : names)
        for (const auto& [text, lines_up] : {std::pair(name.text, 0.0),
                                             {name.text, 0.8},
                                             {name.text, -0.8},
                                             {name.text, 1.8},
                                             {name.text, -1.8},
                                             {name.rank, 0.0}}) {
            const Place place = place_of(name, text, lines_up);
            if (!is_free(place) || (text != name.rank && covers_a_point(place))) continue;
            taken.push_back(place);
            const std::string at = " " + std::to_string(name.x) + ", " + std::to_string(name.y),
                              up = std::to_string(lines_up);
            labels += "set label " + gnuplot_text(text) + " at" + at + " left offset 1.2, " + up + " font ',14'\n";
            if (std::abs(lines_up) > 1)
                labels += "set arrow from" + at + " rto character 1.1, character " + up + " nohead linecolor rgb '" +
                          colour::grey + "'\n";
            break;
        }

    Figure figure(request.output, stem_of(request.inputs.front()));
    std::ostream& out = figure.script();
    std::vector<std::string> titles;
    std::string plot;
    const auto series = [&](const char* name, const Figure::Rows& rows, const char* title, const std::string& look) {
        if (rows.empty()) return;
        figure.data(name, rows);
        titles.push_back(title);
        plot += (plot.empty() ? "plot $" : ", \\\n     $") + std::string(name) + " with points " + look + " title " +
                gnuplot_text(title);
    };
    series("others", others, "not feasible",
           "pointtype 6 pointsize 0.8 * mark linecolor rgb '" + std::string(colour::grey) + "'");
    series("feasible", feasible, "feasible",
           "pointtype 7 pointsize 1.0 * mark linecolor rgb '" + std::string(colour::sky_blue) + "'");
    series("front", front, "no way is better in all respects",
           "pointtype 13 pointsize 1.6 * mark linecolor rgb '" + std::string(colour::vermilion) + "'");
    write_title(out, request.title);
    Panel panel = panel_below(request.title);
    panel.left = 0.17;  // tics such as 10⁻¹⁰⁰⁰⁰
    write_panel(out, panel);
    write_legend(out, panel, titles);
    const std::string currency = result.value("currency", "");
    write_x_label(
        out, priced ? "price of all switches" + (currency.empty() ? "" : " / " + currency) : "interfaces of the server",
        panel);
    write_y_label(out, "chance that an event is incomplete", panel);
    out << "set xrange [0:" << 1.12 * most << "]\nset logscale y\nset yrange [" << bottom << ":" << kFewest
        << "]\nset ytics (";
    const std::vector<int> zeros = tic_powers(deepest);
    for (const int power : zeros)
        out << (power == zeros.front() ? "" : ", ") << gnuplot_tic(power_of_ten(-power)) << ' ' << power;
    if (some_never) out << ", 'never' " << never;
    out << ")\n"
        << (priced || most > 8 ? "" : "set xtics 1\n") << "set arrow from graph 0, first " << wanted
        << " to graph 1, first " << wanted << " nohead dashtype 2 linewidth 1.5 linecolor rgb '" << colour::black
        << "'\n"
        << "set label 'wanted' at graph 0.99, first " << wanted << " right offset 0, 0.6 font ',14'\n"
        << labels;
    if (equal < bottom)
        out << "set object rectangle from graph 0, first " << equal << " to graph 1, graph 0 behind fillstyle solid "
            << "0.07 noborder fillcolor rgb '" << colour::black << "'\n"
            << "set label " << gnuplot_text(equal_text) << " at graph 0.99, first " << equal
            << " right offset 0, -0.7 font ',14'\n";
    out << plot << '\n';
    figure.finish();
}

}  // namespace watershed
