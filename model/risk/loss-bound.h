// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "model/base/unsupported-key.h"
#include "model/network/network.h"
#include "model/risk/batch-queue.h"

namespace watershed {

/// A bound of the chance of loss at one switch, for the uplink that carries most.
///
/// Each queue of a switch holds at any time at most what it would hold if no memory were limited, which is by the
/// recursion of Lindley (1952) a random walk V with steps of (time that an event takes) - (gap between triggers). The
/// chance that the walk of the busiest uplink is above y at a trigger is at most exp(-decay y) (Kingman 1964). Uplinks
/// that carry less hold at most their part of that.
///
/// A second tier: let a queue get m frames of an event, by links that bring k of them at most and last c seconds a
/// frame, and let V have steps of `step`, the longer of what m frames last on the uplink and k on a link. Of each
/// link's frames at most the part V / step is still to come (Lindley again, in two steps: module link, link). Count
/// from when the queue begins to fill: m V / step frames are to come, each event adds m, and the uplink sends no fewer
/// than by which m V / step falls. So the queue never holds more than m V / step. Links hand on whole frames, up to c
/// late, by which V has fallen c: that is slack; it is k c where those for one uplink may be the last of a link's. No
/// event meets frames of later ones if all links carry as many frames; then V at its own trigger counts. Else V may
/// rise while an event waits: exp(decay V) is a martingale until V is empty, so that from v it comes above y with a
/// chance of at most exp(decay (v - y)) (Doob). All v together give (1 + decay y) exp(-decay y).
/// Links that are together no faster than the uplink to which they lead leave there one frame each at most.
///
/// The first tier also delays what it hands on, which makes the tail steeper. Let L links of rate 1/c lead to a queue,
/// let its uplink need s a frame, and let an event bring M frames at most to a link. While the fullest link sends, from
/// b to b + k M c for k events without pause, at most L k M + L frames come; those from before b find at b no more than
/// their part of V, for all of them have come then. So the k-th of these events meets at most
///     V(b) / s + k (L M - M c / s) + L
/// frames: a BatchQueue of L M modules with the link time M c. If instead the modules' links are the slowest before the
/// queue, or all links carry as many frames, an event finds what V is when its frames come, a BatchQueue with the
/// modules' link time. log_loss_upper_bound() calculates the chances of both from the law of V, which is no estimate.
///
/// The frames of an event need be neither alike nor without a pause. Let frame k of a module arrive o_k after the
/// first, and let those before it last T_{k-1} on the uplink (behind links: on the slower of uplink and link). An event
/// leaves that uplink idle for at most I = max_k (o_k - T_{k-1}, 0). So before the next event, G later, V becomes at
/// most max(V, I) + T - G, and by induction V stays below the walk without pauses by no more than I. All is counted in
/// the largest frame of the event: a queue holds no more memory than so much work in the frames that are dearest for
/// their length.
struct LossBound {
    double per_trigger = 0;  ///< frames that an event brings to this uplink, as all here in the largest of the event
    double event =
        0;  ///< frames of an event that it may hold, less those that leave while the event's later frames come
    double step = 0;     ///< seconds that an event takes at the slowest on its way; 0 where none ever waits
    double spacing = 0;  ///< least seconds between two events there
    double room = 0;     ///< frames that this uplink's queue may hold while certainly none is lost at the switch, in
                         ///< proportion to which the others fill
    double decay = 0;    ///< decay of the tail, per frame
    bool level = true;   ///< no event waits behind later ones
    double load = 0;     ///< load of the uplink in the long run, if nothing is lost
    double slot = 0;     ///< seconds that a frame lasts on it
    std::optional<BatchQueue> behind_links;  ///< loses no fewer events; std::nullopt if none is known

    /// Returns the natural logarithm of an upper bound of the chance that an event loses a frame at this switch; minus
    /// infinity where none can be lost.
    /// @param precision  of the logarithm for `behind_links`, whose calculation takes time; std::nullopt leaves it out
    double log_probability(std::optional<double> precision = {}) const;
    /// Returns the longest burst, in events `separation` seconds apart, that surely loses nothing at an empty switch;
    /// std::nullopt if no burst ever does.
    std::optional<std::int64_t> lossless_events(double separation) const;
};

/// The bounds of each switch that is unlike those before it.
struct LossBounds {
    std::vector<LossBound> switches;
    UnsupportedKey obstacle;  ///< first key in the way, if there are none

    /// Returns the logarithm of the sum of all bounds, which bounds the chance that an event is incomplete.
    /// @pre there is no obstacle
    double log_probability(std::optional<double> precision = {}) const;

    /// @param first  of the network's switches; those before are left out
    /// @throws std::invalid_argument as Network and SwitchMemory do
    static LossBounds of(const NetworkScenario& scenario, int first = 0);
};

}  // namespace watershed
