// SPDX-License-Identifier: GPL-2.0-only
#include "model/risk/rates.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "model/base/frame.h"
#include "model/network/network-load.h"
#include "model/network/network.h"
#include "model/risk/camera-queue.h"

namespace watershed {
namespace {

/// What a module sends for one event.
Bytes fragment_of(const NetworkScenario& scenario) {
    Bytes fragment;
    for (const FrameSizes& frame : frames_of_fragment(scenario.frame)) fragment += frame.wire;
    return fragment;
}

/// Until the busiest of some uplinks has sent what it is brought of an event that finds nothing waiting: each frame
/// comes after those before it, on its module's link, and all modules' frames go out after those before them.
/// @param longest  that an event keeps the uplink, in seconds
double sent_after(const NetworkScenario& scenario, double longest) {
    const double work = longest / static_cast<double>(fragment_of(scenario).count);
    double come = 0, gone = 0;
    for (const FrameSizes& frame : frames_of_fragment(scenario.frame)) {
        if (come > 0) come += in_seconds(scenario.front_end.gap);
        come += seconds_of(frame.wire, scenario.front_end.link_rate);
        gone = std::max(gone, come) + work * static_cast<double>(frame.wire.count);
    }
    return gone;
}

}  // namespace

double seconds_of(Bytes wire, BitRate rate) {
    return 8 * static_cast<double>(wire.count) / static_cast<double>(rate.count);
}

double link_seconds(const NetworkScenario& scenario) {
    const auto frames = static_cast<double>(frames_of_fragment(scenario.frame).size());
    return seconds_of(fragment_of(scenario), scenario.front_end.link_rate) +
           (frames - 1) * in_seconds(scenario.front_end.gap);
}

double uplink_seconds(const NetworkScenario& scenario, bool of_second_tier) {
    const Network network(scenario);
    const std::vector<double> modules = modules_per_link(scenario, network);
    double longest = 0;
    for (std::size_t i = 0; i < modules.size(); ++i) {
        const Network::Link& link = network.links()[i];
        if ((link.from >= scenario.network_switch.count) == of_second_tier)
            longest = std::max(longest, modules[i] * seconds_of(fragment_of(scenario), link.rate));
    }
    return longest;
}

Rates rates_of(const NetworkScenario& scenario) {
    const double link = link_seconds(scenario), first = uplink_seconds(scenario, false),
                 second = uplink_seconds(scenario, true);
    const double rate = accepted_rate(scenario.trigger), dead_time = in_seconds(scenario.trigger.dead_time);
    Rates rates;
    rates.load = rate * std::max(first, second);
    rates.link_load = rate * link;
    rates.saturation_khz = 1e-3 / std::max({first, second, link});
    rates.capacity = rates.saturation_khz * 1e3 / rate;
    rates.second_tier = second > first;
    // Two constant services in a row delay like the longer one: Lindley's recursion with gaps of dead time plus
    // exponential is that of M/D/1 with the dead time off the service, and the shorter service comes once on top.
    const double triggers = in_hertz(scenario.trigger.rate);
    const auto mean = [&](double work) {
        const double service = std::max(0.0, std::max(work, link) - dead_time), busy = triggers * service;
        return busy < 1 ? sent_after(scenario, work) + busy * service / (2 * (1 - busy))
                        : std::numeric_limits<double>::infinity();
    };
    // Of two tiers, the slower one's, whose frames the other hands on one by one.
    const double frame =
        seconds_of(frames_of_fragment(scenario.frame).back().wire, scenario.network_switch.uplink_rate);
    rates.latency_us = 1e6 * (second > 0 ? std::max(mean(first), mean(second)) + frame : mean(first));
    return rates;
}

}  // namespace watershed
