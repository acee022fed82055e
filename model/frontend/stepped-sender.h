// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <deque>
#include <optional>

#include "model/base/serializer.h"
#include "model/frontend/front-end.h"

namespace watershed {

/// A front end that can be told to pause: a FIFO in front of a link, followed frame by frame.
class SteppedSender {
  public:
    /// A frame that waits for the link.
    struct Frame {
        FrameId id;
        Bytes wire{0};
        Moment offered;
    };

    /// @param grid  of its times
    SteppedSender(const FrontEnd& front_end, std::uint64_t seed, int module, TimeGrid grid)
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

    /// Begins the next frame, if there is one and nothing forbids it. @return it has begun, at begin(), and arrives at
    /// end()
    bool start(const Moment& now) {
        if (sending_ || fifo_.empty() || now < paused_until_) return false;
        // By the time it was ready, so that frames back to back keep the fraction of a tick.
        link_.send(std::max(fifo_.front().offered, went_on_), fifo_.front().wire);
        sending_ = true;
        return true;
    }
    const Frame& sent() const { return fifo_.front(); }
    const Moment& begin() const { return link_.begin(); }
    const Moment& end() const { return link_.free(); }
    /// The frame being sent has left.
    void finish() {
        fifo_.pop_front();
        sending_ = false;
    }

    /// Holds the next frame until then; a time that is past lets it go.
    void pause(const Moment& now, const Moment& until) {
        paused_until_ = until;
        went_on_ = std::max(now, until);
    }

  private:
    FragmentTiming timing_;
    Serializer link_;
    std::optional<std::int64_t> capacity_;
    std::deque<Frame> fifo_;  ///< the first is being sent, if sending_
    bool sending_ = false;
    Moment paused_until_;
    Moment went_on_;
};

}  // namespace watershed
