// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/explore.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>

#include "model/camera-queue.h"
#include "model/frame.h"
#include "model/memory-units.h"
#include "model/uplinks.h"
#include "scenarios/input-error.h"
#include "scenarios/reader.h"
#include "scenarios/units.h"

namespace watershed {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void add_remark(Explored& way, const std::string& remark) { way.remark += (way.remark.empty() ? "" : "; ") + remark; }

/// Whether the ports of a switch do for so many inputs and uplinks. Ports that are faster than a link may or may not run at its speed.
std::pair<Explored::Fit, std::string> fit_ports(const CatalogueSwitch& entry, int inputs, BitRate link, int uplinks, BitRate uplink) {
    using Fit = Explored::Fit;
    int at_link = 0, at_uplink = 0, faster = 0;
    for (const auto& ports : entry.ports) {
        if (ports.speed == link) at_link += ports.count;
        if (ports.speed == uplink) at_uplink += ports.count;
        if (ports.speed > link && ports.speed != uplink) faster += ports.count;
    }
    const auto has = [](int ports, BitRate speed, int needed) {
        return "it has " + std::to_string(ports) + " ports of " + to_text(speed) + ", " + std::to_string(needed) + " are needed";
    };
    if (entry.ports.empty()) return {Fit::Unknown, "its ports are unknown"};
    if (link == uplink) {
        if (at_link >= inputs + uplinks) return {Fit::Yes, ""};
        if (at_link + faster < inputs + uplinks) return {Fit::No, has(at_link, link, inputs + uplinks)};
        return {Fit::Unknown, has(at_link, link, inputs + uplinks) + "; whether its faster ports run at that speed is unknown"};
    }
    if (at_uplink < uplinks && faster == 0) return {Fit::No, has(at_uplink, uplink, uplinks)};
    if (at_link < inputs) {
        if (at_link + at_uplink + faster < inputs + uplinks) return {Fit::No, has(at_link, link, inputs)};
        return {Fit::Unknown, has(at_link, link, inputs) + "; whether its faster ports run at that speed is unknown"};
    }
    if (at_uplink < uplinks) return {Fit::Unknown, "whether its faster ports run at " + to_text(uplink) + " is unknown"};
    return {Fit::Yes, ""};
}

double seconds(Bytes wire, BitRate rate) { return 8 * static_cast<double>(wire.count) / static_cast<double>(rate.count); }

Bytes fragment_of(const Scenario& scenario) {
    Bytes fragment;
    for (const FrameSizes& frame : frames_of_fragment(scenario.frame)) fragment += frame.wire;
    return fragment;
}

/// What follows from rates alone.
void add_rates(Explored& way, const Scenario& scenario) {
    const double work = uplink_seconds(scenario), link = link_seconds(scenario), bottleneck = std::max(work, link);
    const double rate = accepted_rate(scenario.trigger), dead_time = static_cast<double>(scenario.trigger.dead_time.count()) * 1e-12;
    way.load = rate * work;
    way.saturation_khz = 1e-3 / bottleneck;
    way.margin = way.saturation_khz * 1e3 / rate;
    // Two constant services in a row delay like the longer one: Lindley's recursion with gaps of dead time plus exponential is that of
    // M/D/1 with the dead time off the service, and the shorter service comes once on top.
    const double triggers = static_cast<double>(scenario.trigger.rate.count) * 1e-6, service = std::max(0.0, bottleneck - dead_time);
    const double busy = triggers * service;
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
        add_remark(way, "risk unknown to the chain: " + camera.obstacle);
    }
    Scenario burst = scenario;
    burst.trigger = Trigger{};
    burst.trigger.events = 1;
    way.watershed = find_boundary(engine, burst, wanted.separation, kLongestSimulated, kLongestSimulated);
}

/// What the scenario says of its own switches, and whatever the catalogue says of this one.
LeftOut of_the_switch(const CatalogueSwitch& entry) {
    LeftOut left_out{{"switch.model", "switch.count", "switch.latency", "switch.buffer", "aggregation", "node", "server.interfaces"}, {}};
    for (const auto& value : entry.values)
        if (value.key.compare(0, 14, "switch.buffer.") != 0 && value.key != "switch.latency") left_out.names.push_back(value.key);
    return left_out;
}

using Keys = std::vector<std::pair<std::string, std::string>>;

Scenario read(const Wanted& wanted, const Keys& keys, LeftOut& left_out) {
    std::vector<std::string> overrides = wanted.overrides;
    for (const auto& [key, value] : keys) overrides.push_back(key + "=" + value);
    return read_scenario_without(left_out, wanted.scenario, overrides);
}

