// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/explore.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include "model/base/log-sum.h"
#include "model/exact/run-path.h"
#include "model/guarantee/switch-guarantee.h"
#include "model/risk/camera-queue.h"
#include "model/risk/loss-bound.h"
#include "model/risk/rates.h"
#include "scenarios/design/risk.h"
#include "scenarios/design/throttle.h"
#include "scenarios/reader/reader.h"
#include "scenarios/reader/switch-check.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/toml-value.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void add_remark(Explored& way, const std::string& remark) { way.remark += (way.remark.empty() ? "" : "; ") + remark; }

/// What follows from rates alone.
void add_rates(Explored& way, const Scenario& scenario) {
    const Rates rates = rates_of(scenario);
    way.load = rates.load;
    way.link_load = rates.link_load;
    way.saturation_khz = rates.saturation_khz;
    way.capacity = rates.capacity;
    way.latency_us = rates.latency_us;
    const auto percent = [](double part) { return text_line("%.4g", 100 * part); };
    if (way.link_load >= 1)
        add_remark(way, "front_end.link_rate: the modules' links would have to carry " + percent(way.link_load) +
                            " % of what they can");
    if (way.load >= 1)
        add_remark(way, std::string(rates.second_tier ? "second tier: " : "") + "an uplink would have to carry " +
                            percent(way.load) + " % of what it can");
}

/// Until a memory that holds all it can is empty again: its busiest uplink sends what is there and what comes.
std::optional<double> recovery_of(const LossBounds& bounds) {
    std::optional<double> longest;
    for (const LossBound& each : bounds.switches)
        if (each.load < 1) longest = std::max(longest.value_or(0), 1e6 * each.room * each.slot / (1 - each.load));
    return longest;
}

/// The chance that the first tier loses, and how long it takes to recover: that of the chain where it is exact, or
/// where a bound without its long work does not suffice.
void add_risk(Explored& way, const Wanted& wanted, const Scenario& scenario) {
    const LossBounds bounds = LossBounds::of(scenario);
    const Chains chains = Chains::of(scenario);
    way.recovery_us = recovery_of(bounds);
    const double upper = bounds.obstacle ? 0 : bounds.log_probability();
    if (!chains.cameras.empty() && (chains.exact() || upper > std::log(wanted.loss))) {
        way.log_risk = chains.log_loss(kExactWithin);
    } else if (!bounds.obstacle) {
        way.log_risk = Bracket{-kInfinity, upper, upper};
        way.bounded = true;
    } else {
        way.obstacle = "have a memory whose risk cannot be calculated";
        const std::string chain = chains.obstacle.text(), bound = bounds.obstacle.text();
        add_remark(way, "neither the risk nor a bound of it can be calculated: " + bound +
                            (chain == bound ? "" : "; " + chain));
    }
}

/// Whether triggers lose a frame, in whatever sequence their dead time lets them come.
void add_guarantee(Explored& way, const Scenario& scenario) {
    Obstacle obstacle;
    const auto guarantee = Guarantee::of(scenario, &obstacle);
    if (!guarantee) {
        way.obstacle = "have a switch of which nothing is proven (watershed bound)";
        way.log_risk.reset();
        add_remark(way, obstacle.text());
        return;
    }
    if (const auto dead_time = shortest_dead_time(scenario, *guarantee))
        way.dead_time_us = scaled_microseconds(*dead_time);
    if (!guarantee->bounded || !guarantee->fits()) {
        // However small the risk is, it is not 0; where nobody knows it, it is no more than 1.
        way.bounded = way.bounded || !way.log_risk;
        if (!way.log_risk) way.log_risk = Bracket{-kInfinity, 0, 0};
        way.log_risk->upper = std::max(way.log_risk->upper, std::numeric_limits<double>::lowest());
        if (guarantee->fifo && !guarantee->fifo->fits())
            add_remark(way, "front_end.fifo: room for " + std::to_string(guarantee->fifo->limit) +
                                " frames may not be enough");
        return;
    }
    way.log_risk = Bracket{-kInfinity, -kInfinity, -kInfinity};
    way.bounded = false;
}

/// Tables that describe a switch of the first tier and its place.
const std::vector<std::string>& own_tables() {
    static const std::vector<std::string> names{"switch.model", "switch.count",  "switch.latency",
                                                "switch.ports", "switch.buffer", "server.interfaces"};
    return names;
}

const std::string kSecondTier = "aggregation";
/// Which switch the second tier is; all else that the scenario says of it holds.
const std::string kSecondModel = "aggregation.model";

