// SPDX-License-Identifier: GPL-2.0-only
// Whether the fit's intervals hold what they promise: coverage by what disturbs a memory, for few bursts and for many,
// and the ranks of the truth.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/style/chart.h"
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
    std::map<std::pair<std::string, Part>, Share> coverage;      ///< coverage of 95 % intervals of the depth
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

double sum(const std::array<double, kBins>& ranks) { return std::accumulate(ranks.begin(), ranks.end(), 0.0); }

/// Ranks as shares of what even ones would have, in per cent.
Figure::Rows relative(const std::array<double, kBins>& ranks) {
    Figure::Rows rows;
    const double all = sum(ranks);
    for (std::size_t i = 0; i < kBins && all > 0; ++i)
        rows.push_back({(static_cast<double>(i) + 0.5) / kBins, 100 * kBins * ranks[i] / all});
    return rows;
}

Label note(const std::string& text, const std::string& colour, double left, const Panel& above) {
    return {text,
            "screen " + num(left) + ", screen " + num(above.top + 0.02) + " font ',14' textcolor rgb '" + colour + "'"};
}

/// A grey area behind everything. @param from, to  corners, as gnuplot takes them
std::string grey_area(const std::string& from, const std::string& to) {
    return "object rectangle from " + from + " to " + to + " fillcolor rgb '" + colour::grey +
           "' fillstyle solid 0.25 noborder behind";
}

/// Points of the subjects that have intervals with two ends.
Figure::Rows coverage_of(const Calibration& calibration, Part part) {
    Figure::Rows points;
    for (std::size_t i = 0; i < calibration.subjects.size(); ++i) {
        const std::string& name = calibration.subjects[i];
        const auto found = calibration.coverage.find({name, part});
        if (found == calibration.coverage.end() || found->second.all == 0) continue;
        const Share& share = found->second;
        points.push_back({static_cast<double>(calibration.subjects.size() - i), share.percent(), share.error(),
                          share.all, static_cast<double>(calibration.laws_kept.at(name))});
    }
    return points;
}

/// Subjects from the top down. Numbers beside the points say how many intervals had two ends.
ChartPanel coverage_panel(const Calibration& calibration, Part part, const Figure::Rows& points, const Panel& place,
                          double least) {
    ChartPanel panel;
    panel.place = place;
    const std::size_t subjects = calibration.subjects.size();
    constexpr std::size_t kLetters = 18;               // longest name beside the panels
    const double from = least - 0.25 * (100 - least);  // room for the numbers
    panel.x = {"", from, 101.5, false, num(least) + ", " + num(tic_step(100 - least))};
    panel.y = {"", 0.4, static_cast<double>(subjects) + 0.6};
    panel.x.tics_look = panel.y.tics_look = "font ',14'";
    for (std::size_t i = 0; i < subjects; ++i) {
        const double at = static_cast<double>(subjects - i);
        panel.y.names.emplace_back(part == kFew ? shortened(calibration.subjects[i], kLetters) : "", at);
        const bool kept = calibration.laws_kept.at(calibration.subjects[i]);
        panel.shapes.push_back(
            grey_area("first " + num(std::max(least, kept ? 92.0 : 85.0)) + ", first " + num(at - 0.5),
                      "first " + num(kept ? 98 : 100) + ", first " + num(at + 0.5)));
    }
    panel.shapes.push_back(upright(95, stroke(colour::black, 1.2, 2) + " back"));
    panel.notes = {{kPartNames[part], "graph 0.5, graph 1.045 center font ',15'"}};
    const auto add = [&](const std::string& look) {
        panel.series.push_back({"", points, look, {}, "part" + std::to_string(part + 1)});
    };
    for (const bool kept : {true, false})
        add("using ($5 == " + std::to_string(kept) + " ? $2 : NaN):1:3 with xerrorbars pointtype " +
            (kept ? "7" : "9") + " pointsize 0.9 * mark " + stroke(kept ? colour::blue : colour::vermilion, 1.6));
    add("using (" + num((from + least) / 2) + "):1:(sprintf('%d', $4)) with labels font ',13'");
    panel.series.front().comment = std::string(kPartNames[part]) +
                                   ": place of the subject, 95 % intervals of the depth that hold it / %, error, how "
                                   "many have two ends, laws kept";
    return panel;
}

