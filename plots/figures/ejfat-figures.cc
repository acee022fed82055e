// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>
#include <map>

#include "plots/figures/figures.h"
#include "plots/figures/system-curves.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

using nlohmann::json;

SystemAxes log_log(const std::string& x, const std::string& y) {
    SystemAxes axes{x, y, {}, {}, 5, true, true};
    axes.format = "%g";
    return axes;
}

template <class Make>
auto from_ejfat(const FigureRequest& request, Make make) {
    return from_system_run(only_input(request), "ejfat", make);
}

std::string size_name(double bytes) {
    return bytes >= 1e6 ? plain_number(bytes * 1e-6, 3) + " MB" : plain_number(bytes * 1e-3, 3) + " kB";
}

/// For each event size the points (x, y) of its runs, by ascending x.
template <class Point>
std::map<double, Figure::Rows> by_size(const json& document, Point point) {
    std::map<double, Figure::Rows> curves;
    for (const json& run : document["runs"]) curves[member<double>(run, "event_bytes")].push_back(point(run));
    for (auto& [size, rows] : curves) std::sort(rows.begin(), rows.end());
    return curves;
}

std::string points_look(std::size_t number) {
    const char* colours[] = {colour::blue, colour::vermilion, colour::green, colour::purple};
    return points(colours[number % std::size(colours)], number % 2 == 0 ? 7 : 5, 1.2);
}

std::string theory_look(std::size_t number) { return lines(colour::black, 1.6, static_cast<int>(1 + number)); }

/// `y` of each run without loss, as points, beside y = `law` of size in megabits, milliseconds and workers.
template <class Found, class Law>
std::vector<SystemCurve> against_processing_time(const FigureRequest& request, Found found, Law law) {
    return from_ejfat(request, [&](const json& document) {
        if (!member<bool>(document, "no_drop"))
            throw InputError(request.inputs.front() +
                             ": found a run at given bit rates, expected one with ejfat.find_no_drop = true");
        const double workers = member<double>(document, "workers");
        const auto sizes = by_size(document, [&](const json& run) {
            return std::vector<double>{member<double>(run, "service_us") * 1e-3,
                                       found(member<double>(run, "bit_rate_mbps"))};
        });
        std::vector<SystemCurve> curves;
        for (const auto& [size, rows] : sizes)
            curves.push_back({size_name(size) + ", simulated", rows, points_look(curves.size())});
        std::size_t number = 0;
        for (const auto& [size, rows] : sizes) {
            Figure::Rows line;
            constexpr int kSteps = 40;
            for (int i = 0; i <= kSteps; ++i) {
                const double ms =
                    rows.front()[0] * std::pow(rows.back()[0] / rows.front()[0], static_cast<double>(i) / kSteps);
                line.push_back({ms, law(8e-6 * size, ms * 1e-3, workers)});
            }
            curves.push_back({size_name(size) + ", by arithmetic", line, theory_look(number++)});
        }
        return curves;
    });
}

}  // namespace

