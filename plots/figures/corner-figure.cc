// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>
#include <map>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/style/chart.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

/// One parameter of the draws, on its axis; NaN where a draw has none.
struct Parameter {
    std::string column;
    Axis axis;
    std::vector<double> values;
    double low = 0, high = 0;  ///< ends of the axis
};

/// Parameters are shown if so many of the draws differ from the usual value, and no more than fit.
constexpr double kVaries = 0.1;
constexpr std::size_t kMostParameters = 4;
/// Columns that are no parameters of their own, or the same as another.
constexpr const char* kNotShown[] = {"depth",          "cell_bytes",     "header_bytes",        "asking_order",
                                     "leaves_at_once", "traffic_memory", "traffic_batch_bytes", "log_prior",
                                     "log_likelihood"};

bool is_shown(const std::string& column) {
    return !begins_with(column, "constant_") && !begins_with(column, "log_likelihood_") &&
           std::find(std::begin(kNotShown), std::end(kNotShown), column) == std::end(kNotShown);
}

/// A column at an axis: its name, and a unit where it is drawn by axis_for().
struct Words {
    std::string name, unit{};
    double scale = 1;
};

/// "depth\ndeviation from\n102.8 kB / %"
std::string label_of(const Parameter& parameter) {
    std::string label = parameter.axis.label;
    if (const std::size_t comma = label.find(", "); comma != std::string::npos) label.replace(comma, 2, "\n");
    if (const std::size_t from = label.find(" from "); from != std::string::npos) label[from + 5] = '\n';
    return label;
}

/// The parameter on an axis for nearly all of its draws; nothing if hardly any differ.
std::optional<Parameter> parameter_of(const DrawsFile::Column& column) {
    std::vector<double> sorted;
    std::map<double, std::size_t> often;
    std::size_t most = 0;
    for (const double value : column.values)
        if (!std::isnan(value)) sorted.push_back(value), most = std::max(most, ++often[value]);
    if (static_cast<double>(sorted.size() - most) < kVaries * static_cast<double>(column.values.size())) return {};
    std::sort(sorted.begin(), sorted.end());
    constexpr double kBeyond = 0.005;
    const auto beyond = static_cast<std::size_t>(kBeyond * static_cast<double>(sorted.size()));
    static const std::map<std::string, Words> known{{"depth_bytes", {"depth", "bytes"}},
                                                    {"service_rate", {"service rate", "Mb/s", 1e-6}},
                                                    {"scatter_frames", {"scatter / frames"}},
                                                    {"scatter_length", {"scatter of ln(length)"}},
                                                    {"loss_probability", {"random loss"}},
                                                    {"bucket_bytes", {"token bucket / bytes"}},
                                                    {"traffic_share", {"other traffic"}},
                                                    {"stray_share", {"stray bursts"}},
                                                    {"excess_share", {"losses beyond\nthe closed form"}}};
    const auto found = known.find(column.name);
    const auto [name, unit, scale] = found == known.end() ? Words{column.name} : found->second;
    const double low = scale * sorted[beyond], high = scale * sorted[sorted.size() - 1 - beyond];
    if (!(high > low)) return {};
    Parameter parameter;
    parameter.column = column.name;
    if (unit.empty())
        parameter.axis = {name, ""};
    else
        parameter.axis = axis_for(name, unit, (low + high) / 2, low, high);
    for (const double value : column.values) parameter.values.push_back(parameter.axis(scale * value));
    constexpr double kMargin = 0.05;
    parameter.low = parameter.axis(low), parameter.high = parameter.axis(high);
    const double margin = kMargin * (parameter.high - parameter.low);
    parameter.low -= margin, parameter.high += margin;
    return parameter;
}

/// The distribution as steps, its highest at 1.
Figure::Rows histogram(const Parameter& parameter) {
    constexpr std::size_t kSteps = 40;
    std::vector<double> counts(kSteps);
    const double width = (parameter.high - parameter.low) / kSteps;
    for (const double value : parameter.values)
        if (value >= parameter.low && value < parameter.high)
            ++counts[std::min(kSteps - 1, static_cast<std::size_t>((value - parameter.low) / width))];
    const double most = *std::max_element(counts.begin(), counts.end());
    Figure::Rows rows{{parameter.low, 0}};
    for (std::size_t i = 0; i < kSteps; ++i)
        for (const std::size_t end : {i, i + 1})
            rows.push_back({parameter.low + width * static_cast<double>(end), counts[i] / most});
    rows.push_back({parameter.high, 0});
    return rows;
}

