// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "model/exact/exact-engine.h"
#include "model/guarantee/switch-guarantee.h"
#include "model/guarantee/witness.h"
#include "test/camera.h"

/// Cameras that are followed by hand or by brute force, and triggers for them.
namespace watershed {

/// Modules whose frames last 1 us on their links, before uplinks on which they last as many ns.
inline Scenario small(int modules, int uplinks, std::int64_t ns, Time dead_time, Time latency = Time{0}) {
    Scenario scenario = camera(1000);
    scenario.frame.payload = Bytes{59};  // 125 B on a link
    scenario.front_end.modules = modules;
    scenario.trigger.dead_time = dead_time;
    scenario.network_switch.uplinks = uplinks;
    scenario.network_switch.uplink_rate = BitRate{1'000'000'000'000 / ns};
    scenario.network_switch.latency = latency;
    return scenario;
}

constexpr Time ns(std::int64_t count) { return Time{count * 1000}; }

/// Whole numbers at random, both ends included.
inline auto drawing(std::mt19937_64& random) {
    return [&random](std::int64_t from, std::int64_t to) {
        return std::uniform_int_distribution<std::int64_t>(from, to)(random);
    };
}

/// With memory for all.
inline Outcome ample_run(const Scenario& scenario, const std::vector<Time>& triggers) {
    return ExactEngine().run(with_ample_memory(with_triggers(scenario, triggers), 1'000'000));
}

/// A stream of frames as long as the camera's, so many ns apart, on a link of its own on which they last 10 ns.
inline TrafficStream stream(const std::string& name, std::int64_t apart) {
    TrafficStream stream;
    stream.name = name;
    stream.payload = Bytes{59};
    stream.rate.frames = Frequency{1'000'000'000'000'000 / apart};
    stream.link_rate = BitRate{100'000'000'000};
    return stream;
}

/// When the next trigger may come, by each distance on its own and of a bucket by all that came before.
inline Time earliest_after(const std::vector<Time>& times, const std::vector<TriggerSpacing>& spacings) {
    Time time = times.empty() ? Time{0} : times.back();
    for (const TriggerSpacing& each : spacings) {
        const auto n = static_cast<std::size_t>(each.triggers);
        for (std::size_t back = n; back <= times.size() && (each.bucket || back == n); ++back)
            time = std::max(time, times[times.size() - back] + each.apart * static_cast<std::int64_t>(back - n + 1));
    }
    return time;
}

/// So many triggers, some as early as these distances admit.
template <class Draw>
std::vector<Time> admitted_train(const std::vector<TriggerSpacing>& spacings, std::size_t triggers, const Draw& draw) {
    std::vector<Time> times;
    for (std::size_t k = 0; k < triggers; ++k) {
        const Time idle = draw(0, 2) == 0 ? ns(100 * draw(0, 60)) : Time{0};
        times.push_back(std::max(earliest_after(times, spacings), (times.empty() ? Time{0} : times.back()) + idle));
    }
    return times;
}

}  // namespace watershed
