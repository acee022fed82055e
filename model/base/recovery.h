// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>

#include "model/base/quantities.h"

namespace watershed {

/// Recovery of a memory from its worst overload: when it last held its peak, and when it was empty the next time.
class Recovery {
  public:
    /// Notes the amount in the memory after a change. @param grew  true if the amount grew
    void occupied(Time now, std::int64_t amount, bool grew) {
        if (grew && amount >= peak_) {
            peak_ = amount;
            fullest_ = now;
            recovering_ = true;
        } else if (amount == 0 && recovering_) {
            drained_ = now;
            recovering_ = false;
        }
    }

    /// Returns true if it has not been empty since it was fullest.
    bool recovering() const { return recovering_; }
    std::int64_t peak() const { return peak_; }
    /// 0 if it never held anything.
    Time fullest() const { return fullest_; }
    Time drained() const { return drained_; }

    friend bool operator==(const Recovery& a, const Recovery& b) {
        return a.peak_ == b.peak_ && a.fullest_ == b.fullest_ && a.drained_ == b.drained_;
    }

  private:
    std::int64_t peak_ = 0;
    Time fullest_{0};
    Time drained_{0};
    bool recovering_ = false;
};

}  // namespace watershed
