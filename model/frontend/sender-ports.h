// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <vector>

#include "model/frontend/module-groups.h"
#include "model/frontend/stream-frames.h"

namespace watershed {

/// The links by which frames come to the switches: first the modules', then those of the streams that have one of
/// their own. Links count from 0, streams from 1.
class SenderPorts {
  public:
    struct Port {
        FrontEnd front_end;        ///< front end with the module that sends there
        int module = 1;            ///< number of that module in the front end
        std::vector<int> classes;  ///< classes of the frames that come there, ascending
        bool obeys_pause = true;
    };

    explicit SenderPorts(const Senders& senders) : of_stream_(of_streams(senders)) {
        ports_.reserve(static_cast<std::size_t>(senders.front_end.modules) + senders.traffic.size());
        for (const Group& group : ModuleGroups(senders).all())
            for (int module = 1; module <= group.front_end.modules; ++module)
                ports_.push_back(
                    {group.front_end, module, {group.front_end.traffic_class}, group.front_end.obeys_pause});
        for (std::size_t i = 0; i < senders.traffic.size(); ++i) {
            const TrafficStream& stream = senders.traffic[i];
            if (!stream.module) {
                FrontEnd own;
                own.modules = 1;
                own.link_rate = link_of_stream(stream, senders);
                own.pause_reaction = senders.front_end.pause_reaction;
                ports_.push_back({own, 1, {}, stream.obeys_pause});
            }
            std::vector<int>& classes = ports_[static_cast<std::size_t>(of_stream_[i])].classes;
            const auto place = std::lower_bound(classes.begin(), classes.end(), stream.traffic_class);
            if (place == classes.end() || *place != stream.traffic_class) classes.insert(place, stream.traffic_class);
        }
    }

    int count() const { return static_cast<int>(ports_.size()); }
    const Port& operator[](int port) const { return ports_[static_cast<std::size_t>(port)]; }
    int of_stream(int stream) const { return of_stream_[static_cast<std::size_t>(stream - 1)]; }
    BitRate rate(int port) const { return (*this)[port].front_end.link_rate; }

    /// The link of each stream.
    static std::vector<int> of_streams(const Senders& senders) {
        std::vector<int> links;
        int next = senders.front_end.modules;
        for (const TrafficStream& stream : senders.traffic)
            links.push_back(stream.module ? *stream.module - 1 : next++);
        return links;
    }
    /// A front end with a module at every link: whose addresses the frames bear.
    static FrontEnd addresses(const Senders& senders) {
        FrontEnd all = senders.front_end;
        for (const TrafficStream& stream : senders.traffic) all.modules += stream.module ? 0 : 1;
        if (std::all_of(senders.groups.begin(), senders.groups.end(),
                        [](const Group& group) { return group.front_end.source_ports.empty(); }))
            return all;
        all.source_ports.clear();
        for (const Group& group : senders.groups)
            for (int module = 1; module <= group.front_end.modules; ++module)
                all.source_ports.push_back(module_endpoint(group.front_end, module).port);
        for (int link = senders.front_end.modules + 1; link <= all.modules; ++link)
            all.source_ports.push_back(module_endpoint(senders.front_end, link).port);
        return all;
    }

  private:
    std::vector<Port> ports_;
    std::vector<int> of_stream_;
};

}  // namespace watershed
