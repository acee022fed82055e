// SPDX-License-Identifier: GPL-2.0-only
#include <rapidcheck.h>

#include "model/exact/exact-engine.h"
#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("Builders in turn, with a memory for each output, lose what one server with every M-th trigger loses") {
    CHECK(rc::check([] {
        Scenario s;
        const int builders = *rc::gen::inRange(2, 6);
        s.front_end.modules = *rc::gen::inRange(2, 25);
        s.network_switch.uplinks = s.builders.count = builders;
        s.network_switch.uplink_rate = BitRate{*rc::gen::inRange<std::int64_t>(1, 11) * 500'000'000};
        s.network_switch.buffer.sharing = Sharing::PerOutput;
        s.network_switch.buffer.size = {*rc::gen::inRange(0, 30), MemorySize::Unit::Frame};
        s.trigger.pattern = Trigger::Pattern::File;
        Time at{0};  // at least a frame's time on the link apart, 8 x 1090 ns at 1 Gb/s: no fragment waits at a module
        for (int event = *rc::gen::inRange(1, 60); event > 0; --event) {
            s.trigger.times.push_back(at);
            at += Time{8'720'000 + *rc::gen::inRange(0, 9'000'000)};
        }
        const Outcome all = ExactEngine().run(s);
        RC_ASSERT(all.builders.size() == static_cast<std::size_t>(builders));
        for (int builder = 0; builder < builders; ++builder) {
            Scenario one = s;
            one.builders.count = one.network_switch.uplinks = 1;
            one.trigger.times.clear();
            for (std::size_t i = static_cast<std::size_t>(builder); i < s.trigger.times.size();
                 i += static_cast<std::size_t>(builders))
                one.trigger.times.push_back(s.trigger.times[i]);
            if (one.trigger.times.empty()) continue;
            const Outcome alone = ExactEngine().run(one);
            const Outcome::Builder& seen = all.builders[static_cast<std::size_t>(builder)];
            RC_ASSERT(seen.frames_sent == alone.frames_sent);
            RC_ASSERT(seen.frames_received == alone.frames_received);
            RC_ASSERT(seen.events_sent == alone.events_sent);
            RC_ASSERT(seen.events_complete == alone.events_complete);
        }
    }));
}

TEST_CASE("A builder's latency is from the trigger to the last bit of the event's last frame") {
    // 3 modules at 1 Gb/s arrive 8.72 us after the trigger; an uplink of 1 Gb/s then takes 3 x 8.72 us: 34.88 us.
    Scenario s;
    s.front_end.modules = 3;
    s.network_switch.uplinks = s.builders.count = 2;
    s.network_switch.uplink_rate = BitRate{1'000'000'000};
    s.network_switch.buffer.size = {100, MemorySize::Unit::Frame};
    s.trigger.events = 4;
    s.trigger.separation = Time{50'000'000};
    const Outcome outcome = ExactEngine().run(s);
    for (const Outcome::Builder& each : outcome.builders) {
        CHECK(each.events_complete == 2);
        CHECK(each.latency == Time{2 * 34'880'000});
        CHECK(each.latency_most == Time{34'880'000});
    }
}

TEST_CASE("Shifted, modules meet at no output") {
    // 3 modules, 3 outputs as fast as their links: each frame leaves as soon as it has come, 2 x 8.72 us after its
    // trigger. All frames of an event at one output would take 4 x 8.72 us.
    Scenario s;
    s.front_end.modules = s.network_switch.uplinks = 3;
    s.network_switch.uplink_rate = BitRate{1'000'000'000};
    s.network_switch.buffer.sharing = Sharing::PerOutput;
    s.network_switch.buffer.size = {1, MemorySize::Unit::Frame};
    s.trigger.events = 4;
    s.trigger.separation = Time{0};
    s.builders = {3, Builders::Assignment::InTurn, Builders::Order::Shifted};
    const Outcome outcome = ExactEngine().run(s);
    CHECK(outcome.frames_lost() == 0);
    for (const Outcome::Builder& each : outcome.builders) {
        CHECK(each.events_sent == 4);  // a part of each
        CHECK(each.events_complete == 4);
        CHECK(each.frames_received == 4);
        CHECK(each.latency == Time{8'720'000} * (2 + 3 + 4 + 5));
        CHECK(each.latency_most == Time{5 * 8'720'000});
    }
    s.builders.order = Builders::Order::InTurn;
    CHECK(ExactEngine().run(s).frames_lost() == 4 * 2);
    // Modules 1 and 4 of 4 meet, at each event at another output.
    s.front_end.modules = 4;
    s.builders.order = Builders::Order::Shifted;
    CHECK(ExactEngine().run(s).frames_lost() == 4);
}

TEST_CASE("By group, each builder gets what its groups send, and counts its own part of the events") {
    Scenario s;
    s.groups.resize(3);
    for (int i = 0; i < 3; ++i) {
        s.groups[static_cast<std::size_t>(i)].name = std::string(1, static_cast<char>('a' + i));
        s.groups[static_cast<std::size_t>(i)].front_end.modules = i + 1;
        s.groups[static_cast<std::size_t>(i)].front_end.modules_before = i * (i + 1) / 2;
    }
    s.groups[2].trigger.emplace();
    s.groups[2].trigger->events = 5;
    s.groups[2].trigger->separation = Time{1'000'000'000};
    s.front_end.modules = 6;
    s.builders = {2, Builders::Assignment::ByGroup};
    s.network_switch.uplinks = 2;
    s.network_switch.buffer.size = {100, MemorySize::Unit::Frame};
    s.trigger.events = 2;
    s.trigger.separation = Time{1'000'000'000};
    const Outcome outcome = ExactEngine().run(s);
    CHECK(outcome.events_sent == 7);
    CHECK(outcome.frames_sent == 2 * 3 + 5 * 3);
    // Builder 1: group a's 1 frame of 2 events, and group c's 3 frames of 5; builder 2: group b's 2 frames of 2.
    CHECK(outcome.builders[0].frames_received == 17);
    CHECK(outcome.builders[0].events_complete == 7);
    CHECK(outcome.builders[1].frames_received == 4);
    CHECK(outcome.builders[1].events_sent == 2);
    CHECK(outcome.groups[2].events == 5);
    CHECK(outcome.groups[2].frames_sent == 15);
    CHECK(outcome.groups[0].frames_received == 2);
}
