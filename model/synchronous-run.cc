// SPDX-License-Identifier: GPL-2.0-only
#include "model/synchronous-run.h"

#include <algorithm>
#include <deque>
#include <vector>

#include "model/synchronous-arrivals.h"
#include "model/synchronous-losses.h"
#include "model/uplinks.h"

namespace watershed {
namespace {

/// An uplink that sends frames of one size, by counting them. While it sends without pause since the picosecond s, its j-th frame
/// leaves at s + j slots, rounded up; `progress_` is (now - s) - j slots for the frames j that have left, over the slot's denominator.
class CountingUplink {
  public:
    CountingUplink(Slot slot, Time latency) : slot_(slot), delay_(latency.count() * slot.denominator) {}

    /// Frames in memory.
    std::int64_t queued() const { return queued_; }

    /// Lets time pass until `now`.
    void advance(Time step, Time now) {
        if (queued_ == 0) return;
        if (step != step_) {   // most steps are alike, and dividing is slow
            step_ = step;
            const Wide progress = step.count() * slot_.denominator;
            frames_of_step_ = static_cast<std::int64_t>(progress / slot_.numerator);
            rest_of_step_ = progress % slot_.numerator;
        }
        std::int64_t left = frames_of_step_;
        progress_ += rest_of_step_;
        if (progress_ >= slot_.numerator) {
            progress_ -= slot_.numerator;
            ++left;
        }
        while (progress_ < 0) {   // it began later than the step
            progress_ += slot_.numerator;
            --left;
        }
        if (left >= queued_) {
            progress_ += (left - queued_) * slot_.numerator;
            queued_ = 0;
            noticed_ = now;
        } else {
            queued_ -= left;
        }
    }

    void add(std::int64_t frames) {
        if (frames == 0) return;
        if (queued_ == 0 || progress_ + delay_ >= queued_ * slot_.numerator) {   // silent when these are ready
            queued_ = 0;
            progress_ = -delay_;
        }
        queued_ += frames;
    }

    /// When the last frame had left, of an uplink that has none.
    Time silent_since() const { return noticed_ - Time{static_cast<std::int64_t>(progress_ / slot_.denominator)}; }

    /// How long the frames in memory take to leave.
    Time rest() const {
        if (queued_ == 0) return Time{0};
        return Time{static_cast<std::int64_t>(ceil_div(queued_ * slot_.numerator - progress_, slot_.denominator))};
    }

  private:
    Slot slot_;
    Wide delay_;
    Wide progress_ = 0;
    std::int64_t queued_ = 0;
    Time noticed_{0};   ///< when it was seen that all had left; progress_ is of then
    Time step_{-1};
    std::int64_t frames_of_step_ = 0;
    Wide rest_of_step_ = 0;
};

/// When frames of one size have left a link, as Serializer tells. Without a tolerance the denominator is at most the link's rate.
struct SendingTimes {
    explicit SendingTimes(Slot slot)
        : whole(static_cast<std::int64_t>(slot.floor())),
          fraction(static_cast<std::int64_t>(slot.numerator % slot.denominator)),
          denominator(static_cast<std::int64_t>(slot.denominator)) {}

    void begin_at(std::int64_t ready) {
        begin = ready;
        end = ready + whole;
        carried = fraction;
    }
    void go_on() {
        begin = free();
        end += whole;
        carried += fraction;
        if (carried >= denominator) {
            carried -= denominator;
            ++end;
        }
    }
    /// The same as `frames` times go_on(), but for `begin`.
    void go_on(std::int64_t frames) {
        const Wide fractions = carried + Wide{fraction} * frames;
        end += whole * frames + static_cast<std::int64_t>(fractions / denominator);
        carried = static_cast<std::int64_t>(fractions % denominator);
    }
    std::int64_t free() const { return end + (carried != 0); }

    std::int64_t whole;
    std::int64_t fraction;
    std::int64_t denominator;
    std::int64_t begin = 0;
    std::int64_t end = Time::min().count();   ///< the fraction of a picosecond left out
    std::int64_t carried = 0;
};

/// Frames on their way through one uplink. Their times are worked out a second time as they leave: that is faster than to store them.
class FramesOnUplink {
  public:
    FramesOnUplink(Slot slot, bool release_at_start) : tail_(slot), head_(slot), release_at_start_(release_at_start) {}

    Time free() const { return Time{tail_.free()}; }

    void push(Time ready, std::int64_t frames) {
        if (frames == 0) return;
        const bool silent = ready.count() >= tail_.free();
        if (silent)
            tail_.begin_at(ready.count());
        else
            tail_.go_on();
        if (count_ == 0) {
            head_ = tail_;
            head_left_ = frames;
        } else if (silent) {
            later_.push_back({ready.count(), frames});
        } else if (later_.empty()) {
            head_left_ += frames;
        } else {
            later_.back().frames += frames;
        }
        count_ += frames;
        if (frames > 1) tail_.go_on(frames - 1);
    }

