// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>

#include "model/base/quantities.h"
#include "model/base/timestamp.h"

namespace watershed {

/// One token is a bit; they come at `rate`, and `burst` is the most it holds. RFC 2697 calls it the committed bucket of
/// a single rate marker. A policer loses what does not conform; a shaper lets it wait until due().
class TokenBucket {
  public:
    /// Makes a full bucket.
    TokenBucket(BitRate rate, Bytes burst)
        : rate_(rate), capacity_(Wide{8} * burst.count * kSecond), tokens_(capacity_) {}

    /// Takes the tokens for `size` if they are there; call it in order of time.
    bool conforms(Time now, Bytes size) {
        fill(now);
        if (tokens_ < needed(size)) return false;
        tokens_ -= needed(size);
        return true;
    }

    /// When it holds the tokens for `size`, or is full, if none are taken before.
    /// @throws TimeExceeded if that is later than simulated time reaches
    Time due(Bytes size) const {
        if (size != asked_) due_ = due_of(size), asked_ = size;
        return due_;
    }
    /// Takes them at a time that is not before due(); of what is larger than the burst it lacks the rest from then on.
    void take(Time now, Bytes size) {
        fill(now);
        tokens_ -= needed(size);
    }

  private:
    static constexpr std::int64_t kSecond =
        1'000'000'000'000;  ///< picoseconds per second; tokens are kept in bits times this

    Time due_of(Bytes size) const {
        const Wide missing = std::min(needed(size), capacity_) - tokens_;
        if (missing <= 0) return filled_;
        const Wide wait = ceil_div(missing, Wide{rate_.count});
        if (wait > (kLastDeparture - filled_).count()) throw TimeExceeded(rate_);
        return filled_ + Time{static_cast<std::int64_t>(wait)};
    }
    static Wide needed(Bytes size) { return Wide{8} * size.count * kSecond; }
    void fill(Time now) {
        tokens_ = std::min(capacity_, tokens_ + Wide{rate_.count} * (now - filled_).count());
        filled_ = now;
        asked_ = Bytes{-1};
    }

    BitRate rate_;
    Wide capacity_;
    Wide tokens_;
    Time filled_{0};
    mutable Bytes asked_{-1};  ///< size that due() was last asked for since the tokens changed
    mutable Time due_{0};      ///< its answer
};

}  // namespace watershed
