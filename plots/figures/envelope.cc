// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/envelope.h"

#include <algorithm>
#include <set>

namespace watershed {

std::vector<PlotPoint> envelope(const std::vector<PlotPoint>& points, std::size_t columns) {
    constexpr std::size_t kKeptPerColumn = 4;
    if (points.size() <= kKeptPerColumn * columns) return points;
    const double begin = points.front().x, width = points.back().x - begin;
    const auto column_of = [&](const PlotPoint& point) {
        return width > 0 ? std::min(static_cast<std::size_t>((point.x - begin) / width * static_cast<double>(columns)),
                                    columns - 1)
                         : 0;
    };
    std::vector<PlotPoint> kept;
    for (auto first = points.begin(); first != points.end();) {
        const std::size_t column = column_of(*first);
        const auto end =
            std::find_if(first, points.end(), [&](const PlotPoint& point) { return column_of(point) != column; });
        const auto [lowest, highest] =
            std::minmax_element(first, end, [](const PlotPoint& a, const PlotPoint& b) { return a.y < b.y; });
        for (const auto& point : std::set{first, lowest, highest, std::prev(end)}) kept.push_back(*point);
        first = end;
    }
    return kept;
}

}  // namespace watershed
