// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace watershed {

// The look that all figures share.

/// Okabe and Ito's palette, "Color universal design" (2008), which colour-blind readers can tell apart.
namespace colour {
constexpr auto black = "#000000";
constexpr auto orange = "#E69F00";
constexpr auto sky_blue = "#56B4E9";
constexpr auto green = "#009E73";
constexpr auto blue = "#0072B2";
constexpr auto vermilion = "#D55E00";
constexpr auto purple = "#CC79A7";
constexpr auto grey = "#808080";
}  // namespace colour

/// Returns the `set terminal` for the kind of file that a name ends in, and the variable `mark`, by which point sizes
/// are multiplied. @pre OutputFile::expect_figure() accepts the name
std::string terminal_for(const std::string& path);

/// Borders, grid, and the line at the bottom that says where the data come from.
/// All screen lengths that the figures use refer to a canvas of 4:3.
void write_style(std::ostream& script, const std::string& source);

/// The part of the canvas inside the axes, in fractions of it, as `set lmargin at screen` takes them.
struct Panel {
    double left = 0.135;
    double right = 0.97;
    double bottom = 0.145;
    double top = 0.865;
};

/// Rows of a legend for which there is room above a panel.
inline constexpr std::size_t kLegendRows = 3;
/// Columns of titles that stand side by side above a panel.
std::size_t legend_columns(const std::vector<std::string>& titles);
/// Lowers the panel's top for a legend of more rows than there is room for above it. @param count  titles
/// @throws InputError that begins with `source` if so many titles leave no room for the panel
void make_room_for_legend(Panel& panel, std::size_t count, std::size_t columns, std::size_t rows_with_room,
                          const std::string& source);

/// A text of at most so many letters; wide ones count twice. A longer one has … for what it lacks in its middle.
std::string shortened(const std::string& text, std::size_t most);
/// The title of a curve for gnuplot, no longer than a legend is wide.
std::string legend_text(const std::string& title);
/// Returns "lines", or a mark for a single point, which makes no line.
std::string line_or_point(std::size_t points);

void write_panel(std::ostream& script, const Panel& panel);
/// The usual panel, lower if there is a title.
Panel panel_below(const std::string& title);
/// Equal panels in rows from the upper left on, with gaps between them in fractions of the canvas.
std::vector<Panel> panel_grid(const Panel& all, std::size_t columns, std::size_t rows, double gap_x, double gap_y);
/// Puts the legend above the panel, its columns as wide as the titles need.
void write_legend(std::ostream& script, const Panel& panel, const std::vector<std::string>& titles);
void write_x_label(std::ostream& script, const std::string& text, const Panel& panel);
/// At the edge of the canvas, beside the panel; a newline begins a second line.
void write_y_label(std::ostream& script, const std::string& text, const Panel& panel, bool right = false);
/// Gives an SVG figure its name and what to see in it, for readers who do not see it and for pages that show it.
/// @param file  of any kind; others stay as they are. @throws std::runtime_error if it cannot be written
void describe_svg(const std::string& file, const std::string& title, const std::string& what_to_see);

/// Above the legend.
void write_title(std::ostream& script, const std::string& title);

/// A number with so many significant digits and no exponent: "38.37", "9058".
std::string plain_number(double value, int digits);

/// End of an axis that begins at 0 and leaves `room` above the largest value; 1 if nothing is larger than 0, as an
/// axis needs a width.
double axis_end(double largest, double room = 1.12);

/// 1, 2 or 5 times a power of ten, three to seven of which make up the width of a small panel; 1 for one without width.
double tic_step(double width);

/// Ticks of a logarithmic axis as `set xtics` takes them: "('20' 20, '50' 50)"; at least two, and not many more than
/// `most`. "autofreq" for a range that no logarithmic axis can have.
std::string log_tics(double low, double high, std::size_t most);

/// For a logarithmic axis on which less than two powers of ten lie, and gnuplot would label one at most: other tics, or
/// nothing.
std::string tics_of_few_powers(double low, double high);

/// How a quantity is drawn: itself, or where all of it lies close together its deviation from a reference.
struct Axis {
    std::string label, unit;
    double unit_size = 1;
    double reference = 0, scale = 1;

    double operator()(double value) const { return (value - reference) * scale; }
};

/// As many digits as tell values apart that differ by this part of themselves.
int digits_for(double spread);

/// The axis of a quantity that lies between `low` and `high`.
/// @param unit "bytes" become kB or MB, "frames" and "frames/s" millions where they are so many
/// @param reference above 0, in `unit`
Axis axis_for(const std::string& quantity, std::string unit, double reference, double low, double high);

/// A common factor of all numbers at an axis, which leaves them few digits.
struct AxisPower {
    int exponent = 0;  ///< power of ten, a multiple of three

    double operator()(double value) const;
    /// "data / (Gb/s)" becomes "data / (10⁹ Gb/s)".
    std::string label(const std::string& text) const;
};

/// None for numbers between a thousandth and a million. @param largest  at the axis, by its size
AxisPower axis_power(double largest);

}  // namespace watershed
