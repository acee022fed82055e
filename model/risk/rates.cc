// SPDX-License-Identifier: GPL-2.0-only
#include "model/risk/rates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "model/base/frame.h"
#include "model/base/log-sum.h"
#include "model/network/network-load.h"
#include "model/network/network.h"
#include "model/risk/camera-queue.h"
#include "model/risk/endless-triggers.h"
#include "model/risk/loss-bound.h"

namespace watershed {
namespace {

constexpr BitRate kFastest{1'000'000'000'000'000};  // so that a link's load does not count

/// Returns the time until the busiest of some uplinks has sent what it is brought of an event that finds nothing
/// waiting: each frame
/// comes after those before it, on its module's link, and all modules' frames go out after those before them.
/// @param longest  that an event keeps the uplink, in seconds
double sent_after(const NetworkScenario& scenario, double longest) {
    const double work = longest / static_cast<double>(wire_of_fragment(scenario.frame).count);
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
    return seconds_of(wire_of_fragment(scenario.frame), scenario.front_end.link_rate) +
           (frames - 1) * in_seconds(scenario.front_end.gap);
}

UplinkSeconds UplinkSeconds::of(const NetworkScenario& scenario) {
    const Network network(scenario);
    const std::vector<double> modules = modules_per_link(scenario, network);
    UplinkSeconds longest;
    for (std::size_t i = 0; i < modules.size(); ++i) {
        const Network::Link& link = network.links()[i];
        double& of_tier = link.from >= scenario.network_switch.count ? longest.second : longest.first;
        of_tier = std::max(of_tier, modules[i] * seconds_of(wire_of_fragment(scenario.frame), link.rate));
    }
    return longest;
}

namespace {

/// Returns the rates of several groups or builders. Their latency is infinite, as it is not known without a run.
Rates rates_of_groups(NetworkScenario scenario) {
    const EventRates events = event_rates(scenario);
    Rates rates;
    rates.link_load = link_load(scenario);
    for (Group& group : scenario.groups) group.front_end.link_rate = kFastest;
    scenario.front_end.link_rate = kFastest;
    const Network network(scenario);
    const LinkLoad fullest = fullest_link(scenario, network, events.of_groups);
    rates.load = fullest.load;
    if (scenario.aggregation) {
        scenario.aggregation->uplink_rate = kFastest;
        rates.second_tier = fullest_link(scenario, Network(scenario), events.of_groups).load < fullest.load;
    }
    rates.capacity = 1 / std::max(rates.load, rates.link_load);
    rates.saturation_khz = 1e-3 * events.all * rates.capacity;
    rates.latency_us = std::numeric_limits<double>::infinity();
    return rates;
}

}  // namespace

Rates rates_of(const NetworkScenario& scenario) {
    if (!scenario.groups.empty() || scenario.builders.count > 1) return rates_of_groups(scenario);
    const double link = link_seconds(scenario);
    const auto [first, second] = UplinkSeconds::of(scenario);
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
    const bool periodic = scenario.trigger.pattern == Trigger::Pattern::Periodic;  // then no event waits for another
    const auto mean = [&](double work) {
        if (periodic)
            return rate * std::max(work, link) < 1 ? sent_after(scenario, work)
                                                   : std::numeric_limits<double>::infinity();
        const double service = std::max(0.0, std::max(work, link) - dead_time), busy = triggers * service;
        return busy < 1 ? sent_after(scenario, work) + busy * service / (2 * (1 - busy))
                        : std::numeric_limits<double>::infinity();
    };
    // The slower one of two tiers determines the latency; the other one hands its frames on one by one.
    const double frame =
        seconds_of(frames_of_fragment(scenario.frame).back().wire, scenario.network_switch.uplink_rate);
    rates.latency_us = 1e6 * (second > 0 ? std::max(mean(first), mean(second)) + frame : mean(first));
    return rates;
}

namespace {

NetworkScenario first_tier_of(NetworkScenario scenario) {
    if (!scenario.aggregation) return scenario;
    scenario.aggregation.reset();
    scenario.server.interfaces.reset();
    return scenario;
}

/// Adds what the switches from `first` on may lose, to `precision` where that is calculated. @return whether that is
/// known
bool add_bound(CertainLoss& loss, const NetworkScenario& scenario, int first, std::optional<double> precision) {
    const LossBounds bounds = LossBounds::of(scenario, first);
    if (bounds.obstacle) {
        loss.log.reset();
        loss.bound = bounds.obstacle;
        return false;
    }
    const double upper = bounds.log_probability(precision);
    if (loss.log)
        loss.log = Enclosure{loss.log->lower, std::min(0.0, log_sum(loss.log->estimate, upper)),
                             std::min(0.0, log_sum(loss.log->upper, upper))};
    else
        loss.log = Enclosure{-std::numeric_limits<double>::infinity(), upper, upper};
    loss.bounded = loss.bounded || upper > -std::numeric_limits<double>::infinity();
    for (const LossBound& each : bounds.switches)
        loss.load = std::max({loss.load, each.load, each.decay > 0 ? 0.0 : 1.0});
    return true;
}

}  // namespace

std::string CertainLoss::obstacles() const {
    return chain.text() + (bound.text() == chain.text() ? "" : "; nor can a bound: " + bound.text());
}

CertainLoss CertainLoss::of(const NetworkScenario& scenario, std::optional<double> precision, Tiers tiers) {
    CertainLoss loss;
    if (tiers != Tiers::Second) {
        const NetworkScenario first = first_tier_of(scenario);
        const EquivalentQueues chains = precision ? EquivalentQueues::of(first) : EquivalentQueues{};
        if (!chains.cameras.empty()) {
            for (const CameraQueue& camera : chains.cameras)
                loss.load = std::max(loss.load, camera.queues->upper_bound_queue.load());
            loss.log = chains.log_loss(*precision);
        } else {
            loss.chain = chains.obstacle;
            if (!add_bound(loss, first, 0, precision)) return loss;
        }
    }
    if (scenario.aggregation && tiers != Tiers::First) {
        if (!loss.chain) loss.chain = {"aggregation", "what waits behind links is no such queue"};
        if (!add_bound(loss, scenario, scenario.network_switch.count, precision)) return loss;
    }
    // Frames beyond the capacity of an uplink are lost, unless they wait for the modules' links for ever. An incomplete
    // event loses at most all its frames.
    if (loss.load > 1 && rates_of(scenario).link_load < 1) {
        loss.log->lower = std::max(loss.log->lower, std::log1p(-1 / loss.load));
        loss.log->estimate = std::max(loss.log->estimate, loss.log->lower);
    }
    return loss;
}

}  // namespace watershed
