// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "model/base/addresses.h"
#include "model/base/loss.h"
#include "model/base/random.h"
#include "model/base/serializer.h"
#include "model/frontend/senders.h"

namespace watershed {

/// A FIFO in front of a link, limited in frames or not.
class OutputFifo {
  public:
    /// @param capacity frames, the one being sent included; absent: no limit
    OutputFifo(BitRate rate, ClockTolerance tolerance, std::optional<std::int64_t> capacity, TimeGrid grid = {})
        : link_(rate, tolerance, grid) {
        set_capacity(capacity, {});
    }

    /// Queues a frame at `now`; call it in order of time.
    /// A frame holds its place until its last bit has left; at equal times departures come first.
    /// @return when the frame has left, or nothing if the FIFO was full
    std::optional<Timestamp> offer(Timestamp now, Bytes wire) { return offer(now, wire, now); }
    /// The same for a frame whose first bit may have been ready before now, while it waited elsewhere.
    /// @param gap  that the link keeps after the frame before
    std::optional<Timestamp> offer(Timestamp now, Bytes wire, Timestamp ready, Time gap = Time{0}) {
        if (is_full(now)) return std::nullopt;
        return take(wire, ready, gap);
    }
    /// Whether it refuses a frame at `now`; ask in order of time.
    bool is_full(const Timestamp& now) {
        if (!limit_) return false;
        std::deque<Timestamp>& departures = limit_->departures;
        while (!departures.empty() && departures.front() <= now) departures.pop_front();
        return static_cast<std::int64_t>(departures.size()) >= limit_->capacity;
    }
    /// Queues a frame for which there is room. @return when it has left
    Timestamp take(Bytes wire, Timestamp ready, Time gap = Time{0}) {
        if (gap != Time{0}) ready = std::max(ready, link_.free() + gap);
        const Timestamp departure = link_.send(ready, wire);
        if (limit_) limit_->departures.push_back(departure);
        return departure;
    }

    /// Frames that are taken from now on are sent at this rate; those in the FIFO leave when they were to leave.
    void set_rate(BitRate rate, ClockTolerance tolerance) { link_.set_rate(rate, tolerance); }
    /// A new capacity. @param departures of the frames in the FIFO, in their order
    void set_capacity(std::optional<std::int64_t> capacity, std::deque<Timestamp> departures) {
        limit_.reset();
        if (capacity) limit_ = {*capacity, std::move(departures)};
    }

    /// When the last frame taken begins to be sent.
    Timestamp begin() const { return link_.begin(); }
    /// When the last frame taken has left.
    Timestamp free() const { return link_.free(); }

  private:
    struct Limit {
        std::int64_t capacity;
        std::deque<Timestamp> departures;  ///< of the frames in the FIFO
    };

    Serializer link_;
    std::optional<Limit> limit_;
};

/// What is constant about one module (from 1) over a run: drawn once from the scenario and its seed.
struct ModuleTiming {
    Time skew{0};              ///< of its trigger
    ClockTolerance tolerance;  ///< of its link's clock
};
ModuleTiming module_timing(const FrontEnd& front_end, std::uint64_t seed, int module);

/// True if every module sends every fragment at the same instants.
bool is_synchronous(const FrontEnd& front_end);

/// When the fragments of one module are ready, after its trigger's delay.
class FragmentTiming {
  public:
    /// @param module from 1
    FragmentTiming(const FrontEnd& front_end, std::uint64_t seed, int module);

    /// When the fragment of this event asks for a place in the FIFO. Fragments never overtake each other:
    /// call it once per event, in order.
    Time offer_time(std::int64_t event, Time trigger) {
        Time time = trigger + skew_;
        if (jitter_ != Time{0})
            time += Time{uniform_up_to(jitters_(static_cast<std::uint64_t>(event)), jitter_.count())};
        last_offer_ = std::max(last_offer_, time);
        return last_offer_;
    }

  private:
    Draws jitters_;  ///< by event
    Time skew_;
    Time jitter_;
    Time last_offer_{0};
};

/// The output port of one module: a FIFO in front of a link.
class FrontEndPort {
  public:
    static constexpr LossCause kFifoFull{"front-end", "fifo-full"};

    /// @param module from 1
    /// @param grid   of the times that offer() gives
    FrontEndPort(const FrontEnd& front_end, std::uint64_t seed, int module, TimeGrid grid = {})
        : timing_(front_end, seed, module),
          fifo_(front_end.link_rate, module_timing(front_end, seed, module).tolerance, front_end.fifo, grid) {}

    Time offer_time(std::int64_t event, Time trigger) { return timing_.offer_time(event, trigger); }
    /// @return when the frame has arrived at the far end, or nothing if the FIFO was full
    /// @param gap  that the link keeps after the frame before
    std::optional<Timestamp> offer(Time now, Bytes wire, Time gap = Time{0}) {
        return fifo_.offer(now, wire, now, gap);
    }
    /// When the last frame taken begins to be sent.
    Timestamp begin() const { return fifo_.begin(); }
    /// When the last frame taken has left.
    Timestamp free() const { return fifo_.free(); }

  private:
    FragmentTiming timing_;
    OutputFifo fifo_;
};

/// The sender's end of a module's flow.
/// @param module from 1
inline Endpoint module_endpoint(const FrontEnd& front_end, int module) {
    module += front_end.modules_before;
    const auto& ports = front_end.source_ports;
    const int port = ports.empty() ? kDynamicPorts + module % (0x10000 - kDynamicPorts)
                                   : static_cast<int>(ports[static_cast<std::size_t>(module - 1) % ports.size()]);
    return local_endpoint(1, module, port);
}

}  // namespace watershed
