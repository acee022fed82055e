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

constexpr Convention kConventions[] = {
    {"payload", colour::orange, "(2,4)", 3},
    {"payload + UDP + IP", colour::purple, "(10,5)", 4},
    {"Ethernet frame", colour::green, "(10,4,2,4)", 5},
    {"wire slot", colour::black, "solid", 6},
};

/// The row that the text beside the curve is about: the paper's 44 ports if they are there, else the most ports.
const Saturation::Row& explained_row(const std::vector<Saturation::Row>& rows) {
    constexpr std::int64_t kPaperPorts = 44;
    const auto found = std::find_if(rows.begin(), rows.end(), [](const Saturation::Row& row) { return row.ports == kPaperPorts; });
    return found == rows.end() ? rows.back() : *found;
}

void write_explanation(std::ostream& out, const Saturation::Row& row, double top) {
    // The paper states 27 kHz for 1024 B on 44 ports.
    const bool as_in_paper = row.ports == 44 && std::abs(row.payload_ip_udp_limit - 27.0) < 0.05;
    const std::string counted = as_in_paper ? "the paper's 27 kHz counts payload + UDP + IP only" : "counting payload + UDP + IP only: " + plain_number(row.payload_ip_udp_limit, 4) + " kHz";
    const double y = row.wire_limit + 0.42 * (top - row.wire_limit);
    out << "set label " << gnuplot_text(std::to_string(row.ports) + " ports: " + plain_number(row.wire_limit, 4) + " kHz on the wire") << " at graph 0.985, first " << y
        << " right offset 0, character 1.9\nset label " << gnuplot_text(counted) << " at graph 0.985, first " << y << " right offset 0, character 0.7 font ',14'\n"
        << "set arrow from " << row.ports << ", " << y << " to " << row.ports << ", " << row.wire_limit + 0.03 * top << " head filled size screen 0.012,20 linecolor rgb '#404040'\n";
}

}  // namespace

void draw_saturation(const FigureRequest& request) {
    const Inputs inputs = read_inputs(request.inputs, {InputKind::Saturation});
    std::vector<Saturation::Row> rows;
    for (const Saturation& saturation : inputs.saturations) rows.insert(rows.end(), saturation.rows.begin(), saturation.rows.end());
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.ports < b.ports; });
    double highest = 0;
    Figure::Rows table, relative;
    for (const Saturation::Row& row : rows) {
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

    const auto plot = [&](const std::string& block, bool titles) {
        const char* separator = "plot ";
        for (const Convention& convention : kConventions) {
            out << separator << '$' << block << " using 1:" << convention.column << " with lines linewidth 1.8 dashtype " << convention.dash << " linecolor rgb '"
                << convention.colour << "' " << (titles ? "title 'limit: " + std::string(convention.name) + "'" : "notitle");
            separator = ", \\\n     ";
        }
        out << separator << '$' << block << " using 1:2 with points pointtype 7 pointsize 0.9 linecolor rgb '" << colour::blue << "' "
            << (titles ? "title 'saturation'" : "notitle") << '\n';
    };
    const double top = 1.15 * highest;
    out << "\nset multiplot\n";
    write_title(out, request.title);
    write_panel(out, {0.115, 0.97, 0.43, 0.865});
    out << "set xrange [" << static_cast<double>(rows.front().ports) - 1 << ':' << rows.back().ports + 1 << "]; set yrange [0:" << top << "]\n"
        << "set format x ''; set ylabel 'saturation frequency / kHz' offset character 0.5, 0\n";
    write_explanation(out, explained_row(rows), top);
    plot("frequency", true);
    out << "\n# below: what the curves above hide\nunset label; unset arrow; unset key\n";
    write_panel(out, {0.115, 0.97, 0.145, 0.385});
    out << "set format x; set xlabel 'loaded ports'; set ylabel \"relative to\\nthe wire limit / %\" offset character 0.5, 0\n"
           "set yrange [98.5:*]; set ytics 2\n";
    plot("relative", false);
    out << "unset multiplot\n";
    figure.finish();
}

}  // namespace watershed
