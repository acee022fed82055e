// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/set-aside.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "scenarios/units.h"

namespace watershed {
namespace {

/// Frames by which one burst must keep to its side: depth * a + rate * b - c, negative where it does not.
struct Side {
    double a = 0;
    double b = 0;
    double c = 0;
    double weight = 0;   ///< bursts like this one
    double miss(double depth, double rate) const { return std::max(0.0, c - a * depth - b * rate); }
};

Side side_of(const QueueModel& model, const Burst& burst) {
    const double inputs = static_cast<double>(model.inputs_per_memory(burst)), sign = burst.lossy ? -1 : 1;
    return {sign * inputs / static_cast<double>(model.cost(burst)), sign * model.uplinks * burst.drain(), sign * static_cast<double>(burst.fragments()), 1};
}

/// The least of a convex function, and where.
template <class Function>
std::pair<double, double> least_of(Function function, double low, double high, int steps) {
    constexpr double kGolden = 0.6180339887498949;
    double left = high - kGolden * (high - low), right = low + kGolden * (high - low);
    double at_left = function(left), at_right = function(right);
    for (int i = 0; i < steps; ++i) {
        if (at_left <= at_right) {
            high = right, right = left, at_right = at_left;
            at_left = function(left = high - kGolden * (high - low));
        } else {
            low = left, left = right, at_left = at_right;
            at_right = function(right = low + kGolden * (high - low));
        }
    }
    return at_left <= at_right ? std::make_pair(left, at_left) : std::make_pair(right, at_right);
}

}  // namespace

std::vector<RowSetAside> set_aside_late(std::vector<Burst>& bursts) {
    std::vector<RowSetAside> aside;
    std::vector<Burst> kept;
    for (const Burst& burst : bursts) {
        if (burst.lateness && burst.events > 1 && *burst.lateness * 2 > burst.spacing)
            aside.push_back({burst.row, burst.line, "a trigger came " + to_text(*burst.lateness) + " late, with " + to_text(burst.separation) + " between triggers"});
        else
            kept.push_back(burst);
    }
    bursts.swap(kept);
    return aside;
}

Contradiction least_contradiction(const QueueModel& model, const std::vector<Burst>& bursts, double depth_high, double rate_low, double rate_high) {
    std::map<std::tuple<double, double, double>, double> weights;
    for (const Burst& burst : bursts) {
        const Side side = side_of(model, burst);
        weights[{side.a, side.b, side.c}] += 1;
    }
    std::vector<Side> sides;
    for (const auto& [side, weight] : weights) sides.push_back({std::get<0>(side), std::get<1>(side), std::get<2>(side), weight});
    const auto total = [&](double depth, double rate) {
        double sum = 0;
        for (const Side& side : sides) sum += side.weight * side.miss(depth, rate);
        return sum;
    };
    // Nested golden sections; fewer steps for large maps, whose optimum needs no more digits than their scatter.
    const int steps = sides.size() > 20'000 ? 24 : 60;
    const auto best_rate = [&](double depth) {
        return rate_low == rate_high ? std::make_pair(rate_low, total(depth, rate_low))
                                     : least_of([&](double rate) { return total(depth, rate); }, rate_low, rate_high, steps);
    };
    Contradiction result;
    result.depth = least_of([&](double depth) { return best_rate(depth).second; }, 0, depth_high, steps).first;
    std::tie(result.rate, result.frames) = best_rate(result.depth);
    for (const Burst& burst : bursts) {
        const double miss = side_of(model, burst).miss(result.depth, result.rate);
        if (miss <= 1e-6 * static_cast<double>(burst.fragments())) continue;
        result.rows.push_back(burst.row);
        result.worst_relative = std::max(result.worst_relative, miss / static_cast<double>(burst.fragments()));
    }
    return result;
}

}  // namespace watershed
