// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/scenario.h"

namespace watershed {

/// A random_scenario() with several switches, drawn like its own: side by side, in two tiers, or as a free graph.
Scenario random_network(std::uint64_t seed);

/// The same of a random_eventDriven_scenario() or random_traffic(): frames wait, cut through, are scheduled by class,
/// pushed out or held back at any of the switches, and streams come to any of them.
Scenario random_eventDriven_network(std::uint64_t seed);

}  // namespace watershed
