// SPDX-License-Identifier: GPL-2.0-only
#include "plots/style/style.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "plots/style/gnuplot.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/output-file.h"
#include "scenarios/text/readable.h"

namespace watershed {
namespace {

// Letters that fit on a canvas of 800 x 600, where those of the legend are 8.3 wide, and of the title 10.
constexpr std::size_t kLegendLetters = 64, kTitleLetters = 64, kSourceLetters = 90;
constexpr double kLegendRow = 0.04;  ///< height of a row, in parts of the canvas
constexpr double kLowestTop = 0.4;   ///< lowest top of a panel below a legend

double middle(double a, double b) { return (a + b) / 2; }

bool begins_letter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

/// 2 for letters such as those of Chinese, whose first byte in UTF-8 is this or more.
std::size_t width_of(char first_byte) {
    constexpr unsigned char kWide = 0xE3;
    return static_cast<unsigned char>(first_byte) >= kWide ? 2 : 1;
}

std::size_t longest_of(const std::vector<std::string>& titles) {
    std::size_t longest = 0;
    for (const std::string& title : titles) longest = std::max(longest, shortened(title, kLegendLetters).size());
    return longest;
}

}  // namespace

std::string terminal_for(const std::string& path) {
    // One look in three formats: letters, lines and marks take the same part of a canvas of 800 x 600, of 16 cm, and of
    // 1600 x 1200.
    const std::string kind = std::filesystem::path(path).extension().string();
    if (kind == ".svg")
        return "set terminal svg noenhanced size 800,600 font 'DejaVu Sans,Helvetica,Arial,sans-serif,18' background "
               "rgb 'white'\nmark = 0.62";
    if (kind == ".pdf")
        return "set terminal pdfcairo noenhanced size 16cm,12cm font 'DejaVu Sans,18' fontscale 0.425 linewidth "
               "1.3\nmark = 0.85";
    return "set terminal pngcairo noenhanced size 1600,1200 font 'DejaVu Sans,18' fontscale 1.5 linewidth 2 "
           "pointscale 2 background rgb 'white'\nmark = 1.1";
}

void write_style(std::ostream& script, const std::string& source) {
    script << "set encoding utf8\n"
              "set datafile missing 'nan'\n"
              "set border 3 linecolor rgb '#404040'\n"
              "set tics nomirror scale 0.6 textcolor rgb '#202020'\n"
              "set grid back linetype 1 linecolor rgb '#E6E6E6' linewidth 0.8\n"
              "set label 1000 "
           << gnuplot_text("data: " + shortened(source, kSourceLetters) + " · " + Provenance::program())
           << " at screen 0.985, screen 0.022 right font ',12' textcolor rgb '#707070'\n";
}

void write_panel(std::ostream& script, const Panel& panel) {
    script << "set lmargin at screen " << panel.left << "; set rmargin at screen " << panel.right
           << "; set bmargin at screen " << panel.bottom << "; set tmargin at screen " << panel.top << '\n';
}

Panel panel_below(const std::string& title) {
    Panel panel;
    if (!title.empty()) panel.top = 0.83;
    return panel;
}

std::size_t legend_columns(const std::vector<std::string>& titles) {
    const std::size_t longest = longest_of(titles);
    return longest > 29 ? 1 : longest > 17 ? 2 : 3;
}

void make_room_for_legend(Panel& panel, std::size_t count, std::size_t columns, std::size_t rows_with_room,
                          const std::string& source) {
    const std::size_t rows = (count + columns - 1) / columns,
                      most_rows =
                          rows_with_room + static_cast<std::size_t>((panel.top - kLowestTop) / kLegendRow + 1e-9);
    if (rows > most_rows)
        throw InputError(source + ": found " + std::to_string(count) + " titles of curves, expected at most " +
                         std::to_string(most_rows * columns) + ", for which the legend has room");
    if (rows > rows_with_room) panel.top -= kLegendRow * static_cast<double>(rows - rows_with_room);
}

std::string shortened(const std::string& text, std::size_t most) {
    std::size_t width = 0;
    for (const char byte : text)
        if (begins_letter(byte)) width += width_of(byte);
    if (width <= most) return text;
    const std::size_t at_end = (most - 1) / 2, at_start = most - 1 - at_end;
    std::size_t start = 0, end = text.size();
    for (std::size_t i = 0, used = 0; i < text.size(); ++i) {
        if (!begins_letter(text[i])) continue;
        start = i;  // end of the letters before it
        used += width_of(text[i]);
        if (used > at_start) break;
    }
    for (std::size_t i = text.size(), used = 0; i-- > start;) {
        if (!begins_letter(text[i])) continue;
        used += width_of(text[i]);
        if (used > at_end) break;
        end = i;
    }
    return text.substr(0, start) + "…" + text.substr(end);
}

std::string legend_text(const std::string& title) { return gnuplot_text(shortened(title, kLegendLetters)); }

std::string line_or_point(std::size_t points) {
    return points == 1 ? "points pointtype 6 pointsize 1.3 * mark" : "lines";
}

std::vector<Panel> panel_grid(const Panel& all, std::size_t columns, std::size_t rows, double gap_x, double gap_y) {
    const double width = (all.right - all.left + gap_x) / static_cast<double>(columns) - gap_x,
                 height = (all.top - all.bottom + gap_y) / static_cast<double>(rows) - gap_y;
    std::vector<Panel> panels;
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column) {
            const double left = all.left + static_cast<double>(column) * (width + gap_x),
                         top = all.top - static_cast<double>(row) * (height + gap_y);
            panels.push_back({left, left + width, top - height, top});
        }
    return panels;
}

