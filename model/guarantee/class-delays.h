// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/guarantee/queue-source.h"

namespace watershed {

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
