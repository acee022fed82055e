// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "model/scenario.h"

namespace watershed {

/// The smallest memory that keeps the chance of an incomplete event at or below a wanted one, as closely as the chain's
/// bounds tell.
struct NeededMemory {
    Frequency rate;                      ///< of the triggers, before dead time
    double loss = 0;                     ///< wanted
    int uplinks = 1;                     ///< of each switch
    double load = 0;                     ///< of the busiest uplink, if nothing is lost
    std::optional<std::int64_t> frames;  ///< that certainly suffice: the whole memory of each switch, or each port's
                                         ///< own; nothing if no memory is enough
    std::int64_t at_least = 0;           ///< fewer certainly do not; the same where the smallest memory is known
    Bytes bytes{0};                      ///< what `frames` take there, cells included
};

/// By the chains that `risk` asks, of all switches. Descriptors, and a memory split among traffic classes, are left out
/// of account: what is wanted is what the camera's frames may fill.
/// @throws InputError if the scenario is no batch queue
NeededMemory needed_memory(Scenario scenario, Frequency rate, double loss, int uplinks);

/// The smallest of some numbers of uplinks with which the scenario's own memory keeps to the wanted chance.
struct FewestUplinks {
    std::optional<int> enough;    ///< certainly; nothing if none of them is
    std::optional<int> at_least;  ///< those below are certainly not; nothing if none of them may be enough
};
FewestUplinks fewest_uplinks(Scenario scenario, double loss, const std::vector<std::int64_t>& uplinks);

}  // namespace watershed
