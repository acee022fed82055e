// SPDX-License-Identifier: GPL-2.0-only
// Figure 3 of Hoffmann et al., "Stress testing Ethernet Switches for NectarCAM ..." (ICRC 2015).
#include <algorithm>
#include <cmath>

#include "plots/figures.h"
#include "plots/gnuplot.h"
#include "plots/inputs.h"
#include "plots/style.h"
#include "scenarios/input-error.h"

namespace watershed {
namespace {

/// A meaning of "the size of a frame" and its column in the data blocks.
struct Convention {
    const char* name;
    const char* colour;
    const char* dash;
    int column;
};

const std::string kLimitTitle = "what the uplink carries", kSaturationTitle = "highest frequency without loss";

constexpr int kWireColumn = 6;
constexpr Convention kConventions[] = {
    {"payload", colour::orange, "3", 3},
    {"payload + UDP + IP", colour::purple, "2", 4},
    {"Ethernet frame", colour::green, "4", 5},
    {"wire slot", colour::black, "1", kWireColumn},
};

/// The row that the text beside the curve is about: the paper's 44 ports if they are there, else the most ports.
const SaturationFile::Row& explained_row(const std::vector<SaturationFile::Row>& rows) {
    constexpr std::int64_t kPaperPorts = 44;
    const auto found = std::find_if(rows.begin(), rows.end(), [](const SaturationFile::Row& row) { return row.ports == kPaperPorts; });
    return found == rows.end() ? rows.back() : *found;
}

void write_explanation(std::ostream& out, const SaturationFile::Row& row, double top) {
    // The paper states 27 kHz for 1024 B on 44 ports.
    const bool as_in_paper = row.ports == 44 && std::abs(row.payload_ip_udp_limit - 27.0) < 0.05;
    const std::string counted = as_in_paper ? "the paper's 27 kHz counts payload + UDP + IP only" : "counting payload + UDP + IP only: " + plain_number(row.payload_ip_udp_limit, 4) + " kHz";
    const double y = row.wire_limit + 0.42 * (top - row.wire_limit);
    out << "set label " << gnuplot_text(std::to_string(row.ports) + " ports: " + plain_number(row.wire_limit, 4) + " kHz on the wire") << " at graph 0.985, first " << y
        << " right offset 0, character 1.9\nset label " << gnuplot_text(counted) << " at graph 0.985, first " << y << " right offset 0, character 0.7 font ',15'\n"
        << "set arrow from " << row.ports << ", " << y << " to " << row.ports << ", " << row.wire_limit + 0.03 * top << " head filled size screen 0.012,20 linecolor rgb '#404040'\n";
}

}  // namespace

void draw_saturation(const FigureRequest& request) {
    const Inputs inputs = read_inputs(request.inputs, {InputKind::Saturation});
    std::vector<SaturationFile::Row> rows;
    for (const SaturationFile& saturation : inputs.saturations) rows.insert(rows.end(), saturation.rows.begin(), saturation.rows.end());
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.ports < b.ports; });
    double highest = 0;
    Figure::Rows table, relative;
    for (const SaturationFile::Row& row : rows) {
        highest = std::max(highest, row.measured);
        table.push_back({static_cast<double>(row.ports), row.measured, row.payload_limit, row.payload_ip_udp_limit, row.frame_limit, row.wire_limit});
        relative.push_back(table.back());
        for (std::size_t i = 1; i < relative.back().size(); ++i) relative.back()[i] *= 100 / row.wire_limit;
    }

    Figure figure(request.output, inputs.source());
    std::ostream& out = figure.script();
    out << "\n# ports, then in kHz: saturation, and what the uplink allows counting payload, payload + UDP + IP, Ethernet frame, wire slot\n";
    figure.data("frequency", table);
    out << "# the same relative to the wire slot, in percent\n";
    figure.data("relative", relative);

    const auto plot = [&](const std::string& block) {
        const char* separator = "plot ";
        for (const Convention& convention : kConventions) {
            out << separator << '$' << block << " using 1:" << convention.column << " with lines linewidth 1.8 dashtype " << convention.dash << " linecolor rgb '"
                << convention.colour << "' " << (convention.column == kWireColumn ? "title '" + kLimitTitle + "'" : std::string("notitle"));
            separator = ", \\\n     ";
        }
        out << separator << '$' << block << " using 1:2 with points pointtype 7 pointsize 0.9 * mark linecolor rgb '" << colour::blue << "' title '" << kSaturationTitle << "'\n";
    };
    const double top = 1.15 * highest;
    out << "\nset multiplot\n";
    write_title(out, request.title);
    Panel above = panel_below(request.title), below;
    above.bottom = 0.5, below.top = 0.46;
    write_legend(out, above, {kLimitTitle, kSaturationTitle});
    write_panel(out, above);
    out << "set xrange [" << static_cast<double>(rows.front().ports) - 1 << ':' << rows.back().ports + 1 << "]; set yrange [0:" << top << "]\n"
        << "set format x ''\n";
    write_y_label(out, "trigger frequency / kHz", above);
    write_explanation(out, explained_row(rows), top);
    plot("frequency");
    out << "\n# below: what the curves above hide\nunset label; unset arrow; unset key\nset format x; set ytics 2\n"
        << "set yrange [97.5:" << 1.025 * relative.back()[2] << "]\n";
    write_panel(out, below);
    write_x_label(out, "loaded ports", below);
    write_y_label(out, "relative to\nthe wire limit / %", below);
    for (const Convention& convention : kConventions)
        out << "set label 'frame size = " << convention.name << "' at graph 0.985, first " << relative.back()[static_cast<std::size_t>(convention.column) - 1]
            << " right offset 0, character " << (convention.column == kWireColumn ? -0.7 : 0.5) << " font ',14'\n";
    plot("relative");
    out << "unset multiplot\n";
    figure.finish();
}

}  // namespace watershed
