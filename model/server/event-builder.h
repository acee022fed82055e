// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <deque>
#include <functional>
#include <unordered_map>
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
        std::function<void(const FrameId&)> received;
        std::function<void(const FrameId&, Time, const LossCause&)> lost;
        std::function<std::int64_t(std::int64_t)> expected;  ///< frames of an event
        std::function<void(Time)> changed;                   ///< memory holds more or less than before
    };

    EventBuilder(const Receiver& receiver, Callbacks books)
        : receiver_(receiver), books_(std::move(books)), output_(receiver.output_rate.value_or(BitRate{1})) {}

    /// A frame has come; call it in order of time. @param trigger  of its event
    void add(const FrameId& frame, Bytes payload, Time trigger, Time now) {
        advance(now);
        const auto index = static_cast<std::size_t>(frame.event - 1);
        if (index >= states_.size()) states_.resize(index + index / 2 + 1, State::Unseen);
        if (states_[index] == State::Closed) {
            books_.lost(frame, now, kTimeout);
            return;
        }
        if (receiver_.memory && memory_ + payload > *receiver_.memory) {
            books_.lost(frame, now, kMemoryFull);
            return;
        }
        Open& event = open_[frame.event];
        if (states_[index] == State::Unseen) {
            states_[index] = State::Open;
            event.expected = static_cast<std::size_t>(books_.expected(frame.event));
            if (receiver_.timeout) deadlines_.emplace_back(now + *receiver_.timeout, frame.event);
        }
        event.payload += payload;
        event.frames.push_back(frame);
        memory_ += payload;
        recovery_.occupied(now, memory_.count, true);
        books_.changed(now);
        if (event.frames.size() < event.expected) return;
        completions_.push_back({frame.event, trigger, now});
        close(frame.event, now);
    }
    /// Lets time pass: events whose time is out before `now` close.
    void advance(Time now) {
        while (!deadlines_.empty() && deadlines_.front().first < now) {
            const auto [deadline, event] = deadlines_.front();
            deadlines_.pop_front();
            if (states_[static_cast<std::size_t>(event - 1)] != State::Open) continue;
            release_until(deadline);
            ++timed_out_;
            if (!receiver_.keep_incomplete) {
                Open& lost = open_[event];
                for (const FrameId& frame : lost.frames) books_.lost(frame, deadline, kTimeout);
                lost.frames.clear();
            }
            close(event, deadline);
        }
        release_until(now);
    }
    /// Ends the run: no more frames come. Events that wait for ever stay open, and their frames count as received.
    void finish() {
        advance(Time::max());
        for (const auto& [number, event] : open_)
            for (const FrameId& frame : event.frames) books_.received(frame);
    }

    Bytes memory() const { return memory_; }
    /// Adds what it saw.
    void report(Outcome::Server& server) const {
        server.memory = recovery_;
        server.completions = completions_;
        server.timed_out = timed_out_;
        server.open = static_cast<std::int64_t>(open_.size());
    }

  private:
    enum class State : std::uint8_t { Unseen, Open, Closed };
    struct Open {
        std::size_t expected = 0;  ///< frames
        Bytes payload{0};
        std::vector<FrameId> frames;
    };
    struct Leaving {
        Time time;
        Bytes payload;
    };

    void release_until(Time now) {
        for (; !leaving_.empty() && leaving_.front().time <= now; leaving_.pop_front())
            give_back(leaving_.front().payload, leaving_.front().time);
    }
    /// Hands an event on, or throws away what has no frames left in the books.
    void close(std::int64_t number, Time now) {
        const auto event = open_.find(number);
        for (const FrameId& frame : event->second.frames) books_.received(frame);
        const Bytes payload = event->second.payload;
        const bool goes_on = !event->second.frames.empty();
        open_.erase(event);
        states_[static_cast<std::size_t>(number - 1)] = State::Closed;
        if (goes_on && receiver_.output_rate)
            leaving_.push_back({output_.send(now, payload).time, payload});
        else
            give_back(payload, now);
    }
    void give_back(Bytes payload, Time now) {
        memory_ -= payload;
        recovery_.occupied(now, memory_.count, false);
        books_.changed(now);
    }

    Receiver receiver_;
    Callbacks books_;
    std::vector<State> states_;  ///< by event
    std::unordered_map<std::int64_t, Open> open_;
    std::deque<std::pair<Time, std::int64_t>> deadlines_;  ///< ascending; of events that may have closed
    Serializer output_;
    std::deque<Leaving> leaving_;  ///< events on their way out, by time
    Bytes memory_{0};
    Recovery recovery_;
    std::vector<Outcome::Completion> completions_;
    std::int64_t timed_out_ = 0;
};

}  // namespace watershed
