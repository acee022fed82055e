// SPDX-License-Identifier: GPL-2.0-only
// What a specification for a tender needs: the memory that keeps losses as rare as wanted, by trigger rate.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/style/gnuplot.h"
#include "plots/style/style.h"
#include "scenarios/text/csv.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

struct Curve {
    std::int64_t uplinks;
    double loss;
    Figure::Rows rows;  ///< rate in kHz, frames
};

struct Sizes {
    std::vector<Curve> curves;                ///< by uplinks, and among these the rarer losses last
    std::map<std::int64_t, double> capacity;  ///< kHz at which uplinks are full, by their number
    double bytes_per_frame = 0;
    std::string memory;  ///< whose it is
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
    std::map<std::pair<std::int64_t, double>, Figure::Rows> rows;  // losses negative, so that the rarer come last
    for (const std::string& file : files) {
        const CsvTable table = CsvTable::read(file);
        const auto rate = table.column("rate_khz"), loss = table.column("loss"), uplinks = table.column("uplinks"),
                   load = table.column("load"), frames = table.column("frames"), bytes = table.column("bytes");
        const auto memory_of = table.find_column("memory_of");
        std::map<std::int64_t, std::pair<double, double>> first;  // inverse rate and inverse load, by uplinks
        for (const CsvTable::Row& row : table.rows()) {
            if (memory_of && row.cells[*memory_of] != table.rows().front().cells[*memory_of])
                table.refuse(row, *memory_of, "rows of one memory, as in those before");
            const std::int64_t count = table.integer(row, uplinks, 1);
            const double x = 1 / positive(table, row, rate), y = 1 / positive(table, row, load);
            // The inverse of the load is a line over the inverse of the rate; where it is 1 the uplink is full.
            const auto [it, is_first] = first.try_emplace(count, x, y);
            if (!is_first && x != it->second.first) {
                const double slope = (y - it->second.second) / (x - it->second.first);
                sizes.capacity[count] = 1 / (x + (1 - y) / slope);
            }
            const std::pair key{count, -positive(table, row, loss)};
            if (key.second <= -1) table.refuse(row, loss, "a probability below 1");
            auto& curve = rows[key];
            if (row.cells[frames].empty()) continue;
            const auto needed = static_cast<double>(table.integer(row, frames, 1));
            curve.push_back({1 / x, needed});
            sizes.bytes_per_frame = static_cast<double>(table.integer(row, bytes, 1)) / needed;
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
    static const char* const kSuperscripts[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const double exponent = std::round(std::log10(loss));
    if (std::abs(std::log10(loss) - exponent) > 1e-9) {
        return text_line("%.3g", loss);
    }
    std::string text = "10⁻";
    for (const char digit : std::to_string(-static_cast<int>(exponent))) text += kSuperscripts[digit - '0'];
    return text;
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

    const std::string source = request.source.empty() ? listed(request.inputs, stem_of) : request.source;
    Figure figure(request.output, source);
    std::ostream& out = figure.script();
    for (std::size_t i = 0; i < sizes.curves.size(); ++i) {
        std::ostringstream comment;
        comment << sizes.curves[i].uplinks << " uplinks, chance " << sizes.curves[i].loss << ": rate / kHz, frames";
        out << gnuplot_comment(comment.str());
        figure.data("size" + std::to_string(i + 1), sizes.curves[i].rows);
    }

    write_title(out, request.title);
    Panel panel = panel_below(request.title);
    panel.right = 0.875;
    write_panel(out, panel);
    static const char* const kColours[] = {colour::sky_blue,  colour::blue,   colour::orange,
                                           colour::vermilion, colour::purple, colour::green};
    std::vector<std::string> titles;
    for (const double loss : losses) titles.push_back(chance_title(loss));
    std::map<std::int64_t, int> dash;  // by number of uplinks, in the order of the curves
    for (const Curve& curve : sizes.curves) dash.try_emplace(curve.uplinks, static_cast<int>(dash.size()) + 1);
    std::vector<std::string> all_titles = titles;
    for (const auto& [uplinks, number] : dash)
        all_titles.push_back(std::to_string(uplinks) + (uplinks == 1 ? " uplink" : " uplinks"));
    constexpr std::size_t kColumns = 3;
    const std::size_t rows = (all_titles.size() + kColumns - 1) / kColumns;
    make_room_for_legend(panel, all_titles.size(), kColumns, 1, source);
    write_panel(out, panel);
    write_legend(out, panel, all_titles);
    out << "set key maxcols " << kColumns << " samplen 4\n";
    write_x_label(out, "trigger rate before dead time / kHz", panel);
    write_y_label(out, "memory needed / frames", panel);
    write_y_label(out, "memory needed / kB", panel, true);
    const double top = 1.6 * most, bottom = 0.75 * least;
    out << "set border 11\nset logscale y\nset xrange [0:" << 1.08 * last_rate << "]\nset yrange [" << bottom << ':'
        << top << "]\n"
        << "set logscale y2\nset y2range [" << bottom * sizes.bytes_per_frame / 1000 << ':'
        << top * sizes.bytes_per_frame / 1000 << "]\nset y2tics nomirror\nset format y '%.0f'\nset format y2 '%.0f'\n"
        << "set mytics 10\nset label 'colour: at most this chance that an event is incomplete; dashes: uplinks' at "
           "screen "
        << panel.left << ", screen " << panel.top + 0.036 + 0.04 * static_cast<double>(rows) << " font ',15'\n";

    out << tics_of_few_powers("y", bottom, top)
        << tics_of_few_powers("y2", bottom * sizes.bytes_per_frame / 1000, top * sizes.bytes_per_frame / 1000);
    for (const auto& [uplinks, number] : dash) {
        if (const auto full = sizes.capacity.find(uplinks);
            full != sizes.capacity.end() && full->second < 1.08 * last_rate)
            out << "set arrow from first " << full->second << ", graph 0 to first " << full->second
                << ", graph 1 nohead dashtype " << number << " linewidth " << 1.1 + 0.1 * number << " linecolor rgb '"
                << colour::grey << "'\n"
                << "set label 'full at " << plain_number(full->second, 4) << " kHz' at first " << full->second
                << ", graph 0.03 left rotate by 90 offset -0.8, 0 font ',14' textcolor rgb '#505050'\n";
    }
    const char* separator = "plot ";
    for (std::size_t i = 0; i < sizes.curves.size(); ++i) {
        const Curve& curve = sizes.curves[i];
        const auto which =
            static_cast<std::size_t>(std::find(losses.begin(), losses.end(), curve.loss) - losses.begin());
        const int number = dash[curve.uplinks];
        out << separator << "$size" << i + 1 << " with " << line_or_point(curve.rows.size())
            << " linewidth 2.4 dashtype " << number << " linecolor rgb '" << kColours[which % std::size(kColours)]
            << "' notitle";
        separator = ", \\\n     ";
    }
    for (std::size_t i = 0; i < titles.size(); ++i)
        out << separator << "keyentry with lines linewidth 2.4 linecolor rgb '" << kColours[i % std::size(kColours)]
            << "' title " << gnuplot_text(titles[i]);
    for (std::size_t i = titles.size(); i < all_titles.size(); ++i)
        out << separator << "keyentry with lines linewidth 2.4 dashtype " << i - titles.size() + 1 << " linecolor rgb '"
            << colour::black << "' title " << gnuplot_text(all_titles[i]);
    out << '\n';
    figure.finish();
}

}  // namespace watershed
