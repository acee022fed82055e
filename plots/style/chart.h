// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "plots/style/gnuplot.h"
#include "plots/style/style.h"

/// A figure as data: panels, axes, series, notes. draw_chart() alone writes the gnuplot script, and quotes each text.
namespace watershed {

/// A number with 12 digits, as a script takes it.
std::string num(double value);

// Looks: the end of an element of gnuplot's plot command, without its title.

/// "linecolor rgb '#0072B2' linewidth 1.8 dashtype 1"
std::string stroke(const std::string& colour, double width, int dash = 1);
std::string lines(const std::string& colour, double width = 1.8, int dash = 1);
/// @param type  gnuplot's pointtype
std::string points(const std::string& colour, int type, double size = 1, double width = 1);
/// A curve with a mark at each point.
std::string marked_lines(const std::string& colour, int type, double size = 0.9);
/// The area between columns 2 and 3, or below column 2: `kind` as gnuplot's filledcurves takes it.
std::string filled(const std::string& colour, double solid, const std::string& kind = "");
/// A horizontal bar at each y of column 2, from `from` to column 1.
std::string bars(const std::string& colour, double from);

/// A line across the panel at this height, or upright at this place.
std::string across(double y, const std::string& stroke);
std::string upright(double x, const std::string& stroke);

struct Series {
    std::string title;  ///< in the legend; none: not in it
    Figure::Rows rows;  ///< none: a sample of the look, in the legend alone
    std::string look;   ///< columns 1:2, unless it begins with "using"; a line of one place becomes a mark
    std::vector<std::string> under{};  ///< further looks of the same data, drawn first and without a title
    std::string name{};     ///< name of the block of data, once for all series of it; otherwise curve1, curve2, …
    std::string comment{};  ///< above the data: what the columns are
};

struct ChartAxis {
    std::string label{};
    double from = NAN, to = NAN;  ///< NaN: the end of the data
    bool log = false;
    std::string tics{};  ///< as gnuplot takes them: a step, or a list of numbers; "none"
    std::vector<std::pair<std::string, double>> names{};  ///< tics that are texts
    std::string tics_look{};                              ///< behind them
    std::string format{};                                 ///< format of the numbers, as printf() takes it
    bool bare = false;                                    ///< tics without numbers
};

/// A text in the panel. @param at  as gnuplot's label takes it: "graph 0.5, graph 0.5 center font ',20'"
struct Label {
    std::string text, at;
};

/// A name beside a point. @param x, y  of the point, in parts of the panel
struct PointName {
    double x = 0, y = 0;
    std::string at;  ///< the point, as gnuplot's label takes it
    std::string text;
    std::string brief{};  ///< name if there is no room for the text; none: no name then
};

struct ChartPanel {
    Panel place{};
    ChartAxis x{}, y{}, right{};  ///< a label of `right` gives the panel that axis
    std::vector<Series> series{};
    std::vector<Label> notes{};
    std::vector<std::string> shapes{};  ///< "arrow …", "object …", or a setting
    double larger_marks = 1;            ///< than in other panels
};

/// Writes names at the right of their points, or at the left where the panel ends. None lies on another, or on one of
/// these points, which are in parts of the panel, too.
void name_points(ChartPanel& panel, const std::vector<PointName>& names,
                 const std::vector<std::pair<double, double>>& points);

struct Chart {
    /// One panel with room for a legend above it, and for a title if there is one.
    Chart(std::string the_output, std::string the_title, std::string the_source);

    ChartPanel& panel() { return panels.front(); }

    std::string output, title, source;  ///< source: what the data are, for the line at the bottom
    std::vector<ChartPanel> panels;
    ChartAxis x{}, y{};                     ///< labels of all panels together, around `place`
    Panel place;                            ///< all panels
    std::size_t legend_columns = 0;         ///< 0: as many as its titles leave room for
    bool wide_legend = false;               ///< as wide as the canvas, or all panels if there are several
    double legend_sample = 0;               ///< length of a line in the legend; 0: as usual
    std::size_t legend_rows = kLegendRows;  ///< for which there is room above the panel
    bool in_powers = false;                 ///< large numbers count in a power of a thousand, which the axis names
    std::vector<std::string> settings{};    ///< settings of all panels: "style fill solid 0.75 noborder"
};

/// Lowers the first panel for its legend, which draw_chart() does for a chart of one panel.
/// @throws InputError if there is no room
void make_room(Chart& chart);

/// @throws InputError if the legend has no room, or the output's name is wrong; std::runtime_error if gnuplot fails
void draw_chart(Chart chart);

}  // namespace watershed
