// SPDX-License-Identifier: GPL-2.0-only
#include "test/agreement/random-network.h"

#include <algorithm>

#include "test/agreement/choices.h"
#include "test/agreement/random-scenario.h"

namespace watershed {
namespace {

/// Small numbers alone.
class IntChoices : public Choices {
  public:
    using Choices::Choices;
    int operator()(int least, int most) { return static_cast<int>(Choices::operator()(least, most)); }
};

/// What several switches together do not model.
void simplify(Switch& network_switch) {
    network_switch.queueing = Queueing::Output;
    network_switch.input_fifo.reset();
    network_switch.fabric_rate.reset();
    network_switch.cut_through = false;
    network_switch.flow_control = {};
    network_switch.buffer.headroom.amount = 0;
    if (network_switch.buffer.sharing->evicts) network_switch.buffer.sharing = Sharing::Shared;
}

}  // namespace

Scenario random_network(std::uint64_t seed) {
    IntChoices choose(seed);
    Scenario s = random_scenario(seed);
    if (s.trigger.pattern == Trigger::Pattern::LineRatePlusBurst) s.trigger.pattern = Trigger::Pattern::Burst;
    simplify(s.network_switch);
    std::uint64_t more = seed * 16;
    const auto another = [&] {
        Switch network_switch = random_scenario(1'000'000'000 + ++more).network_switch;
        simplify(network_switch);
        // Equal rates make frames of several links meet.
        if (choose.chance(60))
            network_switch.uplink_rate = choose.chance(50) ? s.front_end.link_rate : s.network_switch.uplink_rate;
        return network_switch;
    };
    s.front_end.modules += choose(0, 5);
    const int kind = choose(1, 3);
    if (kind < 3) {
        s.network_switch.count =
            choose(kind == 1 ? std::min(2, s.front_end.modules) : 1, std::min(4, s.front_end.modules));
        if (kind == 1) return s;
        s.aggregation = another();
        s.aggregation->count = choose(1, std::min(3, s.network_switch.count * s.network_switch.uplinks));
        return s;
    }
    int modules = 0;
    for (int i = choose(1, 4); i > 0; --i) {
        Node node;
        node.name = "n" + std::to_string(i);
        node.network_switch = another();
        node.to.clear();
        // Nodes lead to those behind them, whose numbers are lower.
        for (int to = 0; to < node.network_switch.uplinks; ++to)
            node.to.push_back(i == 1 || choose.chance(30) ? "server" : "n" + std::to_string(choose(1, i - 1)));
        if (choose.chance(30)) node.rates = {s.front_end.link_rate, node.network_switch.uplink_rate};
        node.modules = choose(1, 4);
        modules += node.modules;
        s.nodes.push_back(node);
    }
    if (choose.chance(50)) std::reverse(s.nodes.begin(), s.nodes.end());
    s.front_end.modules = modules;
    return s;
}

}  // namespace watershed