double quantile(std::vector<double> values, double share) {
    values.erase(std::remove_if(values.begin(), values.end(), [](double x) { return std::isnan(x); }), values.end());
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// Kinds of memory by their draws, the most frequent first; those beyond three are one.
struct KindLook {
    std::string title, colour;
    std::vector<std::string> names;
};
std::vector<KindLook> looks_of(const DrawsFile& file) {
    std::map<std::string, std::size_t> counts;
    for (const std::string& kind : file.kinds) ++counts[kind];
    std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    const auto title = [&](const std::string& name, std::size_t count) {
        return name + ", " +
               plain_number(100 * static_cast<double>(count) / static_cast<double>(file.kinds.size()), 2) + " %";
    };
    constexpr const char* kColours[] = {colour::blue, colour::orange, colour::green, colour::grey};
    std::vector<KindLook> looks;
    std::size_t rest = 0;
    for (const auto& [name, count] : sorted) {
        if (looks.size() < std::size(kColours)) looks.push_back({title(name, count), kColours[looks.size()], {}});
        looks.back().names.push_back(name);
        if (looks.size() == std::size(kColours)) looks.back().title = title("other kinds", rest += count);
    }
    return looks;
}

}  // namespace

void draw_corner(const FigureRequest& request) {
    const Inputs inputs = read_inputs(request.inputs, {InputKind::Draws});
    if (inputs.draws.size() != 1)
        throw InputError("corner: found " + std::to_string(inputs.draws.size()) + " files of draws, expected one");
    const DrawsFile& file = inputs.draws.front();
    std::vector<Parameter> all;
    for (const DrawsFile::Column& column : file.columns)
        if (is_shown(column.name) && all.size() < kMostParameters)
            if (auto one = parameter_of(column)) all.push_back(std::move(*one));
    if (all.empty())
        throw InputError(file.file + ": corner: every parameter is the same in all draws, expected one that varies");

    Chart chart(request.output, request.title,
                inputs.source() + " (" + std::to_string(file.kinds.size()) + " draws over all kinds)");
    chart.wide_legend = true;
    chart.place.left = 0.17, chart.place.bottom = 0.22, chart.place.top = 0.88;
    chart.panels.clear();
    const std::vector<KindLook> looks = looks_of(file);
    constexpr double kGap = 0.012, kPointSize = 0.3;
    constexpr std::size_t kPoints = 500;
    const std::size_t n = all.size(), step = file.kinds.size() / kPoints + 1;
    const std::vector<Panel> places = panel_grid(chart.place, n, n, kGap, kGap);
    const std::string look = n > 3 ? " font ',11'" : " font ',14'";
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t column = 0; column <= row; ++column) {
            const Parameter &x = all[column], &y = all[row];
            ChartPanel panel;
            panel.place = places[row * n + column];
            panel.x = {"", x.low, x.high, false, num(tic_step((x.high - x.low) * 1.5))};
            panel.x.tics_look = panel.y.tics_look = "font ',12'";
            panel.x.bare = row + 1 < n;
            if (row + 1 == n)
                panel.notes.push_back({label_of(x), "screen " + num((panel.place.left + panel.place.right) / 2) +
                                                        ", screen " + num(panel.place.bottom - 0.065) + " center" +
                                                        look});
            if (row == column) {
                panel.y = {"", 0, 1.1, false, "none"};
                if (row == 0)
                    for (const KindLook& kind : looks)
                        panel.series.push_back({kind.title, {}, points(kind.colour, 7, 1)});
                panel.series.push_back({"", histogram(x), filled(colour::sky_blue, 0.6, "above y1=0"), {}, x.column});
                panel.series.back().comment = x.axis.label + ", draws relative to the highest bin";
                for (const double share : {0.025, 0.5, 0.975})
                    panel.shapes.push_back(
                        upright(quantile(x.values, share), stroke(colour::black, 1.4, share == 0.5 ? 1 : 2)));
            } else {
                panel.y = {"", y.low, y.high, false, num(tic_step((y.high - y.low) * 1.5))};
                panel.y.tics_look = panel.x.tics_look;
                panel.y.bare = column > 0;
                if (column == 0)
                    panel.notes.push_back({label_of(y), "screen 0.025, screen " +
                                                            num((panel.place.bottom + panel.place.top) / 2) +
                                                            " center rotate by 90" + look});
                for (std::size_t i = 0; i < looks.size(); ++i) {
                    Figure::Rows rows;
                    for (std::size_t j = 0; j < file.kinds.size(); j += step)
                        if (std::find(looks[i].names.begin(), looks[i].names.end(), file.kinds[j]) !=
                                looks[i].names.end() &&
                            !std::isnan(x.values[j]) && !std::isnan(y.values[j]))
                            rows.push_back({x.values[j], y.values[j]});
                    if (rows.empty()) continue;
                    panel.series.push_back({"",
                                            rows,
                                            points(looks[i].colour, 7, kPointSize),
                                            {},
                                            x.column + '_' + y.column + '_' + std::to_string(i + 1),
                                            looks[i].title + ": " + x.axis.label + ", " + y.axis.label});
                }
            }
            chart.panels.push_back(std::move(panel));
        }
    draw_chart(std::move(chart));
}

}  // namespace watershed
