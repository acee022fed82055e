// SPDX-License-Identifier: GPL-2.0-only
#include "test/agreement/random-server.h"

#include "model/base/serializer.h"
#include "model/frontend/fragment-sizes.h"
#include "test/agreement/choices.h"
#include "test/agreement/random-network.h"
#include "test/agreement/random-scenario.h"

namespace watershed {
namespace {

Time some_time(Choices& choose, Time slot) {
    switch (choose(0, 3)) {
        case 0: return Time{0};
        case 1: return slot;
        case 2: return slot * choose(1, 5);
        default: return Time{choose(0, 4 * slot.count())};
    }
}

}  // namespace

Scenario random_server(std::uint64_t seed) {
    Choices choose(seed ^ 0x5e27e2);
    Scenario s = seed % 3 == 0   ? random_scenario(seed)
                 : seed % 3 == 1 ? random_network(seed)
                 : seed % 6 == 2 ? random_eventDriven_network(seed)
                                 : random_eventDriven_scenario(seed);
    if (choose.chance(30)) {
        s.frame.split = true;
        for (std::int64_t i = choose(1, 3); i > 0; --i)
            s.frame.payloads.push_back({Bytes{choose.chance(30) ? choose(18, 4000) : choose(18, 1400)}, choose(1, 3)});
    }
    const Bytes wire = FragmentSizes(s.frame, s.seed).choices().front().front().wire;
    const Time slot =
        Serializer(choose.chance(50) ? s.front_end.link_rate : s.network_switch.uplink_rate).send(Time{0}, wire).time;

    Receiver receiver;
    receiver.path = choose.chance(40)   ? Receiver::Path::Ideal
                    : choose.chance(50) ? Receiver::Path::Netmap
                                        : Receiver::Path::Socket;
    if (choose.chance(60)) {
        const std::int64_t frames = choose(1, 6);
        const Bytes frame = FragmentSizes(s.frame, s.seed).choices().front().front().buffer;
        receiver.given.ring =
            s.seed % 2 == 0 ? MemorySize{frames} : MemorySize{frames * frame.count, MemorySize::Unit::Byte};
    }
    if (choose.chance(40))
        receiver.given.dma_rate =
            BitRate{choose.chance(50) ? s.network_switch.uplink_rate.count : s.front_end.link_rate.count};
    receiver.polling = choose.chance(40);
    receiver.poll_period = std::max(Time{1}, some_time(choose, slot));
    if (choose.chance(60)) receiver.given.interrupt_delay = some_time(choose, slot);
    if (choose.chance(40)) receiver.interrupt_frames = choose(1, 4);
    if (choose.chance(60)) receiver.given.wake_up = some_time(choose, slot);
    if (choose.chance(60)) receiver.given.frame = some_time(choose, slot);
    if (choose.chance(60)) receiver.given.byte = Time{choose(0, 800)};
    receiver.cores = static_cast<int>(choose(1, 3));
    if (choose.chance(50)) receiver.memory = Bytes{choose(1, 20'000)};
    if (choose.chance(60)) receiver.timeout = std::max(Time{1}, some_time(choose, slot));
    receiver.keep_incomplete = choose.chance(50);
    if (choose.chance(50)) receiver.output_rate = s.network_switch.uplink_rate;
    s.server.receiver = receiver;
    return s;
}

}  // namespace watershed
