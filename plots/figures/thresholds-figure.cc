// SPDX-License-Identifier: GPL-2.0-only
// Thresholds of switches, as they are stated and as they come out when the switch is filled.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "plots/figures/figures.h"
#include "plots/figures/free-space.h"
#include "plots/figures/inputs.h"
#include "plots/style/gnuplot.h"
#include "plots/style/style.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/json-file.h"

namespace watershed {
namespace {

struct ChipLook {
    const char* rgb;
    int point;
};
constexpr std::array<ChipLook, 8> kChipLooks{{{colour::blue, 7},
                                              {colour::green, 5},
                                              {colour::orange, 9},
                                              {colour::sky_blue, 13},
                                              {colour::purple, 11},
                                              {colour::black, 6},
                                              {colour::grey, 4},
                                              {colour::blue, 8}}};

struct ChipPoints {
    std::string name;
    Figure::Rows rows;
};

double threshold_in(const nlohmann::ordered_json& row, const char* key) {
    return row.contains(key) && row[key].is_number() ? row[key].get<double>() : 0;
}

/// Ticks as `set xtics` takes them: "('10' 10, '10²' 100)".
std::string powers_of_ten(double low, double high) {
    static constexpr std::array<const char*, 10> kPowers{"1",   "10",  "10²", "10³", "10⁴",
                                                         "10⁵", "10⁶", "10⁷", "10⁸", "10⁹"};
    std::string tics;
    double value = 1;
    for (const char* power : kPowers) {
        if (value >= low && value <= high)
            tics += (tics.empty() ? "('" : ", '") + std::string(power) + "' " + std::to_string(value);
        value *= 10;
    }
    return tics + ")";
}

/// Names beside points, on axes that are both logarithmic from `low` to `high`. Where one would lie on another it is
/// left out: points of one kind lie close together, and the first names them.
std::string names_beside(const Figure::Rows& points, const std::vector<std::string>& names, double low, double high) {
    constexpr double kLetter = 0.0135, kHeight = 0.05, kBeside = 0.015;  // in parts of the panel
    std::vector<Box> taken;
    std::string labels;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto place = [&](double value) { return std::log(value / low) / std::log(high / low); };
        const double x = place(points[i][0]), y = place(points[i][1]),
                     width = kLetter * static_cast<double>(names[i].size());
        const bool to_the_left = x + kBeside + width > 1;
        const double left = to_the_left ? x - kBeside - width : x + kBeside;
        const Box box{left, y - kHeight, left + width, y};
        if (std::any_of(taken.begin(), taken.end(), [&](const Box& other) {
                return box.left < other.right && other.left < box.right && box.bottom < other.top &&
                       other.bottom < box.top;
            }))
            continue;
        taken.push_back(box);
        labels += "set label " + gnuplot_text(names[i]) + " at " + std::to_string(points[i][0]) + ", " +
                  std::to_string(points[i][1]) + (to_the_left ? " right offset -1, -0.8" : " left offset 1, -0.8") +
                  " font ',14'\n";
    }
    return labels;
}

}  // namespace

void draw_thresholds(const FigureRequest& request) {
    if (request.inputs.size() != 1) throw InputError("expected one result of watershed thresholds --json");
    const std::string& file = request.inputs.front();
    const auto result = read_json<nlohmann::ordered_json>(file);
    if (!result.is_array())
        throw InputError(file + ": found no list, expected a result of watershed thresholds --json");
    std::vector<ChipPoints> chips;
    Figure::Rows doubted, missed;
    std::vector<std::string> names;  // of those missed
    double low = 1e300, high = 0;
    for (const auto& row : result) {
        if (!row.is_object() || !row.contains("row") || !row.contains("simulated") || !row.contains("value"))
            throw InputError(file +
                             ": found a row without row, simulated and value, expected a result of watershed "
                             "thresholds --json");
        const double stated = threshold_in(row, "value"), simulated = threshold_in(row, "simulated");
        if (stated <= 0 || simulated <= 0) continue;
        low = std::min({low, stated, simulated}), high = std::max({high, stated, simulated});
        const bool hit = row.value("hit", false), sound = row.value("sound", true);
        if (!hit && !sound) {
            doubted.push_back({stated, simulated});
            continue;
        }
        if (!hit) {
            missed.push_back({stated, simulated});
            names.push_back("row " + std::to_string(row["row"].get<int>()) + ", " + row.value("quantity", ""));
        }
        const std::string name = row.value("asic", "").empty() ? "chip" : row.value("asic", "");
        auto chip = std::find_if(chips.begin(), chips.end(), [&](const ChipPoints& c) { return c.name == name; });
        if (chip == chips.end()) chip = chips.insert(chips.end(), {name, {}});
        chip->rows.push_back({stated, simulated});
    }
    if (high == 0)
        throw InputError(file + ": found no threshold that is both stated and simulated, expected one at least");

    Figure figure(request.output, stem_of(file));
    std::ostream& out = figure.script();
    std::vector<std::string> titles;
    std::string plot = "plot x with lines linewidth 1.5 linecolor rgb '" + std::string(colour::grey) + "' notitle";
    const auto series = [&](const std::string& name, const Figure::Rows& rows, const std::string& title,
                            const std::string& look) {
        if (rows.empty()) return;
        figure.data(name, rows);
        titles.push_back(title);
        plot += ", \\\n     $" + name + " with points " + look + " title " + legend_text(title);
    };
    series("doubted", doubted, "inputs partial or doubted",
           "pointtype 2 pointsize 0.6 * mark linecolor rgb '" + std::string(colour::grey) + "'");
    for (std::size_t i = 0; i < chips.size(); ++i) {
        const ChipLook& look = kChipLooks[i % kChipLooks.size()];
        series("chip" + std::to_string(i + 1), chips[i].rows, chips[i].name,
               "pointtype " + std::to_string(look.point) + " pointsize 0.7 * mark linecolor rgb '" + look.rgb + "'");
    }
    series("missed", missed, "missed",
           "pointtype 6 pointsize 1.5 * mark linecolor rgb '" + std::string(colour::vermilion) + "'");
    low = std::pow(10, std::floor(std::log10(low))) / 3, high = std::pow(10, std::ceil(std::log10(high)));
    write_title(out, request.title);
    Panel panel = panel_below(request.title);
    make_room_for_legend(panel, titles, file);
    write_panel(out, panel);
    write_legend(out, panel, titles);
    write_x_label(out, "stated threshold / cells or packets", panel);
    write_y_label(out, "simulated threshold / cells or packets", panel);
    out << "set logscale xy\nset xrange [" << low << ":" << high << "]\nset yrange [" << low << ":" << high
        << "]\nset xtics " << powers_of_ten(low, high) << "\nset ytics " << powers_of_ten(low, high) << '\n'
        << names_beside(missed, names, low, high) << plot << '\n';
    figure.finish();
}

}  // namespace watershed
