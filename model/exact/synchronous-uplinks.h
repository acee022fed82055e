// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <deque>
#include <limits>

#include "model/base/timestamp.h"
#include "model/exact/uniform-camera.h"

/// Uplinks of a synchronous camera's switch, whose frames have one size: one that counts frames, and one that knows
/// when each leaves.
namespace watershed {

/// Returns the duration of a frame on an uplink, in whole ticks of the camera's grid.
inline TickDuration span_of(const SynchronousCamera& camera) {
    return span_of(camera.uplink_slot, camera.uplink_rate, camera.times.grid);
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
    void advance(Wide step, const Timestamp& now) {
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
    Timestamp silent_since() const { return grid_.after(noticed_, -progress_); }

    /// Time until the frames in memory have left, in ticks.
    Wide rest() const { return queued_ == 0 ? 0 : queued_ * slot_ - progress_; }

  private:
    TimeGrid grid_;
    Wide slot_;
    Wide delay_;
    BitRate rate_;
    std::int64_t most_;  ///< frames that leave before simulated time ends, whenever they began
    Wide progress_ = 0;
    std::int64_t queued_ = 0;
    Timestamp noticed_;  ///< time at which all were seen to have left; progress_ is of then
    Wide step_ = -1;
    std::int64_t frames_of_step_ = 0;
    Wide rest_of_step_ = 0;
};

/// When frames of one size have left a link, as Serializer tells.
struct SendingTimes {
    SendingTimes(TimeGrid times, TickDuration length) : grid(times), slot(length) {}

    void begin_at(const Timestamp& ready) {
        begin = ready;
        end = grid.after(ready, slot);
    }
    void go_on() { begin_at(end); }
    /// Does what `frames` calls of go_on() do, but for `begin`.
    void go_on(std::int64_t frames) {
        const Wide ticks = Wide{slot.ticks} * frames;
        TickDuration all = grid.span(ticks);
        all.whole += slot.whole * frames;
        end = grid.after(end, all);
    }

    TimeGrid grid;
    TickDuration slot;
    Timestamp begin;
    Timestamp end{Time::min()};
};

/// Frames on their way through one uplink. Their times are worked out a second time as they leave: that is faster than
/// to store them.
class FramesOnUplink {
  public:
    explicit FramesOnUplink(const SynchronousCamera& camera)
        : tail_(camera.times.grid, span_of(camera)),
          release_at_start_(camera.release_at_start),
          rate_(camera.uplink_rate) {}

    const Timestamp& free() const { return tail_.end; }

    void push(const Timestamp& ready, std::int64_t frames) {
        if (frames == 0) return;
        const bool silent = ready >= tail_.end;
        if (silent)
            tail_.begin_at(ready);
        else
            tail_.go_on();
        if (count_ == 0) {
            release_ = release_at_start_ ? tail_.begin : tail_.end;
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
    std::int64_t release_until(const Timestamp& now) {
        std::int64_t released = 0;
        while (count_ > 0) {
            const std::int64_t before = released, most = released + head_left_;
            Timestamp last, next = release_;
            for (; released < most && next <= now; ++released) {
                last = next;
                next = tail_.grid.after(next, tail_.slot);
            }
            release_ = next;
            if (released > before) last_release_ = last.time;
            count_ -= released - before;
            head_left_ -= released - before;
            if (head_left_ > 0 || count_ == 0) break;
            release_ = later_.front().begin;
            if (!release_at_start_) release_ = tail_.grid.after(release_, tail_.slot);
            head_left_ = later_.front().frames;
            later_.pop_front();
        }
        return released;
    }

    Time last_release() const { return last_release_; }

  private:
    /// Frames sent without pause.
    struct Batch {
        Timestamp begin;
        std::int64_t frames;
    };

    SendingTimes tail_;
    Timestamp release_;  ///< release of the next frame's memory
    bool release_at_start_;
    BitRate rate_;
    std::int64_t count_ = 0;
    Time last_release_{0};
    std::int64_t head_left_ = 0;  ///< frames of the batch that is leaving
    std::deque<Batch> later_;
};

}  // namespace watershed
