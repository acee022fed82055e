// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>

#include "model/guarantee/switch-guarantee.h"

namespace watershed {

/// Bounds the rings, delays and memory of a camera server with limits, behind switches in any tiers.
///
/// Arrivals. Let K(x) be the most triggers in a closed interval of length x, d the longest delay of a frame in all
/// switches on its way, and s its slot on the last uplink. The modules' frames keep distances e_k (Guarantee), so at
/// most
///     N(x) = min(1 + floor(x / s), m #{k: e_k <= x + d})
/// frames of m modules come to an interface in such an interval: the uplink spaces them, and each came to its first
/// switch no more than d before (Le Boudec and Thiran, Network Calculus, 2001, section 1.4.1). Streams
/// that go the same way lead to other hosts: they delay the frames, which d knows, and only part them further.
///
/// Way into the program. DMA moves a frame within a, the longest delay of its queue. The wake-up that hands it to the
/// cores comes within w: the delay of an interrupt, or the period of polls. So the frames that are handed on in an
/// interval of length y came in one of y + w + a, T(y + w + a) of all interfaces together. Wake-ups of one interface
/// that no number of frames caused are w apart, but for a poll that follows another at once, for a frame without DMA
/// that came at its instant; and each other takes so many frames as cause it. Let c be the time of a
/// core for a frame, u for a wake-up, U(y) the wake-ups, and n the cores. Cores take the first frame first and rest
/// only when none waits. A time in which all are busy is over once n y reaches c T(y + w + a) + u U(y) and the rest of
/// n - 1 frames from before; so no frame is longer than
///     D = a + w + max over y of (c T(y + w + a) + u U(y) + (n - 1)(c + u)) / n - y, and c + u more if n > 1,
/// in its ring, which never holds more than N(D).
///
/// Events. The frames of an event leave their modules within A of the trigger, and all are in memory within L = A + d +
/// D of it. Events leave one after the other at the output rate, which delays them as a queue does, by o at most:
/// memory never holds more than K(L + o) events. No timeout strikes that is not shorter than L.
///
/// @param guarantee  bounds of the switches
/// @param why        receives the first key that is not covered
/// @return std::nullopt in that case
/// @pre the scenario has a server with limits
std::optional<ServerGuarantee> bound_server(const NetworkScenario& scenario, const AdmittedTriggers& admitted,
                                            const Guarantee& guarantee, UnsupportedKey* why);

}  // namespace watershed
