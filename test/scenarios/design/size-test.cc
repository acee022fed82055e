// SPDX-License-Identifier: GPL-2.0-only
#include <rapidcheck.h>

#include <cmath>

#include "model/exact/exact-engine.h"
#include "model/risk/camera-queue.h"
#include "model/risk/direct-risk.h"
#include "model/scenario.h"
#include "scenarios/design/needed-memory.h"
#include "scenarios/design/risk.h"
#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

namespace {

constexpr Frequency kEightKilohertz{8'000'000'000};

Scenario camera() {
    Scenario s;
    s.trigger.pattern = Trigger::Pattern::Poisson;
    s.trigger.rate = kEightKilohertz;
    s.trigger.dead_time = Time{2'000'000};
    s.network_switch.buffer.size = {46};
    return s;
}

/// Camera of five modules: frames of 8 us on links of 1 Gb/s, 40 us on an uplink, which 25 kHz fill.
Scenario at_a_fixed_rate() {
    Scenario s = camera();
    s.frame.payload = Bytes{934};
    s.front_end.modules = 5;
    s.network_switch.uplink_rate = BitRate{1'000'000'000};
    s.trigger.pattern = Trigger::Pattern::Periodic;
    s.trigger.dead_time = Time{0};
    return s;
}

Enclosure log_loss(Scenario s, std::int64_t frames, int uplinks, double precision = 0.003) {
    s.network_switch.uplinks = uplinks;
    s.network_switch.buffer.size = {frames};
    return EquivalentQueues::of(s).log_loss(precision);
}

}  // namespace

TEST_CASE(
    "The memory that is needed certainly keeps to the wanted chance, and one frame less for each uplink certainly does "
    "not") {
    for (const int uplinks : {1, 2})
        for (const double loss : {1e-3, 1e-9, 1e-15}) {
            const NeededMemory needed = needed_memory(camera(), kEightKilohertz, loss, uplinks);
            REQUIRE(needed.frames);
            INFO(uplinks << " uplinks, " << loss << ": " << needed.at_least << " to " << *needed.frames << " frames");
            CHECK(needed.at_least > *needed.frames - uplinks);
            CHECK(log_loss(camera(), *needed.frames, uplinks).upper <= std::log(loss));
            CHECK(log_loss(camera(), *needed.frames - uplinks, uplinks).lower > std::log(loss));
            CHECK(needed.bytes.count == *needed.frames * 1070);
        }
    CHECK(needed_memory(camera(), kEightKilohertz, 1e-9, 1).frames == 435);
}

TEST_CASE("Where the bounds leave the smallest memory open, its limits are told and hold") {
    // Memories by input, uplinks by hash on several switches, thresholds, and close to saturation.
    Scenario by_input = camera(), hashed = camera(), threshold = camera();
    by_input.network_switch.buffer.sharing = Buffer::Sharing::PerInput;
    hashed.network_switch.count = 2;
    hashed.front_end.modules = 60;
    hashed.network_switch.uplink_choice.rule = UplinkChoice::Rule::Hash;
    threshold.network_switch.buffer.sharing = Buffer::Sharing::DynamicThreshold;
    threshold.network_switch.buffer.alpha = {1, 2};
    const struct {
        const Scenario& scenario;
        Frequency rate;
        int uplinks;
    } cases[] = {{by_input, Frequency{20'000'000'000}, 1},
                 {hashed, kEightKilohertz, 2},
                 {threshold, Frequency{20'000'000'000}, 1},
                 {camera(), Frequency{27'000'000'000}, 1}};
    for (const auto& [scenario, rate, uplinks] : cases) {
        Scenario at_rate = scenario;
        at_rate.trigger.rate = rate;
        const NeededMemory needed = needed_memory(scenario, rate, 1e-4, uplinks);
        REQUIRE(needed.frames);
        INFO(needed.at_least << " to " << *needed.frames);
        CHECK(needed.at_least <= *needed.frames);
        CHECK(log_loss(at_rate, *needed.frames, uplinks).upper <= std::log(1e-4));
        CHECK(log_loss(at_rate, needed.at_least - 1, uplinks).lower > std::log(1e-4));
    }
}

TEST_CASE("Hashed uplinks are sized by the flows of every switch, not by those of the first one or by turns") {
    // Counted: with as much memory as is told the camera keeps to the chance, with less than the lower limit it does
    // not.
    Scenario s = camera();
    s.front_end.modules = 132;
    s.network_switch.count = 3;
    s.network_switch.uplinks = 2;
    s.network_switch.uplink_choice.rule = UplinkChoice::Rule::Hash;
    const Frequency rate{20'000'000'000};
    const NeededMemory needed = needed_memory(s, rate, 1e-3, 2);
    Scenario turns = s;
    turns.network_switch.uplink_choice = {};
    const NeededMemory by_turns = needed_memory(turns, rate, 1e-3, 2);
    REQUIRE(needed.frames);
    REQUIRE(by_turns.frames);
    CHECK(*needed.frames > *by_turns.frames);
    CHECK(needed.load > by_turns.load);
    s.trigger.rate = rate;
    ExactEngine engine;
    const auto counted = [&](std::int64_t frames) {
        s.network_switch.buffer.size = {frames};
        return loss_probability({count_incomplete(engine, s, 200'000, 1, {0, 2000})});
    };
    CHECK(counted(*needed.frames).lower < 1e-3);
    CHECK(counted(needed.at_least - 1).upper > 1e-3);
}

TEST_CASE("Cells count in the bytes that are needed, descriptors and classes do not") {
    // 1070 B and a header of 64 B take 6 cells of 208 B, 1248 B.
    Scenario s = camera();
    s.network_switch.buffer.size = {1'000'000, MemorySize::Unit::Byte};
    s.network_switch.buffer.cell = Bytes{208};
    s.network_switch.buffer.cell_header = Bytes{64};
    s.network_switch.buffer.descriptors = 50;
    s.network_switch.buffer.queues = 4;
    s.network_switch.buffer.queue_split = true;
    const NeededMemory needed = needed_memory(s, kEightKilohertz, 1e-9, 1);
    CHECK(needed.frames == needed_memory(camera(), kEightKilohertz, 1e-9, 1).frames);
    CHECK(needed.bytes.count == *needed.frames * 1248);
}

TEST_CASE("No memory is enough above capacity, and one event's is where the uplinks keep pace with the links") {
    const NeededMemory none = needed_memory(camera(), Frequency{28'000'000'000}, 1e-6, 1);
    CHECK_FALSE(none.frames);
    CHECK(none.load > 1);
    for (const int uplinks : {5, 6}) CHECK(needed_memory(camera(), kEightKilohertz, 1e-15, uplinks).frames == 44);
}

TEST_CASE("The fewest uplinks are those with which the scenario's memory is certainly enough") {
    CHECK(fewest_uplinks(camera(), 1e-9, {1, 2, 3, 4, 5, 6}).enough == 5);
    CHECK_FALSE(fewest_uplinks(camera(), 1e-9, {1, 2}).enough);
    Scenario deep = camera();
    deep.network_switch.buffer.size = {10'000};
    CHECK(fewest_uplinks(deep, 1e-9, {3, 1, 2}).enough == 1);
    CHECK(fewest_uplinks(deep, 1e-9, {3, 1, 2}).at_least == 1);
}

TEST_CASE("Several alike switches are sized together, other networks are refused") {
    Scenario whole = camera();
    whole.front_end.modules = 265;
    whole.network_switch.count = 6;
    Scenario fullest = camera();
    fullest.front_end.modules = 45;
    CHECK(needed_memory(whole, kEightKilohertz, 1e-9, 1).frames ==
          needed_memory(fullest, kEightKilohertz, 1e-9, 1).frames);
    whole.aggregation.emplace();  // each tier may lose half
    CHECK(needed_memory(whole, kEightKilohertz, 2e-9, 1).frames ==
          needed_memory(fullest, kEightKilohertz, 1e-9, 1).frames);
    whole.aggregation.reset();
    whole.network_switch.buffer.slices = 2;
    CHECK(needed_memory(whole, kEightKilohertz, 1e-1, 1).sampled);  // no bound knows slices
    whole.nodes.emplace_back().name = "core";
    CHECK_THROWS_WITH(needed_memory(whole, kEightKilohertz, 1e-9, 1), StartsWith("node.core: "));
}

TEST_CASE("No scenario is sized whose list names more uplinks than there are") {
    Scenario listed = camera();
    listed.network_switch.uplinks = 2;
    listed.network_switch.uplink_choice = {UplinkChoice::Rule::Static, {}, {}, {1, 2}};
    CHECK(needed_memory(listed, kEightKilohertz, 1e-9, 2).frames);
    CHECK_THROWS_WITH(needed_memory(listed, kEightKilohertz, 1e-9, 1), Contains("switch.uplink_list"));
}

TEST_CASE("Where only a bound tells, the memory that it names keeps to the wanted chance, in each tier") {
    // 40 modules send frames of 1400 and 300 B, 5 us apart, through two switches and a third to 12 Gb/s.
    Scenario s = camera();
    s.front_end.modules = 40;
    s.front_end.gap = Time{5'000'000};
    s.frame.fragments = FragmentList({Bytes{1400}, Bytes{300}});
    s.trigger.rate = Frequency{14'000'000'000};
    s.network_switch.count = 2;
    Switch& second = s.aggregation.emplace();
    second.uplink_rate = BitRate{12'000'000'000};
    using Tiers = CertainLoss::Tiers;
    constexpr double kLoss = 2e-2;
    ExactEngine engine;
    std::int64_t needed[2] = {0, 0};
    for (const Tiers tier : {Tiers::First, Tiers::Second}) {
        const NeededMemory memory = needed_memory(s, s.trigger.rate, kLoss, 1, tier);
        REQUIRE(memory.frames);
        CHECK(memory.tier == tier);
        CHECK(memory.at_least == 1);
        CHECK(memory.bytes.count == *memory.frames * 1446);
        needed[tier == Tiers::Second] = memory.bytes.count;
        CHECK(memory.no_chain);
    }
    s.network_switch.buffer.size = {needed[0], MemorySize::Unit::Byte};
    second.buffer.size = {needed[1], MemorySize::Unit::Byte};
    CHECK(loss_probability({count_incomplete(engine, s, 20'000, 1)}).lower <= kLoss);
    // So little that half of it loses far more, as a bound that were loose beyond use would not.
    s.network_switch.buffer.size.amount /= 4;
    second.buffer.size.amount /= 4;
    CHECK(loss_probability({count_incomplete(engine, s, 20'000, 1)}).lower > kLoss);
    // No memory helps behind links that are given too much.
    s.trigger.rate = Frequency{60'000'000'000};
    CHECK_FALSE(needed_memory(s, s.trigger.rate, kLoss, 1, Tiers::Second).frames);
    CHECK_FALSE(needed_memory(camera(), kEightKilohertz, 1e-9, 1).no_chain);
}

TEST_CASE("At a fixed rate the memory that is needed is one event's, to the frame, and none above capacity") {
    Scenario s = at_a_fixed_rate();
    const auto needed = [&](std::int64_t hertz, double loss, int uplinks = 1) {
        return needed_memory(s, Frequency{hertz * 1'000'000}, loss, uplinks);
    };
    const NeededMemory one = needed(20'000, 1e-9);
    CHECK(one.frames == 5);
    CHECK(one.at_least == 5);
    CHECK(one.bytes == Bytes{5 * 980});
    CHECK(one.load == Approx(0.8));
    CHECK(needed(20'000, 0).frames == 5);
    CHECK(needed(20'000, 1).frames == 1);
    CHECK(needed(24'999, 1e-9).frames == 5);
    const NeededMemory full = needed(25'000, 1e-9);
    CHECK_FALSE(full.frames);
    CHECK(full.load == Approx(1));
    CHECK(needed(25'000, 1e-9, 2).frames == 5);
    // A limit of four frames at a port loses one of each event, whatever the memory.
    s.network_switch.buffer.port_limit = MemorySize{4};
    CHECK_FALSE(needed(20'000, 1e-9).frames);
    s.network_switch.buffer.port_limit.reset();
    // One frame on an uplink of 10 Gb/s: 0.8 us of every 50 us. Its link of 1 Gb/s is full at 125 kHz.
    s.front_end.modules = 1;
    s.network_switch.uplink_rate = BitRate{10'000'000'000};
    CHECK(needed(20'000, 1e-9).load == Approx(0.016));
    CHECK_FALSE(needed(130'000, 1e-9).frames);
    CHECK_FALSE(needed(20'000, 1e-9).sampled);
}

namespace {

/// Whether the scenario loses a frame with a memory of this size.
bool loses(Scenario s, MemorySize size) {
    s.network_switch.buffer.size = size;
    s.trigger.events = 50 * s.builders.count;
    return ExactEngine().run(s).frames_lost() > 0;
}

}  // namespace

TEST_CASE("Groups and builders at a fixed rate need a memory to the byte, to the frame where frames are alike") {
    REQUIRE(rc::check([] {
        Scenario s = at_a_fixed_rate();
        s.trigger.rate = Frequency{*rc::gen::inRange(1, 10) * 1'000'000'000ll};
        s.network_switch.uplinks = s.builders.count = *rc::gen::inRange(1, 4);
        s.front_end.modules = 0;
        const bool alike = *rc::gen::arbitrary<bool>();
        for (const char* name : {"a", "b"}) {
            Group group{name, s.frame, s.front_end, Time{0}, std::nullopt, {}};
            if (!alike) group.frame.payload = Bytes{*rc::gen::inRange(100, 1400)};
            group.front_end.modules_before = s.front_end.modules;
            group.front_end.modules = *rc::gen::inRange(2, 7);
            group.front_end.link_rate = BitRate{*rc::gen::element(1, 10) * 1'000'000'000ll};
            s.front_end.modules += group.front_end.modules;
            s.groups.push_back(group);
        }
        const NeededMemory needed = needed_memory(s, s.trigger.rate, 0, s.network_switch.uplinks);
        if (!needed.frames) return;  // overloaded
        RC_ASSERT(!needed.sampled);
        RC_ASSERT(needed.at_least == *needed.frames);
        const MemorySize enough = alike ? MemorySize{*needed.frames, MemorySize::Unit::Frame}
                                        : MemorySize{needed.bytes.count, MemorySize::Unit::Byte};
        RC_ASSERT(!loses(s, enough));
        RC_ASSERT(loses(s, {enough.amount - 1, enough.unit}));
    }));
}

TEST_CASE(
    "Where something is drawn a memory is sampled: its estimate keeps to the wanted chance, and nothing is proven") {
    Scenario s = at_a_fixed_rate();
    s.front_end.jitter = Time{1'000'000};
    const NeededMemory needed = needed_memory(s, Frequency{20'000'000'000}, 1e-9, 1);
    // Five frames within 1 us on an uplink that takes 8 us for each.
    CHECK(needed.frames == 5);
    CHECK_FALSE(needed.sampled);  // proven; that four are too few is not
    CHECK(needed.at_least == 1);
    s.trigger.rate = Frequency{20'000'000'000};
    s.network_switch.buffer.size = {5};
    const FewestUplinks fewest = fewest_uplinks(s, 1e-9, {1, 2});
    CHECK(fewest.enough == 1);
    CHECK_FALSE(fewest.sampled);
    // Random triggers that no bound covers: a tenth of the events is lost with less memory than a hundredth.
    Scenario random = camera();
    random.front_end.jitter = Time{1};
    const NeededMemory often = needed_memory(random, kEightKilohertz, 1e-1, 1),
                       seldom = needed_memory(random, kEightKilohertz, 1e-2, 1);
    for (const NeededMemory& each : {often, seldom}) {
        REQUIRE(each.sampled);
        CHECK(each.sampled->estimate <= std::log(each.loss));
    }
    CHECK(often.frames < seldom.frames);
    // Without jitter the answer is certain, and the picosecond changes little.
    CHECK(std::abs(*seldom.frames - *needed_memory(camera(), kEightKilohertz, 1e-2, 1).frames) <= 3);
}

TEST_CASE("At a fixed rate the fewest uplinks are those that carry it and whose memory holds an event") {
    Scenario s = at_a_fixed_rate();
    s.trigger.rate = Frequency{25'000'000'000};
    const auto fewest = [&](std::int64_t room, double loss) {
        s.network_switch.buffer.size = {room};
        const FewestUplinks found = fewest_uplinks(s, loss, {3, 1, 2});
        CHECK(found.at_least == found.enough);
        return found.enough;
    };
    CHECK(fewest(5, 1e-9) == 2);
    CHECK_FALSE(fewest(4, 1e-9));
    CHECK(fewest(4, 1) == 2);
    s.trigger.rate = Frequency{24'000'000'000};
    CHECK(fewest(5, 1e-9) == 1);
}

TEST_CASE("Of several uplinks those are open whose bounds hold the wanted chance between them") {
    // Memories by input near saturation: with one uplink the bounds are far apart.
    Scenario s = camera();
    s.network_switch.buffer.sharing = Buffer::Sharing::PerInput;
    s.trigger.rate = Frequency{20'000'000'000};
    s.network_switch.buffer.size = {5};
    const Enclosure one = log_loss(s, 5, 1);
    REQUIRE(one.lower < one.upper);
    const FewestUplinks open = fewest_uplinks(s, std::exp((one.lower + one.upper) / 2), {1, 6});
    CHECK(open.at_least == 1);
    CHECK(open.enough == 6);
    const FewestUplinks below = fewest_uplinks(s, std::exp(one.lower - 1), {1, 6});
    CHECK(below.at_least == 6);
    CHECK(fewest_uplinks(s, std::exp(one.upper + 1e-6), {1, 6}).enough == 1);
}
