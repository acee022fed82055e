// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "model/base/timestamp.h"

namespace watershed {

/// Times in which a link is down: each begins with its first instant, and its second is up again.
class DownTimes {
  public:
    void add(Time at, Time until) {
        times_.push_back({at, until});
        std::sort(times_.begin(), times_.end());
        std::size_t last = 0;
        for (const auto& next : times_)
            if (next.first <= times_[last].second)
                times_[last].second = std::max(times_[last].second, next.second);
            else
                times_[++last] = next;
        times_.resize(last + 1);
    }
    /// The last time, which was to be longer, ends.
    void end(Time until) { times_.back().second = until; }
    /// Whether a frame that is sent from `begin` until `end` is lost.
    bool cut(const Timestamp& begin, const Timestamp& end) const {
        return std::any_of(times_.begin(), times_.end(), [&](const auto& down) {
            return Timestamp(down.first) < end && begin < Timestamp(down.second);
        });
    }
    bool hold(Time time) const {
        return std::any_of(times_.begin(), times_.end(),
                           [&](const auto& down) { return down.first <= time && time < down.second; });
    }
    /// In their order; no two of them touch.
    const std::vector<std::pair<Time, Time>>& all() const { return times_; }

  private:
    std::vector<std::pair<Time, Time>> times_;
};

}  // namespace watershed
