// SPDX-License-Identifier: GPL-2.0-only
#include "model/network/network-load.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "model/base/frame.h"
#include "model/base/serializer.h"
#include "model/frontend/fragment-sizes.h"
#include "model/frontend/module-groups.h"
#include "model/frontend/sender-ports.h"
#include "model/frontend/stream-frames.h"
#include "model/network/frame-copies.h"
#include "model/switch/gate-control-list.h"
#include "model/switch/uplinks.h"

namespace watershed {

namespace {

/// Part of what a module sends that is for one builder, or copies for several, by FrameId::copy.
struct Flow {
    int module;
    int builder;
    double part;
};

/// Sums over modules, with a weight each, of what each link carries; frames that take turns count in parts.
/// @param weights  by module
std::vector<double> carried(const NetworkScenario& scenario, const Network& network,
                            const std::vector<double>& weights) {
    std::vector<double> load(network.links().size());
    /// Flows on each link; links of a switch come after those that lead to it.
    std::vector<std::vector<Flow>> flows(network.links().size());
    const BuilderChoice choice(scenario);
    const FrameCopies copies(network, scenario);
    const std::vector<SwitchPlace> places = switch_places(network, scenario);
    const FrontEnd addresses = SenderPorts::addresses(scenario);
    for (const SwitchPlace& place : places) {
        const Network::Switch& each = network.switches()[static_cast<std::size_t>(place.number)];
        const bool takes_turns = each.settings.uplink_choice.rule == UplinkChoice::Rule::RoundRobin;
        std::vector<std::vector<int>> ways = place.towards;
        if (ways.empty()) {
            ways.emplace_back(static_cast<std::size_t>(each.settings.uplinks));
            std::iota(ways.front().begin(), ways.front().end(), 0);
        }
        std::vector<UplinkSelector> selectors;
        selectors.reserve(ways.size());
        for (const std::vector<int>& uplinks : ways) {
            watershed::Switch among = each.settings;
            among.uplinks = std::max(1, static_cast<int>(uplinks.size()));
            selectors.emplace_back(among, addresses, each.inputs());
        }
        const auto pass = [&](int input, const Flow& flow) {
            const auto builder = static_cast<std::size_t>(flow.builder % choice.count());
            const int first = takes_turns ? 0 : selectors[builder].next(input, flow.module),
                      count = takes_turns ? static_cast<int>(ways[builder].size()) : 1;
            for (int way = first; way < first + count; ++way) {
                const auto link =
                    static_cast<std::size_t>(each.first_link + ways[builder][static_cast<std::size_t>(way)]);
                load[link] += flow.part / count * weights[static_cast<std::size_t>(flow.module - 1)];
                flows[link].push_back({flow.module, flow.builder, flow.part / count});
            }
        };
        const auto pass_copies = [&](int input, const Flow& flow) {
            if (!copies.are_made()) return pass(input, flow);
            for (const int copy : copies.at(place.number, flow.builder)) pass(input, {flow.module, copy, flow.part});
        };
        for (int i = 0; i < each.modules; ++i) {
            const int module = each.modules_before + i + 1;
            if (copies.are_made())
                pass_copies(i, {module, 0, 1});
            else if (choice.keeps_modules_together())
                pass(i, {module, choice.of({1, module, 0, 0}), 1});
            else
                for (int builder = 0; builder < choice.count(); ++builder)
                    pass(i, {module, builder, 1.0 / choice.count()});
        }
        for (std::size_t i = 0; i < each.feeds.size(); ++i)
            for (const Flow& flow : flows[static_cast<std::size_t>(each.feeds[i])])
                pass_copies(each.modules + static_cast<int>(i), flow);
    }
    return load;
}

}  // namespace

std::vector<double> modules_per_link(const NetworkScenario& scenario, const Network& network) {
    return carried(scenario, network, std::vector<double>(static_cast<std::size_t>(scenario.front_end.modules), 1.0));
}

namespace {

/// Mean sizes of all frames of a fragment together, and their number.
struct MeanFragment {
    double frames = 0;
    double wire = 0;
    double buffer = 0;