void draw_ejfat_latency(const FigureRequest& request) {
    const json run = from_ejfat(request, [](const json& document) {
        const json first = document["runs"].front();
        for (const char* key : {"flight_to_balancer", "flight_to_node", "flight", "reassembly", "transport"})
            first.at("latency_us").at(key).at("mean").get<double>();
        member<double>(first.at("latency_us"), "sum_of_hops");
        member<double>(first, "event_bytes");
        return first;
    });
    const auto us = [&](const char* key) { return run["latency_us"][key]["mean"].get<double>(); };
    const double to_balancer = us("flight_to_balancer"), to_node = us("flight_to_node"), reassembly = us("reassembly"),
                 transport = us("transport");
    const double sum = run["latency_us"]["sum_of_hops"].get<double>(), whole = axis_end(sum);

    Chart chart(request.output, request.title, request.inputs.front());
    ChartPanel& panel = chart.panel();
    panel.place.left = 0.05, panel.place.top += 0.095;  // without a legend
    panel.x = {"time since the event of " + size_name(run["event_bytes"].get<double>()) + " / µs", 0, whole};
    panel.y = {"", 0, 9.2};
    panel.y.tics = "none";
    panel.series = {{"", {{0, -1}}, points(colour::black, 7), {}, "nothing"}};
    const auto write = [&](double x, double y, const std::string& text, const char* how = "left") {
        panel.notes.push_back({text, num(x) + "," + num(y) + ' ' + how + " front"});
    };
    /// Its name inside or behind it.
    const auto bar = [&](double left, double right, double y, const char* colour_name, const char* name, double time) {
        panel.shapes.push_back("object rectangle from " + num(left) + "," + num(y - 0.28) + " to " + num(right) + "," +
                               num(y + 0.28) + " fillstyle solid 0.55 border linecolor rgb '" + colour::black +
                               "' fillcolor rgb '" + colour_name + "'");
        const std::string text = std::string(name) + ' ' + plain_number(time, 4) + " µs";
        if (right - left > 0.3 * whole)
            write((left + right) / 2, y, text, "center");
        else
            write(right + 0.01 * whole, y, text);
    };
    write(0.01 * whole, 8.6, "Each hop waits for the whole event: " + plain_number(sum, 4) + " µs");
    bar(0, to_balancer, 7.8, colour::blue, "to the balancer", to_balancer);
    bar(to_balancer, to_balancer + to_node, 6.9, colour::orange, "to the node", to_node);
    bar(to_balancer + to_node, sum, 6, colour::green, "reassembly", reassembly);
    write(0.01 * whole, 4.2, "Packets are handed on as they come: " + plain_number(transport, 4) + " µs");
    // The node's first packet came when reassembly began; the balancer's first, one flight before its last at the node.
    bar(0, to_balancer, 3.4, colour::blue, "to the balancer", to_balancer);
    bar(us("flight") - to_node, us("flight"), 2.5, colour::orange, "to the node", to_node);
    bar(transport - reassembly, transport, 1.6, colour::green, "reassembly", reassembly);
    draw_chart(std::move(chart));
}

void draw_ejfat_reassembly(const FigureRequest& request) {
    const auto curves = from_ejfat(request, [](const json& document) {
        const auto sizes = by_size(document, [](const json& run) {
            return std::vector<double>{member<double>(run, "bit_rate_mbps") * 1e-3,
                                       member<double>(run.at("latency_us").at("reassembly"), "mean") * 1e-3};
        });
        std::vector<SystemCurve> all;
        for (const auto& [size, rows] : sizes)
            all.push_back({size_name(size) + ", simulated", rows, points_look(all.size())});
        std::size_t number = 0;
        for (const auto& [size, rows] : sizes) {
            Figure::Rows line;
            for (const auto& row : rows) line.push_back({row[0], 8e-6 * size / row[0]});
            all.push_back({size_name(size) + " over bit rate", line, theory_look(number++)});
        }
        return all;
    });
    draw_curves(request, curves, log_log("bit rate / (Gb/s)", "mean reassembly latency / ms"));
}

void draw_ejfat_no_drop(const FigureRequest& request) {
    draw_curves(request,
                against_processing_time(
                    request, [](double mbps) { return mbps * 1e-3; },
                    [](double megabits, double s, double workers) { return workers * megabits / s * 1e-3; }),
                log_log("processing time of an event / ms", "highest bit rate without loss / (Gb/s)"));
}

void draw_ejfat_nodes(const FigureRequest& request) {
    constexpr double kWanted = 100e3;  // Mb/s
    auto curves = against_processing_time(
        request, [](double mbps) { return kWanted / mbps; },
        [](double megabits, double s, double workers) { return kWanted * s / (workers * megabits); });
    constexpr double kSlots = 512;
    const Figure::Rows& line = curves.back().rows;
    curves.push_back(
        {"slots of one calendar", {{line.front()[0], kSlots}, {line.back()[0], kSlots}}, lines(colour::orange)});
    draw_curves(request, curves, log_log("processing time of an event / ms", "nodes for 100 Gb/s"));
}

