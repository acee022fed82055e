// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/base/outcome.h"
#include "model/network/incast.h"

namespace watershed {

/// Follows the frames of any network of switches, each from its module to the server or to where it is lost: the
/// general path of the exact engine. A frame lasts at least a picosecond on a link, so that what a switch admits at one
/// instant arrives at the next switch at a later one; at each instant departures come first, then arrivals, switch by
/// switch in the order of Network, at each by ArrivalRank and input.
Outcome run_exactly(const Incast& scenario, const Observer* observer);

}  // namespace watershed
