// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "model/base/rational.h"
#include "model/guarantee/arrival-train.h"
#include "model/guarantee/switch-part.h"

/// What a queue holds of frames that come from several sides, of several sizes and classes.
namespace watershed {

/// What one side sends to a queue: frames of one size and one class.
struct QueueSource {
    FrameSizes frame{};
    int traffic_class = 0;
    bool of_stream = false;
    std::int64_t each = 1;          ///< frames at one instant
    Wide slot = 1;                  ///< of a frame on the uplink
    std::int64_t units = 0;         ///< that a frame takes of the memory
    Rational burst, rate;           ///< in any time x at most burst + rate x frames come, and at one instant
    std::vector<Wide> distances{};  ///< between the first and the k-th after it at least, from k = 0, so far
    std::function<Wide()> next{};   ///< the next of them; none where these are all
    Wide delay = 0;                 ///< of a frame at most, from its arrival until its last bit has left

    /// @return false if these are too many to follow
    bool extend_to(Wide time);
    /// Frames that come in less than this time at most.
    std::int64_t within(Wide time) const;
};

/// Sources bring n_i(x) frames of a slot s_i in a time x, first and last instant included. Since a busy time of the
/// uplink began at u the frames that came at t or before leave no more work than
/// R = sum of n_i(t - u) s_i - max(0, t - u - l), l the latency of the switch, in whatever order they are served. What
/// is in the queue at t came in the last D_i, which a frame of that source takes at most to leave, and one frame of it
/// may have left in part: so the queue holds no more than the largest sum over its frames of which each source gives
/// n_i(D_i) at most, and all together last less than max R + max s_i. Of one class the same holds with its sources
/// alone. From x = (sum of burst_i s_i + l - sum of n_i(0) s_i) / (1 - sum of rate_i s_i) on R stays below that of
/// x = 0.
///
/// First in, first out, D_i = l + max over x of (sum of n_i(x) s_i - x). class_delays() has those of classes.
///
/// @param sources  in: all but `delay`
/// @return the time in which most comes; nothing if too many frames would have to be followed
std::optional<Wide> bound_mixed_queue(std::vector<QueueSource>& sources, const SwitchAnalysis& part, const Ticks& ticks,
                                      QueueGuarantee& queue);

/// The part of its time for which an uplink sends what they bring in the long run.
Rational load_of(const std::vector<QueueSource>& sources);

/// What a queue sends on of sources of one size and class, as one. Together they bring two frames that are k apart in
/// order no closer than L_k. Where nothing comes beside them, they leave no closer, either (Guarantee says why). Else
/// the first leaves D after it came at most, and the other l + s after it came at least: they leave L_k - (D - l - s)
/// apart or more. Each leaves s or more after the one before it.
/// @param sources  all end, or none does
/// @param nearer   by so much they may come to be
QueueSource behind_queue(const std::vector<QueueSource>& sources, Wide nearer);

/// A stream beside the camera as a source, whatever its phase.
/// @param why  why nothing bounds it
std::optional<QueueSource> source_of(const CrossTrafficStream& stream, const Ticks& ticks, UnsupportedKey* why);

}  // namespace watershed
