// SPDX-License-Identifier: GPL-2.0-only
// The figure of `size`, for a tender: the memory that keeps losses as rare as wanted, by trigger rate.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/style/chart.h"
#include "scenarios/text/csv.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/readable.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

/// The table of the scenario that the memory is of, and the uplinks of each switch of the first tier.
using Place = std::pair<std::string, std::int64_t>;

struct Curve {
    Place place;
    double loss;
    Figure::Rows rows;  ///< rate in kHz, frames
};

struct Sizes {
    std::vector<Curve> curves;                      ///< by memory and uplinks, and among these the rarer losses last
    std::map<Place, double> capacity;               ///< kHz at which uplinks are full
    bool tiers = false;                             ///< memories of two tiers
    std::map<std::string, double> bytes_per_frame;  ///< by memory
    bool exact = true;                              ///< no memory is known to be enough that may be more than is needed
    bool sampled = false;                           ///< some memory is enough in a simulation alone
};

double positive(const CsvTable& table, const CsvTable::Row& row, std::size_t column) {
    const std::string& cell = row.cells[column];
    char* end = nullptr;
    const double value = std::strtod(cell.c_str(), &end);
    if (cell.empty() || *end != 0 || !(value > 0) || !std::isfinite(value))
        table.refuse(row, column, "a number above 0");
    return value;
}

Sizes read_sizes(const std::vector<std::string>& files) {
    Sizes sizes;
    std::map<std::pair<Place, double>, Figure::Rows> rows;  // losses negative, so that the rarer come last
    for (const std::string& file : files) {
        const CsvTable table = CsvTable::read(file);
        const auto rate = table.column("rate_khz"), loss = table.column("loss"), uplinks = table.column("uplinks"),
                   load = table.column("load"), frames = table.column("frames"), bytes = table.column("bytes");
        const auto at_least = table.find_column("frames_at_least");
        const auto memory_of = table.find_column("memory_of");
        std::map<Place, std::pair<double, double>> first;  // inverse rate and inverse load
        for (const CsvTable::Row& row : table.rows()) {
            const Place place{memory_of ? row.cells[*memory_of] : "switch", table.integer(row, uplinks, 1)};
            sizes.tiers = sizes.tiers || place.first != "switch";
            const double x = 1 / positive(table, row, rate), y = 1 / positive(table, row, load);
            // The inverse of the load is a line over the inverse of the rate; where it is 1 the uplink is full.
            const auto [it, is_first] = first.try_emplace(place, x, y);
            if (!is_first && x != it->second.first) {
                const double slope = (y - it->second.second) / (x - it->second.first);
                sizes.capacity[place] = 1 / (x + (1 - y) / slope);
            }
            const std::pair key{place, -positive(table, row, loss)};
            if (key.second <= -1) table.refuse(row, loss, "a probability below 1");
            auto& curve = rows[key];
            if (row.cells[frames].empty()) continue;
            const auto needed = static_cast<double>(table.integer(row, frames, 1));
            curve.push_back({1 / x, needed});
            if (at_least && row.cells[*at_least] != row.cells[frames]) sizes.exact = false;
            if (at_least && row.cells[*at_least].empty()) sizes.sampled = true;
            sizes.bytes_per_frame[place.first] = static_cast<double>(table.integer(row, bytes, 1)) / needed;
        }
    }
    for (auto& [key, curve] : rows) {
        if (curve.empty()) continue;
        std::sort(curve.begin(), curve.end());
        sizes.curves.push_back({key.first, -key.second, std::move(curve)});
    }
    if (sizes.curves.empty())
        throw InputError(files.front() + ": found no rate at which any memory is enough, expected a row with frames");
    return sizes;
}

/// "10⁻⁹", or "3e-05" where it is no power of ten.
std::string chance_title(double loss) {
    const double exponent = std::round(std::log10(loss));
    return std::abs(std::log10(loss) - exponent) > 1e-9 ? text_line("%.3g", loss)
                                                        : power_of_ten(static_cast<int>(exponent));
}

}  // namespace

