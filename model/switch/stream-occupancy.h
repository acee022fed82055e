// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <vector>

#include "model/base/outcome.h"

namespace watershed {

/// What each stream holds of a memory, and the most it ever held. Streams count from 0, the camera.
class StreamOccupancy {
  public:
    explicit StreamOccupancy(std::size_t streams) : now_(streams), peaks_(streams) {}

    /// @param sign  +1 where a frame comes in, -1 where it goes
    void change(int stream, Bytes buffer, int sign) {
        if (now_.empty()) return;
        const auto index = static_cast<std::size_t>(stream);
        Amount& now = now_[index];
        now.frames += sign;
        now.bytes += buffer * sign;
        peaks_[index].peak_frames = std::max(peaks_[index].peak_frames, now.frames);
        peaks_[index].peak_bytes = std::max(peaks_[index].peak_bytes, now.bytes);
    }

    /// Only the peaks of each are set.
    const std::vector<Outcome::Stream>& peaks() const { return peaks_; }

  private:
    struct Amount {
        std::int64_t frames = 0;
        Bytes bytes{0};
    };
    std::vector<Amount> now_;
    std::vector<Outcome::Stream> peaks_;
};

}  // namespace watershed
