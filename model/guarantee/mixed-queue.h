// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "model/base/rational.h"
#include "model/guarantee/arrival-train.h"
#include "model/guarantee/switch-part.h"

/// Bounds of queues whose frames come from several sides, and have several sizes and classes.
namespace watershed {

/// The frames that one side sends to a queue, of one size and one class.
struct QueueSource {
    FrameSizes frame{};
    int traffic_class = 0;
    bool of_stream = false;
    std::int64_t each = 1;          ///< frames at one instant
    Wide slot = 1;                  ///< time of a frame on the uplink
    std::int64_t units = 0;         ///< memory that a frame takes
    Rational burst, rate;           ///< at most burst + rate x frames come in any time x
    std::vector<Wide> distances{};  ///< least distances of the first and the k-th after it, from k = 0, as far as known
    std::function<Wide()> next{};   ///< the next of them; none where these are all
    Wide delay = 0;                 ///< longest time from a frame's arrival until its last bit has left

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

/// Returns what a queue sends on of sources of one size and class, as one source. Together they bring two frames that
/// are k apart in order no closer than L_k. Where nothing comes beside them, they leave no closer, either (Guarantee
/// says why). Else the first leaves D after it came at most, and the other l + s after it came at least: they leave L_k
/// - (D - l - s) apart or more. Each leaves s or more after the one before it.
/// @param sources  all end, or none does
/// @param nearer   by so much they may come to be
QueueSource behind_queue(const std::vector<QueueSource>& sources, Wide nearer);

/// A stream beside the camera as a source, whatever its phase.
/// @param why  why nothing bounds it
std::optional<QueueSource> source_of(const CrossTrafficStream& stream, const Ticks& ticks, UnsupportedKey* why);

/// Returns whether a scheduler tells frames of these sources apart.
bool has_classes(const std::vector<QueueSource>& sources, const Scheduling& scheduling);

/// Bounds how long frames of each class take to leave, where an uplink serves classes by a scheduler; each class is
/// served in the order in which its frames came.
///
/// The uplink is never busy for longer than P, the least x in which no more work than x comes: so who came x after its
/// busy time began has left P - x later.
///
/// Strict priority: since u none of its class or a higher one was there before. What came then is served before a frame
/// of the class that came at u + x, but for one frame of a lower class that has begun: it begins by the least w for
/// which w = max s of lower classes + work of its class until x without itself + work of higher classes until w. What
/// comes of higher classes while the class's last frame is sent still waits after it: none is there again only from the
/// least w on that counts that frame, too (as on a CAN bus: Davis, Burns, Bril and Lukkien, Real-Time Systems 35,
/// 2007).
///
/// Turns: since u none of its class was there before. By the time that the class ends its k-th turn each other class
/// has had k turns at most, the first of which had perhaps begun before. In turns of so many frames (weights w_j) those
/// are k w_j frames. In turns of so many bytes (quanta Q_j) those are k Q_j and what the class had saved, less than its
/// longest frame (Shreedhar and Varghese, IEEE/ACM Transactions on Networking 4, 1996, lemma 2). A frame is among those
/// of turn k if with those of its class before it it is no more than k w frames, or k Q bytes: what the class saves is
/// kept as long as it has frames.
///
/// @param byte  its time on the uplink
/// @return false if too many frames would have to be followed
bool class_delays(std::vector<QueueSource>& sources, const Scheduling& scheduling, Wide byte, Wide latency);

}  // namespace watershed
