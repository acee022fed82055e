// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>

#include "model/base/quantities.h"

namespace watershed {

/// A policer: what does not find enough tokens is lost. One token is a bit; they come at `rate`, and `burst` is the
/// most it holds. RFC 2697 calls it the committed bucket of a single rate marker.
class TokenBucket {
  public:
    /// It begins full.
    TokenBucket(BitRate rate, Bytes burst)
        : rate_(rate.count), capacity_(Wide{8} * burst.count * kSecond), tokens_(capacity_) {}

    /// Takes the tokens for `size` if they are there; call it in order of time.
    bool conforms(Time now, Bytes size) {
        tokens_ = std::min(capacity_, tokens_ + Wide{rate_} * (now - filled_).count());
        filled_ = now;
        const Wide needed = Wide{8} * size.count * kSecond;
        if (tokens_ < needed) return false;
        tokens_ -= needed;
        return true;
    }

  private:
    static constexpr std::int64_t kSecond = 1'000'000'000'000;  ///< of picoseconds: tokens are kept in bits times this

    std::int64_t rate_;
    Wide capacity_;
    Wide tokens_;
    Time filled_{0};
};

}  // namespace watershed
