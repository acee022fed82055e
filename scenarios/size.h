// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/scenario.h"

namespace watershed {

/// The smallest memory that keeps the chance of an incomplete event at or below a wanted one.
struct NeededMemory {
    Frequency rate;      ///< of the triggers, before dead time
    double loss = 0;     ///< wanted
    int uplinks = 1;
    double load = 0;     ///< of the busiest uplink, if nothing is lost
    std::optional<std::int64_t> frames;   ///< the whole memory, or each port's own; nothing if no memory is enough
    Bytes bytes{0};      ///< what these frames take there, cells included
};

/// Of alike switches side by side the one with most modules: what is enough for its events is enough for all.
/// @throws InputError if there are several switches of another kind
Scenario fullest_switch(const Scenario& scenario, const std::string& file);

/// By the upper bound of the embedded chain, so that the wanted chance is certainly met. Descriptors, and a memory split among
/// traffic classes, are left out of account: what is wanted is what the camera's frames may fill.
/// @throws InputError if the scenario is no batch queue
NeededMemory needed_memory(Scenario scenario, Frequency rate, double loss, int uplinks);

/// The smallest of these numbers of uplinks with which the scenario's own memory keeps to the wanted chance; nothing if none does.
std::optional<int> fewest_uplinks(Scenario scenario, double loss, const std::vector<std::int64_t>& uplinks);

}  // namespace watershed
