// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>
#include <utility>

#include "plots/figures/figures.h"
#include "plots/figures/hyperbola.h"
#include "plots/figures/inputs.h"
#include "plots/style/gnuplot.h"
#include "plots/style/style.h"
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

/// How many bytes each frame takes, if that is the same at all times.
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
    Figure::Rows rows;
    for (const PlotPoint& point : envelope(steps, kColumns)) rows.push_back({point.x, point.y});

    Figure figure(request.output, inputs.source());
    std::ostream& out = figure.script();
    out << gnuplot_comment("time / " + std::string(time.unit) + ", occupancy / " + left.unit +
                           "; the value holds from that time on");
    if (rows.size() < steps.size())
        out << gnuplot_comment(std::to_string(steps.size()) +
                               " steps thinned to the first, lowest, highest and last in each of " +
                               std::to_string(kColumns) + " columns of pixels");
    figure.data("occupancy", rows);
    const double top = 1.12 * std::max(peak / left.size, 1.0);
    Panel panel;
    panel.top = request.title.empty() ? 0.96 : 0.92;  // no legend
    write_title(out, request.title);
    write_y_label(out, std::string("memory occupied / ") + left.unit, panel);
    out << "set xrange [0:" << 1.02 * end_us / time.size << "]; set yrange [0:" << top << "]\n";
    if (ratio) {
        panel.right = 0.875;
        const double right_top = top * left.size * (in_bytes ? 1 / *ratio : *ratio);
        const Scale right = in_bytes ? frame_scale(right_top) : memory_scale(right_top);
        out << "set border 11; set ytics nomirror; set y2tics nomirror; set y2range [0:" << right_top / right.size
            << "]\n";
        write_y_label(out, std::string("memory occupied / ") + right.unit, panel, true);
    }
    write_panel(out, panel);
    write_x_label(out, std::string("time / ") + time.unit, panel);
    if (capacity) {
        const double y = static_cast<double>(capacity->amount) / left.size;
        const std::string amount =
            in_bytes ? plain_number(y, 3) + ' ' + left.unit : std::to_string(capacity->amount) + " frames";
        out << "set arrow from graph 0, first " << y << " to graph 1, first " << y
            << " nohead dashtype 2 linewidth 1.6 linecolor rgb '" << colour::black << "'\nset label 'capacity "
            << amount << "' at graph 0.985, first " << y << " right offset 0, character 0.6\n";
    }
    if (loss_us) {
        const double x = *loss_us / time.size;
        const bool near_end = x > 0.6 * end_us / time.size;
        out << "set arrow from " << x << ", graph 0 to " << x << ", graph 1 nohead linewidth 1.6 linecolor rgb '"
            << colour::vermilion << "'\n"
            << "set label 'first loss " << plain_number(x, 4) << ' ' << time.unit << "' at " << x << ", graph 0.05 "
            << (near_end ? "right offset character -0.8, 0" : "left offset character 0.8, 0")
            << " front textcolor rgb '" << colour::vermilion << "'\n";
    }
    if (recovery)
        if (const auto found = recovery_of(occupancy)) {
            const double from = found->first / time.size, to = found->second / time.size,
                         y = 0.14 * top;  // above the label of the first loss
            const bool room_behind = found->second < 0.65 * end_us;
            out << "set arrow from " << from << ", " << y << " to " << to << ", " << y
                << " heads front size graph 0.012, 20 linewidth 2 linecolor rgb '" << colour::vermilion << "'\n"
                << "set label 'empty after " << plain_number(to - from, 4) << ' ' << time.unit << "' at "
                << (room_behind ? to : from) << ", " << y
                << (room_behind ? " left offset character 0.8, 0" : " right offset character -0.8, 0")
                << " front textcolor rgb '" << colour::vermilion << "'\n";
        }
    out << "plot $occupancy using 1:2 with fillsteps fillstyle transparent solid 0.25 noborder linecolor rgb '"
        << colour::sky_blue << "' notitle, \\\n     $occupancy using 1:2 with steps linewidth 1.4 linecolor rgb '"
        << colour::blue << "' notitle\n";
    figure.finish();
}

}  // namespace watershed
