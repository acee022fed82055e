// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "model/scenario.h"

namespace watershed {

/// A random_scenario() with several switches, drawn like its own: side by side, in two tiers, or as a free graph.
Scenario random_network(std::uint64_t seed);

}  // namespace watershed