/// From an error about a scenario that was read with a switch: what is wrong with that switch.
std::string about_switch(const InputError& error) {
    const std::string message = error.what();
    const auto key = message.find("switch.");
    return key == std::string::npos ? message : message.substr(key);
}

/// Takes so many frames off a memory.
void shrink(Buffer& buffer, std::int64_t frames, Bytes frame) {
    const MemoryUnits units(buffer);
    const std::int64_t cost =
        units.cost(frame) * (units.unit() == MemorySize::Unit::Cell && buffer.size.unit == MemorySize::Unit::Byte ? buffer.cell.count : 1);
    buffer.size.amount = std::max<std::int64_t>(0, buffer.size.amount - frames * cost);
    if (buffer.descriptors) *buffer.descriptors = std::max<std::int64_t>(0, *buffer.descriptors - frames);
}

}  // namespace

double link_seconds(const Scenario& scenario) { return seconds(fragment_of(scenario), scenario.front_end.link_rate); }

double uplink_seconds(const Scenario& scenario) {
    std::vector<std::int64_t> carried(static_cast<std::size_t>(scenario.network_switch.uplinks));
    UplinkSelector selector(scenario.network_switch, scenario.front_end);
    for (int module = 1; module <= scenario.front_end.modules; ++module) ++carried[static_cast<std::size_t>(selector.next(module))];
    const auto busiest = static_cast<double>(*std::max_element(carried.begin(), carried.end()));
    return busiest * seconds(fragment_of(scenario), scenario.network_switch.uplink_rate);
}

Scenario read_switch(const Wanted& wanted, const Stacking& stacking, const CatalogueSwitch& entry, std::vector<std::string>* left_out) {
    LeftOut aside = of_the_switch(entry);
    const Scenario scenario = read(wanted,
                                   {{"switch.model", stacking.model},
                                    {"front_end.modules", std::to_string(stacking.modules_of_switch())},
                                    {"switch.count", "1"},
                                    {"switch.uplinks", std::to_string(stacking.uplinks)},
                                    {"switch.uplink_selection", stacking.selection}},
                                   aside);
    if (left_out) *left_out = aside.found;
    return scenario;
}

Scenario read_camera(const Wanted& wanted, const Stacking& stacking, const CatalogueSwitch& entry) {
    LeftOut aside = of_the_switch(entry);
    Keys keys{{"switch.model", stacking.model},
              {"front_end.modules", std::to_string(stacking.modules)},
              {"switch.count", std::to_string(stacking.switches)},
              {"switch.uplinks", std::to_string(stacking.uplinks)},
              {"switch.uplink_selection", stacking.selection},
              {"server.interfaces", std::to_string(stacking.interfaces())}};
    if (!stacking.aggregation.empty()) {
        const BitRate uplink_rate = read_switch(wanted, stacking, entry).network_switch.uplink_rate;
        keys.insert(keys.end(), {{"aggregation.model", stacking.aggregation},
                                 {"aggregation.uplinks", std::to_string(stacking.server_interfaces)},
                                 {"aggregation.uplink_rate", to_text(uplink_rate)}});
    }
    return read(wanted, keys, aside);
}

Explored explore(const Wanted& wanted, const Stacking& stacking, const CatalogueSwitch& entry, Engine& engine) {
    Explored way;
    way.stacking = stacking;
    // Ports and rates are those of any switch.
    Scenario plain = read_scenario(wanted.scenario, wanted.overrides);
    plain.front_end.modules = stacking.modules_of_switch();
    plain.network_switch.uplinks = stacking.uplinks;
    const BitRate link = plain.front_end.link_rate, uplink = plain.network_switch.uplink_rate;
    std::tie(way.fits, way.remark) = fit_ports(entry, plain.front_end.modules, link, stacking.uplinks, uplink);
    if (way.fits == Explored::Fit::No) return way;
    add_rates(way, plain);
    try {
        add_memory(way, wanted, read_switch(wanted, stacking, entry), engine);
    } catch (const InputError& error) {
        add_remark(way, about_switch(error));
    }
    return way;
}