void draw_size(const FigureRequest& request) {
    const Sizes sizes = read_sizes(request.inputs);
    std::vector<double> losses;
    double least = sizes.curves.front().rows.front()[1], most = least, last_rate = 0;
    for (const Curve& curve : sizes.curves) {
        if (std::find(losses.begin(), losses.end(), curve.loss) == losses.end()) losses.push_back(curve.loss);
        for (const auto& row : curve.rows) {
            least = std::min(least, row[1]);
            most = std::max(most, row[1]);
            last_rate = std::max(last_rate, row[0]);
        }
    }
    std::sort(losses.rbegin(), losses.rend());

    Chart chart(request.output, request.title,
                request.source.empty() ? listed(request.inputs, stem_of) : request.source);
    ChartPanel& panel = chart.panel();
    panel.place.right = 0.875;
    static const char* const kColours[] = {colour::sky_blue,  colour::blue,   colour::orange,
                                           colour::vermilion, colour::purple, colour::green};
    const auto name = [&](const Place& place) {
        return (sizes.tiers ? "[" + place.first + "], " : "") + how_many(place.second, "uplink");
    };
    std::map<Place, int> dash;  // in the order of the curves
    for (const Curve& curve : sizes.curves) {
        const int number = dash.try_emplace(curve.place, static_cast<int>(dash.size()) + 1).first->second;
        const auto which = std::find(losses.begin(), losses.end(), curve.loss) - losses.begin();
        panel.series.push_back(
            {"",
             curve.rows,
             lines(kColours[static_cast<std::size_t>(which) % std::size(kColours)], 2.4, number),
             {},
             "size" + std::to_string(panel.series.size() + 1),
             name(curve.place) + ", chance " + text_line("%g", curve.loss) + ": rate / kHz, frames"});
    }
    for (std::size_t i = 0; i < losses.size(); ++i)
        panel.series.push_back({chance_title(losses[i]), {}, lines(kColours[i % std::size(kColours)], 2.4)});
    for (const auto& [place, number] : dash) {
        panel.series.push_back({name(place), {}, lines(colour::black, 2.4, number)});
        const auto full = sizes.capacity.find(place);
        if (full == sizes.capacity.end() || full->second >= 1.08 * last_rate) continue;
        panel.shapes.push_back(upright(full->second, stroke(colour::grey, 1.1 + 0.1 * number, number)));
        panel.notes.push_back({"full at " + plain_number(full->second, 4) + " kHz",
                               "first " + num(full->second) +
                                   ", graph 0.03 left rotate by 90 offset -0.8, 0 font ',14' textcolor rgb '#505050'"});
    }
    chart.legend_columns = sizes.tiers ? 2 : 3, chart.legend_rows = 1;  // names of two tiers are long
    chart.legend_sample = 4;
    chart.settings = {"mytics 10"};
    panel.notes.push_back(
        {std::string("colour: at most this chance that an event is incomplete; dashes: ") +
             (sizes.tiers ? "memory, uplinks" : "uplinks"),
         "screen " + num(panel.place.left) + ", screen " + num(panel.place.top + 0.076) + " font ',15'"});
    const double top = 1.6 * most, bottom = 0.75 * least, kilobytes = sizes.bytes_per_frame.begin()->second / 1000;
    panel.x = {"trigger rate before dead time / kHz", 0, 1.08 * last_rate};
    const std::string memory = sizes.exact     ? "memory needed / "
                               : sizes.sampled ? "memory that is enough, sampled / "
                                               : "memory that is enough / ";
    panel.y = {memory + "frames", bottom, top, true, tics_of_few_powers(bottom, top), {}, {}, "%.0f"};
    const bool one_scale = std::all_of(sizes.bytes_per_frame.begin(), sizes.bytes_per_frame.end(), [&](const auto& of) {
        return of.second == sizes.bytes_per_frame.begin()->second;
    });
    if (one_scale)
        panel.right = {memory + "kB",
                       bottom * kilobytes,
                       top * kilobytes,
                       true,
                       tics_of_few_powers(bottom * kilobytes, top * kilobytes),
                       {},
                       {},
                       "%.0f"};
    draw_chart(std::move(chart));
}

}  // namespace watershed
