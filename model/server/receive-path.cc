// SPDX-License-Identifier: GPL-2.0-only
#include "model/server/receive-path.h"

namespace watershed {

ReceivePath::ReceivePath(const Receiver& receiver, int interfaces)
    : costs_(costs_of(receiver)),
      polling_(receiver.polling),
      poll_period_(receiver.poll_period),
      interrupt_frames_(receiver.interrupt_frames),
      cores_({receiver.cores, 1, {0, 1}}),
      interfaces_(static_cast<std::size_t>(interfaces),
                  Interface{Serializer(costs_.dma_rate.value_or(BitRate{1})), {}, 0, 0, 0, {}}) {}

bool ReceivePath::arrive(const FrameId& frame, const FrameSizes& sizes, int number, Time now) {
    Interface& interface = interfaces_[static_cast<std::size_t>(number)];
    if (costs_.ring && interface.held >= *costs_.ring) {
        ++interface.lost;
        return false;
    }
    interface.recovery.occupied(now, ++interface.held, true);
    const Time in_memory = costs_.dma_rate ? interface.dma.send(now, sizes.buffer).time : now;
    events_.push({in_memory, Kind::Moved, number, ++serial_, frame, sizes.payload});
    return true;
}

std::optional<ReceivePath::Taken> ReceivePath::next(Time now) {
    while (!events_.empty() && events_.top().time <= now) {
        const Event event = events_.top();
        events_.pop();
        Interface& interface = interfaces_[static_cast<std::size_t>(event.interface)];
        switch (event.kind) {
            case Kind::Moved: moved(event); break;
            case Kind::WakeUp:
                if (event.serial == interface.batch) wake_up(interface, event.interface, event.time);
                break;
            case Kind::Taken:
                interface.recovery.occupied(event.time, --interface.held, false);
                return Taken{event.frame, event.payload, event.time};
        }
    }
    return std::nullopt;
}

void ReceivePath::moved(const Event& event) {
    Interface& interface = interfaces_[static_cast<std::size_t>(event.interface)];
    interface.moved.emplace_back(event.frame, event.payload);
    const auto waiting = static_cast<std::int64_t>(interface.moved.size());
    if (!polling_ && interrupt_frames_ && waiting >= *interrupt_frames_) {
        wake_up(interface, event.interface, event.time);
    } else if (waiting == 1) {
        const Time poll{ceil_div(event.time.count(), poll_period_.count()) * poll_period_.count()};
        events_.push({polling_ ? poll : event.time + costs_.interrupt_delay,
                      Kind::WakeUp,
                      event.interface,
                      interface.batch,
                      {},
                      {}});
    }
}

void ReceivePath::wake_up(Interface& interface, int number, Time now) {
    ++interface.batch;
    ++wake_ups_;
    Time once = costs_.wake_up;
    for (const auto& [frame, payload] : interface.moved) {
        const Time done = cores_.serve(now, once + costs_.frame + costs_.byte * payload.count);
        events_.push({done, Kind::Taken, number, ++serial_, frame, payload});
        once = Time{0};
    }
    interface.moved.clear();
}

void ReceivePath::report(Outcome::Server& server) const {
    for (const Interface& each : interfaces_) server.interfaces.push_back({each.lost, each.recovery});
    server.wake_ups = wake_ups_;
    server.done = cores_.done();
    server.busy = cores_.busy(server.done);
}

}  // namespace watershed