ChartPanel ranks_panel(const Calibration& calibration, std::size_t what, const Panel& place) {
    ChartPanel panel;
    panel.place = place;
    const auto &drawn = calibration.drawn[what], &lawful = calibration.lawful[what];
    const std::string name = what == 0 ? "depth" : "rate", number = std::to_string(what + 1);
    panel.series = {{"",
                     relative(drawn),
                     std::string("using 1:2:(0.1) with boxes fillstyle solid 0.4 ") + stroke(colour::blue, 1.2),
                     {},
                     "drawn" + number,
                     "rank of the true " + name +
                         ", campaigns / % of even ranks: all drawn from the prior, and sizes as in the cells"},
                    {"", relative(lawful), "with histeps " + stroke(colour::vermilion, 2), {}, "lawful" + number}};
    double most = 200;
    for (const Series& series : panel.series)
        for (const std::vector<double>& bin : series.rows) most = std::max(most, bin[1]);
    panel.x = {"rank of the true " + name, 0, 1, false, "0.2"};
    panel.y = {what == 0 ? "campaigns /\n% of even ranks" : "", 0, most, false, num(tic_step(most))};
    panel.notes = {what == 0 ? note("all drawn from the prior", colour::blue, place.left, place)
                             : note("sizes as in the cells", colour::vermilion, place.left, place)};
    const double all = sum(drawn) > 0 ? sum(drawn) : sum(lawful);
    panel.shapes = {across(100, stroke(colour::black, 1.2, 2))};
    if (all > 0) {
        constexpr double kSigmas95 = 1.96;
        const double half = 100 * kSigmas95 * std::sqrt((kBins - 1) / all);
        panel.shapes.push_back(grey_area("graph 0, first " + num(std::max(0.0, 100 - half)),
                                         "graph 1, first " + num(std::min(most, 100 + half))));
    }
    return panel;
}

}  // namespace

void draw_calibration(const FigureRequest& request) {
    const Calibration calibration = read_calibration(request.inputs);
    std::array<Figure::Rows, kParts> parts;
    double least = 90;
    for (int part = 0; part < kParts; ++part) {
        parts[std::size_t(part)] = coverage_of(calibration, static_cast<Part>(part));
        for (const auto& row : parts[std::size_t(part)]) least = std::min(least, row[1] - row[2]);
    }
    least = 10 * std::floor(std::max(0.0, least) / 10);

    Chart chart(request.output, request.title, listed(request.inputs, stem_of));
    chart.x.label = "95 % intervals that hold the depth / %; left: how many have two ends";
    Panel lower = chart.place;
    Panel& upper = chart.place;
    upper.left = 0.185, upper.bottom = 0.43;
    if (request.title.empty()) upper.top = 0.93;
    lower.bottom = 0.15, lower.top = 0.285;
    chart.panels.clear();
    const std::vector<Panel> three = panel_grid(upper, kParts, 1, 0.02, 0);
    for (std::size_t part = 0; part < kParts; ++part)
        if (!parts[part].empty())
            chart.panels.push_back(
                coverage_panel(calibration, static_cast<Part>(part), parts[part], three[part], least));
    if (chart.panels.empty()) throw InputError(request.inputs.front() + ": no interval with two ends in any cell");
    for (const Label& each :
         {note("laws kept,", colour::blue, 0.02, upper), note("broken", colour::vermilion, 0.115, upper)})
        chart.panel().notes.push_back(each);
    const std::vector<Panel> two = panel_grid(lower, 2, 1, 0.09, 0);
    for (std::size_t what = 0; what < two.size(); ++what)
        chart.panels.push_back(ranks_panel(calibration, what, two[what]));
    draw_chart(std::move(chart));
}

}  // namespace watershed