/// Whether KEY=VALUE is about one of these keys or tables.
bool sets_one_of(const std::string& override_text, const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return override_text.compare(0, name.size(), name) == 0 && override_text.size() > name.size() &&
               (override_text[name.size()] == '=' || override_text[name.size()] == '.');
    });
}

/// The scenario without some keys and tables, whether the file or --set has them, and with others.
Scenario read_bare(const Wanted& wanted, LeftOut& aside, std::vector<std::string> overrides) {
    for (const std::string& each : wanted.overrides)
        if (!sets_one_of(each, aside.names)) overrides.push_back(each);
    return read_scenario_without(aside, wanted.scenario, overrides);
}

/// Keys of switches that are to be replaced; some memory is required then.
const std::vector<std::string> kFirstMemory{"switch.model", "switch.ports", "switch.buffer", "switch.flow_control"};
const std::string kSomeMemory = "switch.buffer.size=1 frames";

/// The camera without real switches: its links and rates are those of any.
Scenario plain_camera(const Wanted& wanted, const Stacking& stacking) {
    Scenario camera = read_without_switch(wanted);
    camera.front_end.modules = stacking.modules;
    camera.nodes.clear();
    camera.network_switch.count = stacking.switches;
    camera.network_switch.uplinks = stacking.uplinks;
    using Rule = UplinkChoice::Rule;
    camera.network_switch.uplink_choice.rule = stacking.selection == "hash"          ? Rule::Hash
                                               : stacking.selection == "round-robin" ? Rule::RoundRobin
                                                                                     : Rule::Modulo;
    camera.aggregation.reset();
    if (!stacking.aggregation.empty()) {
        Switch& second = camera.aggregation.emplace(second_tier_of(wanted).value_or(Switch{}));
        second.uplinks = stacking.server_interfaces;
        second.uplink_rate = second_tier_rate(wanted);
    }
    return camera;
}

/// A text of the second tier, as --set or else the file has it; empty where neither does.
std::string second_tier_text(const Wanted& wanted, const std::string& name) {
    std::string text = read_toml(wanted.scenario)[kSecondTier][name].value_or(std::string());
    for (const std::string& each : wanted.overrides)
        if (begins_with(each, kSecondTier + "." + name + "=")) text = each.substr(each.find('=') + 1);
    text.erase(std::remove(text.begin(), text.end(), '"'), text.end());
    return text;
}

/// The ports of a catalogue's switch, unless --set says otherwise, or the file of the second tier.
std::vector<PortGroup> ports_of(const Wanted& wanted, const CatalogueSwitch& entry, const std::string& table) {
    std::vector<PortGroup> ports;
    for (const auto& group : entry.ports) ports.push_back({group.speed, group.count});
    std::string text = table == kSecondTier ? second_tier_text(wanted, "ports") : "";
    for (const std::string& each : wanted.overrides)
        if (begins_with(each, table + ".ports=")) text = each.substr(each.find('=') + 1);
    text.erase(std::remove(text.begin(), text.end(), '"'), text.end());
    return text.empty() ? ports : parse_ports(text);
}

/// Whether --set says this key, or the file where what it says of this table holds.
bool states_for_way(const Wanted& wanted, const std::string& key, const std::string& table) {
    return table == kSecondTier ? states(wanted, key)
                                : std::any_of(wanted.overrides.begin(), wanted.overrides.end(),
                                              [&](const std::string& each) { return sets_one_of(each, {key}); });
}

/// Puts a value, or ports where the key is empty, among those that rest on memory alone or on nothing.
template <class Stated>
void add_unstated(Explored& way, const Stated& stated, const RecalledValue& value) {
    if (stated.standing == "recalled")
        way.recalled.push_back(value);
    else if (stated.source.empty())
        way.unsourced.push_back({value});
}

/// Values of a switch, its ports among them, that have a use here and that no document states. A key that the file of
/// the switch leaves out, of those that every switch has, is as one that it calls unknown.
void add_recalled(Explored& way, const Wanted& wanted, const CatalogueSwitch& entry, const Switch& settings,
                  const NeededPorts& needed, const std::string& table) {
    const auto overridden = [&](const std::string& key) {
        return std::any_of(wanted.overrides.begin(), wanted.overrides.end(),
                           [&](const std::string& each) { return each.compare(0, key.size() + 1, key + "=") == 0; }) ||
               std::any_of(way.assumed.begin(), way.assumed.end(),
                           [&](const AssumedValue& each) { return each.key == key && !each.overridden.empty(); });
    };
    for (const auto& value : entry.values) {
        const std::string key = table + value.key.substr(std::string("switch").size());
        if (value.value && has_use(value.key, settings) && !overridden(key))
            add_unstated(way, value, {key, value_text(*value.value), entry.id});
    }
    for (const char* name : {"switch.buffer.sharing", "switch.buffer.cell", "switch.latency"}) {
        const std::string key = table + std::string(name).substr(std::string("switch").size());
        if (!entry.find(name) && has_use(name, settings) && !states_for_way(wanted, key, table))
            way.assumed.push_back({key, assumed_value(name), entry.id});
    }
    for (const auto& group : entry.ports)
        if (needed.speeds.count(group.speed) > 0 && !overridden(table + ".ports"))
            add_unstated(way, group, {"", std::to_string(group.count) + " ports of " + to_text(group.speed), entry.id});
}

