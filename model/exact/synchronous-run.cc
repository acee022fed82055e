// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/synchronous-run.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <vector>

#include "model/base/time-limit.h"
#include "model/exact/synchronous-arrivals.h"
#include "model/exact/synchronous-losses.h"
#include "model/switch/uplinks.h"

namespace watershed {
namespace {

/// What a frame lasts on an uplink, in whole ticks of the camera's grid.
Span span_of(const SynchronousCamera& camera) {
    const Slot& slot = camera.uplink_slot;
    if (slot.floor() > kLongestSlot.count()) throw TimeExceeded(camera.uplink_rate);
    return {
        Time{static_cast<std::int64_t>(slot.floor())},
        static_cast<std::uint64_t>(slot.numerator % slot.denominator * (camera.times.grid.ticks / slot.denominator))};
}

/// An uplink that sends frames of one size, by counting them. While it sends without pause since the moment s, its j-th
/// frame leaves at s + j slots; `progress_` is (now - s) - j slots for the frames j that have left, in ticks.
class CountingUplink {
  public:
    explicit CountingUplink(const SynchronousCamera& camera)
        : grid_(camera.times.grid),
          slot_(grid_.ticks_of(span_of(camera))),
          delay_(grid_.ticks_of({camera.latency, 0})),
          rate_(camera.uplink_rate),
          most_(static_cast<std::int64_t>(
              std::min<Wide>(grid_.ticks_of({kLastDeparture, 0}) / slot_, std::numeric_limits<std::int64_t>::max()))) {}

    /// Frames in memory.
    std::int64_t queued() const { return queued_; }

    /// Lets time pass until `now`. @param step  ticks since the last time
    void advance(Wide step, const Moment& now) {
        if (queued_ == 0) return;
        if (step != step_) {  // most steps are alike, and dividing is slow
            step_ = step;
            frames_of_step_ = static_cast<std::int64_t>(step / slot_);
            rest_of_step_ = step % slot_;
        }
        std::int64_t left = frames_of_step_;
        progress_ += rest_of_step_;
        if (progress_ >= slot_) {
            progress_ -= slot_;
            ++left;
        }
        while (progress_ < 0) {  // it began later than the step
            progress_ += slot_;
            --left;
        }
        if (left >= queued_) {
            progress_ += (left - queued_) * slot_;
            queued_ = 0;
            noticed_ = now;
        } else {
            queued_ -= left;
        }
    }

    void add(std::int64_t frames) {
        if (frames == 0) return;
        if (frames > most_ - queued_) throw TimeExceeded(rate_);
        if (queued_ == 0 || progress_ + delay_ >= queued_ * slot_) {  // silent when these are ready
            queued_ = 0;
            progress_ = -delay_;
        }
        queued_ += frames;
    }

    /// When the last frame had left, of an uplink that has none.
    Moment silent_since() const { return grid_.after(noticed_, -progress_); }

    /// How long the frames in memory take to leave, in ticks.
    Wide rest() const { return queued_ == 0 ? 0 : queued_ * slot_ - progress_; }

  private:
    TimeGrid grid_;
    Wide slot_;
    Wide delay_;
    BitRate rate_;
    std::int64_t most_;  ///< frames that leave before simulated time ends, whenever they began
    Wide progress_ = 0;
    std::int64_t queued_ = 0;
    Moment noticed_;  ///< when it was seen that all had left; progress_ is of then
    Wide step_ = -1;
    std::int64_t frames_of_step_ = 0;
    Wide rest_of_step_ = 0;
};

/// When frames of one size have left a link, as Serializer tells.
struct SendingTimes {
    SendingTimes(TimeGrid times, Span length) : grid(times), slot(length) {}

    void begin_at(const Moment& ready) {
        begin = ready;
        end = grid.after(ready, slot);
    }
    void go_on() { begin_at(end); }
    /// The same as `frames` times go_on(), but for `begin`.
    void go_on(std::int64_t frames) {
        const Wide ticks = Wide{slot.ticks} * frames;
        Span all = grid.span(ticks);
        all.whole += slot.whole * frames;
        end = grid.after(end, all);
    }

    TimeGrid grid;
    Span slot;
    Moment begin;
    Moment end{Time::min()};
};

/// Frames on their way through one uplink. Their times are worked out a second time as they leave: that is faster than
/// to store them.
class FramesOnUplink {
  public:
    explicit FramesOnUplink(const SynchronousCamera& camera)
        : tail_(camera.times.grid, span_of(camera)),
          head_(tail_),
          release_at_start_(camera.release_at_start),
          rate_(camera.uplink_rate) {}

    const Moment& free() const { return tail_.end; }

