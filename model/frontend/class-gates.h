// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "model/base/timestamp.h"
#include "model/frontend/module-ports.h"

namespace watershed {

/// Gates of a port that obeys pauses: classes whose frames may begin.
class ClassGates {
  public:
    /// Holds the next frame until then; a time that is past lets it go.
    /// @param traffic_class  whose frames; absent: all
    void pause(const Timestamp& now, const Timestamp& until, std::optional<int> traffic_class) {
        one_class_ = one_class_ && !traffic_class;
        for (int each = 0; each < kTrafficClasses; ++each)
            if (!traffic_class || *traffic_class == each)
                gates_[static_cast<std::size_t>(each)] = {until, std::max(now, until)};
    }

    bool is_open(int traffic_class, const Timestamp& now) const { return now >= at(traffic_class).paused_until; }
    /// When the last pause of this class was over, or will be.
    const Timestamp& went_on(int traffic_class) const { return at(traffic_class).went_on; }
    /// No class was ever told to pause alone.
    bool are_one() const { return one_class_; }

  private:
    struct Gate {
        Timestamp paused_until{};
        Timestamp went_on{};
    };
    const Gate& at(int traffic_class) const { return gates_[static_cast<std::size_t>(traffic_class)]; }

    std::array<Gate, kTrafficClasses> gates_{};
    bool one_class_ = true;
};

}  // namespace watershed