    /// Frees the memory of the frames whose time has come. @return how many
    std::int64_t release_until(Time now) {
        std::int64_t released = 0;
        while (count_ > 0) {
            SendingTimes head = head_;
            const std::int64_t before = released, most = released + head_left_;
            for (std::int64_t time; released < most && (time = release_at_start_ ? head.begin : head.free()) <= now.count();) {
                last_release_ = time;
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

    Time last_release() const { return Time{last_release_}; }

  private:
    /// Frames sent without pause.
    struct Batch {
        std::int64_t begin;
        std::int64_t frames;
    };

    SendingTimes tail_;
    SendingTimes head_;
    bool release_at_start_;
    std::int64_t count_ = 0;
    std::int64_t last_release_ = 0;
    std::int64_t head_left_ = 0;   ///< frames of the batch that is leaving
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
    explicit FrameRun(const SynchronousCamera& camera)
        : camera_(camera),
          books_(camera, false),
          uplinks_(static_cast<std::size_t>(camera.uplinks), Uplink{FramesOnUplink(camera.uplink_slot, camera.release_at_start), {}, 0, 0, 0}),
          held_(static_cast<std::size_t>(camera.modules)) {}

    Outcome run(const Scenario& scenario, const Observer* observer) {
        SynchronousOrder order(scenario);
        UplinkSelector selector(scenario.network_switch, scenario.front_end);
        Time last{0}, busy_until{0};
        const std::int64_t events = for_each_arrival(camera_, scenario, observer, [&](std::int64_t event, Time now) {
            last = now;
            release_until(now);
            if (occupancy_ == 0 && now >= busy_until) books_.idle(event);
            std::int64_t lost = 0;
            for (const int module : order.of(event)) {
                if (!admit(module, uplinks_[static_cast<std::size_t>(selector.next(module))])) {
                    books_.lost(event, module, now);
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
        return books_.close(events, recovery_, std::max(last, busy_until));
    }

  private:
    struct Uplink {
        FramesOnUplink frames;
        Ring inputs;             ///< of the frames, where each input has its own memory
        std::int64_t held;       ///< frames in memory
        std::int64_t admitted;   ///< of them, those that are yet to be queued
        std::int64_t sent;
    };

    bool admit(int module, Uplink& uplink) {
        const auto input = static_cast<std::size_t>(module - 1);
        const std::int64_t held = pools == Pools::Input ? held_[input] : pools == Pools::Output ? uplink.held + uplink.admitted : occupancy_;
        if (held >= camera_.room) return false;
        if constexpr (pools == Pools::Input) {
            ++held_[input];
            uplink.inputs.push(static_cast<int>(input));
        }
        ++uplink.admitted;
        ++occupancy_;
        return true;
    }

    void send(Time now) {
        std::int64_t admitted = 0;
        for (Uplink& uplink : uplinks_) {
            admitted += uplink.admitted;
            uplink.frames.push(now + camera_.latency, uplink.admitted);
            uplink.held += uplink.admitted;
            uplink.sent += uplink.admitted;
            uplink.admitted = 0;
        }
        if (admitted > 0) recovery_.occupied(now, occupancy_, true);
    }

    void release_until(Time now) {
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
    std::vector<std::int64_t> held_;   ///< by input
    std::int64_t occupancy_ = 0;
    Recovery recovery_;
};

}  // namespace

Outcome run_by_trigger(const SynchronousCamera& camera, const Scenario& scenario, const Observer* observer) {
    SynchronousBooks books(camera, scenario.network_switch.arrival_order == ArrivalOrder::Module);
    SynchronousOrder order(scenario);
    std::vector<CountingUplink> uplinks(static_cast<std::size_t>(camera.uplinks), CountingUplink(camera.uplink_slot, camera.latency));
    std::vector<std::int64_t> sent(uplinks.size());
    Recovery recovery;
    Time last{0};
    const auto partly = [&](std::int64_t event, Time now, std::int64_t admitted) {
        const std::vector<int>& modules = order.of(event);
        books.lost_after(event, modules, admitted, now);
        std::fill(sent.begin(), sent.end(), 0);
        if (sent.size() == 1) {
            sent[0] = admitted;
        } else {
            for (std::size_t i = 0; i < static_cast<std::size_t>(admitted); ++i) ++sent[static_cast<std::size_t>(camera.uplink[static_cast<std::size_t>(modules[i] - 1)])];
        }
        for (std::size_t i = 0; i < uplinks.size(); ++i) {
            uplinks[i].add(sent[i]);
            books.left_by(static_cast<int>(i), sent[i]);
        }
    };

    const auto silent_since = [&] {
        Time time{0};
        for (const CountingUplink& uplink : uplinks) time = std::max(time, uplink.silent_since());
        return time;
    };

    std::int64_t complete = 0;
    const std::int64_t events = for_each_arrival(camera, scenario, observer, [&](std::int64_t event, Time now) {
        const Time step = now - last;
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
            recovery.occupied(now, occupancy + camera.modules, true);
            for (std::size_t i = 0; i < uplinks.size(); ++i) uplinks[i].add(camera.modules_of_uplink[i]);
            ++complete;
        } else {
            if (room > 0) recovery.occupied(now, camera.room, true);
            partly(event, now, room);
        }
    });
    Time rest{0};
    for (std::size_t i = 0; i < uplinks.size(); ++i) {
        rest = std::max(rest, uplinks[i].rest());
        books.left_by(static_cast<int>(i), complete * camera.modules_of_uplink[i]);
    }
    if (recovery.recovering()) recovery.occupied(rest > Time{0} ? last + rest : silent_since(), 0, false);
    return books.close(events, recovery, last + rest);
}

Outcome run_by_frame(const SynchronousCamera& camera, const Scenario& scenario, const Observer* observer) {
    using Pools = SynchronousCamera::Pools;
    switch (camera.pools) {
        case Pools::All: return FrameRun<Pools::All>(camera).run(scenario, observer);
        case Pools::Input: return FrameRun<Pools::Input>(camera).run(scenario, observer);
        case Pools::Output: return FrameRun<Pools::Output>(camera).run(scenario, observer);
    }
    return {};
}

}  // namespace watershed
