// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/size.h"

#include <algorithm>
#include <cmath>

#include "model/camera-queue.h"
#include "model/frame.h"
#include "model/memory-units.h"
#include "model/network.h"
#include "model/parts.h"
#include "scenarios/input-error.h"
#include "scenarios/reader.h"

namespace watershed {
namespace {

constexpr double kPrecision = 0.1;   // of a chance of loss: one or two frames in a few hundred

CameraQueue queue_of(const Scenario& scenario) {
    CameraQueue camera = CameraQueue::of(scenario);
    if (!camera.queues) throw InputError("the memory that is needed is found by the embedded chain, which does not know this scenario: " + camera.obstacle);
    return camera;
}

double log_loss(const Scenario& scenario) { return log_loss_probability(queue_of(scenario), kPrecision).upper; }

/// The smallest integer for which `log_of` is at most `wanted`. It falls, and far out along a straight line.
template <class Function>
std::int64_t smallest(std::int64_t enough, double wanted, const Function& log_of) {
    std::int64_t little = 0;
    double at_little = 0, at_enough = log_of(enough);
    while (at_enough > wanted) {
        little = enough;
        at_little = at_enough;
        enough *= 2;
        at_enough = log_of(enough);
    }
    for (int step = 0; enough - little > 1; ++step) {
        std::int64_t next = little + (enough - little) / 2;
        if (step % 3 != 2 && std::isfinite(at_enough)) {
            const double part = (at_little - wanted) / (at_little - at_enough);
            next = little + static_cast<std::int64_t>(std::ceil(part * static_cast<double>(enough - little))) - (step % 3 == 1 ? 1 : 0);
        }
        next = std::clamp(next, little + 1, enough - 1);
        const double at_next = log_of(next);
        (at_next <= wanted ? enough : little) = next;
        (at_next <= wanted ? at_enough : at_little) = at_next;
    }
    return enough;
}

}  // namespace

Scenario fullest_switch(const Scenario& scenario, const std::string& file) {
    if (has_one_switch(scenario)) return scenario;
    const Network network(scenario);
    if (!scenario.nodes.empty() || !has_parts(scenario, network)) expect_one_switch(scenario, file);
    return network.part(scenario, 0);   // the first ones have one module more
}

NeededMemory needed_memory(Scenario scenario, Frequency rate, double loss, int uplinks) {
    scenario.trigger.rate = rate;
    scenario.network_switch.uplinks = uplinks;
    Buffer& buffer = scenario.network_switch.buffer;
    const Bytes frame = frames_of_fragment(scenario.frame).front().buffer;
    const Bytes each = buffer.cell.count > 0 ? Bytes{ceil_div((frame + buffer.cell_header).count, buffer.cell.count) * buffer.cell.count} : frame;
    buffer.descriptors.reset();
    buffer.queue_split = false;
    buffer.cell = buffer.cell_header = Bytes{0};
    buffer.size = {scenario.front_end.modules, MemorySize::Unit::Frame};

    const BatchQueue queue = queue_of(scenario).queues->unluckiest;
    NeededMemory needed{rate, loss, uplinks, queue.load(), std::nullopt, Bytes{0}};
    if (queue.load() >= 1) return needed;
    needed.frames = smallest(scenario.front_end.modules, std::log(loss), [&](std::int64_t frames) {
        buffer.size.amount = frames;
        return log_loss(scenario);
    });
    needed.bytes = each * *needed.frames;
    return needed;
}

std::optional<int> fewest_uplinks(Scenario scenario, double loss, const std::vector<std::int64_t>& uplinks) {
    std::vector<std::int64_t> ascending = uplinks;
    std::sort(ascending.begin(), ascending.end());
    for (const std::int64_t count : ascending) {
        scenario.network_switch.uplinks = static_cast<int>(count);
        if (log_loss(scenario) <= std::log(loss)) return static_cast<int>(count);
    }
    return std::nullopt;
}

}  // namespace watershed
