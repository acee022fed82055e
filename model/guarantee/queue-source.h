// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "model/base/rational.h"
#include "model/guarantee/arrival-train.h"
#include "model/guarantee/group-analysis.h"
#include "model/guarantee/switch-analysis.h"

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

}  // namespace watershed
