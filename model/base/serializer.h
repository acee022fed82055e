// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/base/timestamp.h"

namespace watershed {

/// One end of a link that sends frames one after the other, in exact time.
/// If the grid cannot hold a frame's exact length, the fraction of a tick is carried to the next one, so that n
/// frames back to back take what n frames take at this rate, rounded up once, and not n rounding errors.
class Serializer {
  public:
    /// @param rate       nominal bits per second
    /// @param tolerance  of the sender's clock: a link at +20 ppm is that much faster
    /// @param grid       of the times that send() gives and takes; without one they are whole picoseconds
    explicit Serializer(BitRate rate, ClockTolerance tolerance = {}, TimeGrid grid = {})
        : rate_(rate), denominator_(Wide{rate.count} * (kBillion + tolerance.count)), grid_(grid) {}

    /// Sends a frame as early as `ready` and as the frames before it allow.
    /// @return when its last bit and the gap behind it have left
    /// @throws TimeExceeded if that is later than simulated time reaches
    Timestamp send(Timestamp ready, Bytes wire) {
        if (wire != wire_) measure(wire);
        const bool idle = ready >= free_;
        begin_ = idle ? ready : free_;
        free_ = grid_.after(begin_, slot_);
        if (has_fractions_) carry(idle);
        if (free_.time > kLastDeparture) throw TimeExceeded(rate_);
        return free_;
    }

    /// Sets the rate of frames that are passed to send() from now on. The first of them begins on a tick.
    void set_rate(BitRate rate, ClockTolerance tolerance) {
        rate_ = rate;
        denominator_ = Wide{rate.count} * (kBillion + tolerance.count);
        wire_ = Bytes{-1};
        carried_ = 0;
        has_fractions_ = false;
    }

    /// When the last frame given to send() has left, rounded up to the tick.
    const Timestamp& free() const { return free_; }
    /// When the last frame given to send() began.
    const Timestamp& begin() const { return begin_; }

  private:
    static constexpr std::int64_t kBillion = 1'000'000'000;

    /// Adds the last frame's fraction of a tick to what is carried. @param idle  until it began, which was on a tick
    void carry(bool idle) {
        // free_ was the end rounded up: the frame before really ended carried_/denominator_ after the tick before it.
        if (idle)
            carried_ = 0;
        else if (carried_ != 0)
            free_ = grid_.tick_before(free_);
        carried_ += fraction_;
        if (carried_ >= denominator_) {
            carried_ -= denominator_;
            free_ = grid_.tick_after(free_);
        }
        if (carried_ != 0) free_ = grid_.tick_after(free_);
        has_fractions_ = fraction_ != 0 || carried_ != 0;
    }

    [[gnu::noinline]] void measure(Bytes wire) {
        constexpr Wide kBitPicoseconds = Wide{8} * 1'000'000'000'000 * kBillion;
        const Wide numerator = wire.count * kBitPicoseconds;
        if (numerator / denominator_ > kLongestSlot.count()) throw TimeExceeded(rate_);
        slot_ = {Time{static_cast<std::int64_t>(numerator / denominator_)}, 0};
        fraction_ = numerator % denominator_;  // parts of a picosecond, and then of a tick
        wire_ = wire;
        if (grid_.ticks > 1 && fraction_ != 0) divide_into_ticks();
        if (fraction_ != 0) has_fractions_ = true;
    }

    void divide_into_ticks() {
        // fraction_ * ticks / denominator_, digit by digit: the product may exceed 128 bits.
        Wide rest = 0;
        for (std::uint64_t digit = std::uint64_t{1} << 62; digit != 0; digit >>= 1) {
            slot_.ticks *= 2;
            rest = 2 * rest + ((grid_.ticks & digit) ? fraction_ : 0);
            for (; rest >= denominator_; rest -= denominator_) ++slot_.ticks;
        }
        fraction_ = rest;
    }

    BitRate rate_;
    Wide denominator_;
    TimeGrid grid_;
    Bytes wire_{-1};
    TickDuration slot_;
    Wide fraction_ = 0;           ///< fraction of a tick, in units of 1 / denominator_
    Wide carried_ = 0;            ///< part of the tick that free_ rounds up
    bool has_fractions_ = false;  ///< one of these two is not 0
    Timestamp free_{Time::min()};
    Timestamp begin_{};
};

}  // namespace watershed