/// Reads the camera with its real switches. Where it is unknown whether ports fit they are taken to, so that the rest
/// can be told.
/// @return nothing if the ports do not fit, or too little is known of a switch; the remark says why
std::optional<Scenario> read_way(Explored& way, Wanted wanted, const Scenario& plain, const CatalogueSwitch& entry,
                                 const CatalogueSwitch* second) {
    const Network network(plain);
    way.fits = Explored::Fit::Yes;
    std::vector<std::string> ports;
    const auto check = [&](const CatalogueSwitch& of, const std::string& table, int number) {
        const NeededPorts needed = needed_ports(plain, network, number);
        const PortFit fit = fit_ports(ports_of(wanted, of, table), needed);
        if (fit.fits == Explored::Fit::Yes) return needed;
        add_remark(way, (number > 0 ? "second tier: " : "") + fit.why);
        if (way.fits != Explored::Fit::No) way.fits = fit.fits;
        std::vector<PortGroup> enough;
        for (const auto& [speed, count] : needed.speeds) enough.push_back({speed, count.all()});
        ports.push_back(table + ".ports=" + to_text(enough));
        return needed;
    };
    const NeededPorts first_ports = check(entry, "switch", 0),
                      second_ports = second ? check(*second, "aggregation", plain.network_switch.count) : NeededPorts{};
    if (way.fits == Explored::Fit::No) return std::nullopt;
    try {
        std::vector<AssumedValue> assumed;
        Wanted with_ports = wanted;
        with_ports.overrides.insert(with_ports.overrides.end(), ports.begin(), ports.end());
        const Scenario camera =
            read_camera(with_ports, keys_of(with_ports, way.stacking, entry, second), nullptr, &assumed);
        for (const AssumedValue& each : assumed) {
            if (std::any_of(ports.begin(), ports.end(), [&](const std::string& set) {
                    return set.compare(0, each.key.size() + 1, each.key + "=") == 0;
                }))
                continue;
            way.assumed.push_back(each);
        }
        add_recalled(way, wanted, entry, camera.network_switch, first_ports, "switch");
        if (second) add_recalled(way, wanted, *second, *camera.aggregation, second_ports, "aggregation");
        return camera;
    } catch (const InputError& error) {
        way.obstacle = dynamic_cast<const UnknownValue*>(&error) ? "have a memory of which too little is known"
                                                                 : "have keys that conflict with those of the scenario";
        const bool of_switch = error.key.rfind("switch.", 0) == 0 || error.key.rfind("aggregation.", 0) == 0;
        add_remark(way, of_switch ? error.key + ": " + error.why : error.what());
        return std::nullopt;
    }
}

}  // namespace

std::string to_text(const RecalledValue& recalled) {
    return "recalled: " + (recalled.key.empty() ? "" : recalled.key + " = ") + recalled.value + " of " + recalled.model;
}

std::string to_text(const UnsourcedValue& unsourced) {
    return "assumed: " + (unsourced.key.empty() ? "" : unsourced.key + " = ") + unsourced.value +
           ", without a source for " + unsourced.model;
}

Explored::Standing Explored::standing() const {
    if (!log_risk) return Standing::Unknown;
    if (!unsourced.empty()) return Standing::Assumed;
    if (std::any_of(assumed.begin(), assumed.end(), [](const AssumedValue& each) { return each.overridden.empty(); }))
        return Standing::Assumed;
    if (!recalled.empty()) return Standing::Recalled;
    if (sampled) return Standing::Sampled;
    return bounded ? Standing::Bounded : Standing::Known;
}

Known Explored::risk() const {
    return log_risk ? Known{log_risk->lower, log_risk->upper, log_risk->upper, sampled} : Known::unknown();
}

