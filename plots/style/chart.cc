// SPDX-License-Identifier: GPL-2.0-only
#include "plots/style/chart.h"

#include <algorithm>
#include <set>

#include "scenarios/text/text-line.h"

namespace watershed {
namespace {

/// Counts the numbers of one axis of all panels, or of one panel, in a power of a thousand if they are large.
void scale(std::vector<ChartPanel*> panels, ChartAxis ChartPanel::*axis, bool upright) {
    double largest = 0;
    for (const ChartPanel* panel : panels) {
        const ChartAxis& its = panel->*axis;
        if (its.log) return;
        for (const double end : {its.from, its.to})
            if (std::isfinite(end)) largest = std::max(largest, std::abs(end));
        for (const Series& series : panel->series)
            for (const auto& row : series.rows)
                for (std::size_t i = upright ? 1 : 0; i < (upright ? row.size() : 1); ++i)
                    if (std::isfinite(row[i]) && !(std::isfinite(its.from) && std::isfinite(its.to)))
                        largest = std::max(largest, std::abs(row[i]));
    }
    const AxisPower power = axis_power(largest);
    for (ChartPanel* panel : panels) {
        ChartAxis& its = panel->*axis;
        its.label = its.label.empty() ? "" : power.label(its.label);
        its.from = power(its.from), its.to = power(its.to);
        for (Series& series : panel->series)
            for (auto& row : series.rows)
                for (std::size_t i = upright ? 1 : 0; i < (upright ? row.size() : 1); ++i) row[i] = power(row[i]);
    }
}

std::string end_of(double value) { return std::isnan(value) ? "*" : num(value); }

std::string range(const char* axis, const ChartAxis& of) {
    return "set " + std::string(axis) + "range [" + end_of(of.from) + ':' + end_of(of.to) + "]";
}

void write_axis(std::ostream& out, const std::string& name, const ChartAxis& axis, bool first) {
    if (axis.log || !first) out << (axis.log ? "set" : "unset") << " logscale " << name << '\n';
    if (axis.bare)
        out << "set format " << name << " ''\n";
    else if (!axis.format.empty() || !first)
        out << "set format " << name << (axis.format.empty() ? "" : " '" + axis.format + "'") << '\n';
    if (axis.tics == "none") {
        out << "unset " << name << "tics\n";
        return;
    }
    std::string tics = axis.tics;
    for (const auto& [text, at] : axis.names)
        tics += (tics.empty() ? "(" : ", ") + gnuplot_tic(text) + ' ' + num(at) +
                (&at == &axis.names.back().second ? ")" : "");
    if (!tics.empty() || !axis.tics_look.empty())
        out << "set " << name << "tics " << tics << (axis.tics_look.empty() ? "" : " " + axis.tics_look) << '\n';
}

/// A single point, or several in one place, make no line.
std::string look_of(const Series& series, std::string look) {
    const std::string line = "with lines ";
    if (begins_with(look, line) && !series.rows.empty() &&
        std::all_of(series.rows.begin(), series.rows.end(),
                    [&](const auto& row) { return row == series.rows.front(); }))
        look.replace(0, line.size(), "with " + line_or_point(1) + ' ');
    return begins_with(look, "using") ? look : "using 1:2 " + look;
}

void write_panel(std::ostream& out, const ChartPanel& panel, bool first) {
    write_panel(out, panel.place);
    write_axis(out, "x", panel.x, first), write_axis(out, "y", panel.y, first);
    out << range("x", panel.x) << "; " << range("y", panel.y) << '\n';
    if (!panel.x.label.empty()) write_x_label(out, panel.x.label, panel.place);
    if (!panel.y.label.empty()) write_y_label(out, panel.y.label, panel.place);
    if (!panel.right.label.empty()) {
        write_y_label(out, panel.right.label, panel.place, true);
        out << "set border 11\nset y2tics nomirror\n" << range("y2", panel.right) << '\n';
        write_axis(out, "y2", panel.right, true);
    }
    for (const std::string& shape : panel.shapes) out << "set " << shape << '\n';
    for (const Label& note : panel.notes) out << "set label " << gnuplot_lines(note.text) << " at " << note.at << '\n';
}

void write_plot(std::ostream& out, const ChartPanel& panel) {
    const char* separator = "plot ";
    for (const Series& series : panel.series) {
        if (series.rows.empty() && series.title.empty()) continue;
        const auto element = [&](const std::string& look, const std::string& title) {
            out << separator
                << (series.rows.empty() ? "keyentry " + look.substr(look.find("with"))
                                        : '$' + series.name + ' ' + look_of(series, look))
                << (title.empty() ? " notitle" : " title " + legend_text(title));
            separator = ", \\\n     ";
        };
        if (!series.rows.empty())
            for (const std::string& look : series.under) element(look, "");
        element(series.look, series.title);
    }
    out << '\n';
}

std::vector<std::string> titles_of(const ChartPanel& panel) {
    std::vector<std::string> titles;
    for (const Series& series : panel.series)
        if (!series.title.empty()) titles.push_back(series.title);
    return titles;
}

/// The legend above a panel whose series have titles.
void write_key(std::ostream& out, const Chart& chart, const ChartPanel& panel) {
    const std::vector<std::string> titles = titles_of(panel);
    if (titles.empty()) {
        out << "unset key\n";
        return;
    }
    Panel below = panel.place;
    if (chart.wide_legend && chart.panels.size() > 1)
        below.left = chart.place.left, below.right = chart.place.right;
    else if (chart.wide_legend)
        below.left = 1 - below.right;
    write_legend(out, below, titles);
    const std::size_t columns = chart.legend_columns > 0 ? chart.legend_columns : legend_columns(titles);
    out << "set key maxcols " << columns << (chart.legend_sample > 0 ? " samplen " + num(chart.legend_sample) : "")
        << '\n';
}

}  // namespace

std::string num(double value) { return text_line("%.12g", value); }

std::string stroke(const std::string& colour, double width, int dash) {
    return "linewidth " + num(width) + " dashtype " + std::to_string(dash) + " linecolor rgb '" + colour + "'";
}
std::string lines(const std::string& colour, double width, int dash) {
    return "with lines " + stroke(colour, width, dash);
}
std::string points(const std::string& colour, int type, double size, double width) {
    return "with points pointtype " + std::to_string(type) + " pointsize " + num(size) + " * mark linewidth " +
           num(width) + " linecolor rgb '" + colour + "'";
}
std::string marked_lines(const std::string& colour, int type, double size) {
    return "with linespoints linewidth 1.8 pointtype " + std::to_string(type) + " pointsize " + num(size) +
           " * mark linecolor rgb '" + colour + "'";
}
std::string filled(const std::string& colour, double solid, const std::string& kind) {
    return "with filledcurves " + kind + " fillstyle transparent solid " + num(solid) + " noborder linecolor rgb '" +
           colour + "'";
}
std::string bars(const std::string& colour, double from) {
    return "using (0):2:(" + num(from) + "):1:($2 - 0.33):($2 + 0.33) with boxxyerror fillstyle solid 0.75 noborder " +
           "linecolor rgb '" + colour + "'";
}

std::string across(double y, const std::string& stroke) {
    return "arrow from graph 0, first " + num(y) + " to graph 1, first " + num(y) + " nohead " + stroke;
}
std::string upright(double x, const std::string& stroke) {
    return "arrow from first " + num(x) + ", graph 0 to first " + num(x) + ", graph 1 nohead " + stroke;
}

void name_points(ChartPanel& panel, const std::vector<PointName>& names,
                 const std::vector<std::pair<double, double>>& points) {
    constexpr double kLetter = 0.0135, kHeight = 0.05, kBeside = 0.015, kLine = 0.04;  // in parts of the panel
    struct Place {
        double left, right, y;
    };
    std::vector<Place> taken;
    const auto write = [&](const PointName& name, const std::string& text, double lines_up) {
        const double width = kLetter * static_cast<double>(text.size());
        const bool at_left = name.x + kBeside + width > 1;
        const double left = at_left ? name.x - kBeside - width : name.x + kBeside;
        const Place place{left, left + width, name.y + lines_up * kLine};
        const bool covers = std::any_of(taken.begin(), taken.end(),
                                        [&](const Place& other) {
                                            return place.left < other.right && other.left < place.right &&
                                                   std::abs(place.y - other.y) < kHeight;
                                        }) ||
                            (text != name.brief && std::any_of(points.begin(), points.end(), [&](const auto& point) {
                                 return point.first > place.left && point.first < place.right &&
                                        std::abs(point.second - place.y) < 0.6 * kHeight;
                             }));
        if (covers) return false;
        taken.push_back(place);
        const std::string side = at_left ? "-1.2, " : "1.2, ";
        panel.notes.push_back(
            {text, name.at + (at_left ? " right" : " left") + " offset " + side + num(lines_up) + " font ',14'"});
        if (std::abs(lines_up) > 1)
            panel.shapes.push_back("arrow from " + name.at + " rto character " + side + "character " + num(lines_up) +
                                   " nohead linecolor rgb '" + colour::grey + "'");
        return true;
    };
    for (const PointName& name : names) {
        bool written = false;
        for (const double lines_up :
             name.brief.empty() ? std::vector<double>{-0.8} : std::vector{0.0, 0.8, -0.8, 1.8, -1.8})
            written = written || write(name, name.text, lines_up);
        if (!written && !name.brief.empty()) write(name, name.brief, 0);
    }
}

Chart::Chart(std::string the_output, std::string the_title, std::string the_source)
    : output(std::move(the_output)),
      title(std::move(the_title)),
      source(std::move(the_source)),
      panels(1),
      place(panel_below(title)) {
    panel().place = place;
}

void make_room(Chart& chart) {
    const std::vector<std::string> titles = titles_of(chart.panel());
    if (titles.empty()) return;
    const std::size_t columns = chart.legend_columns > 0 ? chart.legend_columns : legend_columns(titles);
    const std::size_t title_rows = chart.title.empty() ? 0 : 1;
    make_room_for_legend(chart.panel().place, titles.size(), columns,
                         chart.legend_rows - std::min(title_rows, chart.legend_rows - 1), chart.source);
}

namespace {

/// Leaves one mark of each series at each place of a raster, which is finer than a mark: what lies under others would
/// make files of many megabytes. Drops marks outside of the axes, too. @return whether it left out any
bool thin_marks(ChartPanel& panel, std::size_t number) {
    constexpr std::size_t kMany = 10'000;
    constexpr double kColumns = 168, kRows = 104;  // 4 of the canvas's pixels
    const auto place = [](const ChartAxis& axis, double value, double places) {
        const double part = axis.log ? std::log(value / axis.from) / std::log(axis.to / axis.from)
                                     : (value - axis.from) / (axis.to - axis.from);
        return part >= 0 && part <= 1 ? std::int64_t(part * places) : -1;
    };
    bool thinned = false;
    for (Series& series : panel.series) {
        if (series.rows.size() < kMany || series.look.rfind("with points", 0) != 0 || !series.under.empty()) continue;
        if (std::isnan(panel.x.from + panel.x.to + panel.y.from + panel.y.to)) continue;
        std::set<std::pair<std::int64_t, std::int64_t>> taken;
        Figure::Rows left;
        for (const auto& row : series.rows) {
            const auto x = place(panel.x, row[0], kColumns), y = place(panel.y, row[1], kRows);
            if (x >= 0 && y >= 0 && taken.emplace(x, y).second) left.push_back(row);
        }
        series.rows = std::move(left);
        series.name += "_of_panel" + std::to_string(number);
        series.comment += (series.comment.empty() ? "" : "; ") + std::string("one of the marks that cover each other");
        thinned = true;
    }
    return thinned;
}

}  // namespace

void draw_chart(Chart chart) {
    if (chart.in_powers) {
        std::vector<ChartPanel*> all;
        for (ChartPanel& panel : chart.panels) {
            all.push_back(&panel);
            scale({&panel}, &ChartPanel::y, true);
        }
        scale(all, &ChartPanel::x, false);
    }
    std::size_t number = 0;
    for (ChartPanel& panel : chart.panels)
        for (Series& series : panel.series)
            if (++number; series.name.empty()) series.name = "curve" + std::to_string(number);
    bool thinned = false;
    for (std::size_t i = 0; i < chart.panels.size(); ++i) thinned = thin_marks(chart.panels[i], i + 1) || thinned;
    if (thinned) chart.source += "; of marks that cover each other one is drawn";
    if (chart.panels.size() == 1) make_room(chart);

    Figure figure(chart.output, chart.source);
    std::ostream& out = figure.script();
    std::set<std::string> written;
    for (const ChartPanel& panel : chart.panels)
        for (const Series& series : panel.series) {
            if (series.rows.empty() || !written.insert(series.name).second) continue;
            if (!series.comment.empty()) out << gnuplot_comment(series.comment);
            figure.data(series.name, series.rows);
        }
    out << '\n';
    if (chart.panels.size() > 1) out << "set multiplot\n";
    write_title(out, chart.title);
    if (!chart.x.label.empty()) write_x_label(out, chart.x.label, chart.place);
    if (!chart.y.label.empty()) write_y_label(out, chart.y.label, chart.place);
    for (const std::string& setting : chart.settings) out << "set " << setting << '\n';
    for (const ChartPanel& panel : chart.panels) {
        const bool first = &panel == &chart.panels.front();
        if (!first) out << "\nunset label; unset arrow; unset object\n";
        write_panel(out, panel, first);
        write_key(out, chart, panel);
        if (panel.larger_marks != 1) out << "mark = " << num(panel.larger_marks) << " * mark\n";
        write_plot(out, panel);
    }
    if (chart.panels.size() > 1) out << "unset multiplot\n";
    figure.finish();
}

}  // namespace watershed
