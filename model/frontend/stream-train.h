// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <random>
#include <vector>

#include "model/base/random.h"
#include "model/frontend/stream-frames.h"

namespace watershed {

/// Bits of the link a second that a stream takes on average, while it is not silent for good.
double mean_bits(const TrafficStream& stream, const FrameFormat& format);

/// When the last fragment has left its module, if nothing holds it up but the module's link. Streams that are not told
/// when to stop stop then.
Time end_of_camera(const Senders& senders);

/// The times at which the frames of one stream are ready, ascending. Random ones depend on the seed and on the stream's
/// name alone.
class StreamTrain {
  public:
    /// @param stop  frames come before this
    StreamTrain(const TrafficStream& stream, const FrameFormat& format, Time stop, std::uint64_t seed);

    /// The next one, or nothing after the last.
    std::optional<Time> next();

  private:
    /// By the stream's own clock, with its phase.
    Time by_clock(Time nominal) const;
    /// From the beginning of the stream, or of what is sent without a pause, to its k-th frame, from 0.
    Time spaced(std::int64_t k) const;
    Time wait(double mean);
    std::optional<Time> raw();

    TrafficStream stream_;
    Time stop_;
    TransmissionTime interval_;  ///< between frames
    std::mt19937_64 random_;
    ClockTolerance error_;  ///< deviation of the clock
    Time phase_{0};
    Draws jitters_;               ///< by frame, or burst
    std::int64_t frames_ = 0;     ///< so far
    Time last_ready_{0};          ///< frames do not overtake each other
    std::int64_t drawn_ = 0;      ///< frames; of the time on where there is one
    Time last_{0};                ///< frame, where they come at random
    Time on_from_{0}, on_to_{0};  ///< the time on
};

}  // namespace watershed