WayKeys keys_of(const Wanted& wanted, const Stacking& stacking, const CatalogueSwitch& entry,
                const CatalogueSwitch* second) {
    WayKeys keys{own_tables(), {}};
    if (second)
        keys.left_out.push_back(kSecondModel);
    else
        keys.left_out.push_back(kSecondTier);
    for (const std::string& each : wanted.overrides)
        if (second || !sets_one_of(each, {kSecondTier})) keys.overrides.push_back(each);
    for (const auto& value : entry.values)
        if (value.key.compare(0, 14, "switch.buffer.") != 0 && value.key != "switch.latency")
            keys.left_out.push_back(value.key);
    const auto set = [&](const std::string& key, const std::string& value) {
        keys.overrides.push_back(key + "=" + value);
    };
    set("switch.model", stacking.model);
    set("front_end.modules", std::to_string(stacking.modules));
    set("switch.count", std::to_string(stacking.switches));
    set("switch.uplinks", std::to_string(stacking.uplinks));
    set("switch.uplink_selection", stacking.selection);
    if (!second) return keys;
    set("aggregation.model", stacking.aggregation);
    set("aggregation.uplinks", std::to_string(stacking.server_interfaces));
    set("aggregation.uplink_rate", to_text(second_tier_rate(wanted)));
    return keys;
}

Scenario read_without_switch(const Wanted& wanted) {
    LeftOut aside{kFirstMemory, {}};
    aside.names.insert(aside.names.end(), {kSecondTier, "server.interfaces"});
    return read_bare(wanted, aside, {kSomeMemory});
}

bool states(const Wanted& wanted, const std::string& key) {
    return std::any_of(wanted.overrides.begin(), wanted.overrides.end(),
                       [&](const std::string& each) { return sets_one_of(each, {key}); }) ||
           read_toml(wanted.scenario).at_path(key);
}

std::optional<Switch> second_tier_of(const Wanted& wanted) {
    if (!states(wanted, kSecondTier)) return std::nullopt;
    LeftOut aside{kFirstMemory, {}};
    for (const char* key : {"aggregation.model", "aggregation.ports", "aggregation.buffer", "aggregation.flow_control",
                            "server.interfaces"})
        aside.names.emplace_back(key);
    return read_bare(wanted, aside, {kSomeMemory, "aggregation.buffer.size=1 frames"}).aggregation;
}

BitRate second_tier_rate(const Wanted& wanted) {
    return states(wanted, "aggregation.uplink_rate") ? second_tier_of(wanted)->uplink_rate
                                                     : read_without_switch(wanted).network_switch.uplink_rate;
}

std::string second_model_of(const Wanted& wanted) {
    const std::string model = second_tier_text(wanted, "model");
    const std::filesystem::path file(model);  // seen from the scenario's folder
    return ends_with(model, ".toml") && file.is_relative()
               ? (std::filesystem::path(wanted.scenario).parent_path() / file).string()
               : model;
}

Scenario read_camera(const Wanted& wanted, const Stacking& stacking, const CatalogueSwitch& entry,
                     const CatalogueSwitch* second, std::vector<std::string>* left_out) {
    return read_camera(wanted, keys_of(wanted, stacking, entry, second), left_out, nullptr);
}

Scenario read_camera(const Wanted& wanted, const WayKeys& keys, std::vector<std::string>* left_out,
                     std::vector<AssumedValue>* assumed) {
    LeftOut aside{keys.left_out, {}};
    Scenario scenario = read_scenario_without(aside, wanted.scenario, keys.overrides, assumed);
    if (left_out) *left_out = aside.found;
    return scenario;
}

Explored explore(const Wanted& wanted, const Stacking& stacking, const CatalogueSwitch& entry, Engine& engine) {
    Explored way;
    way.stacking = stacking;
    const Scenario plain = plain_camera(wanted, stacking);
    const std::optional<Scenario> camera = read_way(way, wanted, plain, entry, nullptr);
    if (way.fits == Explored::Fit::No) return way;
    add_rates(way, camera ? *camera : plain);
    if (!camera || !way.carries()) return way;
    add_risk(way, wanted, *camera);
    if (wanted.loss == 0) add_guarantee(way, *camera);
    if (!way.log_risk) return way;  // not feasible, and what is not known by arithmetic takes long
    Scenario burst = *camera;
    burst.trigger = Trigger{};
    burst.trigger.events = 1;
    way.watershed = find_boundary(engine, burst, wanted.separation, kLongestSimulated, kLongestSimulated);
    return way;
}

