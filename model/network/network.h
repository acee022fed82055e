// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "model/base/quantities.h"
#include "model/base/unsupported-key.h"
#include "model/frontend/senders.h"
#include "model/server/receiver.h"
#include "model/switch/builder-uplinks.h"
#include "model/switch/switch.h"

namespace watershed {

/// A switch of a free graph.
struct Node {
    std::string name;
    int modules = 0;                        ///< consecutive ones, after those of the nodes before
    std::vector<std::string> to{"server"};  ///< ends of its uplinks, in turn: other nodes or "server"
    std::vector<BitRate> rates;             ///< rates of its uplinks, in turn; empty: all have that of `network_switch`
    Switch network_switch;
};

/// Many senders, the switches between, and one server: what both engines run.
struct NetworkScenario : Senders {
    Switch network_switch;
    std::optional<Switch> aggregation;  ///< switches between the uplinks of `network_switch` and the server
    std::vector<Node> nodes;            ///< in place of both
    Server server;
};

/// The switches of a camera and how they are joined, as a scenario's keys say in short. Frames go one way: from modules
/// to the server, and never twice through one switch. Those of streams beside the camera begin where their links lead.
///
///     modules ──▶ switch 1 … n ══▶ (aggregation 1 … m) ══▶ interfaces of the server
class Network {
  public:
    static constexpr int kServer = -1;

    /// An uplink of a switch.
    struct Link {
        int from = 0;      ///< index in switches() of the sending switch
        int uplink = 0;    ///< uplink of the sending switch, from 0
        int to = kServer;  ///< index in switches() of the receiving switch, or kServer
        int input = 0;     ///< input of the receiving switch, or interface of the server, from 0
        int builder = 0;   ///< event builder whose interface that is, from 0
        BitRate rate{0};
    };
    /// A switch. Its inputs are numbered from 0: first those of its modules, then those of the links from other
    /// switches, then those of streams with a link of their own.
    struct Switch {
        std::string name;  ///< "switch" if it is the only one, "switch 3", "aggregation 1", or a node's name
        watershed::Switch settings;
        int modules = 0;                  ///< number of its modules, which are consecutive
        int modules_before = 0;           ///< number of modules of all switches before it
        std::vector<int> feeds;           ///< links that lead to it, in the order of its inputs
        int first_link = 0;               ///< its uplinks are consecutive in links()
        int inputs_before = 0;            ///< inputs of the switches before
        std::vector<int> stream_ports{};  ///< links of streams that lead to it, by their places in SenderPorts
        /// Number of inputs by which the camera's frames come.
        int inputs() const { return modules + static_cast<int>(feeds.size()); }
        int all_inputs() const { return inputs() + static_cast<int>(stream_ports.size()); }
    };

    /// @throws std::invalid_argument naming the key, if the keys describe no such network
    explicit Network(const NetworkScenario& scenario);

    /// None is fed by a later one.
    const std::vector<Switch>& switches() const { return switches_; }
    /// Uplinks, in the order of their switches.
    const std::vector<Link>& links() const { return links_; }
    /// Returns the failures of its links and switches.
    const std::vector<Failure>& failures() const { return switches_.front().settings.failures; }
    /// Returns the number of interfaces of the server, of all its event builders.
    int interfaces() const { return interfaces_; }
    /// Returns the event builder, from 0, of each interface.
    std::vector<int> builders_of_interfaces() const;
    /// Name of a link in tables: "switch 3, uplink 1".
    std::string name(const Link& link) const;

    /// Whether every uplink leads to the server, so that no switch has to do with another, and all of a switch are of
    /// one rate.
    bool is_one_tier() const;
    /// Such a switch and its modules as a scenario of their own. Modules keep their skews, clocks and addresses, events
    /// their times.
    NetworkScenario part(const NetworkScenario& scenario, int number) const;

  private:
    void join(const std::vector<std::vector<int>>& to, int builders);
    /// Gives the modules of groups that name their switch to that switch.
    void place_groups(const NetworkScenario& scenario);
    void add_streams(const NetworkScenario& scenario);
    void check(const NetworkScenario& scenario) const;

    std::vector<Switch> switches_;
    std::vector<Link> links_;
    int interfaces_ = 0;
};

/// Whether any switch may tell its senders to pause.
inline bool has_flow_control(const Network& network) {
    return std::any_of(network.switches().begin(), network.switches().end(), [](const Network::Switch& each) {
        return each.settings.flow_control.kind != FlowControl::Kind::None;
    });
}

/// The policy of the first switch that may push out frames which it has admitted.
inline std::optional<Sharing> push_out_policy(const Network& network) {
    for (const Network::Switch& each : network.switches())
        if (each.settings.buffer.sharing->evicts) return each.settings.buffer.sharing;
    return std::nullopt;
}

/// The key by which there are several switches.
inline UnsupportedKey several_switches(const NetworkScenario& scenario) {
    const char* key = !scenario.nodes.empty()              ? "node"
                      : scenario.aggregation               ? "aggregation"
                      : scenario.network_switch.count != 1 ? "switch.count"
                                                           : nullptr;
    return key ? UnsupportedKey{key, "there are several switches"} : UnsupportedKey{};
}

/// Whether the scenario is that of `network_switch` alone.
inline bool has_one_switch(const NetworkScenario& scenario) { return !several_switches(scenario); }

/// `total` spread over `parts` as evenly as possible; the first ones get one more.
constexpr int even_share(int total, int parts, int number) { return total / parts + (number < total % parts ? 1 : 0); }

/// End of a sender's link.
struct EntryPoint {
    int network_switch = 0;  ///< index of the switch in Network
    int input = 0;           ///< input of the switch, from 0
};

/// Returns the entry points of all links of SenderPorts, in their order.
std::vector<EntryPoint> entry_points(const Network& network);

/// Returns the places of all switches of the network. A link between switches may bring every class that comes to the
/// switch before it.
std::vector<SwitchPlace> switch_places(const Network& network, const Senders& senders);

/// Returns the facts about these senders that switches know.
SwitchSenders senders_seen(const Senders& senders);

}  // namespace watershed
