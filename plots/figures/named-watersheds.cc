// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/named-watersheds.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "plots/style/drawing-program.h"
#include "scenarios/text/input-error.h"

namespace watershed {

void draw_named_watersheds(const std::vector<NamedWatershed>& watersheds, FigureRequest request,
                           const std::string& source, WatershedLook look) {
    const ScratchFolder scratch(std::filesystem::temp_directory_path());
    request.inputs.clear();
    request.labels.clear();
    std::string without, unknown;
    for (const NamedWatershed& each : watersheds) {
        if (each.points.empty()) {
            unknown += (unknown.empty() ? "" : ", ") + each.name;
            continue;
        }
        if (std::none_of(each.points.begin(), each.points.end(),
                         [](const auto& point) { return !point[1].is_null(); })) {
            without += (without.empty() ? "" : ", ") + each.name;
            continue;
        }
        request.inputs.push_back(
            (scratch.path() / ("watershed-" + std::to_string(request.inputs.size()) + ".csv")).string());
        request.labels.push_back(each.label);
        std::ofstream out(request.inputs.back());
        out << "separation_us,events_lossless\n";
        for (const auto& point : each.points)
            out << point[0].dump() << ',' << (point[1].is_null() ? "" : point[1].dump()) << '\n';
        if (!out.flush()) throw std::runtime_error(request.inputs.back() + ": cannot be written");
    }
    if (!unknown.empty()) unknown = "not drawn, since it takes too long to run: " + unknown;
    if (request.inputs.empty() && !unknown.empty())
        throw InputError(source + ": the watershed is " + unknown + ", expected one that is known");
    if (request.inputs.empty())
        throw InputError(source +
                         ": none of the designs ever loses an event of a burst, so that there is no watershed to draw");
    request.source =
        source + (without.empty() ? "" : "; without a watershed: " + without) + (unknown.empty() ? "" : "; " + unknown);
    look.log_events = true;
    draw_watershed(request, look);
}

}  // namespace watershed
