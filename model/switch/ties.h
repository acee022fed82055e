// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model/base/timestamp.h"
#include "model/switch/switch-memory.h"

namespace watershed {

/// Counts the frames that a switch lost because others are always served first: at an instant at which it had taken in
/// another input's frame, or after one, since memory was last given back, of another stream in the same rhythm, whose
/// order never changes. Where each input has a memory of its own, no other takes its room; where each output has, only
/// frames for that output do.
class Ties {
  public:
    /// @param rhythms  of the streams from the camera on, as rhythms_of() numbers them
    explicit Ties(const Buffer& buffer, std::vector<int> rhythms = {0})
        : pools_(buffer.sharing->pools), rhythm_(std::move(rhythms)), decided_(rhythm_.size()) {}

    /// A frame lost for this cause would have been taken if others had not come before it.
    static bool is_for_room(const LossCause& cause) {
        return cause == SwitchMemory::kBufferFull || cause == SwitchMemory::kThreshold ||
               cause == SwitchMemory::kDescriptors || cause == SwitchMemory::kDramFull;
    }
    /// An input's frame has been taken in. An input receives one at a time: those of one instant are of several.
    void taken(const Timestamp& now, int output, int stream = 0) {
        Pool& pool = pool_of(output);
        pool.taken = now;
        pool.first = stream;
    }
    /// A frame has given its memory back.
    void released(int output) { pool_of(output).first = kNobody; }
    /// A frame has been lost on arrival. @param stream  from 0, the camera
    void lost(const LossCause& cause, const Timestamp& now, int output, int stream = 0) {
        if (!is_for_room(cause) || pools_ == SharingPolicy::Pools::PerInput) return;
        const Pool& pool = pool_of(output);
        const bool behind = pool.first != kNobody && pool.first != stream && rhythm(stream) != 0 &&
                            rhythm(stream) == rhythm(pool.first);
        if (pool.taken == now || behind) ++decided_[static_cast<std::size_t>(stream)];
    }

    /// Frames lost in this way, by stream from the camera on.
    const std::vector<std::int64_t>& decided() const { return decided_; }

  private:
    static constexpr int kNobody = -1;

    struct Pool {
        Timestamp taken{Time::min()};  ///< time at which a frame last was taken in
        int first = kNobody;           ///< stream of the last one taken since memory was given back
    };

    Pool& pool_of(int output) {
        if (pools_ != SharingPolicy::Pools::PerOutput) return of_all_;
        const auto number = static_cast<std::size_t>(output);
        if (number >= of_outputs_.size()) of_outputs_.resize(number + 1);
        return of_outputs_[number];
    }
    int rhythm(int stream) const { return rhythm_[static_cast<std::size_t>(stream)]; }

    SharingPolicy::Pools pools_;
    Pool of_all_;
    std::vector<Pool> of_outputs_;  ///< pools, if each output has a memory of its own
    std::vector<int> rhythm_;       ///< rhythm of each stream from the camera on; 0: its own
    std::vector<std::int64_t> decided_;
};

/// Watches the order in which a switch decides on frames, for two facts that let one run answer for many burst lengths.
class EventSequence {
  public:
    /// The switch is about to decide on a frame of `event`.
    /// @param idle  its memory is empty and its uplinks are silent
    void deciding(std::int64_t event, bool idle) {
        if (event > latest_) {
            latest_ = event;
            if (idle && event > 1 && first_idle_ == 0) first_idle_ = event;
        } else if (event < latest_) {
            in_order_ = false;
        }
    }

    /// The highest number of all events decided on.
    std::int64_t latest() const { return latest_; }
    bool in_order() const { return in_order_; }
    std::int64_t first_idle() const { return first_idle_; }

  private:
    std::int64_t latest_ = 0;
    std::int64_t first_idle_ = 0;
    bool in_order_ = true;
};

}  // namespace watershed