void draw_ejfat_control(const FigureRequest& request) {
    double set_point = 0, end = 0, most_fill = 0, most_slots = 1;
    // One pair of blocks per node: how full its queue is, and its slots, which hold from one epoch to the next.
    std::vector<Figure::Rows> fills, slots;
    from_ejfat(request, [&](const json& document) {
        const json& run = document["runs"].front();
        set_point = member<double>(document, "set_point");
        const std::size_t nodes = run.at("nodes").size();
        fills.resize(nodes);
        slots.resize(nodes);
        for (const json& sample : run.at("samples")) {
            end = member<double>(sample, "time_s");
            for (std::size_t i = 0; i < nodes; ++i)
                if (const json& fill = sample.at("fill").at(i); !fill.is_null()) {
                    fills[i].push_back({end, 100 * fill.get<double>()});
                    most_fill = std::max(most_fill, fills[i].back()[1]);
                }
        }
        for (const json& epoch : run.at("epochs"))
            for (std::size_t i = 0; i < nodes; ++i) {
                const double number = epoch.at("slots").at(i).get<double>();
                slots[i].push_back({member<double>(epoch, "decided_s"), number});
                most_slots = std::max(most_slots, number);
            }
        return 0;
    });
    if (slots.empty() || slots.front().size() < 2)
        throw InputError(request.inputs.front() +
                         ": found fewer than two epochs, expected a run over which the control plane ticks");

    // The node whose slots change most is the one that something happened to; many others look alike.
    const auto swing = [](const Figure::Rows& rows) {
        const auto [least, most] =
            std::minmax_element(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a[1] < b[1]; });
        return (*most)[1] - (*least)[1];
    };
    constexpr std::size_t kFewNodes = 6;
    const bool many = slots.size() > kFewNodes;
    const auto moved =
        static_cast<std::size_t>(std::max_element(slots.begin(), slots.end(),
                                                  [&](const auto& a, const auto& b) { return swing(a) < swing(b); }) -
                                 slots.begin());
    Chart chart(request.output, request.title, request.inputs.front());
    chart.in_powers = true;
    chart.panels.resize(2, chart.panel());
    ChartPanel &upper = chart.panels[0], &lower = chart.panels[1];
    upper.place.bottom = 0.53, lower.place.top = 0.49;
    upper.x = lower.x = {"", 0, axis_end(end, 1)};
    upper.x.bare = true, lower.x.label = "time / s", lower.x.format = "%g";
    upper.y = {"queue filled / %", 0, axis_end(std::max(most_fill, 100 * set_point), 1.2)};
    lower.y = {"slots", 0, 1.1 * most_slots};
    const auto add = [&](std::size_t i) {
        const std::string number = std::to_string(i + 1);
        const bool named = !many || i == moved;
        const auto look = [&](const char* style) {
            return !many ? line_look(style, i)
                         : std::string("with ") + style + ' ' +
                               stroke(named ? colour::vermilion : colour::sky_blue, named ? 2.4 : 1);
        };
        const std::string title = named ? "node " + number : i == (moved == 0 ? 1U : 0U) ? "the others" : "";
        if (!fills[i].empty() || !title.empty())
            upper.series.push_back({title, fills[i], look("lines"), {}, "fill" + number});
        lower.series.push_back({"", slots[i], look("steps"), {}, "slots" + number});
    };
    for (std::size_t i = 0; i < slots.size(); ++i)
        if (i != moved || !many) add(i);
    if (many) add(moved);  // in front
    upper.series.push_back(
        {"set point", {{0, 100 * set_point}, {end, 100 * set_point}}, lines(colour::black, 1.4, 2), {}, "set_point"});
    draw_chart(std::move(chart));
}

}  // namespace watershed