Explored explore_behind(const Wanted& wanted, const Explored& first, int interfaces, const CatalogueSwitch& entry,
                        const CatalogueSwitch& second) {
    Explored way;
    way.stacking = first.stacking;
    way.stacking.aggregation = second.id;
    way.stacking.server_interfaces = interfaces;
    const Scenario plain = plain_camera(wanted, way.stacking);
    const std::optional<Scenario> camera = read_way(way, wanted, plain, entry, &second);
    if (way.fits == Explored::Fit::No) return way;
    add_rates(way, camera ? *camera : plain);
    if (!camera || !way.carries()) return way;
    const LossBounds bounds = LossBounds::of(*camera, way.stacking.switches);
    if (bounds.obstacle) {
        way.obstacle = "have a memory whose risk cannot be calculated";
        add_remark(way, "second tier: a bound of the risk cannot be calculated: " + bounds.obstacle.text());
    } else {
        const double behind = bounds.log_probability();
        way.bounded = first.bounded || behind > -kInfinity;
        way.log_risk = Bracket{first.log_risk->lower, log_sum(first.log_risk->estimate, behind),
                               std::min(0.0, log_sum(first.log_risk->upper, behind))};
    }
    if (wanted.loss == 0) add_guarantee(way, *camera);
    if (bounds.obstacle || !way.log_risk) return way;
    const std::optional<double> recovery = recovery_of(bounds);
    if (first.recovery_us && recovery) way.recovery_us = std::max(*first.recovery_us, *recovery);
    // At least: the second tier may bear longer bursts than its bound tells.
    std::vector<Boundary> boundaries{*first.watershed};
    for (const LossBound& each : bounds.switches) {
        const auto events = each.lossless_events(in_seconds(wanted.separation));
        if (events == 0) return way;
        boundaries.push_back({std::nullopt, events.value_or(0), 0});
    }
    way.watershed = shortest(boundaries);
    return way;
}

std::int64_t affordable_burst(const Incast& whole) {
    constexpr double kLeast = 1000, kMost = 1'000'000, kWork = 16'000'000;  // in units of cost_of_event()
    Incast scenario = without_idle_schedulers(whole);
    scenario.trigger.events = 1;
    return static_cast<std::int64_t>(std::clamp(kWork / cost_of_event(scenario), kLeast, kMost));
}

WatershedCurve watershed_of(const Wanted& wanted, const Stacking& stacking, const CatalogueSwitch& entry,
                            const CatalogueSwitch* second, Engine& engine) {
    Scenario scenario = read_camera(wanted, stacking, entry, second);
    scenario.trigger = Trigger{};
    scenario.trigger.events = 1;
    return watershed_curve(scenario, engine);
}

WatershedCurve watershed_curve(const Scenario& scenario, Engine& engine) {
    const bool tiers = scenario.aggregation || !scenario.nodes.empty();
    const Time closest = time_of_seconds(link_seconds(scenario)),
               busiest = time_of_seconds(std::max(uplink_seconds(scenario, false), uplink_seconds(scenario, true)));
    // A picosecond more, lest rounding leaves a link of the second tier with a little too much.
    const Time asymptote = std::max(closest, tiers ? busiest + Time{1} : busiest);
    const std::int64_t limit = tiers ? affordable_burst(scenario) : kLongestSimulated;
    constexpr int kPoints = 24;
    const auto separation_of = [&](int i) {
        // Closer together towards the asymptote, which is the last one.
        const double distance = std::pow(1 - i / static_cast<double>(kPoints), 2);
        return asymptote - Time{std::llround(distance * static_cast<double>((asymptote - closest).count()))};
    };
    const auto boundary_at = [&](int i) { return find_boundary(engine, scenario, separation_of(i), limit, limit); };
    const auto too_dear = [&](int i, const Boundary& boundary) {
        return WatershedCurve{{},
                              "bursts of " + std::to_string(boundary.unknown_beyond) + " events " +
                                  to_text(separation_of(i)) +
                                  " apart lose nothing, and longer ones take too long to run through several switches"};
    };
    WatershedCurve curve;
    std::optional<Boundary> dearest;
    if (tiers) dearest = boundary_at(kPoints - 1);
    if (dearest && dearest->unknown_beyond != 0) return too_dear(kPoints - 1, *dearest);
    for (int i = 0; i <= kPoints; ++i) {
        const Boundary boundary = dearest && i == kPoints - 1 ? *dearest : boundary_at(i);
        if (boundary.unknown_beyond != 0 && tiers) return too_dear(i, boundary);
        if (boundary.unknown_beyond != 0) break;
        curve.points.emplace_back(scaled_microseconds(separation_of(i)), boundary.events_lossless);
        if (!boundary.events_lossless) break;
    }
    return curve;
}

}  // namespace watershed
