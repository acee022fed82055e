// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/group-analysis.h"

#include <random>

#include "model/exact/exact-engine.h"
#include "model/frontend/event-train.h"
#include "model/switch/memory-units.h"
#include "test/catch.h"
#include "test/model/guarantee/small-camera.h"

using namespace watershed;

namespace {

Group group_of(const std::string& name, const Scenario& scenario) {
    return {name, scenario.frame, scenario.front_end, {}, {}, {}};
}

std::int64_t bound_of(const Scenario& scenario) {
    UnsupportedKey why;
    const auto guarantee = Guarantee::of(scenario, &why);
    INFO(why.text());
    REQUIRE(guarantee);
    REQUIRE(guarantee->bounded);
    return guarantee->frames();
}

/// Distances of a train of triggers, or of endless ones, that are equally far apart.
std::function<std::optional<Wide>()> each(Wide apart, std::int64_t number) {
    return [=, k = std::int64_t{0}]() mutable -> std::optional<Wide> {
        return k == number ? std::nullopt : std::optional(apart * k++);
    };
}

std::vector<Wide> first(EventDistances distances, std::size_t number) {
    std::vector<Wide> all;
    while (all.size() < number)
        if (const auto next = distances.next())
            all.push_back(*next);
        else
            break;
    return all;
}

}  // namespace

TEST_CASE("Distances of frames are least from the frame of an event after which the others come soonest") {
    // Three frames end 10, 30 and 50 after their event's beginning. Events come 100 apart: 50 to 110 is 60.
    const EventDistances::Event event{{10, 30, 50}, {10, 30, 50}, {0, 1, 2}, 1, 0};
    CHECK(first({event, each(100, 3)}, 99) == std::vector<Wide>{0, 20, 40, 100, 120, 140, 200, 220, 240});
    // Events 55 apart: from the last frame of one to the first of the next 15, and to its second 35.
    CHECK(first({event, each(55, 2)}, 99) == std::vector<Wide>{0, 15, 35, 55, 75, 95});
    // Triggers at once: the link sends event after event, each 50.
    CHECK(first({event, each(0, 2)}, 99) == std::vector<Wide>{0, 10, 30, 50, 70, 90});
    // The second frame alone, each other event, with a jitter of 7.
    CHECK(first({{{10, 30, 50}, {10, 30, 50}, {1}, 2, 7}, each(100, 9)}, 99) ==
          std::vector<Wide>{0, 193, 393, 593, 793});
    // On a slow link the last frame ends at 60: 54 to the first one of the next event, and 104 to it on a fast one.
    CHECK(first({{{10, 50}, {12, 60}, {0, 1}, 1, 0}, each(102, 2)}, 99) == std::vector<Wide>{0, 40, 102, 142});
    CHECK(first({{{10, 50}, {12, 60}, {0, 1}, 1, 0}, each(82, 2)}, 2) == std::vector<Wide>{0, 34});
}

