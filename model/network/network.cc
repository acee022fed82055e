// SPDX-License-Identifier: GPL-2.0-only
#include "model/network/network.h"

#include <algorithm>
#include <iterator>

#include "model/base/unsupported-key.h"
#include "model/frontend/sender-ports.h"
#include "model/network/failures.h"

namespace watershed {
namespace {

std::string numbered(const std::string& name, int number, int count) {
    return count == 1 ? name : name + " " + std::to_string(number + 1);
}

/// Nodes so that none is fed by a later one; otherwise in the order of the scenario.
std::vector<int> topological_order(const std::vector<Node>& nodes) {
    const auto position = [&](const std::string& name) {
        return static_cast<int>(
            std::find_if(nodes.begin(), nodes.end(), [&](const Node& n) { return n.name == name; }) - nodes.begin());
    };
    const auto count = static_cast<int>(nodes.size());
    std::vector<int> feeders(nodes.size());
    for (const Node& node : nodes)
        for (const std::string& to : node.to) {
            if (to == "server") continue;
            if (position(to) == count)
                throw KeyError("node." + node.name + ".to",
                               "found \"" + to + "\", expected \"server\" or the name of a node");
            ++feeders[static_cast<std::size_t>(position(to))];
        }
    std::vector<int> order;
    std::vector<bool> placed(nodes.size());
    while (static_cast<int>(order.size()) < count) {
        int next = 0;
        while (next < count && (placed[static_cast<std::size_t>(next)] || feeders[static_cast<std::size_t>(next)] > 0))
            ++next;
        if (next == count) {
            const auto stuck =
                static_cast<std::size_t>(std::find(placed.begin(), placed.end(), false) - placed.begin());
            throw KeyError("node." + nodes[stuck].name + ".to",
                           "found links that form a loop, expected every way to end at the server");
        }
        placed[static_cast<std::size_t>(next)] = true;
        order.push_back(next);
        for (const std::string& to : nodes[static_cast<std::size_t>(next)].to)
            if (to != "server") --feeders[static_cast<std::size_t>(position(to))];
    }
    return order;
}

}  // namespace

Network::Network(const NetworkScenario& scenario) {
    std::vector<std::vector<int>> to;  // ends of the uplinks, by switch
    if (!scenario.nodes.empty()) {
        const std::vector<int> order = topological_order(scenario.nodes);
        std::vector<int> place(order.size());
        for (std::size_t i = 0; i < order.size(); ++i) place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
        std::vector<int> before(order.size());  // modules are numbered in the order of the scenario
        for (std::size_t i = 1; i < before.size(); ++i) before[i] = before[i - 1] + scenario.nodes[i - 1].modules;
        for (const int number : order) {
            const Node& node = scenario.nodes[static_cast<std::size_t>(number)];
            switches_.push_back(
                {node.name, node.network_switch, node.modules, before[static_cast<std::size_t>(number)], {}, 0, 0});
            to.emplace_back();
            for (int uplink = 0; uplink < node.network_switch.uplinks; ++uplink) {
                const std::string& name = node.to[static_cast<std::size_t>(uplink) % node.to.size()];
                const auto target = std::find_if(scenario.nodes.begin(), scenario.nodes.end(),
                                                 [&](const Node& n) { return n.name == name; });
                to.back().push_back(target == scenario.nodes.end()
                                        ? kServer
                                        : place[static_cast<std::size_t>(target - scenario.nodes.begin())]);
            }
        }
    } else {
        const auto& first = scenario.network_switch;
        int before = 0;
        for (int i = 0; i < first.count; ++i) {
            const int modules = even_share(scenario.front_end.modules, first.count, i);
            switches_.push_back({numbered("switch", i, first.count), first, modules, before, {}, 0, 0});
            before += modules;
        }
        if (const auto& second = scenario.aggregation) {
            const int links = first.count * first.uplinks;
            std::vector<int> targets;
            for (int i = 0; i < second->count; ++i) {
                targets.insert(targets.end(), static_cast<std::size_t>(even_share(links, second->count, i)),
                               first.count + i);
                switches_.push_back({numbered("aggregation", i, second->count), *second, 0, before, {}, 0, 0});
            }
            for (int i = 0; i < first.count; ++i)
                to.emplace_back(targets.begin() + i * first.uplinks, targets.begin() + (i + 1) * first.uplinks);
        }
        while (to.size() < switches_.size())
            to.emplace_back(static_cast<std::size_t>(switches_[to.size()].settings.uplinks), kServer);
    }
    place_groups(scenario);
    switches_.front().inputs_before = scenario.front_end.modules_before;
    join(to, scenario.builders.count);
    for (Link& link : links_) {
        const auto& name = switches_[static_cast<std::size_t>(link.from)].name;
        const auto node =
            std::find_if(scenario.nodes.begin(), scenario.nodes.end(), [&](const Node& n) { return n.name == name; });
        if (node != scenario.nodes.end() && !node->rates.empty())
            link.rate = node->rates[static_cast<std::size_t>(link.uplink) % node->rates.size()];
    }
    add_streams(scenario);
    check(scenario);
}

void Network::add_streams(const NetworkScenario& scenario) {
    const std::vector<int> ports = SenderPorts::of_streams(scenario);
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const TrafficStream& stream = scenario.traffic[i];
        if (stream.module) continue;
        const std::string first = scenario.nodes.empty() ? switches_.front().name : scenario.nodes.front().name;
        const std::string& wanted = stream.at_switch.empty() ? first : stream.at_switch;
        const auto found =
            std::find_if(switches_.begin(), switches_.end(), [&](const Switch& each) { return each.name == wanted; });
        if (found == switches_.end())
            throw KeyError("traffic." + stream.name + ".switch",
                           "found \"" + wanted + "\", expected " +
                               (switches_.size() == 1 ? "\"" + first + "\", the only switch"
                                                      : "the name of a switch, such as \"" + first + "\""));
        found->stream_ports.push_back(ports[i]);
    }
}

