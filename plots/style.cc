// SPDX-License-Identifier: GPL-2.0-only
#include "plots/style.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "plots/gnuplot.h"
#include "scenarios/input-error.h"
#include "scenarios/output-file.h"

namespace watershed {

std::string terminal_for(const std::string& path) {
    // One look in three formats: 800 x 600 at 17 points, for a text column of 16 cm scaled by 453.5 / 800 points, for pixels doubled.
    const std::string kind = std::filesystem::path(path).extension().string();
    if (kind == ".svg") return "set terminal svg noenhanced size 800,600 font 'DejaVu Sans,Helvetica,Arial,sans-serif,17' background rgb 'white'";
    if (kind == ".pdf") return "set terminal pdfcairo noenhanced size 16cm,12cm font 'DejaVu Sans,17' fontscale 0.567 linewidth 1.5";
    if (kind == ".png") return "set terminal pngcairo noenhanced size 1600,1200 font 'DejaVu Sans,17' fontscale 1.5 linewidth 2 pointscale 2 background rgb 'white'";
    throw InputError("\"" + path + "\": expected a figure's name that ends in .svg, .pdf or .png");
}

void write_style(std::ostream& script, const std::string& source) {
    script << "set encoding utf8\n"
              "set datafile missing 'nan'\n"
              "set border 3 linecolor rgb '#404040'\n"
              "set tics nomirror scale 0.6 textcolor rgb '#202020'\n"
              "set grid back linetype 1 linecolor rgb '#E6E6E6' linewidth 0.8\n"
              "set key at screen 0.54, screen 0.925 center center horizontal Left reverse samplen 1.8 width 0 maxrows 2\n"
              "set label 1000 "
           << gnuplot_text("data: " + source + " · " + Provenance::program()) << " at screen 0.985, screen 0.022 right font ',12' textcolor rgb '#707070'\n";
}

void write_panel(std::ostream& script, const Panel& panel) {
    script << "set lmargin at screen " << panel.left << "; set rmargin at screen " << panel.right << "; set bmargin at screen " << panel.bottom
           << "; set tmargin at screen " << panel.top << '\n';
}

void write_title(std::ostream& script, const std::string& title) {
    if (!title.empty()) script << "set label 1001 " << gnuplot_text(title) << " at screen 0.54, screen 0.975 center font ',18'\n";
}

double tic_step(double width) {
    const double power = std::pow(10, std::floor(std::log10(width / 3)));
    const double rest = width / 3 / power;
    return power * (rest >= 5 ? 5 : rest >= 2 ? 2 : 1);
}

std::string plain_number(double value, int digits) {
    const int magnitude = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value))));
    char text[64];
    const bool whole = value == std::floor(value);
    std::snprintf(text, sizeof text, "%.*f", whole ? 0 : std::max(0, digits - 1 - magnitude), value);
    return text;
}

}  // namespace watershed