    void push(const Moment& ready, std::int64_t frames) {
        if (frames == 0) return;
        const bool silent = ready >= tail_.end;
        if (silent)
            tail_.begin_at(ready);
        else
            tail_.go_on();
        if (count_ == 0) {
            head_ = tail_;
            head_left_ = frames;
        } else if (silent) {
            later_.push_back({ready, frames});
        } else if (later_.empty()) {
            head_left_ += frames;
        } else {
            later_.back().frames += frames;
        }
        count_ += frames;
        if (Wide{frames} * (tail_.slot.whole.count() + 1) > (kLastDeparture - tail_.begin.time).count())
            throw TimeExceeded(rate_);
        if (frames > 1) tail_.go_on(frames - 1);
    }

    /// Frees the memory of the frames whose time has come. @return how many
    std::int64_t release_until(const Moment& now) {
        std::int64_t released = 0;
        while (count_ > 0) {
            SendingTimes head = head_;
            const std::int64_t before = released, most = released + head_left_;
            while (released < most) {
                const Moment& time = release_at_start_ ? head.begin : head.end;
                if (time > now) break;
                last_release_ = time.time;
                ++released;
                head.go_on();
            }
            head_ = head;
            count_ -= released - before;
            head_left_ -= released - before;
            if (head_left_ > 0 || count_ == 0) break;
            head_.begin_at(later_.front().begin);
            head_left_ = later_.front().frames;
            later_.pop_front();
        }
        return released;
    }

    Time last_release() const { return last_release_; }

  private:
    /// Frames sent without pause.
    struct Batch {
        Moment begin;
        std::int64_t frames;
    };

    SendingTimes tail_;
    SendingTimes head_;
    bool release_at_start_;
    BitRate rate_;
    std::int64_t count_ = 0;
    Time last_release_{0};
    std::int64_t head_left_ = 0;  ///< frames of the batch that is leaving
    std::deque<Batch> later_;
};

/// Small numbers, first in, first out.
class Ring {
  public:
    void push(int number) {
        if (last_ - first_ > mask_) grow();
        numbers_[last_++ & mask_] = static_cast<std::uint16_t>(number);
    }
    int pop() { return numbers_[first_++ & mask_]; }

  private:
    void grow() {
        std::vector<std::uint16_t> larger(2 * numbers_.size());
        const std::size_t mask = larger.size() - 1;
        for (std::size_t i = first_; i != last_; ++i) larger[i & mask] = numbers_[i & mask_];
        numbers_ = std::move(larger);
        mask_ = mask;
    }

    std::vector<std::uint16_t> numbers_ = std::vector<std::uint16_t>(4096);
    std::size_t mask_ = 4095;
    std::size_t first_ = 0;
    std::size_t last_ = 0;
};

/// The switch, followed frame by frame.
template <SynchronousCamera::Pools pools>
class FrameRun {
    using Pools = SynchronousCamera::Pools;

  public:
    FrameRun(const SynchronousCamera& camera, const Observer* observer)
        : camera_(camera),
          books_(camera, false, observer),
          uplinks_(static_cast<std::size_t>(camera.uplinks), Uplink{FramesOnUplink(camera), {}, 0, 0, 0}),
          held_(static_cast<std::size_t>(camera.modules)) {}

    Outcome run(const Incast& scenario, const Observer* observer) {
        SynchronousOrder order(scenario);
        UplinkSelector selector(scenario.network_switch, scenario.front_end);
        Moment last, busy_until;
        const std::int64_t events =
            for_each_arrival(camera_, scenario, observer, [&](std::int64_t event, const Moment& now) {
                last = now;
                release_until(now);
                if (occupancy_ == 0 && now >= busy_until) books_.idle(event);
                std::int64_t lost = 0;
                for (const int module : order.of(event)) {
                    if (!admit(module, uplinks_[static_cast<std::size_t>(selector.next(module))])) {
                        books_.lost(event, module, now.time);
                        ++lost;
                    }
                    // A frame that begins to leave as it arrives makes room for the next one.
                    if (camera_.release_at_start) {
                        send(now);
                        release_until(now);
                    }
                }
                send(now);
                if (lost > 0) books_.lost_of_event(event, lost);
                for (const Uplink& uplink : uplinks_) busy_until = std::max(busy_until, uplink.frames.free());
            });
        for (std::size_t i = 0; i < uplinks_.size(); ++i) books_.left_by(static_cast<int>(i), uplinks_[i].sent);
        release_until(Time::max());
        return books_.close(events, recovery_, std::max(last, busy_until).time);
    }

  private:
    struct Uplink {
        FramesOnUplink frames;
        Ring inputs;            ///< of the frames, where each input has its own memory
        std::int64_t held;      ///< frames in memory
        std::int64_t admitted;  ///< of them, those that are yet to be queued
        std::int64_t sent;
    };

    bool admit(int module, Uplink& uplink) {
        const auto input = static_cast<std::size_t>(module - 1);
        const std::int64_t held = pools == Pools::Input    ? held_[input]
                                  : pools == Pools::Output ? uplink.held + uplink.admitted
                                                           : occupancy_;
        if (held >= camera_.room) return false;
        if constexpr (pools == Pools::Input) {
            ++held_[input];
            uplink.inputs.push(static_cast<int>(input));
        }
        ++uplink.admitted;
        ++occupancy_;
        return true;
    }

