// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/base/moment.h"
#include "model/switch/switch-memory.h"

namespace watershed {

/// Counts the frames that a switch lost at an instant at which it had taken in another input's frame: the order of
/// arrival decided who lost, and where it is the same again and again, it is always the same sender. Where each input
/// has a memory of its own, no other takes its room; where each output has, only frames for that output do.
class Ties {
  public:
    /// @param streams  beside the camera
    explicit Ties(const Buffer& buffer, std::size_t streams = 0)
        : pools_(buffer.sharing->pools), decided_(streams + 1) {}

    /// An input's frame has been taken in. An input receives one frame at a time, so that each at one instant is of
    /// another.
    void taken(const Moment& now, int output) {
        const std::size_t pool = pool_of(output);
        if (pool >= taken_.size()) taken_.resize(pool + 1, kNever);
        taken_[pool] = now;
    }
    /// A frame has been lost on arrival. @param stream  from 0, the camera
    void lost(const LossCause& cause, const Moment& now, int output, int stream = 0) {
        const bool for_room = cause == SwitchMemory::kBufferFull || cause == SwitchMemory::kThreshold ||
                              cause == SwitchMemory::kDescriptors;
        const std::size_t pool = pool_of(output);
        if (for_room && pools_ != SharingPolicy::Pools::PerInput && pool < taken_.size() && taken_[pool] == now)
            ++decided_[static_cast<std::size_t>(stream)];
    }

    /// Frames lost so, by stream from the camera on.
    const std::vector<std::int64_t>& decided() const { return decided_; }

  private:
    static constexpr Moment kNever{Time::min(), 0};

    std::size_t pool_of(int output) const {
        return pools_ == SharingPolicy::Pools::PerOutput ? static_cast<std::size_t>(output) : 0;
    }

    SharingPolicy::Pools pools_;
    std::vector<Moment> taken_;  ///< when a frame last was, by pool
    std::vector<std::int64_t> decided_;
};

}  // namespace watershed
