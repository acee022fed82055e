// SPDX-License-Identifier: GPL-2.0-only
#include "model/roce/distribution.h"

#include <tuple>

#include "model/scenario.h"
#include "scenarios/keys/keys.h"
#include "scenarios/keys/system.h"
#include "test/catch.h"
#include "test/scenarios/keys/stated-default.h"

using namespace watershed;

namespace {

auto members(const Dcqcn& d) {
    return std::tuple(d.enabled, d.mark_from.count, d.mark_to.count, d.mark_probability == Ratio{1, 5}, d.cnp_interval,
                      d.gain == Ratio{1, 256}, d.alpha_timer, d.rate_timer, d.byte_counter.count, d.fast_recovery,
                      d.additive_increase.count, d.hyper_increase.count, d.least.count);
}

auto members(const Distribution& d) {
    const auto& [producers, consumers, network_switch] = std::tie(d.producers, d.consumers, d.network_switch);
    return std::tuple_cat(
        std::tuple(d.scheduler, d.event.count, d.mtu.count, d.control_delay, d.timeout, d.cable_delay, d.duration,
                   d.warm_up, d.window),
        std::tuple(producers.count, producers.link_rate.count, producers.in_flight, producers.obeys_pause),
        std::tuple(consumers.count, consumers.link_rates.size(), consumers.link_rates.front().count,
                   consumers.busy_fraction.numerator, consumers.busy_mean, consumers.buffer.count, consumers.xoff.count,
                   consumers.credits),
        std::tuple(network_switch.buffer.amount, network_switch.flow_control, network_switch.alpha == Ratio{1, 8},
                   network_switch.xon_offset.count, network_switch.headroom.count, network_switch.quanta),
        members(d.dcqcn));
}

}  // namespace

TEST_CASE("The default that a distribution key states is the one that a scenario has") {
    const Scenario plain;
    for (const ScenarioKey& key : find_system("distribution")->keys()) {
        CAPTURE(key.name);
        Scenario set;
        key.set(set, stated_default(key));
        CHECK(members(set.of<Distribution>()) == members(plain.of<Distribution>()));
    }
}

TEST_CASE("A busy fraction may be written in percent") {
    for (const ScenarioKey& key : find_system("distribution")->keys()) {
        if (key.name != "distribution.consumers.busy_fraction") continue;
        Scenario scenario;
        key.set(scenario, std::string("14.5 %"));
        CHECK(scenario.of<Distribution>().consumers.busy_fraction == Ratio{145, 1000});
        CHECK_THROWS_AS(key.set(scenario, std::string("100 %")), std::invalid_argument);
    }
}
