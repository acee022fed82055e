// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>

#include "model/scenario.h"

namespace watershed {

/// A scenario of random_scenario(), random_network() or random_eventDriven_scenario() with a server that has small
/// rings, little memory and little time, whose times often coincide with those of frames; some with fragments of
/// several sizes.
Scenario random_server(std::uint64_t seed);

}  // namespace watershed
