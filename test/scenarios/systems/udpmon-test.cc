// SPDX-License-Identifier: GPL-2.0-only
#include "model/udpmon/udpmon.h"

#include <tuple>

#include "model/scenario.h"
#include "scenarios/keys/keys.h"
#include "scenarios/keys/system.h"
#include "test/catch.h"
#include "test/scenarios/keys/stated-default.h"

using namespace watershed;

namespace {

auto members(const UdpmonSender& s) {
    return std::tuple(s.kind, s.granularity, s.pacing_offset, s.clock.count, s.packet_cost, s.copy_rate.count,
                      s.buffer.count, s.slot_multiple.count, s.slot_extra.count, s.jitter, s.jitter_limit);
}

auto members(const UdpmonReceiver& r) {
    return std::tuple(r.kind, r.granularity, r.interrupt_period, r.interrupt_handling, r.wakeup_jitter, r.read_cost,
                      r.read_jitter, r.hiccup_one_in, r.hiccup, r.buffer.count, r.reported_overhead.count, r.bin);
}

auto members(const UdpmonPath& p) {
    return std::tuple(p.rate.count, p.delay, p.policed ? p.policed->count : 0, p.accounting, p.burst.count,
                      p.loss_one_in, p.reorder_one_in, p.reorder_delay);
}

}  // namespace

TEST_CASE("The default that a UDPmon key states is the one that a scenario has") {
    const Udpmon untouched;
    for (const ScenarioKey& key : find_system("udpmon")->keys()) {
        if (key.default_value.empty()) continue;
        INFO(key.name);
        Scenario s;
        key.set(s, stated_default(key));
        CHECK(members(s.of<Udpmon>().sender) == members(untouched.sender));
        CHECK(members(s.of<Udpmon>().receiver) == members(untouched.receiver));
        CHECK(members(s.of<Udpmon>().path) == members(untouched.path));
        CHECK(s.of<Udpmon>().packets == untouched.packets);
    }
}

TEST_CASE("Spacings are a list or a range") {
    for (const ScenarioKey& key : find_system("udpmon")->keys()) {
        if (key.name != "udpmon.spacing") continue;
        Scenario s;
        key.set(s, std::string("0us:50us:3"));
        CHECK(s.of<Udpmon>().spacings == std::vector<Time>{Time{0}, Time{25'000'000}, Time{50'000'000}});
        key.set(s, std::string("7 us,18us"));
        CHECK(s.of<Udpmon>().spacings == std::vector<Time>{Time{7'000'000}, Time{18'000'000}});
        CHECK_THROWS_AS(key.set(s, std::string("7")), std::invalid_argument);
    }
}
