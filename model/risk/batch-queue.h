// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace watershed {

/// A number between two bounds. Both are certain unless the maker says otherwise.
struct Enclosure {
    double lower = 0;
    double estimate = 0;
    double upper = 0;
};

/// The queue of an uplink behind a synchronous camera that triggers at random: batches of frames come, and one frame is
/// served after the other. Time is counted in what a frame lasts on the uplink, work in frames.
///
/// The triggers are Poisson with dead time: the gap between two is `dead_time` plus an exponential of rate
/// `trigger_rate`. A module queues frames while its link is busy, so that the switch gets clusters of events, exactly
/// `link_time` apart within one. What a module's link serves without pause is one cluster, its size a Borel law of load
/// trigger_rate (link_time - dead_time); between the end of a cluster and the next trigger lies an exponential of the
/// same rate, because the exponential forgets. Two queues in a row thus become one: clusters arrive at rate
/// `trigger_rate` and bring (modules - link_time) frames of work each event, net of what the uplink sends meanwhile.
/// With links faster than the dead time every event is a cluster, net of that.
struct BatchQueue {
    double trigger_rate = 0;  ///< per frame time
    double dead_time = 0;
    double link_time = 0;      ///< time of a frame on its module's link
    std::int64_t modules = 0;  ///< frames of an event
    double room = 0;           ///< frames that the memory holds

    /// Returns the least time between two events at the switch.
    double pace() const { return link_time > dead_time ? link_time : dead_time; }
    /// Returns the work that an event adds while events follow each other at that pace.
    double growth() const { return static_cast<double>(modules) - pace(); }
    /// Returns the load of the module's link within a cluster.
    double link_load() const;
    /// Returns the load of the uplink in the long run, if nothing is lost.
    double load() const;
};

/// Returns the natural logarithm of the probability that an event is incomplete, in the stationary state; minus
/// infinity if none ever is.
///
/// Exact but for the grid: the density of the work that a cluster finds (work-density.h) is solved cell by cell. Frames
/// that find the memory full are dropped one by one. What the grid leaves open lies between the bounds, to which all
/// cells are rounded; it is refined until they are within `precision` of each other, or work becomes long. Deeper down
/// the density goes on along the exponential of Cramer and Lundberg, below capacity as above, between the least and the
/// largest factor of the last cells.
/// @pre growth() >= 1 or growth() <= 0
Enclosure log_loss_probability(const BatchQueue& queue, double precision = 0.01);

/// Bounds for cameras that are this queue as long as nothing was lost since it was empty, but not beyond. Logarithms,
/// too. Above: how often an event finds more than room - modules in a memory without limit; 0 at or above capacity.
/// Lost frames do not wait. So a camera that loses a frame only if as much has come and could not have left loses no
/// more often.
double log_loss_upper_bound(const BatchQueue& queue, double precision = 0.01);
/// Below: one incomplete event for each busy cycle of `busiest` that brings this queue to its first loss; above
/// capacity the events whose frames, all of them, make up for what the uplink does not carry. @pre this queue is never
/// the longer one
double log_loss_lower_bound(const BatchQueue& queue, const BatchQueue& busiest, double precision = 0.01);

/// Returns the rate at which the tail of the work decays, per frame: the positive root s of s (modules - dead_time) =
/// ln(1 + s / trigger_rate). Negative above capacity.
double decay_rate(const BatchQueue& queue);

}  // namespace watershed