Explored explore_aggregation(const Wanted& wanted, int modules, int interfaces, const CatalogueSwitch& entry, Engine& engine) {
    Explored way;
    way.stacking = {entry.id, modules, 1, interfaces, "modulo"};
    const auto with_all_modules = [&](Scenario scenario) {
        scenario.front_end.modules = modules;
        return scenario;
    };
    Stacking one = way.stacking;  // of whose ports the reader shall not complain
    one.modules = 1;
    Scenario plain = with_all_modules(read_scenario(wanted.scenario, wanted.overrides));
    plain.network_switch.uplinks = interfaces;
    plain.network_switch.uplink_choice = {};
    add_rates(way, plain);
    try {
        Scenario scenario = with_all_modules(read_switch(wanted, one, entry));
        Buffer& buffer = scenario.network_switch.buffer;
        if (buffer.sharing == Buffer::Sharing::PerInput) {
            add_remark(way, "switch.buffer.sharing: what an input of the second tier holds depends on the first");
            return way;
        }
        // Dynamic thresholds follow what is free: a queue's limit falls by alpha / (1 + alpha interfaces) of what the memory loses.
        const double alpha = static_cast<double>(buffer.alpha.numerator) / static_cast<double>(buffer.alpha.denominator);
        const double share = buffer.sharing == Buffer::Sharing::Shared      ? 1.0 / interfaces
                             : buffer.sharing == Buffer::Sharing::PerOutput ? 1
                                                                            : alpha / (1 + alpha * interfaces);
        shrink(buffer, static_cast<std::int64_t>(std::ceil((interfaces + 1) / share)), frames_of_fragment(scenario.frame).front().buffer);
        add_memory(way, wanted, scenario, engine);
    } catch (const InputError& error) {
        add_remark(way, about_switch(error));
    }
    return way;
}

Explored through(const Explored& first, const Explored& second, const CatalogueSwitch& second_entry, BitRate uplink_rate, Bytes wire) {
    Explored way = first;
    way.stacking.aggregation = second.stacking.model;
    way.stacking.server_interfaces = second.stacking.uplinks;
    const auto [fits, why] = fit_ports(second_entry, first.stacking.links(), uplink_rate, second.stacking.uplinks, uplink_rate);
    for (const std::string& remark : {why, second.remark})
        if (!remark.empty()) add_remark(way, "second tier: " + remark);
    if (first.fits == Explored::Fit::No || fits == Explored::Fit::No)
        way.fits = Explored::Fit::No;
    else if (fits == Explored::Fit::Unknown)
        way.fits = fits;
    way.load = std::max(first.load, second.load);
    way.saturation_khz = std::min(first.saturation_khz, second.saturation_khz);
    way.margin = std::min(first.margin, second.margin);
    // The slower tier's, whose frames the other hands on one by one.
    way.latency_us = std::max(first.latency_us, second.latency_us) + 1e6 * seconds(wire, uplink_rate);
    way.recovery_us.reset();
    if (first.recovery_us && second.recovery_us) way.recovery_us = std::max(*first.recovery_us, *second.recovery_us);
    way.log_risk.reset();
    if (first.log_risk && second.log_risk) {
        way.log_risk = Bracket{first.log_risk->lower, log_sum(first.log_risk->estimate, second.log_risk->estimate),
                               log_sum(first.log_risk->upper, second.log_risk->upper)};
    }
    way.watershed.reset();
    if (first.watershed && second.watershed) way.watershed = shortest({*first.watershed, *second.watershed});
    return way;
}

bool feasible(const Explored& way, double loss) {
    return way.fits == Explored::Fit::Yes && way.load < 1 && way.log_risk && way.log_risk->upper <= std::log(loss);
}

void rank(std::vector<Explored>& ways, double loss) {
    const bool priced = std::all_of(ways.begin(), ways.end(), [&](const Explored& way) { return !feasible(way, loss) || way.price; });
    const auto cost = [&](const Explored& way) { return priced ? *way.price : static_cast<double>(way.stacking.switches_in_all()); };
    const auto key = [&](const Explored& way) {
        const bool good = feasible(way, loss);
        return std::tuple(!good, way.fits == Explored::Fit::No, good ? cost(way) : 0.0, way.stacking.interfaces(),
                          way.stacking.switches_in_all(), way.log_risk ? way.log_risk->upper : 1.0);
    };
    std::stable_sort(ways.begin(), ways.end(), [&](const Explored& a, const Explored& b) { return key(a) < key(b); });
    const auto respects = [&](const Explored& way) {
        return std::array{cost(way), static_cast<double>(way.stacking.interfaces()), static_cast<double>(way.stacking.links()),
                          way.log_risk->upper};
    };
    const auto beats = [&](const Explored& a, const Explored& b) {
        const auto of_a = respects(a), of_b = respects(b);
        return of_a != of_b && std::equal(of_a.begin(), of_a.end(), of_b.begin(), std::less_equal<>());
    };
    const auto others = std::find_if(ways.begin(), ways.end(), [&](const Explored& way) { return !feasible(way, loss); });
    for (auto way = ways.begin(); way != others; ++way) {
        way->rank = static_cast<int>(way - ways.begin()) + 1;
        way->pareto = std::none_of(ways.begin(), others, [&](const Explored& other) { return beats(other, *way); });
    }
}

}  // namespace watershed
