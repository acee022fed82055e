// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "model/base/frame.h"
#include "model/base/outcome.h"
#include "model/base/recovery.h"
#include "model/base/ring.h"
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
          most_(receiver.polling ? INT64_MAX : receiver.interrupt_frames.value_or(INT64_MAX)),
          cores_({receiver.cores, 1, {0, 1}}),
          interfaces_(static_cast<std::size_t>(interfaces),
                      Interface{Serializer(costs_.dma_rate.value_or(BitRate{1}))}) {}

    /// Takes the frames that cores have finished with until `now`; call it before each arrival.
    /// @param visit  given a frame, its payload and the time
    template <class Visit>
    void take_until(Time now, Visit visit) {
        for (;;) {
            for (const Time until = std::min(now, inside_); !taken_.empty() && taken_.front().time <= until;) {
                const Done done = taken_.pop();
                Interface& interface = interfaces_[done.interface];
                interface.recovery.occupied(done.time, --interface.held, false);
                interface.bytes -= done.what.buffer;
                visit(done.what.frame, done.what.payload, done.time);
            }
            if (inside_ == kNever || inside_ > now) return;
            wake_up();
        }
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
        interface.moving.push({in_memory, {frame, sizes.payload, sizes.buffer}});
        if (const std::int64_t waiting = interface.moving.size(); waiting == 1 || waiting == most_) look(interface);
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
    static constexpr Time kNever = Time::max();

    struct Arrived {
        FrameId frame;
        Bytes payload, buffer;
    };
    struct Moving {
        Time in_memory{0};
        Arrived what;
    };
    struct Done {
        Time time;
        std::size_t interface;
        Arrived what;
        bool operator<(const Done& other) const {
            return std::tie(time, interface) < std::tie(other.time, other.interface);
        }
    };
    struct Interface {
        Serializer dma;
        Ring<Moving> moving{};  ///< to memory, or there and no core knows of them
        Time wake_up = kNever;
        bool by_number = false;  ///< the wake-up comes since so many have moved
        std::int64_t held = 0;   ///< descriptors
        Bytes bytes{0};          ///< bytes of their frames
        std::int64_t lost = 0;
        Recovery recovery{};
    };

    bool has_room(const Interface& interface, Bytes frame) const {
        if (!costs_.ring) return true;
        return costs_.ring->unit == MemorySize::Unit::Byte ? (interface.bytes + frame).count <= costs_.ring->amount
                                                           : interface.held < costs_.ring->amount;
    }
    /// Finds when the next wake-up of a port comes: some time after its first frame has moved, or with so many.
    void look(Interface& interface) {
        interface.wake_up = kNever;
        interface.by_number = false;
        if (interface.moving.empty()) return;
        const Time first = interface.moving.front().in_memory;
        interface.wake_up = polling_ ? Time{ceil_div(first.count(), poll_period_.count()) * poll_period_.count()}
                                     : first + costs_.interrupt_delay;
        if (interface.moving.size() >= most_)
            if (const Time last = interface.moving[most_ - 1].in_memory; last <= interface.wake_up) {
                interface.wake_up = last;
                interface.by_number = true;
            }
        inside_ = std::min(inside_, interface.wake_up);
    }
    /// The next wake-up comes: of one instant first those by number.
    void wake_up() {
        const Time now = inside_;
        const auto comes = [&](bool by_number) {
            return std::find_if(interfaces_.begin(), interfaces_.end(), [&](const Interface& each) {
                return each.wake_up == now && each.by_number == by_number;
            });
        };
        auto interface = comes(true);
        if (interface == interfaces_.end()) interface = comes(false);
        ++wake_ups_;
        const auto number = static_cast<std::size_t>(interface - interfaces_.begin());
        Time once = costs_.wake_up;
        for (std::int64_t left = interface->by_number ? most_ : interface->moving.size();
             left > 0 && interface->moving.front().in_memory <= now; --left, once = Time{0}) {
            const Arrived each = interface->moving.pop().what;
            const Time done = cores_.serve(now, once + costs_.frame + costs_.byte * each.payload.count);
            taken_.push({done, number, each});  // one core finishes in order, and several nearly so
            for (std::int64_t place = taken_.size() - 1; place > 0 && taken_[place] < taken_[place - 1]; --place)
                std::swap(taken_[place], taken_[place - 1]);
        }
        inside_ = kNever;
        for (const Interface& each : interfaces_)
            if (&each != &*interface) inside_ = std::min(inside_, each.wake_up);
        look(*interface);
    }

    ReceiveCosts costs_;
    bool polling_;
    Time poll_period_;
    std::int64_t most_;  ///< frames that wait before an interrupt comes at once
    ServerPool cores_;
    std::vector<Interface> interfaces_;
    Ring<Done> taken_;      ///< by time and interface
    Time inside_ = kNever;  ///< next wake-up
    std::int64_t wake_ups_ = 0;
};

}  // namespace watershed
