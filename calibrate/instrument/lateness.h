// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace watershed {

using Nanoseconds = std::chrono::nanoseconds;

/// How well a burst kept its times.
class Lateness {
  public:
    /// @param late   how long after its time the trigger's first frame was handed over
    /// @param took   until its last frame was
    void add(Nanoseconds late, Nanoseconds took) {
        late_.push_back(std::max(late, Nanoseconds{0}));
        took_.push_back(took);
    }

    /// Of the beginnings of triggers. @pre one trigger at least
    Nanoseconds median() const { return median_of(late_); }
    /// What handing a trigger's frames over takes usually.
    Nanoseconds median_handover() const { return median_of(took_); }
    /// Of the latest trigger; one that was held up while its frames were handed over is as late as the hold-up.
    Nanoseconds worst() const {
        const Nanoseconds usual = median_handover();
        Nanoseconds worst{0};
        for (std::size_t i = 0; i < late_.size(); ++i) worst = std::max({worst, late_[i], late_[i] + took_[i] - usual});
        return worst;
    }

  private:
    static Nanoseconds median_of(std::vector<Nanoseconds> values) {
        const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
        std::nth_element(values.begin(), middle, values.end());
        return *middle;
    }

    std::vector<Nanoseconds> late_, took_;
};

}  // namespace watershed
