// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <numeric>

#include "model/quantities.h"

namespace watershed {

/// One end of a link that sends frames one after the other.
/// The fraction of a picosecond that a frame lasts is carried to the next one, so that n frames back to back take what n frames
/// take at this rate, rounded up once, and not n rounding errors.
class Serializer {
  public:
    /// @param rate       nominal bits per second
    /// @param tolerance  of the sender's clock: a link at +20 ppm is that much faster
    explicit Serializer(BitRate rate, ClockTolerance tolerance = {})
        : denominator_(Wide{rate.count} * (kBillion + tolerance.count)) {}

    /// Sends a frame as early as `ready` and as the frames before it allow.
    /// @return when its last bit and the gap behind it have left
    Time send(Time ready, Bytes wire) {
        if (wire != wire_) measure(wire);
        begin_ = ready > free_ ? ready : free_;
        if (ready >= free_) {   // after an idle moment the frame begins on a whole picosecond
            free_ = ready + whole_;
            carried_ = fraction_;
        } else {
            // free_ is the end rounded up: the frame really ended carried_/denominator_ after the picosecond before it.
            const Time end = carried_ == 0 ? free_ : free_ - Time{1};
            carried_ += fraction_;
            free_ = end + whole_;
            if (carried_ >= denominator_) {
                carried_ -= denominator_;
                free_ += Time{1};
            }
        }
        if (carried_ != 0) free_ += Time{1};
        return free_;
    }

    /// When the last frame given to send() has left, rounded up to the picosecond.
    Time free() const { return free_; }
    /// When the last frame given to send() began.
    Time begin() const { return begin_; }

  private:
    static constexpr std::int64_t kBillion = 1'000'000'000;

    void measure(Bytes wire) {
        constexpr Wide kBitPicoseconds = Wide{8} * 1'000'000'000'000 * kBillion;
        const Wide numerator = wire.count * kBitPicoseconds;
        whole_ = Time{static_cast<std::int64_t>(numerator / denominator_)};
        fraction_ = numerator % denominator_;
        wire_ = wire;
    }

    Wide denominator_;
    Bytes wire_{-1};
    Time whole_{0};
    Wide fraction_ = 0;   ///< of a picosecond, over denominator_
    Wide carried_ = 0;    ///< of the picosecond that free_ rounds up
    Time free_{Time::min()};
    Time begin_{0};
};

}  // namespace watershed
