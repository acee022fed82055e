// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/sweep/verify.h"

#include <algorithm>
#include <random>
#include <stdexcept>

#include "scenarios/text/units.h"

namespace watershed {

std::vector<Claimed> nearest_boundary(std::vector<Claimed> points, std::int64_t count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (std::size_t i = points.size(); i > 1; --i)
        std::swap(points[i - 1], points[static_cast<std::size_t>(random() % i)]);
    std::stable_sort(points.begin(), points.end(),
                     [](const Claimed& a, const Claimed& b) { return a.from_boundary < b.from_boundary; });
    if (static_cast<std::int64_t>(points.size()) > count) points.resize(static_cast<std::size_t>(count));
    return points;
}

void verify(Engine& engine, Scenario scenario, const std::vector<Claimed>& points) {
    scenario.trigger.pattern = Trigger::Pattern::Burst;
    for (const Claimed& point : points) {
        scenario.trigger.separation = point.separation;
        scenario.trigger.events = point.events;
        const std::int64_t lost = engine.run(scenario).frames_lost();
        if (lost != point.lost)
            throw std::runtime_error("verification failed: a burst of " + std::to_string(point.events) + " events " +
                                     to_text(point.separation) + " apart loses " + std::to_string(point.lost) +
                                     " frames, but in the " + engine.name() + " engine " + std::to_string(lost));
    }
}

}  // namespace watershed
