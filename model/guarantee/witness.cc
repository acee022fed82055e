// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/witness.h"

#include <algorithm>

#include "model/frontend/stream-train.h"
#include "model/frontend/trigger.h"

namespace watershed {

NetworkScenario with_triggers(NetworkScenario scenario, const std::vector<Time>& times) {
    const Time dead_time = scenario.trigger.dead_time;
    scenario.trigger = Trigger{};
    scenario.trigger.pattern = Trigger::Pattern::File;
    scenario.trigger.times = times;
    scenario.trigger.dead_time = dead_time;
    return scenario;
}

NetworkScenario with_ample_memory(NetworkScenario scenario, std::int64_t frames) {
    const auto ample = [&](Buffer& buffer) {
        Buffer room;
        room.size = {frames, MemorySize::Unit::Frame};
        if (buffer.dram && buffer.dram_rate) {
            constexpr std::int64_t kOfFrame = 65536;  // no frame takes as many bytes or cells
            room.cell = buffer.cell, room.cell_header = buffer.cell_header;
            room.size = {frames * kOfFrame, buffer.size.unit};
            room.dram = room.size, room.dram_from = buffer.dram_from, room.dram_rate = buffer.dram_rate;
        }
        buffer = room;
    };
    scenario.front_end.fifo.reset();
    ample(scenario.network_switch.buffer);
    if (scenario.aggregation) ample(scenario.aggregation->buffer);
    for (Node& node : scenario.nodes) ample(node.network_switch.buffer);
    return scenario;
}

std::int64_t all_frames_lost(const Outcome& outcome) {
    std::int64_t lost = outcome.frames_lost();
    for (std::size_t i = 1; i < outcome.streams.size(); ++i)
        lost += outcome.streams[i].frames_sent - outcome.streams[i].frames_received;
    return lost;
}

double frames_of_streams(const NetworkScenario& scenario) {
    double in_second = 0;
    for (const TrafficStream& stream : scenario.traffic)
        in_second += mean_bits(stream, scenario.frame) / double(8 * frame_of_stream(stream, scenario.frame).wire.count);
    return in_second > 0 ? in_second * in_seconds(end_of_camera(scenario)) : 0;
}

std::optional<std::vector<Time>> shortest_losing_train(Engine& engine, const NetworkScenario& scenario,
                                                       const Trigger& rules, std::int64_t limit) {
    Observer observer;
    observer.incomplete_kept = 1;
    for (std::int64_t length = std::min<std::int64_t>(64, limit);; length = std::min(length * 4, limit)) {
        std::vector<Time> times = densest_triggers(rules, length);
        const auto run = [&](std::size_t number) {
            return engine.run(with_triggers(scenario, {times.begin(), times.begin() + std::ptrdiff_t(number)}),
                              &observer);
        };
        const Outcome outcome = run(times.size());
        if (all_frames_lost(outcome) > 0) {
            // The first incomplete event may lose its frames to later ones, if modules are out of step; streams may
            // lose theirs to any.
            std::size_t fewer = outcome.incomplete.empty() ? 0 : std::size_t(outcome.incomplete.front().event - 1);
            std::size_t enough = times.size();
            for (std::size_t step = 1; enough - fewer > 1; step *= 2) {
                const std::size_t middle = fewer + std::min(step, (enough - fewer) / 2);
                (all_frames_lost(run(middle)) > 0 ? enough : fewer) = middle;
            }
            times.resize(enough);
            return times;
        }
        if (length == limit) return std::nullopt;
    }
}

}  // namespace watershed
