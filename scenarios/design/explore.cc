// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/explore.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/base/log-sum.h"
#include "model/exact/exact-engine.h"
#include "model/guarantee/switch-guarantee.h"
#include "model/risk/camera-queue.h"
#include "model/risk/endless-triggers.h"
#include "model/risk/loss-bound.h"
#include "model/risk/rates.h"
#include "scenarios/design/design-scenario.h"
#include "scenarios/design/ranking.h"
#include "scenarios/design/risk.h"
#include "scenarios/design/throttle.h"
#include "scenarios/design/watershed-curve.h"
#include "scenarios/reader/network-reader.h"
#include "scenarios/reader/reader.h"
#include "scenarios/reader/switch-check.h"
#include "scenarios/text/input-error.h"
#include "scenarios/text/text-line.h"
#include "scenarios/text/toml-value.h"
#include "scenarios/text/units.h"

namespace watershed {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void add_remark(RatedDesign& way, const std::string& remark) {
    way.remark += (way.remark.empty() ? "" : "; ") + remark;
}

void add_rates(RatedDesign& way, const Rates& rates) {
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

/// Returns the time until a full memory is empty again, microseconds: its busiest uplink sends the stored frames and
/// those that come meanwhile.
std::optional<double> recovery_of(const LossBounds& bounds) {
    std::optional<double> longest;
    for (const LossBound& each : bounds.switches)
        if (each.load < 1) longest = std::max(longest.value_or(0), 1e6 * each.room * each.slot / (1 - each.load));
    return longest;
}

/// Sets the risk of the first tier and its recovery time. The chain gives the risk if it is exact, or if a bound, which
/// is much faster, is not enough.
void add_risk(RatedDesign& way, const DesignRequirements& wanted, const Scenario& scenario) {
    if (!is_random_alone(scenario)) {
        const Risk risk = quick_risk(scenario);
        way.log_risk = risk.log;
        way.sampled = !risk.calculated;
        return;
    }
    const LossBounds bounds = LossBounds::of(scenario);
    const EquivalentQueues chains = EquivalentQueues::of(scenario);
    way.recovery_us = recovery_of(bounds);
    const double upper = bounds.obstacle ? 0 : bounds.log_probability();
    if (!chains.cameras.empty() && (chains.exact() || upper > std::log(wanted.loss))) {
        way.log_risk = chains.log_loss(kExactWithin);
    } else if (!bounds.obstacle) {
        way.log_risk = Enclosure{-kInfinity, upper, upper};
        way.bounded = true;
    } else {
        way.obstacle = "have a memory whose risk cannot be calculated";
        const std::string chain = chains.obstacle.text(), bound = bounds.obstacle.text();
        add_remark(way, "neither the risk nor a bound of it can be calculated: " + bound +
                            (chain == bound ? "" : "; " + chain));
    }
}

/// Adds the answer whether some sequence of triggers that the dead time admits loses a frame.
void add_guarantee(RatedDesign& way, Scenario scenario) {
    const auto without_end = [](Trigger& trigger) { trigger.events.reset(), trigger.duration.reset(); };
    without_end(scenario.trigger);
    for (Group& group : scenario.groups)
        if (group.trigger) without_end(*group.trigger);
    UnsupportedKey obstacle;
    const auto guarantee = Guarantee::of(scenario, &obstacle);
    if (!guarantee) {
        way.obstacle = "have a switch of which nothing is proven (watershed bound)";
        way.log_risk.reset();
        add_remark(way, obstacle.text());
        return;
    }
    if (const auto dead_time = shortest_dead_time(scenario, *guarantee)) way.dead_time_us = in_microseconds(*dead_time);
    if (!guarantee->bounded || !guarantee->fits()) {
        // A small risk is not 0. An unknown one is at most 1.
        way.bounded = way.bounded || !way.log_risk;
        if (!way.log_risk) way.log_risk = Enclosure{-kInfinity, 0, 0};
        way.log_risk->upper = std::max(way.log_risk->upper, std::numeric_limits<double>::lowest());
        if (guarantee->fifo && !guarantee->fifo->fits())
            add_remark(way, "front_end.fifo: room for " + std::to_string(guarantee->fifo->limit) +
                                " frames may not be enough");
        return;
    }
    way.log_risk = Enclosure{-kInfinity, -kInfinity, -kInfinity};
    if (const auto hash = hash_of(scenario)) add_remark(way, "if the switch's hash is " + to_text(*hash));
    way.bounded = way.sampled = false;
}

/// Camera with a design's links, but without models of switches: the same for all switches of the catalogue.
struct Links {
    Links(const PlainCamera& camera, const CandidateDesign& stacking) : scenario(camera.scenario) {
        scenario.front_end.modules = stacking.modules;
        scenario.nodes.clear();
        scenario.network_switch.count = stacking.switches;
        scenario.network_switch.uplinks = stacking.uplinks;
        using Rule = UplinkChoice::Rule;
        scenario.network_switch.uplink_choice.rule = stacking.selection == "hash"          ? Rule::Hash
                                                     : stacking.selection == "round-robin" ? Rule::RoundRobin
                                                                                           : Rule::Modulo;
        scenario.aggregation.reset();
        if (stacking.server_interfaces > 0) {
            Switch& second = scenario.aggregation.emplace(camera.second_tier.value_or(Switch{}));
            second.uplinks = stacking.server_interfaces;
            second.uplink_rate = camera.second_tier_rate;
        }
        try {
            needed = needed_ports(scenario, Network(scenario));
        } catch (const KeyError& error) {
            obstacle = error.what();
        }
    }

    /// Returns the loads of its links.
    const Rates& rates() const {
        if (!rates_) rates_ = rates_of(scenario);
        return *rates_;
    }

    Scenario scenario;
    std::vector<NeededPorts> needed;  ///< by switch
    std::string obstacle;             ///< reason why no way leads to some builder; empty if one leads to each

  private:
    mutable std::optional<Rates> rates_;
};

/// Returns the ports of a switch of the catalogue; --set overrides them, and for the second tier also the file.
std::vector<PortGroup> ports_of(const DesignRequirements& wanted, const CatalogueSwitch& entry,
                                const std::string& table) {
    std::vector<PortGroup> ports;
    for (const auto& group : entry.ports) ports.push_back({group.speed, group.count});
    std::string text = table == kSecondTier ? second_tier_text(wanted, "ports") : "";
    for (const std::string& each : wanted.overrides)
        if (begins_with(each, table + ".ports=")) text = each.substr(each.find('=') + 1);
    text.erase(std::remove(text.begin(), text.end(), '"'), text.end());
    return text.empty() ? ports : parse_ports(text);
}

/// Returns true if --set states a key or, for the second tier, whose table remains valid, if the file states it.
bool states_for_way(const DesignRequirements& wanted, const std::string& key, const std::string& table) {
    return table == kSecondTier ? states(wanted, key)
                                : std::any_of(wanted.overrides.begin(), wanted.overrides.end(),
                                              [&](const std::string& each) { return sets_one_of(each, {key}); });
}

/// Adds the values of a switch, including its ports, that the design uses and no document states. A key that every
/// switch has counts as unknown if the switch's file leaves it out.
void add_unstated(RatedDesign& way, const DesignRequirements& wanted, const CatalogueSwitch& entry,
                  const Switch& settings, const NeededPorts& needed, const std::string& table) {
    using Why = Unstated::Standing;
    const auto overridden = [&](const std::string& key) {
        return std::any_of(wanted.overrides.begin(), wanted.overrides.end(),
                           [&](const std::string& each) { return begins_with(each, key + "="); }) ||
               std::any_of(way.unstated.begin(), way.unstated.end(), [&](const Unstated& each) {
                   return each.value.key == key && each.standing == Why::Overridden;
               });
    };
    const auto add = [&](const auto& stated, const std::string& key, const std::string& value) {
        if (stated.standing == "recalled" || stated.source.empty())
            way.unstated.push_back(
                {stated.standing == "recalled" ? Why::Recalled : Why::WithoutSource, {key, value, entry.id}});
    };
    const auto key_in_table = [&](const std::string& key) { return table + key.substr(std::string("switch").size()); };
    for (const auto& value : entry.values)
        if (value.value && has_use(value.key, settings) && !overridden(key_in_table(value.key)))
            add(value, key_in_table(value.key), value_text(*value.value));
    for (const char* name : {"switch.buffer.sharing", "switch.buffer.cell", "switch.latency"})
        if (!entry.find(name) && has_use(name, settings) && !states_for_way(wanted, key_in_table(name), table))
            way.unstated.push_back({Why::Assumed, {key_in_table(name), assumed_value(name), entry.id}});
    for (const auto& group : entry.ports)
        if (needed.speeds.count(group.speed) > 0 && !overridden(table + ".ports"))
            add(group, "", std::to_string(group.count) + " ports of " + to_text(group.speed));
}

/// Reads the camera with its real switches. If it is unknown whether the ports fit, they are assumed to fit, so that
/// all other ratings can be computed.
/// @param unsure  whether it reads cameras of which it is unknown whether their ports fit
/// @return std::nullopt if the ports do not fit, or if a required value is unknown; way.remark has the reason
std::optional<Scenario> read_way(RatedDesign& way, const PlainCamera& of, const Links& links,
                                 const CatalogueSwitch& entry, const CatalogueSwitch* second, bool unsure) {
    const DesignRequirements& wanted = of.wanted;
    const Scenario& plain = links.scenario;
    std::vector<std::string> ports;
    const auto check = [&](const CatalogueSwitch& known, const std::string& table, int number) {
        NeededPorts needed = links.needed[static_cast<std::size_t>(number)];
        if (table != kSecondTier && !plain.groups.empty())  // most ports of each speed, by the groups at each switch
            for (int other = 1; other < plain.network_switch.count; ++other)
                for (const auto& [speed, count] : links.needed[static_cast<std::size_t>(other)].speeds)
                    if (count.all() > needed.speeds[speed].all()) needed.speeds[speed] = count;
        const PortFit fit = fit_ports(ports_of(wanted, known, table), needed, known.breakouts);
        if (fit.fits == RatedDesign::Fit::Yes) return needed;
        add_remark(way, (number > 0 ? "second tier: " : "") + fit.why);
        if (way.fits != RatedDesign::Fit::No) way.fits = fit.fits;
        std::vector<PortGroup> enough;
        for (const auto& [speed, count] : needed.speeds) enough.push_back({speed, count.all()});
        ports.push_back(table + ".ports=" + to_text(enough));
        return needed;
    };
    const NeededPorts first_ports = check(entry, "switch", 0),
                      second_ports = second ? check(*second, "aggregation", plain.network_switch.count) : NeededPorts{};
    if (way.fits == RatedDesign::Fit::No || (way.fits == RatedDesign::Fit::Unknown && !unsure)) return std::nullopt;
    try {
        std::vector<AssumedValue> assumed;
        DesignKeys keys = keys_of(of, way.stacking, entry, second);
        keys.overrides.insert(keys.overrides.end(), ports.begin(), ports.end());
        const Scenario camera = read_camera(wanted, keys, nullptr, &assumed);
        const auto add_assumed = [&](bool of_second) {
            for (const AssumedValue& each : assumed)
                if (begins_with(each.key, kSecondTier + ".") == of_second &&
                    std::none_of(ports.begin(), ports.end(),
                                 [&](const std::string& set) { return begins_with(set, each.key + "="); }))
                    way.unstated.push_back(
                        {each.overridden.empty() ? Unstated::Standing::Assumed : Unstated::Standing::Overridden, each});
        };
        add_assumed(false);
        add_unstated(way, wanted, entry, camera.network_switch, first_ports, "switch");
        if (!second) return camera;
        add_assumed(true);
        add_unstated(way, wanted, *second, *camera.aggregation, second_ports, kSecondTier);
        return camera;
    } catch (const InputError& error) {
        const bool of_switch = error.key.rfind("switch.", 0) == 0 || error.key.rfind("aggregation.", 0) == 0;
        if (dynamic_cast<const UnknownValue*>(&error)) {
            way.obstacle = "have a memory of which too little is known (--set " + error.key + "=VALUE tells it)";
            add_remark(way, error.key + ": unknown, --set " + error.key + "=VALUE tells it");
            return std::nullopt;
        }
        way.obstacle = "have keys that conflict with those of the scenario";
        add_remark(way, of_switch ? error.key + ": " + error.why : error.what());
        return std::nullopt;
    }
}

}  // namespace

/// Returns the longest lossless burst at the wanted separation, as far as it is simulated.
/// @param any  any switch may have come here, also those whose frames must be followed one by one: shorter bursts do
Boundary simulated_watershed(const Scenario& burst, const DesignRequirements& wanted, Engine& engine, bool any) {
    const std::int64_t kPart = burst.groups.empty() ? 100 : 1000;  // part of a burst that takes some seconds
    const std::int64_t longest =
        any ? std::min(kLongestSimulated, std::max<std::int64_t>(10, affordable_burst(burst) / kPart))
            : kLongestSimulated;
    return find_boundary(engine, burst, wanted.separation, longest, longest);
}

namespace {

/// Starts the rating of a design: ports, rates, and what no document states. @return its camera, if the rest is worth
/// it
std::optional<Scenario> begin(RatedDesign& way, const PlainCamera& camera, const Links& links,
                              const CatalogueSwitch& entry, const CatalogueSwitch* second, bool unsure) {
    way.fits = RatedDesign::Fit::Yes;
    if (!links.obstacle.empty()) {
        way.obstacle = kLeadsToFewBuilders;
        add_remark(way, links.obstacle);
        return std::nullopt;
    }
    std::optional<Scenario> whole = read_way(way, camera, links, entry, second, unsure);
    if (way.fits == RatedDesign::Fit::No) return std::nullopt;
    add_rates(way, whole ? rates_of(*whole) : links.rates());
    return way.carries() ? whole : std::nullopt;
}

}  // namespace

RatedDesign explore(const PlainCamera& of, const CandidateDesign& stacking, const CatalogueSwitch& entry,
                    Engine& engine) {
    const DesignRequirements& wanted = of.wanted;
    RatedDesign way;
    way.stacking = stacking;
    const std::optional<Scenario> camera = begin(way, of, Links(of, stacking), entry, nullptr, true);
    if (!camera) return way;
    add_risk(way, wanted, *camera);
    if (wanted.loss == 0) add_guarantee(way, *camera);
    // Ratings that need simulation take too long for designs that are not feasible.
    if (!way.log_risk || (wanted.loss == 0 && !feasible(way, 0))) return way;
    Scenario burst = *camera;
    burst.trigger = Trigger{};
    burst.trigger.events = 1;
    // Groups are followed frame by frame: not for the many ways that nobody knows to fit.
    if (camera->groups.empty() || (way.fits == RatedDesign::Fit::Yes && !has_own_triggers(*camera)))
        way.watershed = simulated_watershed(burst, wanted, engine, !is_random_alone(*camera));
    return way;
}

namespace {

/// Second tier behind a first one.
struct SecondTier {
    RatedDesign way;                   ///< ratings without those that follow from `bounds`
    std::optional<LossBounds> bounds;  ///< bounds of its risk, if triggers are random
    std::optional<Scenario> camera;    ///< std::nullopt if the pair is not worth more ratings
    /// Returns true if all first tiers with the same links leave it these.
    bool depends_on_links(const DesignRequirements& wanted) const { return !camera || (bounds && wanted.loss > 0); }
};

SecondTier rate_second_tier(const PlainCamera& of, const Links& links, const RatedDesign& first,
                            const CatalogueSwitch& entry, const CatalogueSwitch& second, bool unsure) {
    SecondTier tier;
    RatedDesign& way = tier.way;
    way.stacking = first.stacking;
    way.stacking.aggregation = second.id;
    way.stacking.server_interfaces = links.scenario.aggregation->uplinks;
    tier.camera = begin(way, of, links, entry, &second, unsure);
    if (tier.camera && is_random_alone(*tier.camera)) {
        tier.bounds = LossBounds::of(*tier.camera, way.stacking.switches);
        if (tier.bounds->obstacle) {
            way.obstacle = "have a memory whose risk cannot be calculated";
            add_remark(way, "second tier: a bound of the risk cannot be calculated: " + tier.bounds->obstacle.text());
        }
    }
    return tier;
}

/// Adds ratings of both tiers together, by simulation.
void add_simulated(RatedDesign& way, const DesignRequirements& wanted, const Scenario& camera) {
    add_risk(way, wanted, camera);
    if (wanted.loss == 0) add_guarantee(way, camera);
    if (has_own_triggers(camera)) return;
    Scenario burst = camera;
    burst.trigger = Trigger{};
    burst.trigger.events = 1;
    ExactEngine engine;
    way.watershed = simulated_watershed(burst, wanted, engine, true);
}

/// Adds ratings of both tiers together, by what is known of each.
void add_bounded(RatedDesign& way, const DesignRequirements& wanted, const RatedDesign& first, const SecondTier& tier) {
    const LossBounds& bounds = *tier.bounds;
    if (!bounds.obstacle) {
        const double behind = bounds.log_probability();
        way.bounded = first.bounded || behind > -kInfinity;
        way.log_risk = Enclosure{first.log_risk->lower, log_sum(first.log_risk->estimate, behind),
                                 std::min(0.0, log_sum(first.log_risk->upper, behind))};
    }
    if (wanted.loss == 0) add_guarantee(way, *tier.camera);
    if (bounds.obstacle || !way.log_risk) return;
    const std::optional<double> recovery = recovery_of(bounds);
    if (first.recovery_us && recovery) way.recovery_us = std::max(*first.recovery_us, *recovery);
    // A lower bound: the second tier may bear longer bursts than its bound proves.
    std::vector<Boundary> boundaries{*first.watershed};
    for (const LossBound& each : bounds.switches) {
        const auto events = each.lossless_events(in_seconds(wanted.separation));
        if (events == 0) return;
        boundaries.push_back({std::nullopt, events.value_or(0), 0});
    }
    way.watershed = shortest(boundaries);
}

/// Replaces the first tier of a pair, `before`, by another one with the same links.
void put_first(RatedDesign& way, const RatedDesign& first, const RatedDesign& before) {
    way.stacking.model = first.stacking.model;
    const auto begin = way.unstated.begin();  // empty if the pair could not be read
    way.unstated.erase(begin,
                       begin + static_cast<std::ptrdiff_t>(std::min(way.unstated.size(), before.unstated.size())));
    way.unstated.insert(way.unstated.begin(), first.unstated.begin(), first.unstated.end());
}

/// Returns the keys by which a second tier may tell a first one from others.
std::map<std::string, KeyValue> keys_of_links(const CatalogueSwitch& entry) {
    std::map<std::string, KeyValue> keys;
    for (const CatalogueSwitch::Value& each : entry.values)
        if (each.value && !begins_with(each.key, "switch.buffer.") && each.key != "switch.latency")
            keys.emplace(each.key, *each.value);
    return keys;
}

}  // namespace

bool same_links(const CandidateDesign& a, const CatalogueSwitch& of_a, const CandidateDesign& b,
                const CatalogueSwitch& of_b) {
    return a.modules == b.modules && a.switches == b.switches && a.uplinks == b.uplinks && a.selection == b.selection &&
           keys_of_links(of_a) == keys_of_links(of_b);
}

std::vector<RatedDesign> explore_behind(const PlainCamera& camera, const std::vector<const RatedDesign*>& firsts,
                                        const std::vector<const CatalogueSwitch*>& entries, int interfaces,
                                        const std::vector<CatalogueSwitch>& seconds, bool unsure) {
    CandidateDesign stacking = firsts.front()->stacking;
    stacking.server_interfaces = interfaces;
    const Links links(camera, stacking);
    std::vector<RatedDesign> ways(firsts.size() * seconds.size());
    for (std::size_t second = 0; second < seconds.size(); ++second) {
        SecondTier tier;
        for (std::size_t i = 0; i < firsts.size(); ++i) {
            const RatedDesign& first = *firsts[i];
            if (i == 0 || !tier.depends_on_links(camera.wanted))
                tier = rate_second_tier(camera, links, first, *entries[i], seconds[second], unsure);
            RatedDesign& way = ways[i * seconds.size() + second] = tier.way;
            if (tier.depends_on_links(camera.wanted)) put_first(way, first, *firsts.front());
            if (tier.bounds)
                add_bounded(way, camera.wanted, first, tier);
            else if (tier.camera)
                add_simulated(way, camera.wanted, *tier.camera);
        }
    }
    return ways;
}

}  // namespace watershed
