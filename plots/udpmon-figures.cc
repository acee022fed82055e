// SPDX-License-Identifier: GPL-2.0-only
#include "plots/udpmon-figures.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "plots/gnuplot.h"
#include "plots/inputs.h"
#include "plots/style.h"
#include "scenarios/input-error.h"

namespace watershed {
namespace {

using nlohmann::json;

constexpr const char* kColours[] = {colour::black, colour::blue, colour::vermilion, colour::green, colour::orange, colour::purple, colour::sky_blue, colour::grey};

struct Curve {
    std::string name;
    Figure::Rows rows;
};

struct Axes {
    std::string x, y;
    std::string commands;    ///< ranges and scales
    const char* style;       ///< "lines", "steps"
};

/// As many digits as it takes: "50", "0.005".
std::string brief(double value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

json read_run(const FigureRequest& request) {
    if (request.inputs.size() != 1) throw InputError("found " + std::to_string(request.inputs.size()) + " inputs, expected the JSON of one UDPmon run");
    const std::string& file = request.inputs.front();
    std::ifstream in(file);
    if (!in) throw InputError(file + ": cannot be read: " + std::strerror(errno));
    json document;
    try {
        document = json::parse(in);
    } catch (const json::parse_error& error) {
        throw InputError(file + ": " + error.what());
    }
    if (!document.is_object() || document.value("system", "") != "udpmon" || !document.contains("runs") || document["runs"].empty())
        throw InputError(file + ": found something else, expected a UDPmon run (JSON from watershed run)");
    return document;
}

/// A curve per payload: `value` of each run against its requested spacing.
template <class Value>
std::vector<Curve> by_payload(const json& document, Value value) {
    std::map<std::int64_t, Figure::Rows> curves;
    for (const json& run : document["runs"]) curves[run.at("payload_bytes").get<std::int64_t>()].push_back({run.at("requested_us").get<double>(), value(run)});
    std::vector<Curve> named;
    for (auto& [payload, rows] : curves) named.push_back({std::to_string(payload) + " B", std::move(rows)});
    return named;
}

void draw(const FigureRequest& request, const std::vector<Curve>& curves, const Axes& axes) {
    Figure figure(request.output, request.inputs.front());
    std::ostream& out = figure.script();
    std::vector<std::string> titles;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        out << "\n# " << curves[i].name << ": " << axes.x << ", " << axes.y << "\n";
        figure.data("curve" + std::to_string(i + 1), curves[i].rows);
        titles.push_back(curves[i].name);
    }
    Panel panel = panel_below(request.title);
    panel.top -= 0.04 * static_cast<double>((curves.size() - 1) / 5);   // rows of the legend
    write_title(out, request.title);
    write_legend(out, panel, titles);
    write_panel(out, panel);
    write_x_label(out, axes.x, panel);
    write_y_label(out, axes.y, panel);
    out << axes.commands;
    const char* separator = "plot ";
    for (std::size_t i = 0; i < curves.size(); ++i) {
        out << separator << "$curve" << i + 1 << " using 1:2 with " << axes.style << " linewidth 1.8 dashtype " << 1 + i / std::size(kColours) << " linecolor rgb '"
            << kColours[i % std::size(kColours)] << "' title " << gnuplot_text(curves[i].name);
        separator = ", \\\n     ";
    }
    out << '\n';
    figure.finish();
}

/// Reads what a run has to have; the library's complaint names the missing member.
template <class Make>
auto from(const FigureRequest& request, Make make) -> decltype(make(json())) {
    const json document = read_run(request);
    try {
        return make(document);
    } catch (const json::exception& error) {
        throw InputError(request.inputs.front() + ": " + error.what());
    }
}

}  // namespace

void draw_udpmon_rate(const FigureRequest& request) {
    const auto curves = from(request, [](const json& document) {
        return by_payload(document, [](const json& run) { return run.at("wire_rate_mbps").get<double>() * 1e-3; });
    });
    draw(request, curves, {"requested spacing / µs", "received wire rate / (Gb/s)", "set yrange [0:*]\n", "lines"});
}

void draw_udpmon_loss(const FigureRequest& request) {
    const auto curves = from(request, [](const json& document) {
        return by_payload(document, [](const json& run) {
            const json& packets = run.at("packets");
            return 100 * packets.at("lost").get<double>() / packets.at("sent").get<double>();
        });
    });
    double most = 1;
    for (const Curve& curve : curves)
        for (const auto& row : curve.rows) most = std::max(most, row[1]);
    draw(request, curves, {"requested spacing / µs", "packets lost / %", "set yrange [0:" + std::to_string(1.1 * most) + "]\n", "lines"});
}

void draw_udpmon_jitter(const FigureRequest& request) {
    double bin_us = 0;
    const auto curves = from(request, [&](const json& document) {
        bin_us = document.at("bin_us").get<double>();
        std::vector<Curve> all;
        for (const json& run : document["runs"]) {
            Curve curve{std::to_string(run.at("payload_bytes").get<std::int64_t>()) + " B, " + brief(run.at("requested_us").get<double>()) + " µs requested", {}};
            // A logarithmic axis has no zero: where bins are empty the curve goes down to its edge, half a packet.
            constexpr double kNothing = 0.5;
            std::int64_t next = -1;
            for (const json& cell : run.at("histogram")) {
                const auto bin = cell.at(0).get<std::int64_t>();
                const auto edge = [&](std::int64_t number) { return static_cast<double>(number) * bin_us; };
                if (bin != next) {
                    if (next >= 0) curve.rows.push_back({edge(next), kNothing});
                    curve.rows.push_back({edge(bin), kNothing});
                }
                curve.rows.push_back({edge(bin), cell.at(1).get<double>()});
                next = bin + 1;
            }
            if (next >= 0) curve.rows.push_back({static_cast<double>(next) * bin_us, kNothing});
            if (!curve.rows.empty()) all.push_back(std::move(curve));
        }
        return all;
    });
    if (curves.empty()) throw InputError(request.inputs.front() + ": no run has two packets received");
    draw(request, curves, {"interval between packets / µs", "packets in " + brief(bin_us) + " µs", "set logscale y; set yrange [0.5:*]\n", "steps"});
}

}  // namespace watershed