void Network::place_groups(const NetworkScenario& scenario) {
    const std::vector<Group>& groups = scenario.groups;
    const auto names = [](const Group& group) { return !group.at_switch.empty(); };
    if (std::none_of(groups.begin(), groups.end(), names)) return;
    for (Switch& each : switches_) each.modules = each.modules_before = 0;
    int before = 0;
    const Switch* last = nullptr;
    for (const Group& group : groups) {
        const std::string key = "group." + group.name + ".switch";
        if (!names(group)) throw KeyError(key, "missing, expected for every group or for none");
        const auto found = std::find_if(switches_.begin(), switches_.end(),
                                        [&](const Switch& each) { return each.name == group.at_switch; });
        if (found == switches_.end())
            throw KeyError(key, "found \"" + group.at_switch + "\", expected the name of a switch, such as \"" +
                                    switches_.front().name + "\"");
        if (found->modules > 0 && &*found != last)
            throw KeyError(key,
                           "found \"" + group.at_switch +
                               "\", which an earlier group names, expected groups of one switch next to each other");
        if (found->modules == 0) found->modules_before = before;
        found->modules += group.front_end.modules;
        before += group.front_end.modules;
        last = &*found;
    }
}

std::vector<int> Network::builders_of_interfaces() const {
    std::vector<int> builders(static_cast<std::size_t>(interfaces_));
    for (const Link& link : links_)
        if (link.to == kServer) builders[static_cast<std::size_t>(link.input)] = link.builder;
    return builders;
}

