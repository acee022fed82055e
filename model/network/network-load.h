// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "model/network/network.h"

namespace watershed {

/// Number of modules whose frames each link carries if none is lost, in the order of Network::links(). Where frames
/// take turns, a module counts in fractions.
std::vector<double> modules_per_link(const NetworkScenario& scenario, const Network& network);

/// Name of the table that holds the keys of a switch: "switch", "aggregation", or "node.NAME".
std::string table_of(const NetworkScenario& scenario, const Network::Switch& network_switch);

/// @throws KeyError if a gate of a switch never stays open for as long as a frame takes that goes there
void check_gates(const NetworkScenario& scenario, const Network& network);

/// Triggers per second at which the fullest link, or the shaper of the camera's class there, is busy without pause.
/// @param fragment  what a fragment costs a link
double saturation_rate(const NetworkScenario& scenario, const Network& network, Bytes fragment);

/// A link and how much it is given of what it carries.
struct LinkLoad {
    std::string name;  ///< "switch 3, uplink 1", or "module links"
    double load = 0;
    bool of_modules = false;  ///< the links between front ends and switches
};

/// The link that is given most if `rate` events come each second and none is lost on the way; of equals the first.
LinkLoad fullest_link(const NetworkScenario& scenario, const Network& network, double rate);
/// @param rates  events a second that each of ModuleGroups answers
LinkLoad fullest_link(const NetworkScenario& scenario, const Network& network, const std::vector<double>& rates);

}  // namespace watershed
