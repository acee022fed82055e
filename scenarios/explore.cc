// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/explore.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "model/camera-queue.h"
#include "model/frame.h"
#include "model/uplinks.h"
#include "scenarios/input-error.h"
#include "scenarios/reader.h"
#include "scenarios/units.h"

namespace watershed {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Whether the ports of a switch do. Ports that are faster than a link may or may not run at its speed.
void fit_ports(Explored& way, const Scenario& scenario, const CatalogueSwitch& entry) {
    const int modules = way.stacking.modules_of_switch(), uplinks = way.stacking.uplinks;
    const BitRate link = scenario.front_end.link_rate, uplink = scenario.network_switch.uplink_rate;
    int at_link = 0, at_uplink = 0, faster = 0;
    for (const auto& ports : entry.ports) {
        if (ports.speed == link) at_link += ports.count;
        if (ports.speed == uplink) at_uplink += ports.count;
        if (ports.speed > link && ports.speed != uplink) faster += ports.count;
    }
    const auto count = [](int ports, BitRate speed) { return std::to_string(ports) + " ports of " + to_text(speed); };
    if (entry.ports.empty()) {
        way.remark = "its ports are unknown";
    } else if (link == uplink ? at_link < modules + uplinks && at_link + faster < modules + uplinks : at_uplink < uplinks && faster == 0) {
        way.fits = Explored::Fit::No;
        way.remark = "it has " + count(at_uplink, uplink) + ", " + std::to_string(link == uplink ? modules + uplinks : uplinks) + " are needed";
    } else if (link != uplink && at_link < modules) {
        const int left = at_uplink + faster - uplinks + at_link;
        way.fits = left >= modules ? Explored::Fit::Unknown : Explored::Fit::No;
        way.remark = "it has " + count(at_link, link) + ", " + std::to_string(modules) + " are needed" + (left >= modules ? "; whether its faster ports run at that speed is unknown" : "");
    } else if (at_uplink < uplinks) {
        way.remark = "whether its faster ports run at " + to_text(uplink) + " is unknown";
    } else {
        way.fits = Explored::Fit::Yes;
    }
}

double seconds(Bytes wire, BitRate rate) { return 8 * static_cast<double>(wire.count) / static_cast<double>(rate.count); }

/// What follows from rates alone.
void add_rates(Explored& way, const Scenario& scenario) {
    const Switch& network_switch = scenario.network_switch;
    Bytes fragment;
    for (const FrameSizes& frame : frames_of_fragment(scenario.frame)) fragment += frame.wire;
    std::vector<std::int64_t> carried(static_cast<std::size_t>(network_switch.uplinks));
    UplinkSelector selector(network_switch, scenario.front_end);
    for (int module = 1; module <= scenario.front_end.modules; ++module) ++carried[static_cast<std::size_t>(selector.next(module))];
    const double work = static_cast<double>(*std::max_element(carried.begin(), carried.end())) * seconds(fragment, network_switch.uplink_rate);
    const double link = seconds(fragment, scenario.front_end.link_rate), bottleneck = std::max(work, link);
    const double rate = accepted_rate(scenario.trigger), dead_time = static_cast<double>(scenario.trigger.dead_time.count()) * 1e-12;
    way.load = rate * work;
    way.saturation_khz = 1e-3 / bottleneck;
    way.margin = way.saturation_khz * 1e3 / rate;
    // Two constant services in a row delay like the longer one: Lindley's recursion with gaps of dead time plus exponential is that of
    // M/D/1 with the dead time off the service, and the shorter service comes once on top.
    const double triggers = static_cast<double>(scenario.trigger.rate.count) * 1e-6, service = std::max(0.0, bottleneck - dead_time), busy = triggers * service;
    way.latency_us = busy < 1 ? 1e6 * (work + link + busy * service / (2 * (1 - busy))) : kInfinity;
}

/// What takes the switch's memory to be known.
void add_memory(Explored& way, const Wanted& wanted, const Scenario& scenario, Engine& engine) {
    const CameraQueue camera = CameraQueue::of(scenario);
    if (camera.queues) {
        way.log_risk = log_loss_probability(camera, 0.3);
        const BatchQueue& queue = camera.queues->unluckiest;
        const double slot = seconds(frames_of_fragment(scenario.frame).front().wire, scenario.network_switch.uplink_rate);
        if (way.load < 1) way.recovery_us = 1e6 * queue.room * slot / (1 - way.load);
    } else {
        way.remark += (way.remark.empty() ? "" : "; ") + ("risk unknown to the chain: " + camera.obstacle);
    }
    Scenario burst = scenario;
    burst.trigger = Trigger{};
    burst.trigger.events = 1;
    way.watershed = find_boundary(engine, burst, wanted.separation, 20'000);
}

}  // namespace

std::vector<std::string> overrides_of(const Wanted& wanted, const Stacking& stacking) {
    std::vector<std::string> overrides = wanted.overrides;
    const auto set = [&](const std::string& key, const std::string& value) { overrides.push_back(key + "=" + value); };
    set("front_end.modules", std::to_string(stacking.modules_of_switch()));
    set("switch.count", "1");
    set("switch.uplinks", std::to_string(stacking.uplinks));
    set("switch.uplink_selection", stacking.selection);
    set("switch.model", stacking.model);
    return overrides;
}

Explored explore(const Wanted& wanted, const Stacking& stacking, const CatalogueSwitch& entry, Engine& engine) {
    Explored way;
    way.stacking = stacking;
    std::optional<Scenario> known;
    try {
        known = read_scenario(wanted.scenario, overrides_of(wanted, stacking));
    } catch (const InputError& error) {
        const std::string message = error.what();
        const auto key = message.find("switch.");
        way.remark = key == std::string::npos ? message : message.substr(key);
    }
    const std::string why = std::exchange(way.remark, {});
    // Ports and rates are those of any switch.
    Scenario plain = known ? *known : read_scenario(wanted.scenario, wanted.overrides);
    plain.front_end.modules = stacking.modules_of_switch();
    plain.network_switch.count = 1;
    plain.network_switch.uplinks = stacking.uplinks;
    fit_ports(way, plain, entry);
    if (way.fits == Explored::Fit::No) return way;
    add_rates(way, plain);
    if (known)
        add_memory(way, wanted, *known, engine);
    else
        way.remark += (way.remark.empty() ? "" : "; ") + why;
    return way;
}

bool feasible(const Explored& way, double loss) {
    return way.fits == Explored::Fit::Yes && way.load < 1 && way.log_risk && way.log_risk->upper <= std::log(loss);
}

void rank(std::vector<Explored>& ways, double loss) {
    const bool priced = std::all_of(ways.begin(), ways.end(), [&](const Explored& way) { return !feasible(way, loss) || way.price; });
    const auto cost = [&](const Explored& way) { return priced ? *way.price : static_cast<double>(way.stacking.switches); };
    const auto key = [&](const Explored& way) {
        const bool good = feasible(way, loss);
        return std::tuple(!good, way.fits == Explored::Fit::No, good ? cost(way) : 0.0, way.stacking.interfaces(), way.stacking.switches, way.log_risk ? way.log_risk->upper : 1.0);
    };
    std::stable_sort(ways.begin(), ways.end(), [&](const Explored& a, const Explored& b) { return key(a) < key(b); });
    int place = 0;
    for (Explored& way : ways) {
        if (!feasible(way, loss)) break;
        way.rank = ++place;
        way.pareto = std::none_of(ways.begin(), ways.end(), [&](const Explored& other) {
            if (!feasible(other, loss)) return false;
            const auto a = std::tuple(cost(other), other.stacking.interfaces(), other.log_risk->upper), b = std::tuple(cost(way), way.stacking.interfaces(), way.log_risk->upper);
            return std::get<0>(a) <= std::get<0>(b) && std::get<1>(a) <= std::get<1>(b) && std::get<2>(a) <= std::get<2>(b) && a != b;
        });
    }
}

}  // namespace watershed
