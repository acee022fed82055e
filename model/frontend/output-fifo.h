// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "model/base/serializer.h"

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
    /// Offers a frame whose first bit may have been ready before `now`, while it waited elsewhere.
    /// @param gap  gap of the link after the frame before
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
        std::deque<Timestamp> departures;  ///< departure times of the frames in the FIFO
    };

    Serializer link_;
    std::optional<Limit> limit_;
};

}  // namespace watershed