    void send(const Moment& now) {
        std::int64_t admitted = 0;
        for (Uplink& uplink : uplinks_) {
            admitted += uplink.admitted;
            uplink.frames.push(now + camera_.latency, uplink.admitted);
            uplink.held += uplink.admitted;
            uplink.sent += uplink.admitted;
            uplink.admitted = 0;
        }
        if (admitted > 0) recovery_.occupied(now.time, occupancy_, true);
    }

    void release_until(const Moment& now) {
        std::int64_t any = 0;
        for (Uplink& uplink : uplinks_) {
            const std::int64_t released = uplink.frames.release_until(now);
            uplink.held -= released;
            occupancy_ -= released;
            if constexpr (pools == Pools::Input)
                for (std::int64_t i = 0; i < released; ++i) --held_[static_cast<std::size_t>(uplink.inputs.pop())];
            any += released;
        }
        if (any == 0 || occupancy_ > 0) return;
        Time last{0};
        for (const Uplink& uplink : uplinks_) last = std::max(last, uplink.frames.last_release());
        recovery_.occupied(last, 0, false);
    }

    const SynchronousCamera& camera_;
    SynchronousBooks books_;
    std::vector<Uplink> uplinks_;
    std::vector<std::int64_t> held_;  ///< by input
    std::int64_t occupancy_ = 0;
    Recovery recovery_;
};

}  // namespace

Outcome run_by_trigger(const SynchronousCamera& camera, const Incast& scenario, const Observer* observer) {
    SynchronousBooks books(camera, scenario.network_switch.arrival_order == ArrivalOrder::Module, observer);
    SynchronousOrder order(scenario);
    std::vector<CountingUplink> uplinks(static_cast<std::size_t>(camera.uplinks), CountingUplink(camera));
    std::vector<std::int64_t> sent(uplinks.size());
    Recovery recovery;
    const TimeGrid grid = camera.times.grid;
    Moment last;
    const auto partly = [&](std::int64_t event, const Moment& now, std::int64_t admitted) {
        const std::vector<int>& modules = order.of(event);
        books.lost_after(event, modules, admitted, now.time);
        std::fill(sent.begin(), sent.end(), 0);
        if (sent.size() == 1) {
            sent[0] = admitted;
        } else {
            for (std::size_t i = 0; i < static_cast<std::size_t>(admitted); ++i)
                ++sent[static_cast<std::size_t>(camera.uplink[static_cast<std::size_t>(modules[i] - 1)])];
        }
        for (std::size_t i = 0; i < uplinks.size(); ++i) {
            uplinks[i].add(sent[i]);
            books.left_by(static_cast<int>(i), sent[i]);
        }
    };

    const auto silent_since = [&] {
        Moment moment;
        for (const CountingUplink& uplink : uplinks) moment = std::max(moment, uplink.silent_since());
        return moment.time;
    };

    std::int64_t complete = 0;
    const std::int64_t events =
        for_each_arrival(camera, scenario, observer, [&](std::int64_t event, const Moment& now) {
            const Wide step = grid.between(last, now);
            last = now;
            std::int64_t occupancy = 0;
            for (CountingUplink& uplink : uplinks) {
                uplink.advance(step, now);
                occupancy += uplink.queued();
            }
            if (occupancy == 0) {
                books.idle(event);
                if (recovery.recovering()) recovery.occupied(silent_since(), 0, false);
            }
            const std::int64_t room = camera.room - occupancy;
            if (room >= camera.modules) {
                recovery.occupied(now.time, occupancy + camera.modules, true);
                for (std::size_t i = 0; i < uplinks.size(); ++i) uplinks[i].add(camera.modules_of_uplink[i]);
                ++complete;
            } else {
                if (room > 0) recovery.occupied(now.time, camera.room, true);
                partly(event, now, room);
            }
        });
    Wide rest = 0;
    for (std::size_t i = 0; i < uplinks.size(); ++i) {
        rest = std::max(rest, uplinks[i].rest());
        books.left_by(static_cast<int>(i), complete * camera.modules_of_uplink[i]);
    }
    if (rest > grid.between(last, kLastDeparture)) throw TimeExceeded(camera.uplink_rate);
    const Time end = grid.after(last, rest).time;
    if (recovery.recovering()) recovery.occupied(rest > 0 ? end : silent_since(), 0, false);
    return books.close(events, recovery, end);
}

Outcome run_by_frame(const SynchronousCamera& camera, const Incast& scenario, const Observer* observer) {
    using Pools = SynchronousCamera::Pools;
    switch (camera.pools) {
        case Pools::All: return FrameRun<Pools::All>(camera, observer).run(scenario, observer);
        case Pools::Input: return FrameRun<Pools::Input>(camera, observer).run(scenario, observer);
        case Pools::Output: return FrameRun<Pools::Output>(camera, observer).run(scenario, observer);
    }
    return {};
}

}  // namespace watershed
