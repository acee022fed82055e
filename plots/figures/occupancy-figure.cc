// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>
#include <utility>

#include "plots/figures/figures.h"
#include "plots/figures/hyperbola.h"
#include "plots/figures/inputs.h"
#include "plots/style/chart.h"
#include "scenarios/text/input-error.h"

namespace watershed {
namespace {

struct Scale {
    const char* unit;
    double size;
};

/// The largest unit in which the value reaches 2, else the smallest.
template <std::size_t Count>
Scale scale_for(double largest, const Scale (&scales)[Count]) {
    for (const Scale& scale : scales)
        if (largest >= 2 * scale.size) return scale;
    return scales[Count - 1];
}

/// Bytes that each frame takes, if they are the same at all times.
std::optional<double> bytes_per_frame(const OccupancyFile& occupancy) {
    std::optional<double> common;
    for (const OccupancyStep& step : occupancy.steps) {
        if (step.frames == 0) continue;
        const double each = step.bytes / step.frames;
        if (common && std::abs(each - *common) > 1e-9 * *common) return std::nullopt;
        common = each;
    }
    return common;
}

/// The last time it held most, and when it was empty next, in microseconds; nothing if it never was.
std::optional<std::pair<double, double>> recovery_of(const OccupancyFile& occupancy) {
    const OccupancyStep* fullest = nullptr;
    const OccupancyStep* before = nullptr;
    const OccupancyStep* empty = nullptr;
    for (const OccupancyStep& step : occupancy.steps) {
        const bool grew = !before || step.frames > before->frames;
        if (grew && (!fullest || step.frames >= fullest->frames)) {
            fullest = &step;
            empty = nullptr;
        } else if (step.frames == 0 && !empty) {
            empty = &step;
        }
        before = &step;
    }
    if (!fullest || !empty || fullest->frames == 0) return std::nullopt;
    return std::pair(fullest->time_us, empty->time_us);
}

}  // namespace

void draw_occupancy(const FigureRequest& request, std::optional<MemorySize> capacity, std::optional<Time> first_loss,
                    bool recovery) {
    const Inputs inputs = read_inputs(request.inputs, {InputKind::Occupancy, InputKind::Run});
    if (inputs.occupancies.size() != 1)
        throw InputError("occupancy: found " + std::to_string(inputs.occupancies.size()) +
                         " occupancy tables, expected one (CSV with time_us,frames,bytes)");
    const OccupancyFile& occupancy = inputs.occupancies.front();
    if (inputs.runs.size() > 1)
        throw InputError("occupancy: found " + std::to_string(inputs.runs.size()) +
                         " results of watershed run, expected that of the occupancy's own run");
    for (const RunFile& run : inputs.runs)
        if (run.run && occupancy.run && *run.run != *occupancy.run)
            throw InputError(run.file + ": found the run of " + *run.run + ", expected that of " + occupancy.file +
                             ": " + *occupancy.run);
    if (!capacity) capacity = occupancy.capacity;
    if (capacity && capacity->unit == MemorySize::Unit::Cell)
        throw InputError("capacity: found cells, expected frames or bytes, which the occupancy is counted in");
    std::optional<double> loss_us;
    for (const RunFile& run : inputs.runs) loss_us = run.first_loss_us;
    if (first_loss) loss_us = in_microseconds(*first_loss);

    // In the unit of the capacity; the other one is on the right where they are proportional.
    const bool in_bytes = capacity && capacity->unit == MemorySize::Unit::Byte;
    const std::optional<double> ratio = bytes_per_frame(occupancy);
    double peak = capacity ? static_cast<double>(capacity->amount) : 0;
    for (const OccupancyStep& step : occupancy.steps) peak = std::max(peak, in_bytes ? step.bytes : step.frames);
    const double end_us = std::max(occupancy.steps.back().time_us, loss_us.value_or(0));
    const Scale time = scale_for(end_us, {{"s", 1e6}, {"ms", 1e3}, {"µs", 1}});
    const auto memory_scale = [](double bytes) { return scale_for(bytes, {{"MB", 1e6}, {"kB", 1e3}, {"B", 1}}); };
    const auto frame_scale = [](double frames) {
        return frames < 2e4 ? Scale{"frames", 1} : Scale{"1000 frames", 1e3};
    };
    const Scale left = in_bytes ? memory_scale(peak) : frame_scale(peak);

    std::vector<PlotPoint> steps;
    if (occupancy.steps.front().time_us > 0) steps.push_back({0, 0});
    for (const OccupancyStep& step : occupancy.steps)
        steps.push_back({step.time_us / time.size, (in_bytes ? step.bytes : step.frames) / left.size});
    constexpr std::size_t kColumns = 1600;  // as wide as the widest figure in pixels
    const std::vector<PlotPoint> thinned = envelope(steps, kColumns);
    Figure::Rows rows;  // corners: gnuplot fills the area below lines as one polygon, that below steps as many
    for (const PlotPoint& point : thinned) {
        if (!rows.empty()) rows.push_back({point.x, rows.back().back()});
        rows.push_back({point.x, point.y});
    }

    Chart chart(request.output, request.title, inputs.source());
    ChartPanel& panel = chart.panel();
    panel.place.top += 0.095;  // without a legend
    const double top = 1.12 * std::max(peak / left.size, 1.0);
    panel.x = {std::string("time / ") + time.unit, 0, 1.02 * end_us / time.size};
    panel.y = {std::string("memory occupied / ") + left.unit, 0, top};
    if (ratio) {
        panel.place.right = 0.875;
        const double right_top = top * left.size * (in_bytes ? 1 / *ratio : *ratio);
        const Scale right = in_bytes ? frame_scale(right_top) : memory_scale(right_top);
        panel.right = {std::string("memory occupied / ") + right.unit, 0, right_top / right.size};
    }
    panel.series = {
        {"",
         rows,
         std::string("with lines ") + stroke(colour::blue, 1.4),
         {filled(colour::sky_blue, 0.25, "x1")},
         "occupancy",
         "time / " + std::string(time.unit) + ", occupancy / " + left.unit + " at the corners of its steps" +
             (thinned.size() < steps.size() ? "; " + std::to_string(steps.size()) +
                                                  " steps thinned to the first, lowest, highest and last in each of " +
                                                  std::to_string(kColumns) + " columns of pixels"
                                            : "")}};
    const std::string red = std::string(" front textcolor rgb '") + colour::vermilion + "'",
                      at_left = " right offset character -0.8, 0" + red,
                      at_right = " left offset character 0.8, 0" + red;
    if (capacity) {
        const double y = static_cast<double>(capacity->amount) / left.size;
        panel.shapes.push_back(across(y, stroke(colour::black, 1.6, 2)));
        panel.notes.push_back({"capacity " + (in_bytes ? plain_number(y, 3) + ' ' + left.unit
                                                       : std::to_string(capacity->amount) + " frames"),
                               "graph 0.985, first " + num(y) + " right offset 0, character 0.6"});
    }
    if (loss_us) {
        const double x = *loss_us / time.size;
        panel.shapes.push_back(upright(x, stroke(colour::vermilion, 1.6)));
        panel.notes.push_back({"first loss " + plain_number(x, 4) + ' ' + time.unit,
                               num(x) + ", graph 0.05" + (x > 0.6 * end_us / time.size ? at_left : at_right)});
    }
    if (const auto found = recovery ? recovery_of(occupancy) : std::nullopt) {
        const double from = found->first / time.size, to = found->second / time.size,
                     y = 0.14 * top;  // above the label of the first loss
        const bool room_behind = found->second < 0.65 * end_us;
        panel.shapes.push_back("arrow from " + num(from) + ", " + num(y) + " to " + num(to) + ", " + num(y) +
                               " heads front size graph 0.012, 20 " + stroke(colour::vermilion, 2));
        panel.notes.push_back({"empty after " + plain_number(to - from, 4) + ' ' + time.unit,
                               num(room_behind ? to : from) + ", " + num(y) + (room_behind ? at_right : at_left)});
    }
    draw_chart(std::move(chart));
}

}  // namespace watershed
