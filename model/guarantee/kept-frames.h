// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>

#include "model/network/network.h"

namespace watershed {

/// Returns the number of frames that the queue of any uplink takes, whatever comes for the other uplinks, under dynamic
/// thresholds; std::nullopt with other rules.
///
/// Theorem. A queue may draw more while it draws p < alpha x, where x is free. Let y = x + p: free without this queue.
/// So with its last frame a queue draws at most P(y) + f, with P(y) = max {p: p < alpha (y - p)} and f the largest
/// amount of a frame. Order the other queues by the last frame that each of them got. From then on a queue only sends.
/// So after the last frame of the k-th of them, y_k >= g(y_(k-1)) is free without all later queues and the one that is
/// asked about; y_0 is the shared memory, and g(y) = y - P(y) - f never falls as y grows. n other queues leave at least
/// g(g(... g(y_0))), about y_0 / (1 + alpha)^n, and each frame is granted that finds less than alpha times what its own
/// queue leaves of that. The queues that are filled one after the other at one instant reach this. Queues that are full
/// all the time leave more in the end, y_0 / (1 + n alpha) (Choudhury and Hahne, IEEE/ACM Transactions on Networking 6,
/// 1998). If all frames take f, and so does each part of a queue's reserve, p is a multiple of f.
/// @param smallest, largest  sizes of frames in the memory, those of this queue among them
std::optional<std::int64_t> kept_frames(const Switch& network_switch, Bytes smallest, Bytes largest);
/// Returns kept_frames() for all frames of the camera and of the streams; std::nullopt with one uplink.
std::optional<std::int64_t> kept_frames(const Switch& network_switch, const NetworkScenario& scenario);

}  // namespace watershed
