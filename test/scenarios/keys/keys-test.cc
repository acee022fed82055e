// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/keys.h"

#include <cctype>
#include <set>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("Every key has a name of its own, a kind and a meaning, which is a sentence") {
    std::set<std::string> names;
    for (const ScenarioKey& key : scenario_keys()) {
        INFO(key.name);
        CHECK(names.insert(key.name).second);
        CHECK_FALSE(key.kind.empty());
        REQUIRE_FALSE(key.meaning.empty());
        CHECK(std::isupper(static_cast<unsigned char>(key.meaning.front())) != 0);
        CHECK(key.meaning.back() == '.');
    }
}

TEST_CASE("The default a key states is the default a scenario has: setting it changes nothing") {
    const Scenario untouched;
    for (const ScenarioKey& key : scenario_keys()) {
        if (key.default_value.empty() || key.name == "trigger.dead_time")
            continue;  // whose default depends on the pattern
        INFO(key.name);
        Scenario s;
        const bool integer = key.default_value.find_first_not_of("0123456789") == std::string::npos;
        if (key.default_value == "false" || key.default_value == "true")
            key.set(s, key.default_value == "true");
        else if (key.default_value.rfind("[\"", 0) == 0)  // of one element
            key.set(s, std::vector<std::string>{key.default_value.substr(2, key.default_value.size() - 4)});
        else if (integer)
            key.set(s, static_cast<std::int64_t>(std::stoll(key.default_value)));
        else
            key.set(s, key.default_value);
        CHECK(s.seed == untouched.seed);
        CHECK(s.frame.payload == untouched.frame.payload);
        CHECK(s.frame.wire_overhead == untouched.frame.wire_overhead);
        CHECK(s.frame.buffer_overhead == untouched.frame.buffer_overhead);
        CHECK(s.frame.reported_overhead == untouched.frame.reported_overhead);
        CHECK(s.frame.mtu == untouched.frame.mtu);
        CHECK(s.frame.split == untouched.frame.split);
        CHECK(s.front_end.modules == untouched.front_end.modules);
        CHECK(s.front_end.link_rate == untouched.front_end.link_rate);
        CHECK(s.front_end.fifo == untouched.front_end.fifo);
        CHECK(s.front_end.skew_spread == untouched.front_end.skew_spread);
        CHECK(s.front_end.jitter == untouched.front_end.jitter);
        CHECK(s.front_end.clock_spread == untouched.front_end.clock_spread);
        const Receiver receiver = s.server.receiver.value_or(Receiver{});
        const ReceiveCosts costs = costs_of(receiver), usual = costs_of(Receiver{});
        CHECK(costs.ring == usual.ring);
        CHECK(costs.dma_rate == usual.dma_rate);
        CHECK(costs.interrupt_delay == usual.interrupt_delay);
        CHECK(costs.wake_up == usual.wake_up);
        CHECK(costs.frame == usual.frame);
        CHECK(costs.byte == usual.byte);
        CHECK(receiver.poll_period == Receiver{}.poll_period);
        CHECK(receiver.cores == Receiver{}.cores);
        CHECK(receiver.memory == Receiver{}.memory);
        CHECK(receiver.timeout == Receiver{}.timeout);
        CHECK(receiver.keep_incomplete == Receiver{}.keep_incomplete);
        CHECK(receiver.output_rate == Receiver{}.output_rate);
        CHECK(s.trigger.pattern == untouched.trigger.pattern);
        CHECK(s.trigger.bursts == untouched.trigger.bursts);
        CHECK(s.network_switch.uplinks == untouched.network_switch.uplinks);
        CHECK(s.network_switch.uplink_rate == untouched.network_switch.uplink_rate);
        CHECK(s.network_switch.latency == untouched.network_switch.latency);
        CHECK(s.network_switch.arrival_order == untouched.network_switch.arrival_order);
        CHECK(s.front_end.obeys_pause == untouched.front_end.obeys_pause);
        CHECK(s.front_end.pause_reaction == untouched.front_end.pause_reaction);
        CHECK(s.network_switch.uplink_choice.rule == untouched.network_switch.uplink_choice.rule);
        CHECK(s.network_switch.uplink_choice.fields == untouched.network_switch.uplink_choice.fields);
        CHECK(s.network_switch.uplink_choice.fold == untouched.network_switch.uplink_choice.fold);
        CHECK(s.network_switch.queueing == untouched.network_switch.queueing);
        CHECK(s.network_switch.port_groups == untouched.network_switch.port_groups);
        CHECK(s.network_switch.cut_through == untouched.network_switch.cut_through);
        CHECK(s.network_switch.cut_through_after == untouched.network_switch.cut_through_after);
        CHECK(s.network_switch.obeys_pause == untouched.network_switch.obeys_pause);
        CHECK(s.network_switch.pause_reaction == untouched.network_switch.pause_reaction);
        CHECK(s.network_switch.flow_control.kind == untouched.network_switch.flow_control.kind);
        CHECK(s.network_switch.flow_control.quanta == untouched.network_switch.flow_control.quanta);
        CHECK(s.network_switch.buffer.accounting == untouched.network_switch.buffer.accounting);
        CHECK(s.network_switch.buffer.cell_header == untouched.network_switch.buffer.cell_header);
        CHECK(s.network_switch.buffer.slices == untouched.network_switch.buffer.slices);
        CHECK(s.network_switch.buffer.queues == untouched.network_switch.buffer.queues);
        CHECK(s.network_switch.buffer.queue_split == untouched.network_switch.buffer.queue_split);
        CHECK(s.network_switch.buffer.release == untouched.network_switch.buffer.release);
        CHECK(s.network_switch.buffer.ecn == untouched.network_switch.buffer.ecn);
        CHECK(s.network_switch.buffer.sharing == untouched.network_switch.buffer.sharing);
    }
}

TEST_CASE("Values are shown as a scenario states them, without quotes") {
    CHECK(value_text(true) == "true");
    CHECK(value_text(std::int64_t{4}) == "4");
    CHECK(value_text(0.5) == "0.5");
    CHECK(value_text(std::string("1.25 GB")) == "1.25 GB");
    CHECK(value_text(std::vector<std::int64_t>{1, 2}) == "1, 2");
    CHECK(value_text(std::vector<std::string>{"left", "right"}) == "left, right");
}
