// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>
#include <map>

#include "plots/figures/figures.h"
#include "plots/figures/system-curves.h"
#include "plots/style/style.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

using nlohmann::json;

SystemAxes log_log(const std::string& x, const std::string& y) {
    SystemAxes axes{x, y};
    axes.commands = "set format x '%g'; set format y '%g'\n";
    axes.log_x = axes.log_y = true;
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
    return "with points pointtype " + std::to_string(number % 2 == 0 ? 7 : 5) +
           " pointsize 1.2 * mark linecolor rgb '" + colours[number % std::size(colours)] + "'";
}

std::string theory_look(std::size_t number) {
    return "with lines linewidth 1.6 dashtype " + std::to_string(1 + number) + " linecolor rgb '" + colour::black + "'";
}

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

/// A bar from `left` to `right` at this height, its name inside or behind it.
void bar(std::ostream& out, double left, double right, double y, const char* colour_name, const std::string& text,
         double whole) {
    out << "set object rectangle from " << left << "," << y - 0.28 << " to " << right << "," << y + 0.28
        << " fillstyle solid 0.55 border linecolor rgb '" << colour::black << "' fillcolor rgb '" << colour_name
        << "'\n";
    if (right - left > 0.3 * whole)
        out << "set label " << gnuplot_text(text) << " at " << (left + right) / 2 << "," << y << " center front\n";
    else
        out << "set label " << gnuplot_text(text) << " at " << right + 0.01 * whole << "," << y << " left front\n";
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

    Figure figure(request.output, request.inputs.front());
    std::ostream& out = figure.script();
    Panel panel;
    panel.left = 0.05;
    panel.top = request.title.empty() ? 0.96 : 0.92;
    write_title(out, request.title);
    write_panel(out, panel);
    write_x_label(out, "time since the event of " + size_name(run["event_bytes"].get<double>()) + " / µs", panel);
    out << "set xrange [0:" << whole << "]; set yrange [0:9.2]; unset ytics\n";
    const auto heading = [&](double y, const std::string& text) {
        out << "set label " << gnuplot_text(text) << " at " << 0.01 * whole << "," << y << " left front\n";
    };
    const auto named = [](const char* name, double time) {
        return std::string(name) + ' ' + plain_number(time, 4) + " µs";
    };
    heading(8.6, "Each hop waits for the whole event: " + plain_number(sum, 4) + " µs");
    bar(out, 0, to_balancer, 7.8, colour::blue, named("to the balancer", to_balancer), whole);
    bar(out, to_balancer, to_balancer + to_node, 6.9, colour::orange, named("to the node", to_node), whole);
    bar(out, to_balancer + to_node, sum, 6, colour::green, named("reassembly", reassembly), whole);
    heading(4.2, "Packets are handed on as they come: " + plain_number(transport, 4) + " µs");
    // The node's first packet came when reassembly began; the balancer's first, one flight before its last at the node.
    bar(out, 0, to_balancer, 3.4, colour::blue, named("to the balancer", to_balancer), whole);
    bar(out, us("flight") - to_node, us("flight"), 2.5, colour::orange, named("to the node", to_node), whole);
    bar(out, transport - reassembly, transport, 1.6, colour::green, named("reassembly", reassembly), whole);
    figure.data("nothing", {{0, -1}});
    out << "plot $nothing using 1:2 with points pointtype 7 notitle\n";
    figure.finish();
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
    curves.push_back({"slots of one calendar",
                      {{line.front()[0], kSlots}, {line.back()[0], kSlots}},
                      "with lines linewidth 1.8 linecolor rgb '" + std::string(colour::orange) + "'"});
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
    const auto moved =
        static_cast<std::size_t>(std::max_element(slots.begin(), slots.end(),
                                                  [&](const auto& a, const auto& b) { return swing(a) < swing(b); }) -
                                 slots.begin());
    const auto look = [&](std::size_t i) {
        if (slots.size() <= kFewNodes) return line_look("lines", i);
        return "with lines linewidth " + std::string(i == moved ? "2.4" : "1") + " linecolor rgb '" +
               (i == moved ? colour::vermilion : colour::sky_blue) + "'";
    };
    const auto title = [&](std::size_t i) -> std::string {
        if (slots.size() <= kFewNodes) return "node " + std::to_string(i + 1);
        if (i == moved) return "node " + std::to_string(i + 1);
        return i == (moved == 0 ? 1U : 0U) ? "the others" : "";
    };

    const double most_percent = std::max(most_fill, 100 * set_point);
    const AxisPower time = axis_power(end), percent = axis_power(most_percent), count = axis_power(most_slots);
    for (std::size_t i = 0; i < slots.size(); ++i) {
        for (auto& row : fills[i]) row = {time(row[0]), percent(row[1])};
        for (auto& row : slots[i]) row = {time(row[0]), count(row[1])};
    }
    const double set_percent = percent(100 * set_point);
    Figure figure(request.output, request.inputs.front());
    std::ostream& out = figure.script();
    std::vector<std::string> titles;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        if (!fills[i].empty()) figure.data("fill" + std::to_string(i + 1), fills[i]);
        figure.data("slots" + std::to_string(i + 1), slots[i]);
        if (!title(i).empty()) titles.push_back(title(i));
    }
    const auto plot = [&](const std::string& block, const std::string& style, bool with_titles) {
        const char* separator = "plot ";
        const auto one = [&](std::size_t i) {
            if (block == "fill" && fills[i].empty()) return;
            const std::string name = with_titles ? title(i) : "";
            std::string how = look(i);
            how.replace(how.find("lines"), 5, style);
            out << separator << "$" << block << i + 1 << " using 1:2 " << how
                << (name.empty() ? " notitle" : " title " + gnuplot_text(name));
            separator = ", \\\n     ";
        };
        const bool moved_in_front = slots.size() > kFewNodes;
        for (std::size_t i = 0; i < slots.size(); ++i)
            if (i != moved || !moved_in_front) one(i);
        if (moved_in_front) one(moved);
        out << '\n';
    };
    Panel upper = panel_below(request.title), lower = upper;
    upper.bottom = 0.53;
    lower.top = 0.49;
    out << "set multiplot\nset xrange [0:" << axis_end(time(end), 1) << "]\n";
    write_title(out, request.title);
    write_legend(out, upper, titles);
    write_panel(out, upper);
    write_y_label(out, percent.label("queue filled / %"), upper);
    out << "set format x ''; set yrange [0:" << axis_end(percent(most_percent), 1.2)
        << "]\nset arrow 101 from graph 0, first " << set_percent << " to graph 1, first " << set_percent
        << " nohead front dashtype 2 linewidth 1.4 linecolor rgb '" << colour::black
        << "'\nset label 101 'set point' at graph 0.985, first " << set_percent
        << " right front offset 0, character 0.6\n";
    plot("fill", "lines", true);
    out << "unset label; unset arrow; unset key; set format x '%g'; set yrange [0:" << 1.1 * count(most_slots) << "]\n";
    write_panel(out, lower);
    write_x_label(out, time.label("time / s"), lower);
    write_y_label(out, count.label("slots"), lower);
    plot("slots", "steps", false);
    out << "unset multiplot\n";
    figure.finish();
}

}  // namespace watershed
