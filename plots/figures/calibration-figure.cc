// SPDX-License-Identifier: GPL-2.0-only
// Whether the fit's intervals hold what they promise: coverage by what disturbs a memory, for few bursts and for many,
// and the ranks of the truth.
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

/// Panels of the figure, by how many bursts a campaign has.
enum Part { kFew, kMany, kAsAdvised, kParts };
constexpr std::int64_t kMostOfFew = 12;
const char* const kPartNames[kParts] = {"12 bursts at most", "more than 12 bursts", "until advice says stop"};

struct Calibration {
    std::vector<std::string> subjects;                           ///< in the order of the file
    std::map<std::string, bool> laws_kept;                       ///< by subject
    std::map<std::pair<std::string, Part>, Share> coverage;      ///< of 95 % intervals of the depth
    std::array<std::array<double, kBins>, 2> lawful{}, drawn{};  ///< campaigns by rank of depth and of rate
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
        Share& share = calibration.coverage[{name, length == 0 ? kAsAdvised : length > kMostOfFew ? kMany : kFew}];
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

void write_note(std::ostream& out, const std::string& text, const char* colour, const Panel& panel) {
    out << "set label " << gnuplot_text(text) << " at screen " << panel.left << ", screen " << panel.top + 0.02
        << " font ',14' textcolor rgb '" << colour << "'\n";
}

/// Subjects from the top down. Numbers beside the points say how many intervals had two ends.
void write_coverage(std::ostream& out, const Calibration& calibration, Part part, const Panel& panel, double least) {
    write_panel(out, panel);
    const std::size_t subjects = calibration.subjects.size();
    constexpr std::size_t kLetters = 18;               // of a name beside the panels
    const double from = least - 0.25 * (100 - least);  // room for the numbers
    out << "set xrange [" << from << ":101.5]; set yrange [0.4:" << static_cast<double>(subjects) + 0.6
        << "]; set xtics " << least << ", " << tic_step(100 - least) << " font ',14'\nset ytics font ',14' (";
    for (std::size_t i = 0; i < subjects; ++i)
        out << (i == 0 ? "" : ", ") << gnuplot_tic(part == kFew ? shortened(calibration.subjects[i], kLetters) : "")
            << ' ' << subjects - i;
    out << ")\n";
    for (std::size_t i = 0; i < subjects; ++i) {
        const bool kept = calibration.laws_kept.at(calibration.subjects[i]);
        const double at = static_cast<double>(subjects - i);
        out << "set object " << i + 1 << " rectangle from first " << std::max(least, kept ? 92.0 : 85.0) << ", first "
            << at - 0.5 << " to first " << (kept ? 98 : 100) << ", first " << at + 0.5 << " fillcolor rgb '"
            << colour::grey << "' fillstyle solid 0.25 noborder behind\n";
    }
    out << "set label " << gnuplot_text(kPartNames[part]) << " at graph 0.5, graph 1.045 center font ',15'\n"
        << "set arrow 1 from first 95, graph 0 to first 95, graph 1 nohead dashtype 2 linewidth 1.2 back\nplot ";
    const std::string data = "$part" + std::to_string(part + 1);
    for (const bool kept : {true, false})
        out << data << " using ($5 == " << kept << " ? $2 : NaN):1:3 with xerrorbars pointtype " << (kept ? 7 : 9)
            << " pointsize 0.9*mark linewidth 1.6 linecolor rgb '" << (kept ? colour::blue : colour::vermilion)
            << "' notitle, \\\n     ";
    out << data << " using (" << (from + least) / 2 << "):1:(sprintf('%d', $4)) with labels font ',13' notitle\n"
        << "unset object; unset label; unset arrow 1\n";
}

void write_ranks(std::ostream& out, const Calibration& calibration, std::size_t what, const Panel& panel) {
    write_panel(out, panel);
    double most = 200;
    for (const auto* const ranks : {&calibration.drawn[what], &calibration.lawful[what]})
        for (const std::vector<double>& bin : relative(*ranks)) most = std::max(most, bin[1]);
    out << "set xrange [0:1]; set yrange [0:" << most
        << "]; set xtics autofreq; set xtics 0.2\nset ytics autofreq; set ytics " << tic_step(most) << "\n";
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

    double least = 90;
    std::vector<Part> parts;
    for (int part = 0; part < kParts; ++part) {
        Figure::Rows points;
        for (std::size_t i = 0; i < calibration.subjects.size(); ++i) {
            const std::string& name = calibration.subjects[i];
            const auto found = calibration.coverage.find({name, static_cast<Part>(part)});
            if (found == calibration.coverage.end() || found->second.all == 0) continue;
            const Share& share = found->second;
            points.push_back({static_cast<double>(calibration.subjects.size() - i), share.percent(), share.error(),
                              share.all, static_cast<double>(calibration.laws_kept.at(name))});
            least = std::min(least, share.percent() - share.error());
        }
        if (points.empty()) continue;
        parts.push_back(static_cast<Part>(part));
        out << gnuplot_comment(std::string(kPartNames[part]) +
                               ": place of the subject, 95 % intervals of the depth that hold it / %, error, how many "
                               "have two ends, laws kept");
        figure.data("part" + std::to_string(part + 1), points);
    }
    if (parts.empty()) throw InputError(request.inputs.front() + ": no interval with two ends in any cell");
    for (std::size_t what = 0; what < 2; ++what) {
        const std::string number = std::to_string(what + 1);
        out << gnuplot_comment("rank of the true " + std::string(what == 0 ? "depth" : "rate") +
                               ", campaigns / % of even ranks: all drawn from the prior, and sizes as in the cells");
        if (sum(calibration.drawn[what]) > 0) figure.data("drawn" + number, relative(calibration.drawn[what]));
        if (sum(calibration.lawful[what]) > 0) figure.data("lawful" + number, relative(calibration.lawful[what]));
    }
    Panel all = panel_below(request.title);
    Panel upper = all;
    upper.left = 0.185;
    upper.bottom = 0.43;
    if (request.title.empty()) upper.top = 0.93;
    out << "set multiplot\n";
    write_title(out, request.title);
    write_x_label(out, "95 % intervals that hold the depth / %; left: how many have two ends", upper);
    least = 10 * std::floor(std::max(0.0, least) / 10);
    const std::vector<Panel> three = panel_grid(upper, kParts, 1, 0.02, 0);
    write_note(out, "laws kept,", colour::blue, {0.02, upper.left, upper.bottom, upper.top});
    write_note(out, "broken", colour::vermilion, {0.115, upper.left, upper.bottom, upper.top});
    for (const Part part : parts) write_coverage(out, calibration, part, three[part], least);
    Panel lower = all;
    lower.bottom = 0.15;
    lower.top = 0.285;
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
