// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "model/network/incast.h"
#include "model/risk/certain-loss.h"

namespace watershed {

/// The smallest memory that keeps the chance of an incomplete event at or below a wanted one, as closely as the chain's
/// bounds tell.
struct NeededMemory {
    Frequency rate;                                       ///< of the triggers, before dead time
    double loss = 0;                                      ///< wanted
    int uplinks = 1;                                      ///< of each switch of the first tier
    CertainLoss::Tiers tier = CertainLoss::Tiers::First;  ///< whose memory it is
    double load = 0;                                      ///< of the busiest uplink, if nothing is lost
    std::optional<std::int64_t> frames;  ///< that certainly suffice: the whole memory of each switch, or each port's
                                         ///< own; nothing if no memory is enough
    std::int64_t at_least = 0;           ///< fewer certainly do not; the same where the smallest memory is known
    Bytes bytes{0};                      ///< what `frames` take there, cells included
    Obstacle bounded{};                  ///< why only a bound tells, so that far less may suffice
};

/// By what CertainLoss knows of the tier; where that is bounded, at_least is 1. Of two
/// tiers each may lose half of what is wanted. Descriptors, and a memory split among traffic classes, are left out of
/// account: what is wanted is what the camera's frames may fill. Memories are counted in the largest frame of an event.
/// @throws InputError if neither knows the scenario
NeededMemory needed_memory(Incast scenario, Frequency rate, double loss, int uplinks,
                           CertainLoss::Tiers tier = CertainLoss::Tiers::First);

/// The smallest of some numbers of uplinks with which the scenario's own memory keeps to the wanted chance.
struct FewestUplinks {
    std::optional<int> enough;    ///< certainly; nothing if none of them is
    std::optional<int> at_least;  ///< those below are certainly not; nothing if none of them may be enough
};
FewestUplinks fewest_uplinks(Incast scenario, double loss, const std::vector<std::int64_t>& uplinks);

}  // namespace watershed
