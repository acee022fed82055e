// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/network.h"

namespace watershed {

/// How many modules' frames each link of the network carries if none is lost, in the order of Network::links(). Where frames take
/// turns, a module counts in parts.
std::vector<double> modules_per_link(const Scenario& scenario, const Network& network);

/// Triggers per second at which the fullest link is busy without pause.
/// @param fragment  what a fragment costs a link
double saturation_rate(const Scenario& scenario, const Network& network, Bytes fragment);

}  // namespace watershed
