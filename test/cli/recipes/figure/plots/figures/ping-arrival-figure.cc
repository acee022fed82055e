// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/figures.h"
#include "plots/figures/system-curves.h"

namespace watershed {

void draw_ping_arrival(const FigureRequest& request) {
    from_system_run(only_input(request), "ping", [&](const nlohmann::json& document) {
        Figure::Rows rows;
        for (const nlohmann::json& run : document["runs"])
            rows.push_back({member<double>(run, "hops"), member<double>(run, "arrived_us")});
        draw_curves(request, {{"packets", rows, line_look("points", 0)}}, {"links", "arrival / µs"});
        return rows.size();
    });
}

}  // namespace watershed