TEST_CASE("Gaps between fragments let an uplink send one before the next comes") {
    // Two modules send three frames of 1 us; the uplink takes 2 us for a frame.
    Scenario scenario = small(2, 1, 2000, ns(40'000));
    scenario.frame.fragments = 3;
    CHECK(bound_of(scenario) == 6 - 1);
    scenario.front_end.gap = ns(3000);
    CHECK(bound_of(scenario) == 2);
    CHECK(ample_run(scenario, {Time{0}}).peak_frames == 2);
    scenario.front_end.gap = ns(2000);  // 1 us of the second frame's time is left when the next two come
    CHECK(bound_of(scenario) == 3);
    CHECK(ample_run(scenario, {Time{0}}).peak_frames == 3);
}

TEST_CASE("Groups, unlike fragments and builders in turn are bounded to the frame where all come at once") {
    // Frames of 125 B and 250 B: 1 us and 2 us on links, 100 ns and 200 ns on the uplink.
    Scenario scenario = small(10, 1, 100, ns(8000));
    scenario.groups = {group_of("a", scenario), group_of("b", scenario)};
    scenario.groups[0].front_end.modules = 4;
    scenario.groups[1].front_end.modules = 6;
    CHECK(bound_of(scenario) == 10);
    CHECK(ample_run(scenario, {Time{0}}).peak_frames == 10);
    SECTION("a group that comes later may have any delay") {
        scenario.groups[1].delay = ns(100'000);
        CHECK(bound_of(scenario) == 10);
    }
    SECTION("longer frames fill more of a memory of bytes") {
        scenario.groups[1].frame.payload = Bytes{184};
        scenario.groups[0].front_end.skew = {ns(1000)};
        scenario.network_switch.buffer.size = {4 * 105 + 6 * 230, MemorySize::Unit::Byte};
        const auto guarantee = Guarantee::of(scenario);
        CHECK(guarantee->fits());
        CHECK(guarantee->switches[0].needed() == MemorySize{4 * 105 + 6 * 230, MemorySize::Unit::Byte});
        scenario.groups[0] = placed_after(0, scenario.groups[0]);
        CHECK(ample_run(scenario, {Time{0}}).peak_bytes == Bytes{4 * 105 + 6 * 230});
    }
    SECTION("a trigger of its own") {
        // 600 ns of each 3000 ns are taken, 7400 ns more of the uplink; so 400 ns need 500 between common triggers.
        scenario.groups[1].trigger.emplace();
        scenario.groups[1].trigger->pattern = Trigger::Pattern::Periodic;
        scenario.groups[1].trigger->rate = Frequency{333'333'333'333};
        const auto guarantee = Guarantee::of(scenario);
        REQUIRE(guarantee);
        CHECK(guarantee->own_triggers);
        CHECK(guarantee->witness.empty());
        CHECK(guarantee->frames() == 10);
        CHECK(guarantee->switches[0].queues[0].load == Approx(400. / 8000 + 600. / 3000).epsilon(1e-6));
        CHECK(guarantee->least_distance >= ns(500));
        CHECK(guarantee->least_distance <= ns(501));
        // 6 frames of 100 ns each 600 ns leave nothing for the others.
        scenario.groups[1].trigger->rate = Frequency{1'666'666'666'667};
        scenario.groups[1].front_end.link_rate = BitRate{10'000'000'000};
        UnsupportedKey why;
        CHECK_FALSE(Guarantee::of(scenario, &why));
        CHECK(why.key == "group");
        CHECK(why.why.find("switch, uplink 1 sends, or more: a load of 100 %") != std::string::npos);
    }
    SECTION("triggers without limit come as fast as the links send events") {
        const auto guarantee = Guarantee::of(scenario, {{}, {}});
        REQUIRE(guarantee);
        CHECK_FALSE(guarantee->bounded);  // 10 x 100 ns each 1 us
        scenario.network_switch.uplink_rate = BitRate{11'000'000'000};
        CHECK(Guarantee::of(scenario, {{}, {}})->frames() == 10);
    }
    SECTION("a memory of all outputs holds the events of builders in turn that come while one is sent") {
        scenario.groups.clear();
        scenario.front_end.modules = 40;
        scenario.network_switch.uplinks = 8;
        scenario.builders.count = 8;
        scenario.trigger.dead_time = ns(1000);  // 40 frames leave in 4 us, in which four events come
        CHECK(bound_of(scenario) == 4 * 40);
        CHECK(Guarantee::of(scenario)->switches[0].queues[7].frames == 40);
        std::vector<Time> triggers;
        for (std::int64_t k = 0; k < 20; ++k) triggers.push_back(ns(1000 * k));
        CHECK(ample_run(scenario, triggers).peak_frames == 40 + 30 + 20 + 10);
        scenario.builders.assignment = Builders::Assignment::Random;
        scenario.trigger.dead_time = ns(5000);
        CHECK(bound_of(scenario) == 8 * 40);  // any of them may get all
    }
    SECTION("builders in turn get each other event") {
        scenario.groups.clear();
        scenario.network_switch.uplinks = 2;
        scenario.builders.count = 2;
        scenario.trigger.dead_time = ns(600);  // 1000 ns of work come each 1200 ns
        const auto guarantee = Guarantee::of(scenario);
        REQUIRE(guarantee);
        CHECK(guarantee->switches[0].queues[0].load == Approx(0.5));  // its link sends an event in 1 us
        CHECK(guarantee->switches[0].queues[0].modules == 10);
        scenario.trigger.dead_time = ns(4000);
        CHECK(Guarantee::of(scenario)->switches[0].queues[0].load == Approx(1000. / 8000));
        scenario.builders.order = Builders::Order::Shifted;
        CHECK(Guarantee::of(scenario)->switches[0].queues[0].load == Approx(1000. / 8000));
        scenario.builders.order = Builders::Order::Random;
        CHECK(Guarantee::of(scenario)->switches[0].queues[0].load == Approx(1000. / 4000));
        scenario.builders.order = Builders::Order::InTurn;
        scenario.builders.assignment = Builders::Assignment::Random;
        CHECK(Guarantee::of(scenario)->switches[0].queues[0].load == Approx(1000. / 4000));
        scenario.builders.copies = Builders::Copies::All;
        UnsupportedKey why;
        CHECK_FALSE(Guarantee::of(scenario, &why));
        CHECK(why.key == "server.copies");
    }
}

TEST_CASE("More than 10,000 frames of a module are followed trigger by trigger") {
    // 25 frames of 1 us each 50 us, 500 times: streams leave it out of step. Of two modules, 0.5 us a frame.
    Scenario scenario = small(2, 1, 500, Time{0});
    scenario.trigger = Trigger{};
    scenario.trigger.events = 500;
    scenario.trigger.separation = ns(50'000);
    scenario.frame.fragments = 25;
    scenario.front_end.skew = {Time{0}, ns(300)};
    CHECK(bound_of(scenario) >= ExactEngine().run(with_ample_memory(scenario, 1000)).peak_frames);
    CHECK(bound_of(scenario) <= 4);
}

TEST_CASE("Events that wait for a stream on their module's link come closer together") {
    // On its link a stream's frame lasts 12 us, an event 1 us; on the uplink ten of them last 12 us and 1 us.
    Scenario scenario = small(10, 1, 100, ns(2000));
    for (int module = 1; module <= 10; ++module) {
        TrafficStream& one = scenario.traffic.emplace_back(stream("s" + std::to_string(module), 1'000'000));
        one.payload = Bytes{1434};
        one.module = module;
        one.link_rate.reset();
        one.phase = Time{0};
    }
    // The stream's frames come at 12 us, and keep the uplink until 24 us. Behind them come events at 13, 14, ... 24 us:
    // the twelve that were waiting until then, or triggered meanwhile. The bound lets a frame wait 1 us longer.
    std::vector<Time> triggers;
    for (std::int64_t k = 0; k < 20; ++k) triggers.push_back(ns(1 + 2000 * k));
    const Outcome outcome = ample_run(scenario, triggers);
    CHECK(outcome.peak_frames == 120);
    CHECK(bound_of(scenario) == 130);
    // The stream leaves an event 988 us of each 1000 us.
    scenario.network_switch.uplink_rate = BitRate{100'000'000'000};
    scenario.trigger.dead_time = ns(1000);
    const auto overloaded = Guarantee::of(scenario);
    REQUIRE(overloaded);
    CHECK_FALSE(overloaded->bounded);
    CHECK_FALSE(Guarantee::of(scenario, {{}, {}})->bounded);
    CHECK(overloaded->least_distance >= ns(1012));
    CHECK(overloaded->least_distance <= ns(1013));
    scenario.trigger.dead_time = overloaded->least_distance;
    CHECK(Guarantee::of(scenario)->bounded);
    scenario.traffic.front().rate.frames = Frequency{84'000'000'000};  // 1.008 of what the link sends
    UnsupportedKey why;
    CHECK_FALSE(Guarantee::of(scenario, &why));
    CHECK(why.text().find("traffic.s1.module: there is no bound: streams bring all") == 0);
}

namespace {

/// Scenario of several kinds of modules, with a shared memory.
Scenario random_kinds(std::mt19937_64& random) {
    const auto draw = drawing(random);
    Scenario s = small(0, static_cast<int>(draw(1, 3)), draw(50, 600), ns(draw(10, 150) * 100), ns(draw(0, 1) * 700));
    s.network_switch.buffer.size = {1000, MemorySize::Unit::Byte};
    if (draw(0, 2) == 0) s.network_switch.buffer.cell = Bytes{64};
    if (draw(0, 2) == 0) s.trigger.rules = {{TriggerRule::Kind::Bucket, draw(2, 5), s.trigger.dead_time * 2, {}}};
    const bool own = draw(0, 3) == 0;
    for (std::int64_t i = draw(1, 3); i > 0; --i) {
        Group group = group_of("g" + std::to_string(i), s);
        group.front_end.modules = static_cast<int>(draw(1, 4));
        group.front_end.link_rate = BitRate{draw(1, 5) * 1'000'000'000};
        group.frame.payload = Bytes{draw(18, 300)};
        if (draw(0, 1) == 0) {
            std::vector<Bytes> payloads;
            for (std::int64_t k = draw(1, 4); k > 0; --k) payloads.push_back(Bytes{draw(0, 2) * 100 + 18});
            group.frame.fragments = FragmentList(payloads);
        }
        if (draw(0, 1) == 0) group.front_end.gap = ns(draw(0, 3000));
        if (draw(0, 2) == 0) group.front_end.jitter = ns(draw(0, 5000));
        if (draw(0, 2) == 0) group.front_end.skew = {ns(draw(0, 5000)), Time{0}};
        if (draw(0, 2) == 0) group.front_end.clock_spread = ClockTolerance{draw(0, 100'000'000)};
        if (draw(0, 2) == 0) group.delay = ns(draw(0, 9000));
        if (own && draw(0, 1) == 0) {
            group.trigger.emplace();
            group.trigger->events = 20;
            group.trigger->separation = ns(draw(1, 20) * 1000);
        }
        s.front_end.modules += group.front_end.modules;
        s.groups.push_back(placed_after(s.front_end.modules - group.front_end.modules, group));
    }
    for (std::int64_t i = draw(-2, 2); i > 0; --i) {
        TrafficStream& one = s.traffic.emplace_back(stream("s" + std::to_string(i), draw(10, 60) * 1000));
        one.module = static_cast<int>(draw(1, s.front_end.modules));
        one.payload = Bytes{draw(18, 300)};
        one.phase = Time{draw(0, 60'000'000)};
        if (draw(0, 2) == 0) one.clock = ClockTolerance{draw(0, 100'000'000)};
        if (draw(0, 2) == 0) one.jitter = ns(draw(0, 5000));
        if (draw(0, 1) == 0) continue;
        one.pattern = TrafficStream::Pattern::Bursts;
        one.burst = draw(1, 5);
        one.period = ns(draw(20, 200) * 1000);
    }
    if (s.front_end.modules > 1 && draw(0, 3) == 0) {
        s.network_switch.count = 2;
        s.network_switch.uplinks = 1;
        s.aggregation = s.network_switch;
        s.aggregation->count = 1;
    } else if (draw(0, 1) == 0) {
        s.builders.count = s.network_switch.uplinks;
        s.builders.assignment = static_cast<Builders::Assignment>(draw(0, 2));
        s.builders.order = static_cast<Builders::Order>(draw(0, 2));
    }
    return s;
}

}  // namespace

TEST_CASE("No train of triggers of several kinds of modules loses a frame of the memory that their bound asks for") {
    std::mt19937_64 random(66);
    const auto draw = drawing(random);
    int bounded = 0, tight = 0, tiers = 0;
    for (int i = 0; i < 300; ++i) {
        Scenario s = random_kinds(random);
        const auto guarantee = Guarantee::of(s);
        if (!guarantee || !guarantee->bounded) continue;
        ++bounded;
        tiers += guarantee->tiers;
        Buffer& first = s.network_switch.buffer;
        first.size = *guarantee->switches[0].needed();
        const auto units = [&](const MemorySize& size) { return MemoryUnits(first).amount("size", size); };
        for (const SwitchGuarantee& each : guarantee->switches)
            if (each.name.rfind("switch", 0) == 0 && units(*each.needed()) > units(first.size))
                first.size = *each.needed();
        if (s.aggregation) s.aggregation->buffer.size = *guarantee->switches.back().needed();
        bool loses = false;
        for (int train = 0; train < 15; ++train) {
            std::vector<Time> times = admitted_train(spacings_of(s.trigger), 20, draw);
            if (train % 3 == 0) {
                for (Time& time : times) time = times.back() - time;
                std::reverse(times.begin(), times.end());
            }
            NetworkScenario tried = with_triggers(s, times);
            tried.trigger.dead_time = Time{0};
            tried.seed = static_cast<std::uint64_t>(train);
            INFO("scenario " << i << ", train " << train);
            const Outcome outcome = ExactEngine().run(tried);
            REQUIRE(outcome.frames_lost() == 0);
            for (std::size_t k = 0; k < guarantee->switches.size(); ++k) {
                CHECK(outcome.switches[k].peak_frames <= guarantee->switches[k].frames);
                CHECK(outcome.switches[k].peak_bytes.count <= guarantee->switches[k].bytes);
            }
            tried.network_switch.buffer.size.amount = first.size.amount * 2 / 3;
            loses = loses || ExactEngine().run(tried).frames_lost() > 0;
        }
        tight += loses;
    }
    CHECK(bounded > 150);
    CHECK(tiers > 20);
    CHECK(tight > 50);  // two thirds of it are often too little
}
