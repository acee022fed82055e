// SPDX-License-Identifier: GPL-2.0-only
// Figure 3 of Hoffmann et al., "Stress testing Ethernet Switches for NectarCAM ..." (ICRC 2015).
#include <algorithm>
#include <cmath>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/style/gnuplot.h"
#include "plots/style/style.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

/// A meaning of "the size of a frame" and its column in $limits.
struct Convention {
    const char* name;
    const char* colour;
    const char* dash;
    int column;
};

const std::string kLimitTitle = "what the uplink carries", kSaturationTitle = "saturation, simulated";

constexpr int kWireColumn = 5;
constexpr Convention kConventions[] = {
    {"payload", colour::orange, "3", 2},
    {"payload + UDP + IP", colour::purple, "2", 3},
    {"Ethernet frame", colour::green, "4", 4},
    {"wire slot", colour::black, "1", kWireColumn},
};

/// The limits at every number of ports between the rows; they are inversely proportional to it.
Figure::Rows limits_between(const std::vector<SaturationFile::Row>& rows) {
    Figure::Rows limits;
    for (const SaturationFile::Row& row : rows) {
        const std::vector<double> now{static_cast<double>(row.ports), row.payload_limit, row.payload_ip_udp_limit,
                                      row.frame_limit, row.wire_limit};
        const std::vector<double> before = limits.empty() ? now : limits.back();
        for (double ports = before[0] + 1; ports < now[0]; ++ports) {
            const double part = (ports - before[0]) / (now[0] - before[0]);
            limits.push_back({ports});
            for (std::size_t i = 1; i < now.size(); ++i)
                limits.back().push_back(((1 - part) * before[0] * before[i] + part * now[0] * now[i]) / ports);
        }
        limits.push_back(now);
    }
    if (rows.size() == 1) {  // a line nonetheless
        limits.insert(limits.begin(), limits.front());
        limits.front()[0] -= 0.5;
        limits.back()[0] += 0.5;
    }
    return limits;
}

/// The row that the text beside the curve is about: the paper's 44 ports if they are there, else the most ports.
const SaturationFile::Row& explained_row(const std::vector<SaturationFile::Row>& rows) {
    constexpr std::int64_t kPaperPorts = 44;
    const auto found =
        std::find_if(rows.begin(), rows.end(), [](const SaturationFile::Row& row) { return row.ports == kPaperPorts; });
    return found == rows.end() ? rows.back() : *found;
}

void write_explanation(std::ostream& out, const SaturationFile::Row& row, double top) {
    // The paper states 27 kHz for 1024 B on 44 ports.
    const bool as_in_paper = row.ports == 44 && std::abs(row.payload_ip_udp_limit - 27.0) < 0.05;
    const std::string counted =
        as_in_paper ? "the paper's 27 kHz counts payload + UDP + IP only"
                    : "counting payload + UDP + IP only: " + plain_number(row.payload_ip_udp_limit, 4) + " kHz";
    // In the upper right corner, which the falling curve leaves free.
    const double y = 0.75 * top;
    out << "set label "
        << gnuplot_text(std::to_string(row.ports) + " ports: " + plain_number(row.wire_limit, 4) + " kHz on the wire")
        << " at graph 0.985, first " << y << " right offset 0, character 1.9\nset label " << gnuplot_text(counted)
        << " at graph 0.985, first " << y << " right offset 0, character 0.7 font ',15'\n";
    if (y - row.wire_limit > 0.1 * top)
        out << "set arrow from " << row.ports << ", " << y << " to " << row.ports << ", " << row.wire_limit + 0.03 * top
            << " head filled size screen 0.012,20 linecolor rgb '#404040'\n";
}

