// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <map>
#include <sstream>

#include "plots/figures/figures.h"
#include "plots/figures/system-curves.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

using nlohmann::json;

/// As many digits as it takes: "50", "0.005".
std::string brief(double value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

/// A curve per payload: `value` of each run against its requested spacing.
template <class Value>
std::vector<SystemCurve> by_payload(const json& document, Value value) {
    std::map<std::int64_t, Figure::Rows> curves;
    for (const json& run : document["runs"])
        curves[member<std::int64_t>(run, "payload_bytes")].push_back({member<double>(run, "requested_us"), value(run)});
    std::vector<SystemCurve> named;
    for (auto& [payload, rows] : curves) named.push_back({std::to_string(payload) + " B", std::move(rows), {}});
    return named;
}

void draw(const FigureRequest& request, std::vector<SystemCurve> curves, const std::string& style,
          const SystemAxes& axes) {
    for (std::size_t i = 0; i < curves.size(); ++i) curves[i].look = line_look(style, i);
    draw_curves(request, curves, axes);
}

template <class Make>
auto from_udpmon(const FigureRequest& request, Make make) {
    return from_system_run(only_input(request), "udpmon", make);
}

}  // namespace

void draw_udpmon_rate(const FigureRequest& request) {
    const auto curves = from_udpmon(request, [](const json& document) {
        return by_payload(document, [](const json& run) { return member<double>(run, "wire_rate_mbps") * 1e-3; });
    });
    draw(request, curves, "lines", {"requested spacing / µs", "received wire rate / (Gb/s)", {}, {0}});
}

void draw_udpmon_loss(const FigureRequest& request) {
    const auto curves = from_udpmon(request, [](const json& document) {
        return by_payload(document, [](const json& run) {
            const json& packets = run.at("packets");
            return 100 * member<double>(packets, "lost") / member<double>(packets, "sent");
        });
    });
    double most = 0;
    for (const SystemCurve& curve : curves)
        for (const auto& row : curve.rows) most = std::max(most, row[1]);
    // Curves at 0 would hide behind the axis, and a reader would look for them.
    std::vector<Label> nothing;
    if (most == 0) nothing = {{"no packet was lost", "graph 0.5, graph 0.5 center font ',20'"}}, most = 1;
    SystemAxes axes{"requested spacing / µs", "packets lost / %", {}, {-0.04 * most, 1.1 * most}};
    axes.notes = nothing;
    draw(request, curves, "lines", axes);
}

void draw_udpmon_jitter(const FigureRequest& request) {
    double bin_us = 0;
    const auto curves = from_udpmon(request, [&](const json& document) {
        bin_us = member<double>(document, "bin_us");
        std::vector<SystemCurve> all;
        for (const json& run : document["runs"]) {
            SystemCurve curve{std::to_string(member<std::int64_t>(run, "payload_bytes")) + " B, " +
                                  brief(member<double>(run, "requested_us")) + " µs requested",
                              {},
                              {}};
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
    // More curves than colours cannot be told apart: some of them then, evenly from the first to the last.
    constexpr std::size_t kMost = 8;
    std::vector<SystemCurve> shown;
    std::string note;
    if (curves.size() > kMost) {
        for (std::size_t i = 0; i < kMost; ++i) shown.push_back(curves[i * (curves.size() - 1) / (kMost - 1)]);
        note = std::to_string(kMost) + " of " + std::to_string(curves.size()) + " histograms, evenly chosen";
    }
    SystemAxes axes{"interval between packets / µs", "packets in " + brief(bin_us) + " µs", {}, {0.5}};
    axes.log_y = true;
    axes.source_note = note;
    draw(request, shown.empty() ? curves : shown, "steps", axes);
}

}  // namespace watershed