    explicit MeanFragment(const FrameFormat& format) {
        double weights = 0;
        const auto add = [&](const FrameFormat& of_one_size, double weight) {
            for (const FrameSizes& frame : frames_of_fragment(of_one_size)) {
                wire += weight * static_cast<double>(frame.wire.count);
                buffer += weight * static_cast<double>(frame.buffer.count);
                frames += weight;
            }
            weights += weight;
        };
        FrameFormat each = format;
        each.payloads.clear();
        if (format.payloads.empty()) add(each, 1);
        for (const PayloadShare& share : format.payloads) {
            each.payload = share.payload;
            add(each, static_cast<double>(share.weight));
        }
        wire /= weights;
        buffer /= weights;
        frames /= weights;
    }
};

/// Returns a weight of 1 for the modules of a group, and 0 for others. @param before  modules of the groups before it
std::vector<double> of_group(const NetworkScenario& scenario, std::size_t before, std::size_t modules) {
    std::vector<double> weights(static_cast<std::size_t>(scenario.front_end.modules));
    std::fill_n(weights.begin() + static_cast<std::ptrdiff_t>(before), modules, 1.0);
    return weights;
}

/// Bits of the link per second at which it carries the camera's frames: all, or what gate and shaper of their class let
/// go.
double rate_for_camera(const NetworkScenario& scenario, const Network& network, const Network::Link& link) {
    auto rate = static_cast<double>(link.rate.count);
    const Scheduling& scheduling = network.switches()[static_cast<std::size_t>(link.from)].settings.scheduling;
    const auto number = static_cast<std::size_t>(scenario.front_end.traffic_class);
    const MeanFragment mean(scenario.frame);
    if (!scheduling.gates.empty())
        rate *= GateControlList(scheduling.gates)
                    .share(scenario.front_end.traffic_class, 8e12 * mean.wire / mean.frames / rate);
    if (number >= scheduling.rates.size()) return rate;
    const auto shaped = static_cast<double>(scheduling.rates[number].count);
    if (scheduling.counts == Scheduling::Counts::Link) return std::min(rate, shaped);
    return std::min(rate, shaped * mean.wire / mean.buffer);
}

}  // namespace

std::string table_of(const NetworkScenario& scenario, const Network::Switch& network_switch) {
    if (!scenario.nodes.empty()) return "node." + network_switch.name;
    return network_switch.name.compare(0, 6, "switch") == 0 ? "switch" : "aggregation";
}

void check_gates(const NetworkScenario& scenario, const Network& network) {
    const auto has_gates = [](const Network::Switch& each) { return !each.settings.scheduling.gates.empty(); };
    if (std::none_of(network.switches().begin(), network.switches().end(), has_gates)) return;
    const auto check = [&](const Network::Link& link, int traffic_class, Bytes wire) {
        const Network::Switch& from = network.switches()[static_cast<std::size_t>(link.from)];
        if (has_gates(from))
            GateControlList(from.settings.scheduling.gates)
                .require(table_of(scenario, from) + ".gates", traffic_class,
                         Serializer(link.rate).send(Timestamp{}, wire).time);
    };
    std::size_t before = 0;
    for (const Group& group : ModuleGroups(scenario).all()) {
        const auto modules = static_cast<std::size_t>(group.front_end.modules);
        Bytes longest{0};
        const FragmentSizes sizes(group.frame, 1);
        for (const std::vector<FrameSizes>& frames : sizes.choices())
            for (const FrameSizes& frame : frames) longest = std::max(longest, frame.wire);
        const std::vector<double> load = carried(scenario, network, of_group(scenario, before, modules));
        before += modules;
        for (std::size_t i = 0; i < load.size(); ++i)
            if (load[i] > 0) check(network.links()[i], group.front_end.traffic_class, longest);
    }
    const SenderPorts ports(scenario);
    const std::vector<EntryPoint> entries = entry_points(network);
    for (std::size_t i = 0; i < scenario.traffic.size(); ++i) {
        const TrafficStream& stream = scenario.traffic[i];
        const EntryPoint entry = entries[static_cast<std::size_t>(ports.of_stream(static_cast<int>(i) + 1))];
        const Network::Switch& self = network.switches()[static_cast<std::size_t>(entry.network_switch)];
        const auto first = network.links().begin() + self.first_link;  // it leaves by one of these
        check(*std::max_element(first, first + self.settings.uplinks,
                                [](const auto& a, const auto& b) { return a.rate < b.rate; }),
              stream.traffic_class, frame_of_stream(stream, scenario.frame).wire);
    }
}

double saturation_rate(const NetworkScenario& scenario, const Network& network, Bytes fragment) {
    const std::vector<double> modules = modules_per_link(scenario, network);
    double rate = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < modules.size(); ++i)
        if (modules[i] > 0)
            rate = std::min(rate, rate_for_camera(scenario, network, network.links()[i]) /
                                      (8.0 * static_cast<double>(fragment.count) * modules[i]));
    return rate;
}

LinkLoad fullest_link(const NetworkScenario& scenario, const Network& network, double rate) {
    return fullest_link(scenario, network, std::vector<double>(ModuleGroups(scenario).all().size(), rate));
}

LinkLoad fullest_link(const NetworkScenario& scenario, const Network& network, const std::vector<double>& rates) {
    LinkLoad fullest{"module links", 0, true};
    const std::vector<Group> groups = ModuleGroups(scenario).all();
    std::vector<double> loads(network.links().size());
    for (std::size_t i = 0, before = 0; i < groups.size(); ++i) {
        const double bits = 8 * MeanFragment(groups[i].frame).wire;
        const auto modules = static_cast<std::size_t>(groups[i].front_end.modules);
        fullest.load =
            std::max(fullest.load, rates[i] * bits / static_cast<double>(groups[i].front_end.link_rate.count));
        const std::vector<double> carried_of_group = carried(scenario, network, of_group(scenario, before, modules));
        before += modules;
        for (std::size_t link = 0; link < loads.size(); ++link)
            loads[link] +=
                carried_of_group[link] * rates[i] * bits / rate_for_camera(scenario, network, network.links()[link]);
    }
    for (std::size_t link = 0; link < loads.size(); ++link)
        if (loads[link] > fullest.load) fullest = {network.name(network.links()[link]), loads[link], false};
    return fullest;
}

}  // namespace watershed
