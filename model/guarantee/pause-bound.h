// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>

#include "model/guarantee/switch-guarantee.h"

namespace watershed {

/// Returns true if some switch pauses its senders.
bool has_flow_control(const NetworkScenario& scenario);

/// Returns bounds of switches that pause the modules before them, for any triggers and any phases of the modules.
///
/// After a pause. A frame of w on the link fills an input beyond XOFF at t. The order to pause takes p on the link and
/// r to work. Frames that begin until t + p + r still come: at most a = floor((p + r) / w) + 1 of them. No other order
/// is in the way of this one if XON lies at least two frames below XOFF: three frames then come between XON and XOFF,
/// the last one 2 w >= 2 p after the first.
///
/// Memory. A pause begins with the f-th frame of an input, f = floor(XOFF / frame) + 1, so that none of n inputs ever
/// holds more than f + a. Those that hold fewer than f are not paused, and find room if
///     k >= (n - 1) (f + a) + f
/// frames fit into the memory, which the others fill with f + a each at most. A frame takes headroom where the memory
/// is full. Its input then has at least k - (n - 1) (f + a) frames in memory, hence at most n (f + a) - k on headroom
/// with this one, and never more than a. So headroom of min(a, n (f + a) - k) frames is enough.
///
/// Delay. Of the frames behind which one leaves without a pause of the uplink, h = n (f + a) at most are in memory with
/// it when it comes, and one more on its way out if memory is given back at its start. Before the first of them leaves,
/// the latency l passes. So a frame of s on the uplink has left after l + (h + 1) s, or l + h s.
///
/// Pauses. The last frame that still comes is there after p + r + w. Once it has left, too, the input is empty, and is
/// told to go on. That order waits for p at most, for one that renews the pause.
/// @param why  receives the first key that is not covered
std::optional<Guarantee> bounds_with_pauses(const NetworkScenario& scenario, UnsupportedKey* why = nullptr);

}  // namespace watershed
