// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "model/base/obstacle.h"
#include "model/network/incast.h"

namespace watershed {

/// What bounds the chance of loss at one switch, for the uplink that carries most.
///
/// Each queue of a switch holds at any time at most what it would hold if no memory were limited, which is by the
/// recursion of Lindley (1952) a random walk with steps of (frames of an event) - (gap between triggers). The chance
/// that the walk of the busiest uplink is above y at a trigger is at most exp(-decay y) (Kingman 1964). Uplinks that
/// carry less hold at most their part of that. In a second tier, whose uplinks are as fast as those of the first, a
/// queue holds at most what it would hold if its modules were attached to it: when it begins to fill, at most one of
/// the links that lead to it holds frames, and the busiest queue of attached modules no less.
struct LossBound {
    double per_trigger = 0;  ///< frames that an event brings to this uplink
    double event = 0;        ///< the same, less those that leave while the event's later fragments come
    double link = 0;         ///< least time between two events there, in frames of the uplink
    double room = 0;   ///< frames that this uplink's queue may hold while certainly none is lost at the switch, in
                       ///< proportion to which the others fill
    double decay = 0;  ///< of the tail, per frame
    double load = 0;   ///< of the uplink, in the long run, if nothing is lost
    double slot = 0;   ///< seconds that a frame lasts on it

    /// The natural logarithm of an upper bound of the chance that an event loses a frame at this switch; minus infinity
    /// where none can be lost.
    double log_probability() const;
    /// A burst of so many events so far apart, in seconds, that begins with an empty switch loses nothing there;
    /// nothing where no burst ever does.
    std::optional<std::int64_t> lossless_events(double separation) const;
};

/// For each switch that is unlike those before it.
struct LossBounds {
    std::vector<LossBound> switches;
    Obstacle obstacle;  ///< if there are none

    /// Of the chance that an event is incomplete: the sum of all. @pre there is no obstacle
    double log_probability() const;

    /// @param first  of the network's switches; those before are left out
    /// @throws std::invalid_argument as Network and SwitchMemory do
    static LossBounds of(const Incast& scenario, int first = 0);
};

}  // namespace watershed
