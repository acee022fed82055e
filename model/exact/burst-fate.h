// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>

#include "model/base/outcome.h"
#include "model/network/incast.h"

/// What is certain of bursts longer than those that have been run.
namespace watershed {

/// After how many events a burst's pattern of arrivals at the switch repeats, shifted in time; 0 if it never does.
std::int64_t events_per_repetition(const Incast& scenario);

/// What is certain of an ever longer burst whose arrivals repeat.
struct Fate {
    bool loses = false;
    std::int64_t steady_from = 0;  ///< if it need not lose: the event from which on nothing new can happen
};

/// Compares what one event brings with what drains until the next.
/// Where no uplink is given more than it carries, a queue that began empty has seen its worst after one whole
/// repetition: the work waiting at t is the largest excess of arrivals over service in any interval that ends at t
/// (Loynes 1962), and no longer interval has more excess than its last repetition.
Fate fate_of(const Incast& scenario, std::int64_t repetition);

/// Whether a burst through several switches, of which the first events are known, must go on as it began: some event
/// arrived in time and order as the first one did and found, like it, every switch empty and idle.
bool repeats_itself(const Incast& scenario, const Outcome& outcome);

}  // namespace watershed
