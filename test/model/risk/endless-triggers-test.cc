// SPDX-License-Identifier: GPL-2.0-only
#include "model/risk/endless-triggers.h"

#include <rapidcheck.h>

#include <numeric>

#include "model/exact/exact-engine.h"
#include "model/frontend/module-groups.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// Modules that send one frame at a fixed rate into a memory of so many frames; 8.72 us each on every link.
NetworkScenario at_fixed_rate(int modules, std::int64_t memory) {
    NetworkScenario s;
    s.front_end.modules = modules;
    s.trigger.pattern = Trigger::Pattern::Periodic;
    s.trigger.rate = Frequency{10'000'000'000};  // 10 kHz
    s.network_switch.uplink_rate = BitRate{1'000'000'000};
    s.network_switch.buffer.size = {memory, MemorySize::Unit::Frame};
    return s;
}

Group group_of(const NetworkScenario& s, const std::string& name, int modules, int before) {
    Group group{name, s.frame, s.front_end, Time{0}, std::nullopt, {}};
    group.front_end.modules = modules;
    group.front_end.modules_before = before;
    return group;
}

}  // namespace

TEST_CASE("Where nothing is drawn all repeats once the switch is empty again, and the share is exact") {
    ExactEngine engine;
    // Three frames at one instant: a memory of two loses one of each event, one of three none.
    const auto lossy = find_repetition(engine, at_fixed_rate(3, 2), 1000);
    REQUIRE(lossy);
    CHECK(lossy->events == 1);
    CHECK(lossy->incomplete == 1);
    CHECK(find_repetition(engine, at_fixed_rate(3, 3), 1000)->incomplete == 0);
    // Twelve frames of 8.72 us take 104.64 us: at 10 kHz the switch is never empty again.
    CHECK_FALSE(find_repetition(engine, at_fixed_rate(12, 100), 1000));
}

TEST_CASE("Draws of any kind leave no repetition") {
    ExactEngine engine;
    NetworkScenario s = at_fixed_rate(3, 2);
    s.front_end.jitter = Time{1};
    CHECK_FALSE(find_repetition(engine, s, 1000));
    s = at_fixed_rate(3, 2);
    s.front_end.skew_spread = Time{1};
    CHECK_FALSE(find_repetition(engine, s, 1000));
    s = at_fixed_rate(3, 2);
    s.network_switch.arrival_order = ArrivalOrder::Random;
    CHECK_FALSE(find_repetition(engine, s, 1000));
    s = at_fixed_rate(3, 2);
    s.trigger.pattern = Trigger::Pattern::Poisson;
    CHECK_FALSE(find_repetition(engine, s, 1000));
    s = at_fixed_rate(3, 2);
    s.groups = {group_of(s, "a", 2, 0), group_of(s, "b", 1, 2)};
    CHECK(find_repetition(engine, s, 1000)->incomplete == 1);
    s.groups[1].trigger = s.trigger;
    CHECK_FALSE(find_repetition(engine, s, 1000));
}

TEST_CASE("An empty switch is no repetition while modules still hold frames of earlier events") {
    // A delay of three periods: module 1 sends into later events, and the memory of one loses frames from event 4 on.
    ExactEngine engine;
    NetworkScenario s = at_fixed_rate(2, 1);
    s.front_end.skew = {Time{300'000'000}, Time{0}};
    CHECK_FALSE(find_repetition(engine, s, 1000));
    // The last frame leaves its module 8.72 us after the delay: up to 91.28 us that is before the next trigger.
    s.front_end.skew = {Time{91'280'000}, Time{0}};
    CHECK_FALSE(find_repetition(engine, s, 1000));
    s.front_end.skew = {Time{91'270'000}, Time{0}};
    CHECK(find_repetition(engine, s, 1000)->incomplete == 0);
}

TEST_CASE(
    "With builders in turn all repeats when the first one has its turn again, also where no trigger finds all idle") {
    ExactEngine engine;
    NetworkScenario s = at_fixed_rate(3, 2);
    s.network_switch.uplinks = s.builders.count = 2;
    CHECK(find_repetition(engine, s, 1000)->events == 2);
    CHECK(find_repetition(engine, s, 1000)->incomplete == 2);  // three frames at one instant, room for two
    // Twelve frames take an uplink 104.64 us and 8.72 us before: two periods of 100 us are enough, one is not.
    s = at_fixed_rate(12, 14);
    s.network_switch.uplinks = s.builders.count = 2;
    CHECK(find_repetition(engine, s, 1000)->incomplete == 0);
    s.network_switch.buffer.size.amount = 11;
    CHECK(find_repetition(engine, s, 1000)->incomplete == 2);
    s.builders.copies = Builders::Copies::All;  // twice twelve frames an event, and each finds the switch idle
    s.trigger.rate = Frequency{5'000'000'000};
    CHECK(find_repetition(engine, s, 1000)->events == 1);
    CHECK(find_repetition(engine, s, 1000)->incomplete == 1);
    s.network_switch.buffer.size.amount = 24;
    CHECK(find_repetition(engine, s, 1000)->incomplete == 0);
    s.builders = {2, Builders::Assignment::Random};
    CHECK_FALSE(find_repetition(engine, s, 1000));
    s.builders = {2, Builders::Assignment::InTurn, Builders::Order::Random};
    CHECK_FALSE(find_repetition(engine, s, 1000));
}

TEST_CASE("What a round of builders loses in a long run is what repeats") {
    constexpr int kRounds = 40;
    int found = 0;
    REQUIRE(rc::check([&] {
        NetworkScenario s = at_fixed_rate(*rc::gen::inRange(2, 12), *rc::gen::inRange(1, 30));
        s.network_switch.uplinks = s.builders.count = *rc::gen::inRange(2, 6);
        s.trigger.rate = Frequency{1'000'000'000'000 / *rc::gen::element(10, 20, 40, 50, 80, 100)};
        if (*rc::gen::arbitrary<bool>()) s.network_switch.buffer.sharing = Sharing::PerOutput;
        if (*rc::gen::arbitrary<bool>()) s.builders.order = Builders::Order::Shifted;
        ExactEngine engine;
        const auto all = find_repetition(engine, s, 2000);
        if (!all) return;
        ++found;
        s.trigger.events = kRounds * s.builders.count;
        std::int64_t late = 0;
        for (const auto& each : engine.run(s).incomplete) late += each.event > *s.trigger.events / 2;
        RC_ASSERT(late * all->events == all->incomplete * (*s.trigger.events / 2));
    }));
    CHECK(found > 20);
}

TEST_CASE("Triggers that end or change with time are named by their key") {
    NetworkScenario s = at_fixed_rate(3, 2);
    CHECK_FALSE(ending_trigger(s));
    s.trigger.pattern = Trigger::Pattern::Burst;
    CHECK(ending_trigger(s).key == "trigger.pattern");
    s.groups = {group_of(s, "a", 3, 0)};
    s.groups[0].trigger = at_fixed_rate(3, 2).trigger;
    CHECK_FALSE(ending_trigger(s));  // nobody answers the common one
    s.groups[0].trigger->pattern = Trigger::Pattern::File;
    CHECK(ending_trigger(s).key == "group.a.trigger.pattern");
}

TEST_CASE("Rates of events add up over triggers, not over groups that answer the same one") {
    NetworkScenario s = at_fixed_rate(4, 2);
    s.groups = {group_of(s, "a", 1, 0), group_of(s, "b", 1, 1), group_of(s, "c", 2, 2)};
    s.groups[2].trigger = s.trigger;
    s.groups[2].trigger->rate = Frequency{2'500'000'000};
    const EventRates rates = event_rates(s);
    CHECK(rates.all == Approx(12'500));
    CHECK(rates.of_groups == std::vector<double>{rates.of_groups[0], rates.of_groups[0], rates.of_groups[2]});
    CHECK(rates.of_groups[0] == Approx(10'000));
    CHECK(rates.of_groups[2] == Approx(2'500));
    // Bursts of 3 on top, one each millisecond, add 3000 a second.
    NetworkScenario burst = at_fixed_rate(4, 2);
    burst.trigger.burst = {3, Time{1'000'000}, Frequency{0}, Time{1'000'000'000}};
    CHECK(event_rates(burst).all == Approx(13'000).epsilon(0.001));
}

TEST_CASE("Phases are those of fixed triggers to each other, not of random ones") {
    NetworkScenario s = at_fixed_rate(2, 1);
    s.groups = {group_of(s, "a", 1, 0), group_of(s, "b", 1, 1)};
    CHECK_FALSE(has_phases(s));
    s.groups[0].trigger = s.trigger;
    CHECK(has_phases(s));  // to that of the others
    s.groups[0].trigger->pattern = Trigger::Pattern::Poisson;
    CHECK_FALSE(has_phases(s));
    s.groups[0].trigger->burst = {3, Time{1'000'000}, Frequency{0}, Time{1'000'000'000}};
    CHECK(has_phases(s));
    s.trigger.pattern = Trigger::Pattern::Poisson;
    CHECK_FALSE(has_phases(s));  // the others have none
}

TEST_CASE("The phases of groups with triggers of their own are uniform over a period") {
    // Two modules, each with a trigger of 10 kHz of its own, and a memory of one frame: the second frame of a period is
    // lost if it comes less than 8.72 us after the first, on either side: 2 x 8.72 of 100 us. Then one of two events is
    // incomplete: 0.0872 of all.
    NetworkScenario s = at_fixed_rate(2, 1);
    s.groups = {group_of(s, "a", 1, 0), group_of(s, "b", 1, 1)};
    s.groups[0].trigger = s.groups[1].trigger = s.trigger;
    ExactEngine engine;
    std::int64_t events = 0, incomplete = 0;
    constexpr int kReplications = 3000;
    for (int i = 0; i < kReplications; ++i) {
        const IncompleteCounts counts = count_incomplete_in(engine, s, 100e-6, 0, static_cast<std::uint64_t>(i));
        events += counts.events;
        incomplete += std::accumulate(counts.batches.begin(), counts.batches.end(), std::int64_t{0});
    }
    CHECK(events == 2 * kReplications);
    // Four standard deviations: 4 sqrt(0.1744 x 0.8256 / 3000) / 2 = 0.0139.
    CHECK(std::abs(static_cast<double>(incomplete) / static_cast<double>(events) - 0.0872) < 0.0139);
}
