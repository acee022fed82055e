// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <vector>

#include "model/base/outcome.h"

namespace watershed {

/// What each stream holds of a memory, and the most it ever held. Streams count from 0, the camera.
class StreamOccupancy {
  public:
    /// By stream.
    using Peaks = std::vector<Outcome::Amount>;

    explicit StreamOccupancy(std::size_t streams) : now_(streams), peaks_(streams) {}

    /// @param sign  +1 where a frame comes in, -1 where it goes
    void change(int stream, Bytes buffer, int sign) {
        if (now_.empty()) return;
        const auto index = static_cast<std::size_t>(stream);
        Outcome::Amount &now = now_[index], &peak = peaks_[index];
        now.frames += sign;
        now.bytes += buffer * sign;
        peak.frames = std::max(peak.frames, now.frames);
        peak.bytes = std::max(peak.bytes, now.bytes);
    }

    const Peaks& peaks() const { return peaks_; }

  private:
    std::vector<Outcome::Amount> now_;
    Peaks peaks_;
};

}  // namespace watershed
