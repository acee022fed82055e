// SPDX-License-Identifier: GPL-2.0-only
#include "model/server/event-builder.h"

namespace watershed {

void EventBuilder::add(const FrameId& frame, Bytes payload, Time trigger, Time now) {
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

void EventBuilder::advance(Time now) {
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

/// Hands an event on, or throws away what has no frames left in the books.
void EventBuilder::close(std::int64_t number, Time now) {
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

void EventBuilder::release_until(Time now) {
    for (; !leaving_.empty() && leaving_.front().time <= now; leaving_.pop_front())
        give_back(leaving_.front().payload, leaving_.front().time);
}

void EventBuilder::give_back(Bytes payload, Time now) {
    memory_ -= payload;
    recovery_.occupied(now, memory_.count, false);
    books_.changed(now);
}

void EventBuilder::finish() {
    advance(Time::max());
    for (const auto& [number, event] : open_)
        for (const FrameId& frame : event.frames) books_.received(frame);
}

void EventBuilder::report(Outcome::Server& server) const {
    server.memory = recovery_;
    server.completions = completions_;
    server.timed_out = timed_out_;
    server.open = static_cast<std::int64_t>(open_.size());
}

}  // namespace watershed
