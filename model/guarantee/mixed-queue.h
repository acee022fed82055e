// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "model/guarantee/queue-source.h"

namespace watershed {

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
/// @param number   index of the queue, which receives the bounds
/// @return interval x for which R is largest; std::nullopt if too many frames would have to be followed
std::optional<Wide> bound_mixed_queue(std::vector<QueueSource>& sources, SwitchAnalysis& analysis, std::size_t number,
                                      const Ticks& ticks);

}  // namespace watershed
