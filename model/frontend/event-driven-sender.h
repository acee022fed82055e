// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "model/base/serializer.h"
#include "model/frontend/class-gates.h"
#include "model/frontend/front-end.h"

namespace watershed {

/// A front end that can be told to pause: a FIFO in front of a link, followed frame by frame.
class EventDrivenSender {
  public:
    /// A frame that waits for the link.
    struct Frame {
        FrameId id;
        Bytes wire{0};
        Timestamp offered;
        int traffic_class = 0;
        Time gap{0};  ///< gap of the link after the frame before
    };

    /// @param grid  of its times
    EventDrivenSender(const FrontEnd& front_end, std::uint64_t seed, int module, TimeGrid grid)
        : timing_(front_end, seed, module),
          link_(front_end.link_rate, module_timing(front_end, seed, module).tolerance, grid),
          capacity_(front_end.fifo) {}

    Time offer_time(std::int64_t event, Time trigger) { return timing_.offer_time(event, trigger); }

    /// @return false if the FIFO was full and the frame is lost
    bool offer(const Frame& frame) {
        if (capacity_ && static_cast<std::int64_t>(fifo_.size()) >= *capacity_) return false;
        fifo_.push_back(frame);
        return true;
    }

    /// Begins the next frame, if there is one and nothing forbids it: the oldest whose class may be sent. @return it
    /// has begun, at begin(), and arrives at end()
    bool start(const Timestamp& now) {
        if (sending_) return false;
        unsigned passed = 0;  // a bit for each class of which a frame was passed over
        for (std::size_t i = 0; i < fifo_.size(); ++i) {
            Frame& frame = fifo_[i];
            if (passed >> frame.traffic_class & 1) continue;  // its gap begins behind the one that waits
            // Whether or not its class is paused: the link sends nothing else meanwhile.
            if (frame.gap != Time{0}) {
                const Timestamp over = link_.free() + frame.gap;
                if (now < over) {
                    if (!last_gap_over_ || *last_gap_over_ != over) last_gap_over_ = gap_over_ = over;
                    return false;
                }
                silent_until_ = over;
                frame.gap = Time{0};
            }
            if (!gates_.is_open(frame.traffic_class, now)) {
                if (gates_.are_one()) return false;
                passed |= 1u << frame.traffic_class;
                continue;
            }
            const Timestamp ready = std::max({frame.offered, gates_.went_on(frame.traffic_class), silent_until_});
            // By the time it was ready, so that frames back to back keep the fraction of a tick.
            link_.send(ready, frame.wire);
            sending_ = true;
            sent_ = i;
            return true;
        }
        return false;
    }
    /// When to call start() again, since a gap is then over; each such time is told once.
    std::optional<Timestamp> gap_over() { return std::exchange(gap_over_, std::nullopt); }
    const Frame& sent() const { return fifo_[sent_]; }
    /// Index in the FIFO of the frame that is being sent: 0 is the oldest.
    std::size_t place_of_sent() const { return sent_; }
    const Timestamp& begin() const { return link_.begin(); }
    const Timestamp& end() const { return link_.free(); }
    /// Whether a frame waits for the one being sent, so that finish() is to be called at end(); told once. Otherwise
    /// finish_until() may come later.
    bool needs_finish() {
        if (!sending_ || finish_requested_ || fifo_.size() == 1) return false;
        return finish_requested_ = true;
    }
    /// Call it before offer().
    void finish_until(const Timestamp& now) {
        if (sending_ && !finish_requested_ && end() <= now) finish();
    }
    /// The frame being sent has left.
    void finish() {
        if (sent_ == 0)
            fifo_.pop_front();  // erase() is slower
        else
            fifo_.erase(fifo_.begin() + static_cast<std::ptrdiff_t>(sent_));
        sending_ = finish_requested_ = false;
    }

    /// Holds the next frame until then; a time that is past lets it go.
    /// @param traffic_class  whose frames; absent: all
    void pause(const Timestamp& now, const Timestamp& until, std::optional<int> traffic_class = std::nullopt) {
        gates_.pause(now, until, traffic_class);
    }

  private:
    FragmentTiming timing_;
    Serializer link_;
    std::optional<std::int64_t> capacity_;
    std::deque<Frame> fifo_;
    bool sending_ = false;
    bool finish_requested_ = false;
    std::size_t sent_ = 0;  ///< place in the FIFO of the frame being sent, if there is one
    ClassGates gates_;
    std::optional<Timestamp> gap_over_, last_gap_over_;
    Timestamp silent_until_{};  ///< by the last gap
};

}  // namespace watershed
