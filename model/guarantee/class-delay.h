// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/guarantee/mixed-queue.h"

namespace watershed {

/// Whether a scheduler tells frames of these sources apart.
bool has_classes(const std::vector<QueueSource>& sources, const Scheduling& scheduling);

/// How long frames of each class take to leave at most, where an uplink serves classes by a scheduler; each class is
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
/// @param byte  on the uplink
/// @return false if too many frames would have to be followed
bool class_delays(std::vector<QueueSource>& sources, const Scheduling& scheduling, Wide byte, Wide latency);

}  // namespace watershed