void write_legend(std::ostream& script, const Panel& panel, const std::vector<std::string>& titles) {
    // gnuplot counts bytes, and takes each for wider than the letters of this font are; the columns would not fit side
    // by side, and what has no room above the figure then is left out. For SVG it has no measure of letters at all.
    const auto longest = static_cast<double>(longest_of(titles));
    // Long titles would run into their neighbours in as many columns as gnuplot finds room for.
    const std::size_t columns = legend_columns(titles);
    const double narrow = std::max(-6.0, 4 - 0.4 * longest), width_in_svg = std::min(narrow, 0.5 - 0.17 * longest),
                 width = columns < 3 ? std::max(-1.5, narrow) : narrow;
    script << "set key at screen " << middle(panel.left, panel.right) << ", screen " << panel.top + 0.015
           << " center bottom horizontal Left reverse samplen 1.8 font ',16' width (GPVAL_TERM eq 'svg' ? "
           << width_in_svg << " : " << width << ")" << (columns < 3 ? " maxcols " + std::to_string(columns) : "")
           << '\n';
}

void write_x_label(std::ostream& script, const std::string& text, const Panel& panel) {
    // gnuplot places its own at a distance that differs between terminals.
    script << "set label " << gnuplot_text(text) << " at screen " << middle(panel.left, panel.right) << ", screen "
           << panel.bottom - 0.085 << " center\n";
}

void write_y_label(std::ostream& script, const std::string& text, const Panel& panel, bool right) {
    // gnuplot places its own outside the tic labels, and off the canvas if these are long.
    script << "set label " << gnuplot_lines(text) << " at screen " << (right ? 0.982 : 0.024) << ", screen "
           << middle(panel.bottom, panel.top) << " center rotate by 90\n";
}

void write_title(std::ostream& script, const std::string& title) {
    if (!title.empty())
        script << "set label 1001 " << gnuplot_text(shortened(title, kTitleLetters))
               << " at screen 0.55, screen 0.97 center font ',19'\n";
}

void describe_svg(const std::string& file, const std::string& title, const std::string& what_to_see) {
    if (std::filesystem::path(file).extension() != ".svg") return;
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    std::string svg = text.str();
    const auto begin = svg.find("<title>"), end = svg.find("</desc>");
    if (begin == std::string::npos || end == std::string::npos || end < begin) return;
    const auto escaped = [](const std::string& words) {
        std::string html;
        for (const char c : words)
            html += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
        return html;
    };
    svg.replace(begin, end - begin, "<title>" + escaped(title) + "</title>\n<desc>" + escaped(what_to_see));
    OutputFile(file).write(svg);
}

