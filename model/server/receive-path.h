// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <deque>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

#include "model/base/frame.h"
#include "model/base/outcome.h"
#include "model/base/recovery.h"
#include "model/base/serializer.h"
#include "model/base/server-pool.h"
#include "model/server/receiver.h"

namespace watershed {

/// Path of frames from a server's network ports into a program:
///
///     link ─▶ receive ring ─▶ DMA ─▶ wake-up: interrupt or poll ─▶ cores
///
/// A frame needs a descriptor of its port's ring, or room for its bytes where the ring is counted in these, from its
/// last bit on until a core has taken it, or it is lost. Frames of a port move to memory one after the other. An
/// interrupt comes some time after the first that has moved, or with so many of them; a poll at multiples of its
/// period. It hands all frames of its port to the cores, of which the first free one takes the next frame. At one
/// instant what goes on inside comes before arrivals: cores finish, frames have moved, wake-ups come.
class ReceivePath {
  public:
    static constexpr LossCause kRingFull{"server", "ring-full"};

    ReceivePath(const Receiver& receiver, int interfaces)
        : costs_(costs_of(receiver)),
          polling_(receiver.polling),
          poll_period_(receiver.poll_period),
          interrupt_frames_(receiver.interrupt_frames),
          cores_({receiver.cores, 1, {0, 1}}),
          interfaces_(static_cast<std::size_t>(interfaces),
                      Interface{Serializer(costs_.dma_rate.value_or(BitRate{1})), {}, 0, 0, {}, 0, {}}) {}

    struct Taken {
        FrameId frame;
        Bytes payload;
        Time time;
    };
    /// The next frame that a core has finished with, until `now`; call it until there is none before each arrival.
    std::optional<Taken> next(Time now) {
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
                    interface.bytes -= event.what.buffer;
                    return Taken{event.what.frame, event.what.payload, event.time};
            }
        }
        return std::nullopt;
    }
    /// A frame has arrived; call it in order of time. @param interface from 0 @return false if it is lost
    bool arrive(const FrameId& frame, const FrameSizes& sizes, int number, Time now) {
        Interface& interface = interfaces_[static_cast<std::size_t>(number)];
        if (!has_room(interface, sizes.buffer)) {
            ++interface.lost;
            return false;
        }
        interface.recovery.occupied(now, ++interface.held, true);
        interface.bytes += sizes.buffer;
        const Time in_memory = costs_.dma_rate ? interface.dma.send(now, sizes.buffer).time : now;
        events_.push({in_memory, Kind::Moved, number, ++serial_, {frame, sizes.payload, sizes.buffer}});
        return true;
    }

    /// Adds what it saw.
    void report(Outcome::Server& server) const {
        for (const Interface& each : interfaces_) server.interfaces.push_back({each.lost, each.recovery});
        server.wake_ups = wake_ups_;
        server.done = cores_.done();
        server.busy = cores_.busy(server.done);
    }

  private:
    enum class Kind { Taken, Moved, WakeUp };
    struct Arrived {
        FrameId frame;
        Bytes payload, buffer;
    };
    struct Event {
        Time time;
        Kind kind;
        int interface;
        std::int64_t serial;  ///< serial number of the event, or of the batch of a wake-up
        Arrived what;
        friend bool operator<(const Event& a, const Event& b) {  // a priority queue gives the largest first
            return std::tie(b.time, b.kind, b.interface, b.serial) < std::tie(a.time, a.kind, a.interface, a.serial);
        }
    };
    struct Interface {
        Serializer dma;
        std::deque<Arrived> moved;  ///< in memory, and no core knows of them
        std::int64_t batch = 0;     ///< number of the next wake-up that counts
        std::int64_t held = 0;      ///< descriptors
        Bytes bytes{0};             ///< of their frames
        std::int64_t lost = 0;
        Recovery recovery;
    };

    bool has_room(const Interface& interface, Bytes frame) const {
        if (!costs_.ring) return true;
        return costs_.ring->unit == MemorySize::Unit::Byte ? (interface.bytes + frame).count <= costs_.ring->amount
                                                           : interface.held < costs_.ring->amount;
    }
    void moved(const Event& event) {
        Interface& interface = interfaces_[static_cast<std::size_t>(event.interface)];
        interface.moved.push_back(event.what);
        const auto waiting = static_cast<std::int64_t>(interface.moved.size());
        if (!polling_ && interrupt_frames_ && waiting >= *interrupt_frames_) {
            wake_up(interface, event.interface, event.time);
        } else if (waiting == 1) {
            const Time poll{ceil_div(event.time.count(), poll_period_.count()) * poll_period_.count()};
            events_.push({polling_ ? poll : event.time + costs_.interrupt_delay,
                          Kind::WakeUp,
                          event.interface,
                          interface.batch,
                          {}});
        }
    }
    void wake_up(Interface& interface, int number, Time now) {
        ++interface.batch;
        ++wake_ups_;
        Time once = costs_.wake_up;
        for (const Arrived& each : interface.moved) {
            const Time done = cores_.serve(now, once + costs_.frame + costs_.byte * each.payload.count);
            events_.push({done, Kind::Taken, number, ++serial_, each});
            once = Time{0};
        }
        interface.moved.clear();
    }

    ReceiveCosts costs_;
    bool polling_;
    Time poll_period_;
    std::optional<std::int64_t> interrupt_frames_;
    ServerPool cores_;
    std::vector<Interface> interfaces_;
    std::priority_queue<Event> events_;
    std::int64_t serial_ = 0;
    std::int64_t wake_ups_ = 0;
};

}  // namespace watershed
