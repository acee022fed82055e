// SPDX-License-Identifier: GPL-2.0-only
#include "model/network/frame-copies.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace watershed {

FrameCopies::FrameCopies(const Network& network, const Senders& senders) : count_(senders.builders.count) {
    if (senders.builders.receiving() == 1) return;
    std::vector<int> all(static_cast<std::size_t>(count_));
    std::iota(all.begin(), all.end(), 0);
    number_of(all);
    made_.resize(network.switches().size());
    std::vector<std::set<int>> arriving(made_.size());
    for (const SwitchPlace& place : switch_places(network, senders)) {  // none is fed by a later one
        const auto number = static_cast<std::size_t>(place.number);
        const Network::Switch& self = network.switches()[number];
        if (self.modules > 0) arriving[number].insert(0);
        for (const int frame : arriving[number]) {
            std::vector<std::vector<int>> ways;  // builders to which the same uplinks lead
            std::map<std::vector<int>, std::size_t> way_by;
            for (const int builder : builders_[static_cast<std::size_t>(frame)]) {
                const auto way = way_by.emplace(place.towards[static_cast<std::size_t>(builder)], ways.size());
                if (way.second) ways.emplace_back();
                ways[way.first->second].push_back(builder);
            }
            for (const std::vector<int>& way : ways) {
                const int copy = number_of(way);
                made_[number][frame].push_back(copy);
                for (const int uplink : place.towards[static_cast<std::size_t>(way.front())]) {
                    const int to = network.links()[static_cast<std::size_t>(self.first_link + uplink)].to;
                    if (to != Network::kServer) arriving[static_cast<std::size_t>(to)].insert(copy);
                }
            }
        }
    }
}

int FrameCopies::number_of(const std::vector<int>& builders) {
    for (int number = builders.front();; number += count_) {
        const auto index = static_cast<std::size_t>(number);
        if (index >= builders_.size()) builders_.resize(index + 1);
        if (builders_[index].empty()) builders_[index] = builders;
        if (builders_[index] == builders) return number;
    }
}

}  // namespace watershed
