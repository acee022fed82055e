// SPDX-License-Identifier: GPL-2.0-only
#include "test/agreement/random-network.h"

#include <algorithm>
#include <functional>

#include "model/base/serializer.h"
#include "model/network/network.h"
#include "test/agreement/choices.h"
#include "test/agreement/random-scenario.h"
#include "test/agreement/random-traffic.h"

namespace watershed {
namespace {

/// Small numbers alone.
class IntChoices : public Choices {
  public:
    using Choices::Choices;
    int operator()(int least, int most) { return static_cast<int>(Choices::operator()(least, most)); }
};

/// Leaves stores that forward in the order of admission.
void simplify(Switch& network_switch) {
    network_switch.queueing = Queueing::Output;
    network_switch.input_fifo.reset();
    network_switch.fabric_rate.reset();
    network_switch.cut_through = false;
    network_switch.flow_control = {};
    network_switch.buffer.headroom.amount = 0;
    if (network_switch.buffer.sharing->evicts) network_switch.buffer.sharing = Sharing::Shared;
}

/// Gives the scenario several switches: side by side, in two tiers, or as a free graph.
/// @param other  draws a switch
Scenario spread(Scenario s, IntChoices& choose, const std::function<Switch()>& other) {
    const auto another = [&] {
        Switch network_switch = other();
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

}  // namespace

Scenario random_network(std::uint64_t seed) {
    IntChoices choose(seed);
    Scenario s = random_scenario(seed);
    if (s.trigger.pattern == Trigger::Pattern::LineRatePlusBurst) s.trigger.pattern = Trigger::Pattern::Burst;
    simplify(s.network_switch);
    std::uint64_t more = seed * 16;
    return spread(s, choose, [&] {
        Switch network_switch = random_scenario(1'000'000'000 + ++more).network_switch;
        simplify(network_switch);
        return network_switch;
    });
}

Scenario random_eventDriven_network(std::uint64_t seed) {
    IntChoices choose(seed ^ 0x5e7);
    Scenario s = choose.chance(60) ? random_traffic(seed) : random_eventDriven_scenario(seed);
    if (s.trigger.pattern == Trigger::Pattern::LineRatePlusBurst) s.trigger.pattern = Trigger::Pattern::Burst;
    const Time slot = Serializer(s.front_end.link_rate).send(Time{0}, frames_of_fragment(s.frame).front().wire).time;
    const auto obeys = [&](Switch& network_switch) {
        network_switch.obeys_pause = choose.chance(85);
        if (choose.chance(50)) network_switch.pause_reaction = Time{choose(0, 1) * slot.count() + choose(0, 3)};
    };
    obeys(s.network_switch);
    std::uint64_t more = seed * 16;
    s = spread(s, choose, [&] {
        const std::uint64_t other = 2'000'000'000 + ++more;
        Switch network_switch =
            (choose.chance(75) ? random_eventDriven_scenario(other) : random_scenario(other)).network_switch;
        if (!s.traffic.empty()) add_classes(network_switch, choose);
        obeys(network_switch);
        return network_switch;
    });
    if (s.aggregation && s.aggregation->flow_control.kind != FlowControl::Kind::None && choose.chance(50)) {
        s.network_switch.flow_control = {};  // then only switches are paused
        s.network_switch.buffer.headroom.amount = 0;
        s.network_switch.buffer.headroom_pool.reset();
    }
    const Network network(s);
    for (TrafficStream& stream : s.traffic) {
        if (stream.module)
            stream.module = 1 + (*stream.module - 1) % s.front_end.modules;
        else if (choose.chance(70))
            stream.at_switch =
                network.switches()[static_cast<std::size_t>(choose(0, static_cast<int>(network.switches().size()) - 1))]
                    .name;
    }
    return s;
}

}  // namespace watershed
