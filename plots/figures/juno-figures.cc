// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <filesystem>
#include <map>

#include "model/ipbus/ipbus-result.h"
#include "plots/figures/figures.h"
#include "plots/figures/inputs.h"
#include "plots/figures/system-curves.h"
#include "scenarios/text/csv.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

using nlohmann::json;

constexpr const char* kJunoColours[] = {colour::blue,   colour::vermilion, colour::green,
                                        colour::purple, colour::orange,    colour::sky_blue};

std::string points_and_line(std::size_t i) {
    return marked_lines(kJunoColours[i % std::size(kJunoColours)], i % 2 == 0 ? 7 : 5);
}

const std::string kLimitLook = lines(colour::black, 1.8, 2);

/// Tic marks of a logarithmic axis.
std::string powers_of_four(double from, double to) {
    std::string tics;
    constexpr double kMost = 1e18;  // four times as much is still an integer
    for (std::int64_t tic = 1; static_cast<double>(tic) <= std::min(to, kMost); tic *= 4)
        if (static_cast<double>(tic) >= from) tics += (tics.empty() ? "" : ", ") + std::to_string(tic);
    return tics.empty() ? std::to_string(static_cast<std::int64_t>(from)) : tics;
}

double number_of(const json& object, const char* key) { return member<double>(object, key); }

/// Rate of one unit whose reader does nothing else, in waveforms of all channels a second.
double triggers_per_second(const json& document) {
    return number_of(document, "bus_mbps") * 1e6 /
           (8 * number_of(document, "waveform_bytes") * number_of(document, "channels"));
}

}  // namespace

void draw_juno_block(const FigureRequest& request) {
    from_system_run(only_input(request), "ipbus", [&](const json& document) {
        std::map<std::int64_t, Figure::Rows> by_units;
        const double bus = number_of(document, "bus_mbps");
        double first = 1e300, last = 0, most = bus;
        for (const json& run : document["runs"]) {
            const double block = number_of(run, "block_words"), units = number_of(run, "units");
            const double each = number_of(run, "transferred_mbps") / units;
            by_units[member<std::int64_t>(run, "units")].push_back({block, each});
            most = std::max(most, each);
            first = std::min(first, block);
            last = std::max(last, block);
        }
        std::vector<SystemCurve> curves;
        for (auto& [units, rows] : by_units) {
            std::sort(rows.begin(), rows.end());
            curves.push_back({units == 1 ? "one unit" : "each of " + std::to_string(units) + " units", std::move(rows),
                              points_and_line(curves.size())});
        }
        curves.push_back({"bus of the firmware", {{first, bus}, {last, bus}}, kLimitLook});
        SystemAxes axes{"block / words of 32 bits", "bandwidth / (Mb/s)", {}, {0, axis_end(most)}, 3, true};
        if (last > first) axes.x_range = {first, last};
        axes.x_tics = "(" + powers_of_four(first, last) + ")";
        draw_curves(request, curves, axes);
    });
}

void draw_juno_units(const FigureRequest& request) {
    refuse_surplus_labels(request, request.inputs.size());
    std::vector<SystemCurve> curves;
    double most_units = 0, most = 0, demand = 0;
    for (std::size_t i = 0; i < request.inputs.size(); ++i)
        from_system_run(request.inputs[i], "ipbus", [&](const json& document) {
            Figure::Rows rows;
            for (const json& run : document["runs"]) {
                rows.push_back({number_of(run, "units"), number_of(run, "data_mbps") * 1e-3});
                most_units = std::max(most_units, rows.back()[0]);
                most = std::max(most, rows.back()[1]);
            }
            std::sort(rows.begin(), rows.end());
            demand = 1e3 * 8e-9 * number_of(document, "waveform_bytes") * number_of(document, "channels");
            curves.push_back({i < request.labels.size() ? request.labels[i]
                                                        : std::filesystem::path(request.inputs[i]).stem().string(),
                              std::move(rows), points_and_line(i)});
        });
    curves.push_back({"triggers at 1 kHz", {{0, 0}, {most_units, most_units * demand}}, kLimitLook});
    draw_curves(request, curves,
                {"units",
                 "bandwidth / (Gb/s)",
                 {0, axis_end(most_units, 1)},
                 {0, axis_end(most > 0 ? most : most_units * demand, 1.15)},
                 3});
}

void draw_juno_survival(const FigureRequest& request) {
    from_system_run(only_input(request), "ipbus", [&](const json& document) {
        const std::string pattern = member<std::string>(document, "pattern");
        if (pattern == "full")
            throw InputError(request.inputs.front() + ": found ipbus.pattern \"full\", expected triggers");
        Figure::Rows rows, theory;
        for (const json& run : document["runs"])
            rows.push_back({number_of(run, "rate_hz") * 1e-3, number_of(run, "survival")});
        std::sort(rows.begin(), rows.end());
        const double capacity = triggers_per_second(document) * 1e-3;
        const int room = static_cast<int>(number_of(document, "fifo_bytes") / number_of(document, "waveform_bytes"));
        const double from = std::min(rows.front()[0], 0.5 * capacity), to = std::max(rows.back()[0], 1.1 * capacity);
        constexpr int kSteps = 200;
        for (int i = 0; i <= kSteps; ++i) {
            const double rate = from + (to - from) * i / kSteps, load = rate / capacity;
            theory.push_back({rate, pattern == "poisson" ? random_survival(load, room) : periodic_survival(load)});
        }
        const std::string name = pattern == "poisson" ? "theory, M/D/1/" + std::to_string(room) : "theory, 1 / load";
        draw_curves(request, {{"simulated", rows, points(colour::blue, 7, 1.1)}, {name, theory, kLimitLook}},
                    {"trigger rate / kHz", "waveforms read / waveforms triggered", {}, {0, 1.08}, 3});
    });
}

void draw_juno_flashing(const FigureRequest& request) {
    std::vector<SystemCurve> curves;
    for (const std::string& file : request.inputs) {
        if (std::filesystem::path(file).extension() == ".csv") {
            const CsvTable table = CsvTable::read(file);
            const std::size_t workers = table.column("workers"), duration = table.column("duration_s");
            Figure::Rows rows;
            for (const CsvTable::Row& row : table.rows())
                rows.push_back({static_cast<double>(table.integer(row, workers, 1)),
                                static_cast<double>(table.integer(row, duration, 1)) / 60});
            if (rows.empty()) throw InputError(file + ": expected at least one row");
            curves.push_back({"measured", rows, points(colour::vermilion, 4, 1.4, 2)});
        } else {
            from_system_run(file, "flashing", [&](const json& document) {
                Figure::Rows rows;
                for (const json& run : document["runs"])
                    rows.push_back({number_of(run, "workers"), number_of(run, "duration_s") / 60});
                std::sort(rows.begin(), rows.end());
                curves.push_back({"simulated", rows, points_and_line(0)});
            });
        }
    }
    draw_curves(request, curves, {"workers", "duration / min", {0}, {0}, 3});
}

}  // namespace watershed
