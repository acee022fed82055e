// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/keys/keys.h"

#include <cctype>
#include <set>
#include <tuple>

#include "model/frontend/sender-fields.h"
#include "model/switch/switch-fields.h"
#include "test/catch.h"
#include "test/scenarios/keys/stated-default.h"

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
    const auto costs = [](const Receiver& receiver) {
        const ReceiveCosts of = costs_of(receiver);
        return std::tuple(of.ring, of.dma_rate, of.interrupt_delay, of.wake_up, of.frame, of.byte, receiver.poll_period,
                          receiver.cores, receiver.memory, receiver.timeout, receiver.keep_incomplete,
                          receiver.output_rate);
    };
    for (const ScenarioKey& key : scenario_keys()) {
        // The default of a dead time depends on the pattern.
        if (key.default_value.empty() || key.name.find("trigger.dead_time") != std::string::npos) continue;
        INFO(key.name);
        Scenario s;
        key.set(s, stated_default(key));
        CHECK(s.seed == untouched.seed);
        CHECK(s.system == untouched.system);
        CHECK_FALSE(first_difference<SenderField, Senders>(sender_fields(), s, untouched));
        CHECK_FALSE(first_difference(switch_fields(), s.network_switch, untouched.network_switch));
        if (s.aggregation) CHECK_FALSE(first_difference(switch_fields(), *s.aggregation, Switch{}));
        CHECK(costs(s.server.receiver.value_or(Receiver{})) == costs(Receiver{}));
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

TEST_CASE("A ring is of so many frames or bytes, or without limit") {
    const auto ring = [](const std::string& text) {
        Scenario s;
        find_key("server.ring")->set(s, text);
        return costs_of(*s.server.receiver).ring;
    };
    CHECK(ring("64 frames") == MemorySize{64});
    CHECK(ring("18 kB") == MemorySize{18'000, MemorySize::Unit::Byte});
    CHECK_FALSE(ring("unlimited"));
    CHECK_THROWS_WITH(ring("8 cells"), Contains("found \"8 cells\", expected bytes or frames"));
}