/// Few ports cannot fill an uplink: what they reach then is what their own links carry.
void write_module_limit(std::ostream& out, const std::vector<SaturationFile::Row>& rows) {
    const auto& first = rows.front();
    if (first.measured < 0.9 * first.wire_limit)
        out << "set label " << gnuplot_lines("limited by\nthe modules' links") << " at first " << first.ports
            << ", first " << first.measured << " left offset character -0.6, character -1.2 font ',13'\n";
}

}  // namespace

void draw_saturation(const FigureRequest& request) {
    const Inputs inputs = read_inputs(request.inputs, {InputKind::Saturation});
    std::vector<SaturationFile::Row> rows;
    for (const SaturationFile& saturation : inputs.saturations)
        rows.insert(rows.end(), saturation.rows.begin(), saturation.rows.end());
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.ports < b.ports; });
    double highest = 0;
    Figure::Rows measured;
    for (const SaturationFile::Row& row : rows) {
        highest = std::max(highest, row.measured);
        measured.push_back({static_cast<double>(row.ports), row.measured, row.wire_limit});
    }
    const Figure::Rows limits = limits_between(rows);

    Figure figure(request.output, inputs.source());
    std::ostream& out = figure.script();
    out << gnuplot_comment("ports, saturation / kHz, limit of the wire / kHz");
    figure.data("saturation", measured);
    out << gnuplot_comment(
        "ports, what the uplink allows in kHz when it counts payload, payload + UDP + IP, Ethernet frame, wire slot");
    figure.data("limits", limits);

    const auto plot = [&](bool relative) {
        const auto column = [&](int value, int wire) {
            const std::string cell = "$" + std::to_string(value);
            return relative ? "(100 * " + cell + " / $" + std::to_string(wire) + ")" : "(" + cell + ")";
        };
        const char* separator = "plot ";
        for (const Convention& convention : kConventions) {
            out << separator << "$limits using 1:" << column(convention.column, kWireColumn)
                << " with lines linewidth 1.8 dashtype " << convention.dash << " linecolor rgb '" << convention.colour
                << "' "
                << (convention.column == kWireColumn ? "title " + gnuplot_text(kLimitTitle) : std::string("notitle"));
            separator = ", \\\n     ";
        }
        out << separator << "$saturation using 1:" << column(2, 3)
            << " with points pointtype 7 pointsize 0.9 * mark linecolor rgb '" << colour::blue << "' title "
            << gnuplot_text(kSaturationTitle) << '\n';
    };
    const double top = 1.35 * highest;
    out << "\nset multiplot\n";
    write_title(out, request.title);
    Panel above = panel_below(request.title), below;
    above.bottom = 0.5, below.top = 0.46;
    write_legend(out, above, {kLimitTitle, kSaturationTitle});
    write_panel(out, above);
    out << "set xrange [" << static_cast<double>(rows.front().ports) - 1 << ':' << rows.back().ports + 1
        << "]; set yrange [0:" << top << "]\n"
        << "set format x ''\n";
    write_y_label(out, "trigger frequency / kHz", above);
    write_explanation(out, explained_row(rows), top);
    write_module_limit(out, rows);
    plot(false);
    const std::vector<double>& last = limits.back();
    out << gnuplot_comment("below: what the curves above hide")
        << "unset label; unset arrow; unset key\nset format x; set ytics 2\n"
        << "set yrange [97.5:" << 102.5 * last[1] / last[kWireColumn - 1] << "]\n";
    write_panel(out, below);
    write_x_label(out, "loaded ports", below);
    write_y_label(out, "relative to\nthe wire limit / %", below);
    for (const Convention& convention : kConventions)
        out << "set label " << gnuplot_text("frame size = " + std::string(convention.name)) << " at graph 0.985, first "
            << 100 * last[static_cast<std::size_t>(convention.column) - 1] / last[kWireColumn - 1]
            << " right offset 0, character " << (convention.column == kWireColumn ? -0.7 : 0.5) << " font ',14'\n";
    plot(true);
    out << "unset multiplot\n";
    figure.finish();
}

}  // namespace watershed
