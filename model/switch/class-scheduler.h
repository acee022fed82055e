// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "model/frontend/traffic-stream.h"
#include "model/switch/switch.h"

namespace watershed {

/// Which class an uplink serves next, where each has a queue of its own. Classes take turns from 7 down to 0. It sees
/// the first frame of each queue; never a clock, a packet or a simulator.
class ClassScheduler {
  public:
    /// For each class, what its first frame that may leave costs the link; nothing if there is none.
    using Heads = std::array<std::optional<Bytes>, kTrafficClasses>;

    explicit ClassScheduler(const Scheduling& scheduling) : scheduling_(scheduling) {}

    /// The class whose first frame leaves now, or nothing if there is none. To be asked once for each frame.
    std::optional<int> next(const Heads& heads);

    /// What a class may still send before the next one has its turn: frames, or bytes of the link.
    std::int64_t left(int traffic_class) const { return left_[static_cast<std::size_t>(traffic_class)]; }

  private:
    std::optional<int> strict(const Heads& heads) const;
    /// The turn of the class begins: it gets what its weight gives it.
    void begin_turn(std::size_t traffic_class);

    Scheduling scheduling_;
    int turn_ = kTrafficClasses - 1;
    bool begun_ = false;
    std::array<std::int64_t, kTrafficClasses> left_{};
};

}  // namespace watershed
