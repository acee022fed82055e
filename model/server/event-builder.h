// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "model/base/outcome.h"
#include "model/base/recovery.h"
#include "model/base/serializer.h"
#include "model/server/receiver.h"

namespace watershed {

/// Puts the frames of an event together. An event opens with its first frame and closes when it is complete, or when
/// its time is out; what comes later is lost. Its payload stays in memory until the event has been handed on. At one
/// instant memory is given back first, then a frame comes, and then time is out.
class EventBuilder {
  public:
    static constexpr LossCause kTimeout{"server", "timeout"};
    static constexpr LossCause kMemoryFull{"server", "memory-full"};

    /// Callbacks for received and lost frames.
    struct Callbacks {
        std::function<void(const std::vector<FrameId>&)> received;  ///< frames of one event
        std::function<void(const FrameId&, Time, const LossCause&)> lost;
        std::function<std::int64_t(std::int64_t)> expected;  ///< frames of an event
        std::function<void(Time)> changed;                   ///< memory holds more or less than before; may be empty
    };

    EventBuilder(const Receiver& receiver, Callbacks books)
        : receiver_(receiver), books_(std::move(books)), output_(receiver.output_rate.value_or(BitRate{1})) {}

    /// A frame has come; call it in order of time. @param trigger  returns the time of its event's trigger
    template <class Trigger>
    void add(const FrameId& frame, Bytes payload, Trigger trigger, Time now) {
        advance(now);
        const auto index = static_cast<std::size_t>(frame.event - 1);
        if (index >= places_.size()) places_.resize(index + index / 2 + 1, kUnseen);
        if (places_[index] == kClosed) {
            books_.lost(frame, now, kTimeout);
            return;
        }
        if (receiver_.memory && memory_ + payload > *receiver_.memory) {
            books_.lost(frame, now, kMemoryFull);
            return;
        }
        if (places_[index] == kUnseen) open(frame.event, now);
        Open& event = open_[static_cast<std::size_t>(places_[index])];
        event.payload += payload;
        event.frames.push_back(frame);
        memory_ += payload;
        recovery_.occupied(now, memory_.count, true);
        if (books_.changed) books_.changed(now);
        if (event.frames.size() < event.expected) return;
        completions_.push_back({frame.event, trigger(), now});
        close(frame.event, now);
    }
    /// Lets time pass: events whose time is out before `now` close.
    void advance(Time now) {
        if (next_ <= now) go_on(now);
    }
    /// Ends the run: no more frames come. Events that wait for ever stay open, and their frames count as received.
    void finish() {
        advance(Time::max());
        for (const Open& event : open_) books_.received(event.frames);
    }

    Bytes memory() const { return memory_; }
    /// Adds what it saw.
    void report(Outcome::Server& server) const {
        server.memory = recovery_;
        server.completions = completions_;
        server.timed_out = timed_out_;
        server.open = static_cast<std::int64_t>(open_.size() - free_.size());
    }

  private:
    static constexpr std::int32_t kUnseen = -1, kClosed = -2;
    struct Open {
        std::size_t expected = 0;  ///< frames
        Bytes payload{0};
        std::vector<FrameId> frames;
    };
    struct Leaving {
        Time time;
        Bytes payload;
    };

    [[gnu::noinline]] void go_on(Time now) {
        while (!deadlines_.empty() && deadlines_.front().first < now) {
            const auto [deadline, event] = deadlines_.front();
            deadlines_.pop_front();
            const std::int32_t place = places_[static_cast<std::size_t>(event - 1)];
            if (place == kClosed) continue;
            release_until(deadline);
            ++timed_out_;
            if (!receiver_.keep_incomplete) {
                Open& lost = open_[static_cast<std::size_t>(place)];
                for (const FrameId& frame : lost.frames) books_.lost(frame, deadline, kTimeout);
                lost.frames.clear();
            }
            close(event, deadline);
        }
        release_until(now);
        next_ = Time::max();
        if (!deadlines_.empty()) next_ = deadlines_.front().first;
        if (!leaving_.empty()) next_ = std::min(next_, leaving_.front().time);
    }
    void release_until(Time now) {
        for (; !leaving_.empty() && leaving_.front().time <= now; leaving_.pop_front())
            give_back(leaving_.front().payload, leaving_.front().time);
    }
    void open(std::int64_t number, Time now) {
        if (free_.empty()) {
            free_.push_back(static_cast<std::int32_t>(open_.size()));
            open_.emplace_back();
        }
        const std::int32_t place = places_[static_cast<std::size_t>(number - 1)] = free_.back();
        free_.pop_back();
        open_[static_cast<std::size_t>(place)].expected = static_cast<std::size_t>(books_.expected(number));
        if (!receiver_.timeout) return;
        deadlines_.emplace_back(now + *receiver_.timeout, number);
        next_ = std::min(next_, deadlines_.back().first);
    }
    /// Hands an event on, or throws away what has no frames left in the books.
    void close(std::int64_t number, Time now) {
        const std::int32_t place = std::exchange(places_[static_cast<std::size_t>(number - 1)], kClosed);
        Open& event = open_[static_cast<std::size_t>(place)];
        books_.received(event.frames);
        const Bytes payload = std::exchange(event.payload, Bytes{0});
        const bool goes_on = !event.frames.empty();
        event.frames.clear();
        free_.push_back(place);
        if (!goes_on || !receiver_.output_rate) return give_back(payload, now);
        leaving_.push_back({output_.send(now, payload).time, payload});
        next_ = std::min(next_, leaving_.front().time);
    }
    void give_back(Bytes payload, Time now) {
        memory_ -= payload;
        recovery_.occupied(now, memory_.count, false);
        if (books_.changed) books_.changed(now);
    }

    Receiver receiver_;
    Callbacks books_;
    std::vector<std::int32_t> places_;  ///< place of each event in open_
    std::vector<Open> open_;
    std::vector<std::int32_t> free_;                       ///< places in it that wait for another event
    std::deque<std::pair<Time, std::int64_t>> deadlines_;  ///< ascending; of events that may have closed
    Serializer output_;
    std::deque<Leaving> leaving_;  ///< events on their way out, by time
    Time next_ = Time::max();      ///< first of both
    Bytes memory_{0};
    Recovery recovery_;
    std::vector<Outcome::Completion> completions_;
    std::int64_t timed_out_ = 0;
};

}  // namespace watershed
