// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "model/network/network.h"
#include "model/switch/switch-place.h"

namespace watershed {

/// Where a sender's link leads.
struct EntryPoint {
    int network_switch = 0;  ///< by its place in Network
    int input = 0;           ///< of that switch, from 0
};

/// Of all links of SenderPorts, in their order.
std::vector<EntryPoint> entry_points(const Network& network);

/// Of all switches of the network. A link between switches may bring every class that the switch before it sees.
std::vector<SwitchPlace> switch_places(const Network& network, const Senders& senders);

}  // namespace watershed