double axis_end(double largest, double room) { return largest > 0 ? room * largest : 1; }

double tic_step(double width) {
    if (!(width > 0 && std::isfinite(width))) return 1;
    const double power = std::pow(10, std::floor(std::log10(width / 3)));
    const double rest = width / 3 / power;
    return power * (rest >= 5 ? 5 : rest >= 2 ? 2 : 1);
}

std::string log_tics(double low, double high, std::size_t most) {
    if (!(low > 0 && high > low && std::isfinite(high))) return "autofreq";
    std::vector<double> chosen;
    for (const std::vector<double>& parts : {std::vector<double>{1}, {1, 3}, {1, 2, 5}, {1, 1.5, 2, 3, 5, 7}}) {
        std::vector<double> here;
        for (double decade = std::pow(10, std::floor(std::log10(low))); decade <= high; decade *= 10)
            for (const double part : parts)
                if (part * decade >= low && part * decade <= high) here.push_back(part * decade);
        if (chosen.size() < 2 || here.size() <= most) chosen = here;
    }
    if (chosen.size() < 2) {
        chosen.clear();
        const double step = tic_step(high - low);
        for (double at = std::ceil(low / step) * step; at <= high; at += step) chosen.push_back(at);
    }
    std::ostringstream out;
    for (const double& at : chosen)
        out << (&at == &chosen.front() ? "(" : ", ") << '\'' << plain_number(at, 2) << "' " << at;
    out << ')';
    return out.str();
}

std::string tics_of_few_powers(double low, double high) {
    constexpr std::size_t kTics = 6;
    const bool two_powers = std::floor(std::log10(high)) - std::ceil(std::log10(low)) >= 1;
    return two_powers ? "" : log_tics(low, high, kTics);
}

std::string plain_number(double value, int digits) {
    const int magnitude = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value))));
    char text[64];
    const bool whole = value == std::floor(value);
    std::snprintf(text, sizeof text, "%.*f", whole ? 0 : std::max(0, digits - 1 - magnitude), value);
    return text;
}

int digits_for(double spread) {
    return std::max(4, 2 + static_cast<int>(std::ceil(-std::log10(std::max(spread, 1e-12)))));
}

Axis axis_for(const std::string& quantity, std::string unit, double reference, double low, double high) {
    const double spread = (high - low) / reference;
    double unit_size = 1;
    if (unit == "bytes" && reference >= 1e4) {
        unit = reference >= 1e6 ? "MB" : "kB";
        unit_size = reference >= 1e6 ? 1e6 : 1e3;
    }
    constexpr double kMillion = 1e6;  // from here on numbers would have exponents
    if ((unit == "frames" || unit == "frames/s") && high >= kMillion) unit = "million " + unit, unit_size = kMillion;
    if (spread > 0.1) return {quantity + " / " + unit, unit, unit_size, 0, 1 / unit_size};
    const bool percent = spread > 1e-4;
    return {quantity + ", deviation from " + plain_number(reference / unit_size, digits_for(spread)) + ' ' + unit +
                (percent ? " / %" : " / ppm"),
            unit, unit_size, reference, (percent ? 1e2 : 1e6) / reference};
}

double AxisPower::operator()(double value) const { return exponent == 0 ? value : value / std::pow(10, exponent); }

std::string AxisPower::label(const std::string& text) const {
    if (exponent == 0) return text;
    const std::string power = power_of_ten(exponent);
    const auto slash = text.find(" / ");
    if (slash == std::string::npos) return text + " / " + power;
    const std::string quantity = text.substr(0, slash + 3), unit = text.substr(slash + 3);
    return quantity + '(' + power + ' ' + (unit.front() == '(' ? unit.substr(1) : unit + ')');
}

AxisPower axis_power(double largest) {
    constexpr double kLeast = 1e-3, kMost = 1e6;
    if (!std::isfinite(largest) || largest == 0 || (largest >= kLeast && largest < kMost)) return {};
    return {3 * static_cast<int>(std::floor(std::log10(largest) / 3))};
}

}  // namespace watershed
