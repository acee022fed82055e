// SPDX-License-Identifier: GPL-2.0-only
// Whether the fit's intervals hold what they promise: coverage by what disturbs a memory and by bursts, and the ranks
// of the truth.
#include <algorithm>
#include <array>
#include <cmath>
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

constexpr int kBins = 10;

struct Share {
    double inside = 0, all = 0;
    double percent() const { return 100 * inside / all; }
    /// Standard deviation, binomial; of one campaign more where all or none are inside.
    double error() const { return 100 * std::sqrt(std::max(inside * (all - inside) / all / all, 0.25 / all) / all); }
};

struct Calibration {
    std::vector<std::string> subjects;                               ///< in the order of the file
    std::map<std::string, bool> laws_kept;                           ///< by subject
    std::vector<std::int64_t> rows;                                  ///< ascending, 0 (as many as advice wants) last
    std::map<std::pair<std::string, std::int64_t>, Share> coverage;  ///< of 95 % intervals of the depth
    std::array<std::array<double, kBins>, 2> lawful{}, drawn{};      ///< campaigns by rank of depth and of rate
};

/// The subject whose kind, depth, rate and disturbances are all drawn: its ranks must be even.
constexpr auto kDrawn = "any";

void read_file(Calibration& calibration, const std::string& file) {
    const CsvTable table = CsvTable::read(file);
    const auto subject = table.column("subject"), rows = table.column("rows"), laws = table.column("laws"),
               bounded = table.column("depth_bounded"), inside = table.column("depth95");
    std::array<std::array<std::size_t, kBins>, 2> ranks{};
    for (std::size_t i = 0; i < kBins; ++i)
        ranks[0][i] = table.column("depth_rank_" + std::to_string(i + 1)),
        ranks[1][i] = table.column("rate_rank_" + std::to_string(i + 1));
    for (const CsvTable::Row& row : table.rows()) {
        const std::string& name = row.cells[subject];
        if (row.cells[laws] != "kept" && row.cells[laws] != "broken") table.refuse(row, laws, "kept or broken");
        const bool kept = row.cells[laws] == "kept";
        if (std::find(calibration.subjects.begin(), calibration.subjects.end(), name) == calibration.subjects.end())
            calibration.subjects.push_back(name);
        calibration.laws_kept[name] = kept;
        const std::int64_t length = table.integer(row, rows, 0);
        if (std::find(calibration.rows.begin(), calibration.rows.end(), length) == calibration.rows.end())
            calibration.rows.push_back(length);
        Share& share = calibration.coverage[{name, length}];
        const auto all = static_cast<double>(table.integer(row, bounded, 0));
        share.all += all;
        share.inside += static_cast<double>(table.integer(row, inside, 0));
        if (share.inside > share.all) table.refuse(row, inside, "at most as many as have an interval");
        for (std::size_t what = 0; what < 2; ++what)
            for (std::size_t i = 0; i < kBins; ++i)
                if (kept)
                    (name == kDrawn ? calibration.drawn : calibration.lawful)[what][i] +=
                        static_cast<double>(table.integer(row, ranks[what][i], 0));
    }
}

Calibration read_calibration(const std::vector<std::string>& files) {
    Calibration calibration;
    for (const std::string& file : files) read_file(calibration, file);
    std::sort(calibration.rows.begin(), calibration.rows.end(),
              [](std::int64_t a, std::int64_t b) { return (a == 0 ? INT64_MAX : a) < (b == 0 ? INT64_MAX : b); });
    if (calibration.subjects.empty()) throw InputError(files.front() + ": no cell of a study, expected a row for each");
    return calibration;
}

/// Ranks as shares of what even ones would have, in per cent.
Figure::Rows relative(const std::array<double, kBins>& ranks) {
    double all = 0;
    for (const double bin : ranks) all += bin;
    Figure::Rows rows;
    for (std::size_t i = 0; i < kBins && all > 0; ++i)
        rows.push_back({(static_cast<double>(i) + 0.5) / kBins, 100 * kBins * ranks[i] / all});
    return rows;
}

double sum(const std::array<double, kBins>& ranks) {
    double all = 0;
    for (const double bin : ranks) all += bin;
    return all;
}

void write_coverage(std::ostream& out, const Calibration& calibration, const std::vector<std::string>& titles,
                    const Panel& panel, double least) {
    static const char* const kColours[] = {colour::vermilion, colour::orange, colour::green,
                                           colour::sky_blue,  colour::blue,   colour::black};
    constexpr int kMarks[] = {5, 9, 7, 11, 13, 4};
    write_panel(out, panel);
    write_legend(out, panel, titles);
    write_y_label(out, "95 % intervals that\nhold the depth / %", panel);
    const std::size_t subjects = calibration.subjects.size();
    constexpr std::size_t kLetters = 18;  // of a name that hangs between two panels
    out << "set xrange [0.5:" << static_cast<double>(subjects) + 0.5 << "]; set yrange [" << least
        << ":100.5]\nset xtics rotate by -25 left offset -1.5,0 font ',13' (";
    for (std::size_t i = 0; i < subjects; ++i)
        out << (i == 0 ? "" : ", ") << gnuplot_text(shortened(calibration.subjects[i], kLetters)) << ' ' << i + 1;
    out << ")\n";
    int number = 1;
    for (std::size_t i = 0; i < subjects; ++i) {
        const bool kept = calibration.laws_kept.at(calibration.subjects[i]);
        out << "set object " << number++ << " rectangle from first " << static_cast<double>(i) + 0.55 << ", first "
            << std::max(least, kept ? 92.0 : 85.0) << " to first " << static_cast<double>(i) + 1.45 << ", first "
            << (kept ? 98 : 100) << " fillcolor rgb '" << colour::grey << "' fillstyle solid 0.18 noborder behind\n";
    }
    out << "plot 95 with lines linewidth 1.2 dashtype 2 linecolor rgb '" << colour::black << "' notitle";
    for (std::size_t i = 0; i < titles.size(); ++i)
        out << ", \\\n     $rows" << i + 1 << " using 1:2:3 with yerrorbars pointtype " << kMarks[i % std::size(kMarks)]
            << " pointsize 0.8*mark linewidth 1.4 linecolor rgb '" << kColours[i % std::size(kColours)] << "' title "
            << gnuplot_text(titles[i]);
    out << "\nunset object; unset key; unset label\n";
}

