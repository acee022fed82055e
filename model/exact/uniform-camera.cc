// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/uniform-camera.h"

#include <limits>

#include "model/exact/time-grid.h"
#include "model/frontend/uniform-senders.h"
#include "model/network/network.h"
#include "model/switch/output-queued-switch.h"
#include "model/switch/switch-memory.h"

namespace watershed {
namespace {

std::optional<UniformCamera::Memory> memory_of(const Network::Switch& self, const FrameSizes& frame,
                                               UnsupportedKey* why) {
    using Pools = UniformCamera::Pools;
    const auto plain = OutputQueuedSwitch::of(self.settings, why);
    if (!plain) return std::nullopt;
    const Buffer& buffer = (*plain)->buffer;
    if (buffer.accounting == Buffer::Accounting::Both && buffer.sharing != Buffer::Sharing::Shared)
        return refused(why, {"switch.buffer.accounting", "queues of both sides decide"});
    const SwitchMemory whole(buffer, self.inputs(), (*plain)->uplinks);
    UniformCamera::Memory memory{};
    memory.pools = buffer.sharing == Buffer::Sharing::PerInput    ? Pools::Input
                   : buffer.sharing == Buffer::Sharing::PerOutput ? Pools::Output
                                                                  : Pools::All;
    memory.by_input = buffer.accounting == Buffer::Accounting::Ingress;
    const Wide size = whole.accounts().layout().pool_size, cost = whole.units().cost(frame.buffer);
    memory.room = static_cast<std::int64_t>(size / cost);
    memory.descriptors = buffer.descriptors.value_or(std::numeric_limits<std::int64_t>::max());
    memory.threshold = 1;
    if (buffer.sharing == Buffer::Sharing::DynamicThreshold) {
        constexpr Wide kMost = std::numeric_limits<std::int64_t>::max() / 2;
        const Wide of_queue = cost * buffer.alpha.denominator, of_held = cost * buffer.alpha.numerator;
        const Wide frames = memory.room + 1;
        if (of_queue > kMost / frames || of_held > kMost / frames || size > kMost / buffer.alpha.numerator)
            return refused(why, {"switch.buffer.alpha", "too many digits"});
        memory.of_queue = static_cast<std::int64_t>(of_queue);
        memory.of_held = static_cast<std::int64_t>(of_held);
        memory.threshold = static_cast<std::int64_t>(size * buffer.alpha.numerator);
    }
    return memory;
}

}  // namespace

std::optional<UniformCamera> UniformCamera::of(const NetworkScenario& scenario, UnsupportedKey* why) {
    if (scenario.server.receiver) return refused(why, {"server.path", "the server has limits of its own"});
    const auto senders = UniformSenders::of(scenario, why, UniformSenders::Times::Own);
    if (!senders) return std::nullopt;
    UniformCamera camera{};
    camera.frame = frames_of_fragment((*senders)->frame).front();
    const Network network(scenario);
    for (const Network::Switch& each : network.switches()) {
        const auto memory = memory_of(each, camera.frame, why);
        if (!memory) return std::nullopt;
        camera.memories.push_back(*memory);
    }
    const ExactTimes times = exact_times(scenario);
    if (!times.whole) return refused(why, {"front_end.clock", "no grid holds all times"});
    camera.grid = times.grid;
    return camera;
}

}  // namespace watershed
