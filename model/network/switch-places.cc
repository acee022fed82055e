// SPDX-License-Identifier: GPL-2.0-only
#include "model/network/switch-places.h"

#include <algorithm>
#include <iterator>

#include "model/frontend/sender-ports.h"

namespace watershed {

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

std::vector<SwitchPlace> switch_places(const Network& network, const Senders& senders) {
    const SenderPorts ports(senders);
    std::vector<SwitchPlace> places;
    for (const Network::Switch& each : network.switches()) {
        SwitchPlace place;
        place.name = each.name;
        place.number = static_cast<int>(places.size());
        const auto sender = [&](int port) { place.inputs.push_back({ports.rate(port), ports[port].classes}); };
        for (int i = 0; i < each.modules; ++i) sender(each.modules_before + i);
        for (const int feed : each.feeds) {
            const Network::Link& link = network.links()[static_cast<std::size_t>(feed)];
            std::vector<int> classes;
            for (const SwitchPlace::Input& input : places[static_cast<std::size_t>(link.from)].inputs) {
                std::vector<int> all;
                std::set_union(classes.begin(), classes.end(), input.classes.begin(), input.classes.end(),
                               std::back_inserter(all));
                classes = std::move(all);
            }
            place.inputs.push_back({link.rate, std::move(classes)});
        }
        for (const int port : each.stream_ports) sender(port);
        for (int uplink = 0; uplink < each.settings.uplinks; ++uplink)
            place.uplinks.push_back(network.links()[static_cast<std::size_t>(each.first_link + uplink)].rate);
        places.push_back(std::move(place));
    }
    return places;
}

}  // namespace watershed
