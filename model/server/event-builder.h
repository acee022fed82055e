// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <deque>
#include <functional>
#include <optional>
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

    /// What happens to frames.
    struct Books {
        std::function<void(const FrameId&)> received;
        std::function<void(const FrameId&, Time, const LossCause&)> lost;
        std::function<std::int64_t(std::int64_t)> expected;  ///< frames of an event
        std::function<void(Time)> changed;                   ///< memory holds more or less than before
    };

    EventBuilder(const Receiver& receiver, Books books)
        : receiver_(receiver), books_(std::move(books)), output_(receiver.output_rate.value_or(BitRate{1})) {}

    /// A frame has come; call it in order of time. @param trigger  of its event
    void add(const FrameId& frame, Bytes payload, Time trigger, Time now);
    /// Lets time pass: events whose time is out before `now` close.
    void advance(Time now);
    /// Nothing more will come. Events that wait for ever stay open, and what they hold is received.
    void finish();

    Bytes memory() const { return memory_; }
    /// Adds what it saw.
    void report(Outcome::Server& server) const;

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

    void release_until(Time now);
    void close(std::int64_t event, Time now);
    void give_back(Bytes payload, Time now);

    Receiver receiver_;
    Books books_;
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
