// SPDX-License-Identifier: GPL-2.0-only
#include "plots/figures/hyperbola.h"

#include <algorithm>
#include <cmath>
#include <ratio>
#include <set>

#include "model/base/quantities.h"

namespace watershed {
namespace {

/// Point at which the straight line through (a, u_a) and (b, u_b) is zero.
double zero_of_line(double a, double u_a, double b, double u_b) { return b + u_b * (b - a) / (u_a - u_b); }

}  // namespace

std::optional<Bounds> asymptote_of(const std::vector<BoundaryPoint>& points) {
    const auto first_open =
        std::find_if(points.begin(), points.end(), [](const BoundaryPoint& point) { return !point.events_lossless; });
    if (first_open == points.begin()) return std::nullopt;
    const BoundaryPoint& last = *std::prev(first_open);
    const double b = in_microseconds(last.separation);
    std::optional<Bounds> bracket;
    if (first_open != points.end()) bracket = Bounds{b, in_microseconds(first_open->separation)};

    // The nearest point at half the height gives the line a lever, and leaves kinks further down out of account.
    const auto half =
        std::find_if(std::make_reverse_iterator(first_open), points.rend(), [&](const BoundaryPoint& point) {
            return *point.events_lossless > 1 && 2 * *point.events_lossless <= *last.events_lossless;
        });
    if (half == points.rend()) return bracket;
    const double a = in_microseconds(half->separation);
    const auto m_a = static_cast<double>(*half->events_lossless), m_b = static_cast<double>(*last.events_lossless);
    // The real-valued M lies within [m, m + 1).
    Bounds line{zero_of_line(a, 1 / (m_a - 1), b, 1 / m_b), zero_of_line(a, 1 / m_a, b, 1 / (m_b - 1))};
    if (bracket) {
        if (line.low > bracket->high || line.high < bracket->low) return bracket;
        return Bounds{std::max(line.low, bracket->low), std::min(line.high, bracket->high)};
    }
    const bool determined = line.high - line.low < 0.02 * line.high;
    return determined ? std::optional(line) : std::nullopt;
}

std::vector<PlotPoint> joined_by_hyperbolas(const std::vector<PlotPoint>& points, std::optional<double> asymptote) {
    std::vector<PlotPoint> line;
    const auto append_arc = [&](PlotPoint from, double to_x, double to_u) {
        const double from_u = 1 / (from.y - 1);
        constexpr int kSteps = 24;
        for (int i = 1; i < kSteps; ++i) {
            const double part = static_cast<double>(i) / kSteps;
            line.push_back({from.x + part * (to_x - from.x), 1 + 1 / (from_u + part * (to_u - from_u))});
        }
    };
    for (const PlotPoint& point : points) {
        const double rise = line.empty() ? 0 : point.y - line.back().y;
        const bool whole = !line.empty() && rise == std::floor(rise);
        constexpr double kVisibleStep = 2;
        if (whole && rise > 0 && rise <= kVisibleStep)
            line.push_back({point.x, line.back().y});
        else if (!line.empty() && line.back().y > 1 && point.y > 1 && std::abs(point.y / line.back().y - 1) > 0.02)
            append_arc(line.back(), point.x, 1 / (point.y - 1));
        line.push_back(point);
    }
    if (asymptote && !line.empty() && line.back().y > 1) {
        // A sixth nearer each time, up to 10^5 times the last height.
        const PlotPoint last = line.back();
        for (double rest = 5.0 / 6; rest > 1e-5; rest *= 5.0 / 6)
            line.push_back({*asymptote - rest * (*asymptote - last.x), 1 + (last.y - 1) / rest});
    }
    return line;
}

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
