// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "model/base/rational.h"
#include "model/guarantee/arrival-train.h"
#include "model/guarantee/group-analysis.h"
#include "model/guarantee/switch-analysis.h"

/// Bounds of queues whose frames come from several sources and have several sizes and classes.
namespace watershed {

/// Frames of one size and one class that a queue gets from one source. Times are in ticks (see Ticks).
struct QueueSource {
    FrameSizes frame{};
    int traffic_class = 0;
    bool of_stream = false;         ///< true: a stream beside the camera; false: the camera
    bool of_kind = false;           ///< true: modules of one kind among several
    bool own_trigger = false;       ///< true: they do not answer the common triggers
    std::int64_t each = 1;          ///< frames per instant
    Wide slot = 1;                  ///< transmission time of a frame on the uplink
    std::int64_t units = 0;         ///< memory of a frame, in the unit of the memory's size
    Rational burst, rate;           ///< upper bound on the frames in an interval of length x: burst + rate x
    std::vector<Wide> distances{};  ///< known least distances from an instant to the k-th after it, from k = 0
    std::function<Wide()> next{};   ///< returns the next of the distances; empty if `distances` is complete
    Wide delay = 0;                 ///< longest time from a frame's arrival until its last bit has left

    /// Extends `distances` beyond `time`. @return false if there are too many to follow
    bool extend_to(Wide time);
    /// Returns the largest number of frames in an interval shorter than `time`. @pre `distances` reach `time`
    std::int64_t within(Wide time) const;
};

/// Bounds occupancy and delay of a queue that several sources feed.
///
/// In a closed interval of length x, source i brings at most n_i(x) frames, each with a transmission time of s_i. Let u
/// be the beginning of the uplink's busy period, and l the latency of the switch. Whatever the order of service, the
/// frames that came until t leave no more work than R = sum of n_i(t - u) s_i - max(0, t - u - l). A frame of source i
/// leaves at most D_i after it came, so the frames in the queue at t came within the last D_i. One of them may have
/// been sent in part. So the queue holds no more than the largest set of frames that satisfies two conditions: source i
/// contributes at most the frames that it brings in less than D_i, and the transmission times add up to less than
/// max R + max s_i. The frames of one class satisfy these conditions with the sources of that class alone. From
/// x = (sum of burst_i s_i + l - sum of n_i(0) s_i) / (1 - sum of rate_i s_i) on, R stays below its value at x = 0.
///
/// First in, first out: D_i = l + max over x of (sum of n_i(x) s_i - x). Several classes: class_delays() computes D_i,
/// or ShapedClasses. Shapers let work wait beside an idle uplink, so that the second condition is left out.
///
/// @param sources  `delay` is set, `distances` are extended; all other members are input
/// @param queue    receives the bounds
/// @return interval x for which R is largest; std::nullopt if too many frames would have to be followed
std::optional<Wide> bound_mixed_queue(std::vector<QueueSource>& sources, const SwitchAnalysis& analysis,
                                      const Ticks& ticks, QueueGuarantee& queue);

/// Returns the load of the uplink: the fraction of time for which it sends the frames of these sources in the long run.
Rational load_of(const std::vector<QueueSource>& sources);

/// Returns the departures of a queue as one source: those of the frames of `sources`, which have one size and class.
/// Two arrivals that are k apart in order are at least L_k apart. If the queue gets no other frames, the departures are
/// at least L_k apart, too (see Guarantee). Otherwise the first of the two leaves at most D after it came, the second
/// at least l + s after it came, and they leave at least L_k - (D - l - s) apart. Each frame leaves at least s after
/// its predecessor.
/// @param sources  either all have a function `next`, or none has
/// @param nearer   D - l - s, the time by which two frames may come closer to each other; 0 without other frames
QueueSource behind_queue(const std::vector<QueueSource>& sources, Wide nearer);

/// Returns the frames of a source that an uplink gets if all frames take turns among `turns` uplinks. Among n frames
/// in the order of arrival at most ceil(n / turns) are its own. If the source brings `each` frames per instant, with
/// least distances g_k of instants, two frames of the uplink that are k apart are k turns apart among all. They lie in
/// an interval of at least floor(k turns / each) + 1 instants, and are at least g_floor(k turns / each) apart.
QueueSource by_turns(const QueueSource& all, std::int64_t turns);

/// Returns a stream beside the camera as a source; its bounds hold for any phase of the stream.
/// @param why  receives the reason why nothing bounds the stream
/// @return std::nullopt in that case
std::optional<QueueSource> source_of(const CrossTrafficStream& stream, const Ticks& ticks, UnsupportedKey* why);

/// Returns the frames of one size of a group that go to one queue as a source.
/// @param frames  indices of these frames in an event
/// @param why     receives the reason if too many would have to be followed
/// @return std::nullopt in that case
std::optional<QueueSource> source_of(const GroupAnalysis& group, std::size_t queue,
                                     const std::vector<std::size_t>& frames, const Ticks& ticks, UnsupportedKey* why);

/// Returns true if the scheduler serves these sources in different classes.
bool has_classes(const std::vector<QueueSource>& sources, const Scheduling& scheduling);

/// Bounds the delay of each class at an uplink with a scheduler of classes, and sets QueueSource::delay. Within a class
/// frames are served in the order of their arrival.
///
/// Busy period. The uplink is never busy for longer than P, the least x in which no more work than x comes. So a frame
/// that comes x after the beginning of the busy period has left after P - x.
///
/// Strict priority. Let u be the last instant, before a frame comes at u + x, with no frame of its class or a higher
/// one in the queue. Frames of its class that come after u, but before it, are served first, and so are higher classes.
/// One frame of a lower class may be in transmission at u. So the frame begins at u + w at the latest, w being the
/// least solution of
///     w = max s of lower classes + work of its class until x without itself + work of higher classes until w.
/// Frames of higher classes that come during the transmission of the last frame of the class still wait after it. So
/// the queue has no frame of these classes only from the least w that counts the last frame, too (as on a CAN bus:
/// Davis, Burns, Bril and Lukkien, Real-Time Systems 35, 2007).
///
/// Round robin. Let u be the last instant with no frame of the class in the queue. By the end of the class's k-th turn
/// each other class has had at most k turns, the first of which may have begun before u. With weights w_j in frames,
/// class j has sent at most k w_j frames. With quanta Q_j in bytes (deficit round robin), it has sent at most k Q_j
/// bytes plus the deficit that it had saved, which is less than its longest frame (Shreedhar and Varghese, IEEE/ACM
/// Transactions on Networking 4, 1996, lemma 2). A frame leaves in turn k at the latest if it and the frames of its
/// class before it are at most k w frames, or k Q bytes: a class keeps its deficit as long as it has frames.
///
/// @param byte     transmission time of one byte on the uplink, ticks
/// @param latency  latency of the switch, ticks
/// @return false if too many frames would have to be followed
bool class_delays(std::vector<QueueSource>& sources, const Scheduling& scheduling, Wide byte, Wide latency);

}  // namespace watershed
