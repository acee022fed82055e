// SPDX-License-Identifier: GPL-2.0-only
#include "model/network/network-load.h"

#include <algorithm>
#include <limits>

#include "model/base/frame.h"
#include "model/switch/uplinks.h"

namespace watershed {

std::vector<double> modules_per_link(const NetworkScenario& scenario, const Network& network) {
    std::vector<double> load(network.links().size());
    /// Parts of modules on each link; links of a switch come after those that lead to it.
    std::vector<std::vector<std::pair<int, double>>> flows(network.links().size());
    for (const Network::Switch& each : network.switches()) {
        UplinkSelector selector(each.settings, scenario.front_end, each.inputs());
        const bool takes_turns = each.settings.uplink_choice.rule == UplinkChoice::Rule::RoundRobin;
        const auto pass = [&](int input, int module, double part) {
            const int first = takes_turns ? 0 : selector.next(input, module),
                      count = takes_turns ? each.settings.uplinks : 1;
            for (int uplink = first; uplink < first + count; ++uplink) {
                const auto link = static_cast<std::size_t>(each.first_link + uplink);
                load[link] += part / count;
                flows[link].emplace_back(module, part / count);
            }
        };
        for (int i = 0; i < each.modules; ++i) pass(i, each.modules_before + i + 1, 1);
        for (std::size_t i = 0; i < each.feeds.size(); ++i)
            for (const auto& [module, part] : flows[static_cast<std::size_t>(each.feeds[i])])
                pass(each.modules + static_cast<int>(i), module, part);
    }
    return load;
}

namespace {

/// Mean sizes of all frames of a fragment together.
struct MeanFragment {
    double wire = 0;
    double buffer = 0;

    explicit MeanFragment(const FrameFormat& format) {
        double weights = 0;
        const auto add = [&](const FrameFormat& of_one_size, double weight) {
            for (const FrameSizes& frame : frames_of_fragment(of_one_size)) {
                wire += weight * static_cast<double>(frame.wire.count);
                buffer += weight * static_cast<double>(frame.buffer.count);
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
    }
};

/// Bits of the link per second at which it carries the camera's frames: all, or what the shaper of their class lets go.
double rate_for_camera(const NetworkScenario& scenario, const Network& network, const Network::Link& link) {
    const auto rate = static_cast<double>(link.rate.count);
    const Scheduling& scheduling = network.switches()[static_cast<std::size_t>(link.from)].settings.scheduling;
    const auto number = static_cast<std::size_t>(scenario.front_end.traffic_class);
    if (number >= scheduling.rates.size()) return rate;
    const auto shaped = static_cast<double>(scheduling.rates[number].count);
    if (scheduling.counts == Scheduling::Counts::Link) return std::min(rate, shaped);
    const MeanFragment mean(scenario.frame);
    return std::min(rate, shaped * mean.wire / mean.buffer);
}

}  // namespace

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
    const double bits = 8 * MeanFragment(scenario.frame).wire;
    LinkLoad fullest{"module links", rate * bits / static_cast<double>(scenario.front_end.link_rate.count), true};
    const std::vector<double> modules = modules_per_link(scenario, network);
    for (std::size_t i = 0; i < modules.size(); ++i) {
        const double load = modules[i] * rate * bits / rate_for_camera(scenario, network, network.links()[i]);
        if (load > fullest.load) fullest = {network.name(network.links()[i]), load, false};
    }
    return fullest;
}

}  // namespace watershed
