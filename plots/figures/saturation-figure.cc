// SPDX-License-Identifier: GPL-2.0-only
// Figure 3 of Hoffmann et al., "Stress testing Ethernet Switches for NectarCAM ..." (ICRC 2015).
#include <algorithm>
#include <cmath>

#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/style/chart.h"

namespace watershed {
namespace {

/// A meaning of "the size of a frame" and its column in $limits.
struct Convention {
    const char* name;
    const char* colour;
    int dash;
    int column;
};

const std::string kLimitTitle = "what the uplink carries", kSaturationTitle = "saturation, simulated";

constexpr int kWireColumn = 5;
constexpr Convention kConventions[] = {
    {"payload", colour::orange, 3, 2},
    {"payload + UDP + IP", colour::purple, 2, 3},
    {"Ethernet frame", colour::green, 4, 4},
    {"wire slot", colour::black, 1, kWireColumn},
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

void write_explanation(ChartPanel& panel, const SaturationFile::Row& row, double top) {
    // The paper states 27 kHz for 1024 B on 44 ports.
    const bool as_in_paper = row.ports == 44 && std::abs(row.payload_ip_udp_limit - 27.0) < 0.05;
    const std::string counted =
        as_in_paper ? "the paper's 27 kHz counts payload + UDP + IP only"
                    : "counting payload + UDP + IP only: " + plain_number(row.payload_ip_udp_limit, 4) + " kHz";
    const double y = 0.75 * top, ports = static_cast<double>(row.ports);
    const std::string at = "graph 0.985, first " + num(y);  // a place that the falling curve leaves free
    panel.notes.push_back(
        {std::to_string(row.ports) + " ports: " + plain_number(row.wire_limit, 4) + " kHz on the wire",
         at + " right offset 0, character 1.9"});
    panel.notes.push_back({counted, at + " right offset 0, character 0.7 font ',15'"});
    if (y - row.wire_limit > 0.1 * top)
        panel.shapes.push_back("arrow from " + num(ports) + ", " + num(y) + " to " + num(ports) + ", " +
                               num(row.wire_limit + 0.03 * top) +
                               " head filled size screen 0.012,20 linecolor rgb '#404040'");
}

/// Capacity of the uplink under each convention, and the measured one.
std::vector<Series> series_of(const Figure::Rows& limits, const Figure::Rows& measured, bool relative) {
    const auto column = [&](int value, int wire) {
        const std::string cell = "$" + std::to_string(value);
        return "using 1:(" + (relative ? "100 * " + cell + " / $" + std::to_string(wire) : cell) + ") ";
    };
    Series limit{
        relative ? "" : kLimitTitle,
        limits,
        "",
        {},
        "limits",
        "ports, what the uplink allows in kHz when it counts payload, payload + UDP + IP, Ethernet frame, wire "
        "slot"};
    for (const Convention& convention : kConventions)
        limit.under.push_back(column(convention.column, kWireColumn) + lines(convention.colour, 1.8, convention.dash));
    limit.look = limit.under.back();  // limit of the wire
    limit.under.pop_back();
    return {limit,
            {relative ? "" : kSaturationTitle,
             measured,
             column(2, 3) + points(colour::blue, 7, 0.9),
             {},
             "saturation",
             "ports, saturation / kHz, limit of the wire / kHz"}};
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

    Chart chart(request.output, request.title, inputs.source());
    chart.panels.resize(2, chart.panel());
    ChartPanel &above = chart.panels[0], &below = chart.panels[1];
    above.place.bottom = 0.5, below.place.top = 0.46;
    above.x = below.x = {"", static_cast<double>(rows.front().ports) - 1, static_cast<double>(rows.back().ports) + 1};
    above.x.bare = true, below.x.label = "loaded ports";
    const double top = 1.35 * highest;
    const std::vector<double>& last = limits.back();
    above.y = {"trigger frequency / kHz", 0, top};
    below.y = {"relative to\nthe wire limit / %", 97.5, 102.5 * last[1] / last[kWireColumn - 1], false, "2"};
    above.series = series_of(limits, measured, false), below.series = series_of(limits, measured, true);
    write_explanation(above, explained_row(rows), top);
    // Few ports cannot fill an uplink: what they reach then is what their own links carry.
    if (const auto& first = rows.front(); first.measured < 0.9 * first.wire_limit)
        above.notes.push_back({"limited by\nthe modules' links",
                               "first " + std::to_string(first.ports) + ", first " + num(first.measured) +
                                   " left offset character -0.6, character -1.2 font ',13'"});
    for (const Convention& convention : kConventions)
        below.notes.push_back(
            {"frame size = " + std::string(convention.name),
             "graph 0.985, first " +
                 num(100 * last[static_cast<std::size_t>(convention.column) - 1] / last[kWireColumn - 1]) +
                 " right offset 0, character " + (convention.column == kWireColumn ? "-0.7" : "0.5") + " font ',14'"});
    draw_chart(std::move(chart));
}

}  // namespace watershed