void Network::join(const std::vector<std::vector<int>>& to, int builders) {
    for (std::size_t i = 0; i < switches_.size(); ++i) {
        Switch& from = switches_[i];
        from.settings.uplinks = static_cast<int>(to[i].size());
        from.first_link = static_cast<int>(links_.size());
        for (const int target : to[i]) {
            Link link{
                static_cast<int>(i),      static_cast<int>(links_.size()) - from.first_link, target, interfaces_, 0,
                from.settings.uplink_rate};
            if (target == kServer) {
                link.builder = interfaces_++ % builders;
            } else {
                Switch& next = switches_[static_cast<std::size_t>(target)];
                link.input = next.inputs();
                next.feeds.push_back(static_cast<int>(links_.size()));
            }
            links_.push_back(link);
        }
    }
    for (std::size_t i = 1; i < switches_.size(); ++i)
        switches_[i].inputs_before = switches_[i - 1].inputs_before + switches_[i - 1].inputs();
}

void Network::check(const NetworkScenario& scenario) const {
    int modules = 0;
    for (const Switch& each : switches_) {
        modules += each.modules;
        if (each.inputs() > 0) continue;
        if (!scenario.nodes.empty())
            throw KeyError("node." + each.name + ".modules",
                           "nothing leads to this switch, expected modules or a node whose `to` names it");
        const bool first = each.name.compare(0, 6, "switch") == 0;
        throw KeyError(first ? "switch.count" : "aggregation.count",
                       "found " + std::to_string(first ? scenario.network_switch.count : scenario.aggregation->count) +
                           " switches for " +
                           std::to_string(first ? scenario.front_end.modules
                                                : scenario.network_switch.count * scenario.network_switch.uplinks) +
                           (first ? " modules" : " uplinks of the first tier") + ", expected no more than these");
    }
    if (modules != scenario.front_end.modules)
        throw KeyError("front_end.modules", "found " + std::to_string(scenario.front_end.modules) + ", expected the " +
                                                std::to_string(modules) + " of all nodes");
    const int builders = scenario.builders.count;
    if (builders > interfaces_)
        throw KeyError("server.builders", "found " + std::to_string(builders) + ", expected no more than the " +
                                              std::to_string(interfaces_) + " uplinks that lead to the server");
    if (builders > 1)
        for (const SwitchPlace& place : switch_places(*this, scenario)) {
            const Switch& self = switches_[static_cast<std::size_t>(place.number)];
            if (self.settings.uplink_choice.rule == UplinkChoice::Rule::Static)
                throw KeyError("server.builders", "conflicts with uplink_selection \"static\" of " + self.name);
            const auto missing = std::find_if(place.towards.begin(), place.towards.end(),
                                              [](const std::vector<int>& uplinks) { return uplinks.empty(); });
            if (self.modules == 0 || missing == place.towards.end()) continue;
            throw KeyError("server.builders", "found " + std::to_string(builders) + ", but no way leads from " +
                                                  self.name + " to builder " +
                                                  std::to_string(missing - place.towards.begin() + 1) +
                                                  ", expected one to each from every switch with modules");
        }
    if (const auto& wanted = scenario.server.interfaces; wanted && *wanted != interfaces_)
        throw KeyError("server.interfaces", "found " + std::to_string(*wanted) + ", expected " +
                                                std::to_string(interfaces_) + ", the links that lead to the server");
}

std::string Network::name(const Link& link) const {
    return switches_[static_cast<std::size_t>(link.from)].name + ", uplink " + std::to_string(link.uplink + 1);
}

bool Network::is_one_tier() const {
    return std::all_of(links_.begin(), links_.end(), [&](const Link& link) {
        return link.to == kServer && link.rate == switches_[static_cast<std::size_t>(link.from)].settings.uplink_rate;
    });
}

NetworkScenario Network::part(const NetworkScenario& scenario, int number) const {
    const Switch& network_switch = switches_[static_cast<std::size_t>(number)];
    NetworkScenario part = scenario;
    part.network_switch = network_switch.settings;
    part.network_switch.count = 1;
    part.aggregation.reset();
    part.nodes.clear();
    part.server = {};
    part.front_end.modules = network_switch.modules;
    part.front_end.modules_before += network_switch.modules_before;
    return part;
}

