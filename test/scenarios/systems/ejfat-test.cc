// SPDX-License-Identifier: GPL-2.0-only
#include "model/ejfat/ejfat.h"

#include <tuple>

#include "model/scenario.h"
#include "scenarios/keys/keys.h"
#include "scenarios/keys/system.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"
#include "test/scenarios/keys/stated-default.h"

using namespace watershed;

namespace {

auto members(const EjfatSource& s) {
    return std::tuple(s.count, s.events, s.first_event, s.start, s.arrivals, s.pace, s.link_rate.count, s.delay, s.lag,
                      s.mtu.count, s.entropies, s.sync_period, s.loss_one_in);
}

auto members(const EjfatBalancer& b) { return std::tuple(b.link_rate.count, b.latency, b.delay, b.queue, b.slots); }

auto members(const EjfatControl& c) {
    return std::tuple(c.tick, c.offset, c.message_delay, c.report_period, c.eviction, c.set_point, c.kp, c.ki, c.kd,
                      c.samples, c.min_factor, c.max_factor);
}

auto members(const EjfatNodes& n) {
    return std::tuple(n.count, n.link_rate.count, n.port_queue, n.receive_threads, n.socket_buffer.count,
                      n.receive_cost, n.copy_rate.has_value(), n.reassembly_timeout, n.reassembly_memory.count, n.queue,
                      n.workers, n.service, n.warm_up, n.change_at);
}

void check(const Ejfat& ejfat) {
    Scenario scenario;
    scenario.of<Ejfat>() = ejfat;
    find_system("ejfat")->check(scenario, [](const std::string&) { return std::string("here"); });
}

}  // namespace

TEST_CASE("The default that an EJFAT key states is the one that a scenario has") {
    const Ejfat untouched;
    for (const ScenarioKey& key : find_system("ejfat")->keys()) {
        if (key.default_value.empty()) continue;
        INFO(key.name);
        Scenario s;
        key.set(s, stated_default(key));
        CHECK(s.of<Ejfat>().find_no_drop == untouched.find_no_drop);
        CHECK(members(s.of<Ejfat>().source) == members(untouched.source));
        CHECK(members(s.of<Ejfat>().balancer) == members(untouched.balancer));
        CHECK(members(s.of<Ejfat>().control) == members(untouched.control));
        CHECK(members(s.of<Ejfat>().nodes) == members(untouched.nodes));
    }
}

TEST_CASE("What cannot be is refused before it runs") {
    Ejfat ejfat;
    CHECK_NOTHROW(check(ejfat));
    ejfat.source.event_sizes = {Bytes{1'000'000'001}};
    CHECK_THROWS_WITH(check(ejfat), Contains("reassembly_memory"));
    ejfat = {};
    ejfat.source.bit_rates = {BitRate{99'000'000'000}};  // 1011424 / 1000000 of it are 100.13 Gb/s
    CHECK_THROWS_WITH(check(ejfat), Contains("ejfat.source.bit_rate") && Contains("98.87"));
    ejfat = {};
    ejfat.source.count = 3;
    ejfat.source.event_sizes = {Bytes{2}};
    CHECK_THROWS_AS(check(ejfat), InputError);
    ejfat = {};
    ejfat.control.set_point = Ratio{3, 2};
    CHECK_THROWS_AS(check(ejfat), InputError);
    ejfat = {};
    ejfat.control.min_factor = Ratio{3, 2};
    CHECK_THROWS_AS(check(ejfat), InputError);
    ejfat = {};
    ejfat.control.max_factor = Ratio{1, 2};
    CHECK_THROWS_AS(check(ejfat), InputError);
    ejfat = {};
    ejfat.control.eviction = ejfat.control.report_period;
    CHECK_THROWS_WITH(check(ejfat), Contains("evicted"));
}
