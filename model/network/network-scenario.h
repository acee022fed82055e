// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/base/quantities.h"
#include "model/frontend/senders.h"
#include "model/server/receiver.h"
#include "model/switch/switch.h"

namespace watershed {

/// A switch of a free graph.
struct Node {
    std::string name;
    int modules = 0;                        ///< consecutive ones, after those of the nodes before
    std::vector<std::string> to{"server"};  ///< where its uplinks lead, in turn: other nodes or "server"
    std::vector<BitRate> rates;             ///< of its uplinks, in turn; empty: all as `network_switch` says
    Switch network_switch;
};

/// Many senders, the switches between, and one server: what both engines run.
struct NetworkScenario : Senders {
    Switch network_switch;
    std::optional<Switch> aggregation;  ///< switches between the uplinks of `network_switch` and the server
    std::vector<Node> nodes;            ///< in place of both
    Server server;
};

}  // namespace watershed