void write_note(std::ostream& out, const std::string& text, const char* colour, const Panel& panel) {
    out << "set label " << gnuplot_text(text) << " at screen " << panel.left + 0.01 << ", screen " << panel.top + 0.02
        << " font ',13' textcolor rgb '" << colour << "'\n";
}

void write_ranks(std::ostream& out, const Calibration& calibration, std::size_t what, const Panel& panel) {
    write_panel(out, panel);
    double most = 200;
    for (const auto* const ranks : {&calibration.drawn[what], &calibration.lawful[what]})
        for (const std::vector<double>& bin : relative(*ranks)) most = std::max(most, bin[1]);
    out << "set xrange [0:1]; set yrange [0:" << most
        << "]; set xtics norotate center nooffset autofreq font ',15'; set xtics 0.2\nset ytics " << tic_step(most)
        << "\n";
    write_x_label(out, what == 0 ? "rank of the true depth" : "rank of the true rate", panel);
    const double all = sum(calibration.drawn[what]) > 0 ? sum(calibration.drawn[what]) : sum(calibration.lawful[what]);
    if (all > 0) {
        constexpr double kSigmas95 = 1.96;
        const double half = 100 * kSigmas95 * std::sqrt((kBins - 1) / all);
        out << "set object 1 rectangle from graph 0, first " << std::max(0.0, 100 - half) << " to graph 1, first "
            << std::min(most, 100 + half) << " fillcolor rgb '" << colour::grey
            << "' fillstyle solid 0.25 noborder behind\n";
    }
    out << "plot 100 with lines linewidth 1.2 dashtype 2 linecolor rgb '" << colour::black << "' notitle";
    const std::string number = std::to_string(what + 1);
    if (sum(calibration.drawn[what]) > 0)
        out << ", \\\n     $drawn" << number
            << " using 1:2:(0.1) with boxes fillstyle solid 0.4 linewidth 1.2 linecolor rgb '" << colour::blue
            << "' notitle";
    if (sum(calibration.lawful[what]) > 0)
        out << ", \\\n     $lawful" << number << " using 1:2 with histeps linewidth 2 linecolor rgb '"
            << colour::vermilion << "' notitle";
    out << "\nunset object; unset label\n";
}

}  // namespace

void draw_calibration(const FigureRequest& request) {
    const Calibration calibration = read_calibration(request.inputs);
    Figure figure(request.output, listed(request.inputs, stem_of));
    std::ostream& out = figure.script();

    std::vector<std::string> titles;
    double least = 90;
    for (const std::int64_t length : calibration.rows) {
        Figure::Rows points;
        for (std::size_t i = 0; i < calibration.subjects.size(); ++i) {
            const auto found = calibration.coverage.find({calibration.subjects[i], length});
            if (found == calibration.coverage.end() || found->second.all == 0) continue;
            const double step = 0.8 / static_cast<double>(calibration.rows.size());
            points.push_back(
                {static_cast<double>(i + 1) +
                     step * (static_cast<double>(titles.size()) - static_cast<double>(calibration.rows.size() - 1) / 2),
                 found->second.percent(), found->second.error()});
            least = std::min(least, points.back()[1] - points.back()[2]);
        }
        if (points.empty()) continue;
        titles.push_back(length > 0 ? std::to_string(length) + " bursts" : "until advice says stop");
        out << "\n# " << titles.back() << ": subject, 95 % intervals of the depth that hold it / %, error\n";
        figure.data("rows" + std::to_string(titles.size()), points);
    }
    if (titles.empty()) throw InputError(request.inputs.front() + ": no interval with two ends in any cell");
    for (std::size_t what = 0; what < 2; ++what) {
        const std::string number = std::to_string(what + 1);
        out << "\n# rank of the true " << (what == 0 ? "depth" : "rate")
            << ", campaigns / % of even ranks: all drawn from the prior, and sizes as in the cells\n";
        if (sum(calibration.drawn[what]) > 0) figure.data("drawn" + number, relative(calibration.drawn[what]));
        if (sum(calibration.lawful[what]) > 0) figure.data("lawful" + number, relative(calibration.lawful[what]));
    }
    Panel all = panel_below(request.title);
    make_room_for_legend(all, titles, request.inputs.front());
    Panel upper = all;
    upper.bottom = 0.52;
    out << "set multiplot\n";
    write_title(out, request.title);
    write_coverage(out, calibration, titles, upper, 10 * std::floor(std::max(0.0, least) / 10));
    Panel lower = all;
    lower.top = 0.36;
    const std::vector<Panel> panels = panel_grid(lower, 2, 1, 0.09, 0);
    write_y_label(out, "campaigns /\n% of even ranks", panels[0]);
    write_note(out, "all drawn from the prior", colour::blue, panels[0]);
    write_ranks(out, calibration, 0, panels[0]);
    write_note(out, "sizes as in the cells", colour::vermilion, panels[1]);
    write_ranks(out, calibration, 1, panels[1]);
    out << "unset multiplot\n";
    figure.finish();
}

}  // namespace watershed