std::vector<EntryPoint> entry_points(const Network& network) {
    std::vector<EntryPoint> entries;
    const auto at = [&](int port) -> EntryPoint& {
        const auto index = static_cast<std::size_t>(port);
        if (entries.size() <= index) entries.resize(index + 1);
        return entries[index];
    };
    for (int i = 0; i < static_cast<int>(network.switches().size()); ++i) {
        const Network::Switch& each = network.switches()[static_cast<std::size_t>(i)];
        for (int input = 0; input < each.modules; ++input) at(each.modules_before + input) = {i, input};
        int input = each.inputs();
        for (const int port : each.stream_ports) at(port) = {i, input++};
    }
    return entries;
}

SwitchSenders senders_seen(const Senders& senders) {
    SwitchSenders seen{senders.seed, SenderPorts::addresses(senders), SenderPorts::of_streams(senders),
                       rhythms_of(senders.traffic)};
    if (senders.builders.count > 1)
        seen.builder_of = [choice = BuilderChoice(senders)](const FrameId& frame) { return choice.of(frame); };
    return seen;
}

std::vector<SwitchPlace> switch_places(const Network& network, const Senders& senders) {
    const SenderPorts ports(senders);
    const NetworkFailures failures(network, senders);
    std::vector<SwitchPlace> places;
    std::vector<std::vector<int>> classes;  // classes of all frames that come to each switch
    for (const Network::Switch& each : network.switches()) {
        SwitchPlace place;
        place.name = each.name;
        place.number = static_cast<int>(places.size());
        place.inputs.reserve(static_cast<std::size_t>(each.inputs()) + each.stream_ports.size());
        const auto sender = [&](int port) { place.inputs.push_back({ports.rate(port), ports[port].classes}); };
        for (int i = 0; i < each.modules; ++i) sender(each.modules_before + i);
        for (const int feed : each.feeds) {
            const Network::Link& link = network.links()[static_cast<std::size_t>(feed)];
            place.inputs.push_back({link.rate, classes[static_cast<std::size_t>(link.from)]});
        }
        for (const int port : each.stream_ports) sender(port);
        std::vector<int>& come = classes.emplace_back();
        for (const SwitchPlace::Input& input : place.inputs)
            if (!std::includes(come.begin(), come.end(), input.classes.begin(), input.classes.end())) {
                std::vector<int> all;
                std::set_union(come.begin(), come.end(), input.classes.begin(), input.classes.end(),
                               std::back_inserter(all));
                come = std::move(all);
            }
        for (int uplink = 0; uplink < each.settings.uplinks; ++uplink)
            place.uplinks.push_back(network.links()[static_cast<std::size_t>(each.first_link + uplink)].rate);
        place.changes = failures.changes(place.number);
        places.push_back(std::move(place));
    }
    if (senders.builders.count == 1) return places;
    for (auto place = places.rbegin(); place != places.rend(); ++place) {  // none is fed by a later one
        const Network::Switch& each = network.switches()[static_cast<std::size_t>(place->number)];
        place->towards.resize(static_cast<std::size_t>(senders.builders.count));
        for (int builder = 0; builder < senders.builders.count; ++builder)
            for (int uplink = 0; uplink < each.settings.uplinks; ++uplink) {
                const Network::Link& link = network.links()[static_cast<std::size_t>(each.first_link + uplink)];
                const auto leads_there = [&](const SwitchPlace& next) {
                    return !next.towards[static_cast<std::size_t>(builder)].empty();
                };
                if (link.to == Network::kServer ? link.builder == builder
                                                : leads_there(places[static_cast<std::size_t>(link.to)]))
                    place->towards[static_cast<std::size_t>(builder)].push_back(uplink);
            }
    }
    return places;
}

}  // namespace watershed
