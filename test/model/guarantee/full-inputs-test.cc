// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/full-inputs.h"

#include <rapidcheck.h>

#include "test/catch.h"
#include "test/model/guarantee/small-camera.h"

using namespace watershed;

namespace {

MemorySize frames(std::int64_t amount) { return {amount, MemorySize::Unit::Frame}; }

/// Returns a random memory whose thresholds count the frames of inputs.
Buffer random_memory() {
    const auto draw = [](int from, int to) { return *rc::gen::inRange(from, to + 1); };
    Buffer buffer;
    buffer.accounting = *rc::gen::element(Buffer::Accounting::Ingress, Buffer::Accounting::Both);
    buffer.size = frames(draw(2, 30));
    buffer.sharing = Sharing::named(
        *rc::gen::element("dynamic-threshold", "nested-threshold", "abm", "stepped-threshold", "shared"));
    if (buffer.sharing->has_port_alpha) buffer.port_alpha = Ratio{draw(1, 6), 1};
    if (buffer.sharing->has_steps) {
        buffer.step_free = {frames(1), frames(3), frames(6)};
        buffer.step_limits = {frames(draw(0, 2)), frames(draw(2, 4)), frames(draw(4, 8))};
    }
    if (buffer.sharing == Sharing::DynamicThreshold) buffer.threshold_whole = draw(0, 1) == 1;
    buffer.alpha = Ratio{draw(1, 6), draw(1, 4)};
    buffer.slices = draw(1, 2);
    if (draw(0, 1) == 0) buffer.reserved = frames(draw(1, 2));
    if (draw(0, 3) == 0) buffer.port_limit = frames(draw(1, 5));
    if (draw(0, 4) == 0) buffer.wred_from = buffer.wred_to = frames(draw(1, 5));
    if (buffer.accounting == Buffer::Accounting::Both && draw(0, 1) == 0) {
        buffer.egress_size = frames(draw(4, 30));
        if (draw(0, 1) == 0) buffer.egress_alpha = Ratio{draw(1, 4), 1};
        if (draw(0, 1) == 0) buffer.egress_reserved = frames(draw(1, 2));
    }
    return buffer;
}

/// Returns the frames that a train loses in some orders of frames of one instant.
std::int64_t lost_in_orders(Scenario scenario, const std::vector<Time>& train, unsigned orders) {
    std::int64_t lost = 0;
    for (const ArrivalOrder order : {ArrivalOrder::Module, ArrivalOrder::Rotating, ArrivalOrder::Random})
        for (scenario.seed = 1; lost == 0 && scenario.seed <= (order == ArrivalOrder::Random ? orders : 1U);
             ++scenario.seed) {
            scenario.network_switch.arrival_order = order;
            lost += ExactEngine().run(with_triggers(scenario, train)).frames_lost();
        }
    return lost;
}

/// Distances of triggers with which uplinks send all that comes.
std::vector<TriggerSpacing> random_spacings(int modules, std::int64_t slot) {
    const int burst = *rc::gen::inRange(1, 5);
    return {{1, ns(100 * *rc::gen::inRange(0, 20))},
            {burst, ns(modules * slot * burst + 100 * *rc::gen::inRange(0, 20))}};
}

}  // namespace

TEST_CASE("A dynamic threshold of inputs takes the last frame of b where b - 1 stay below alpha times the rest") {
    // 3 triggers bring 4 modules' frames at once, each of 1 us on the uplink, 1 us apart: 12 - 2 wait, and 3 of the
    // last module. With alpha = 1/2 its last finds 2 < (S - 9) / 2.
    Scenario scenario = small(4, 1, 1000, Time{0});
    const AdmittedTriggers admitted{{}, {{3, ns(12'000)}}};
    Buffer& buffer = scenario.network_switch.buffer;
    buffer.sharing = Sharing::DynamicThreshold;
    buffer.alpha = Ratio{1, 2};
    buffer.accounting = Buffer::Accounting::Ingress;
    buffer.size = frames(14);
    const auto guarantee = Guarantee::of(scenario, admitted);
    REQUIRE(guarantee);
    CHECK(guarantee->frames() == 10);
    CHECK(guarantee->switches[0].queues[0].by_input == 3);
    CHECK(guarantee->exact);
    CHECK(guarantee->switches[0].needed() == frames(14));
    CHECK(guarantee->fits());
    SECTION("the queue of the uplink would need 9 < (S - 9) / 2") {
        buffer.accounting = Buffer::Accounting::Egress;
        CHECK(Guarantee::of(scenario, admitted)->switches[0].needed() == frames(28));
    }
    SECTION("two frames reserved for each input: 8 for 4 inputs, and of the rest 2 frames lie beside them") {
        buffer.reserved = frames(2);  // the last finds 0 < (S - 1) / 2
        CHECK(Guarantee::of(scenario, admitted)->switches[0].needed() == frames(2));
    }
    SECTION("two slices: of 2 modules each, whose 6 frames wait for one, if those of the others leave first") {
        buffer.slices = 2;  // 2 < (S / 2 - 5) / 2
        CHECK(Guarantee::of(scenario, admitted)->switches[0].needed() == frames(20));
    }
    SECTION("the outputs decide as well: their pool of 10 is just enough, and one of 9 is in the way") {
        buffer.accounting = Buffer::Accounting::Both;
        buffer.egress_size = frames(10);
        CHECK(Guarantee::of(scenario, admitted)->fits());
        buffer.egress_size = frames(9);
        CHECK_FALSE(Guarantee::of(scenario, admitted)->fits());
        CHECK_FALSE(Guarantee::of(scenario, admitted)->switches[0].needed());
    }
}

TEST_CASE("Thresholds of inputs that fit lose nothing of modules in step; those that do not lose in some order") {
    int fits = 0, lossy = 0, both = 0, sliced = 0, several = 0;
    CHECK(rc::check("in random trains and in the witness", [&] {
        const int uplinks = *rc::gen::inRange(1, 3), modules = uplinks * *rc::gen::inRange(1, 4);
        const std::int64_t slot = *rc::gen::element<std::int64_t>(100, 200, 250, 400, 500, 800, 1000, 1250);
        Scenario scenario = small(modules, uplinks, slot, Time{0}, ns(500 * *rc::gen::inRange(0, 4)));
        scenario.frame.fragments = *rc::gen::inRange(1, 3);
        int fullest = modules / uplinks;
        if (*rc::gen::inRange(0, 2) == 0) {  // neighbours of a slice send to one uplink or to several
            UplinkChoice& choice = scenario.network_switch.uplink_choice;
            choice.rule = UplinkChoice::Rule::Static;
            for (int i = 0; i < modules; ++i) choice.list.push_back(*rc::gen::inRange(1, uplinks + 1));
            fullest = modules;
        }
        const std::vector<TriggerSpacing> spacings = random_spacings(fullest * scenario.frame.fragments.number, slot);
        scenario.network_switch.buffer = random_memory();
        if (*rc::gen::inRange(0, 2) == 0) {  // at the least size that fits, or just below
            const auto ample = Guarantee::of(scenario, {{}, spacings});
            MemorySize& size = scenario.network_switch.buffer.size;
            size = ample->switches[0].needed().value_or(size);
            if (size.amount > 1) size.amount -= *rc::gen::inRange(0, 2);
        }
        const auto guarantee = Guarantee::of(scenario, {{}, spacings});
        RC_ASSERT(guarantee);
        RC_ASSERT(guarantee->bounded);
        RC_ASSERT(guarantee->exact);
        both += scenario.network_switch.buffer.accounting == Buffer::Accounting::Both;
        several += guarantee->switches[0].queues[0].by_input > 1;
        if (!guarantee->fits()) {
            ++lossy;
            sliced += scenario.network_switch.buffer.slices > 1;
            RC_ASSERT(lost_in_orders(scenario, guarantee->witness, 2000) > 0);
            return;
        }
        ++fits;
        RC_ASSERT(lost_in_orders(scenario, guarantee->witness, 20) == 0);
        std::mt19937_64 random(*rc::gen::inRange(0, 1'000'000));
        for (int i = 0; i < 20; ++i)
            RC_ASSERT(lost_in_orders(scenario, admitted_train(spacings, 8, drawing(random)), 4) == 0);
    }));
    INFO(fits << " fit, " << lossy << " lose, " << both << " both, " << sliced << " sliced, " << several << " deep");
    CHECK(fits > 20);
    CHECK(lossy > 10);
    CHECK(both > 20);
    CHECK(sliced > 4);
    CHECK(several > 20);
}

TEST_CASE("Whatever modules' frames of the oldest trigger have left, those that stay may be of one slice") {
    // Inputs 1 and 2 are of the first slice, 3 and 4 of the second; 1 has an uplink of its own. 2 triggers bring the
    // other 6 frames of 1 us, 1 us apart: 5 wait, 2 of two modules and 1 of the third. If the two are 3 and 4, the
    // last one among 4 frames in the second slice finds 1 < 1 / 2 (S / 2 - 3).
    Scenario scenario = small(4, 2, 1000, Time{0});
    scenario.network_switch.uplink_choice.rule = UplinkChoice::Rule::Static;
    scenario.network_switch.uplink_choice.list = {1, 2, 2, 2};
    Buffer& buffer = scenario.network_switch.buffer;
    buffer.sharing = Sharing::DynamicThreshold;
    buffer.alpha = Ratio{1, 2};
    buffer.accounting = Buffer::Accounting::Ingress;
    buffer.slices = 2;
    const AdmittedTriggers admitted{{}, {{2, ns(6000)}}};
    const auto guarantee = Guarantee::of(scenario, admitted);
    REQUIRE(guarantee);
    CHECK(guarantee->switches[0].queues[1].frames == 5);
    CHECK(guarantee->switches[0].needed() == frames(12));
    buffer.size = frames(12);
    CHECK(lost_in_orders(scenario, guarantee->witness, 500) == 0);
    buffer.size = frames(11);
    CHECK(lost_in_orders(scenario, guarantee->witness, 500) > 0);
}

TEST_CASE("A limit of each input counts all frames of a module that is late, though the others have few then") {
    // A module of this draw has 9 frames in memory at once, while all four never have more than 28.
    Scenario scenario = small(4, 1, 550, Time{0}, ns(2000));
    scenario.front_end.jitter = ns(700);
    scenario.front_end.skew_spread = ns(4111);
    scenario.network_switch.arrival_order = ArrivalOrder::Random;
    scenario.seed = 293771;
    Buffer& buffer = scenario.network_switch.buffer;
    buffer.size = frames(1000);
    buffer.accounting = Buffer::Accounting::Ingress;
    buffer.port_limit = frames(8);
    AdmittedTriggers admitted;
    for (const int time : {0, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5900, 8300})
        admitted.train.push_back(ns(time));
    CHECK(ExactEngine().run(with_triggers(scenario, admitted.train)).frames_lost() == 1);
    const auto guarantee = Guarantee::of(scenario, admitted);
    REQUIRE(guarantee);
    CHECK(guarantee->frames() <= 32);
    CHECK_FALSE(guarantee->fits());
    buffer.port_limit = frames(guarantee->switches[0].queues[0].by_input);
    CHECK(Guarantee::of(scenario, admitted)->fits());
    --buffer.port_limit->amount;
    CHECK_FALSE(Guarantee::of(scenario, admitted)->fits());
}

TEST_CASE("Thresholds of inputs lose nothing of modules out of step where the bound says so, and some lose with less") {
    int found = 0, tight = 0;
    CHECK(rc::check("in random trains, skews, jitters and clocks", [&] {
        const int modules = *rc::gen::inRange(1, 5);
        const std::int64_t slot = 100 * *rc::gen::inRange(1, 9);
        Scenario scenario = small(modules, 1, slot, Time{0}, ns(500 * *rc::gen::inRange(0, 3)));
        scenario.front_end.jitter = ns(100 * *rc::gen::inRange(0, 30));
        scenario.front_end.skew = {ns(0), ns(100 * *rc::gen::inRange(0, 30))};
        if (*rc::gen::inRange(0, 3) == 0) scenario.front_end.clock = {{0}, {*rc::gen::inRange(-9, 9) * 1'000'000}};
        scenario.frame.fragments = *rc::gen::inRange(1, 3);
        const std::vector<TriggerSpacing> spacings = random_spacings(modules * scenario.frame.fragments.number, slot);
        scenario.network_switch.buffer = random_memory();
        UnsupportedKey why;
        const auto guarantee = Guarantee::of(scenario, {{}, spacings}, &why);
        if (!guarantee || !guarantee->bounded || !guarantee->switches[0].needed()) return;
        ++found;
        MemorySize& size = scenario.network_switch.buffer.size;
        size = *guarantee->switches[0].needed();
        RC_ASSERT(Guarantee::of(scenario, {{}, spacings})->fits());
        std::mt19937_64 random(*rc::gen::inRange(0, 1'000'000));
        bool loses = false;
        for (int i = 0; i < 20; ++i) {
            const std::vector<Time> train = i == 0 ? guarantee->witness : admitted_train(spacings, 10, drawing(random));
            RC_ASSERT(lost_in_orders(scenario, train, 4) == 0);
            Scenario less = scenario;
            if (--less.network_switch.buffer.size.amount > 0) loses = loses || lost_in_orders(less, train, 4) > 0;
        }
        tight += loses;
    }));
    INFO(tight << " of " << found);
    CHECK(found > 30);
    CHECK(8 * tight > found);
}

TEST_CASE("Thresholds of inputs beside what gives no count of inputs are refused by their key") {
    Scenario scenario = small(4, 2, 100, ns(4000));
    Buffer& buffer = scenario.network_switch.buffer;
    buffer.sharing = Sharing::DynamicThreshold;
    buffer.accounting = Buffer::Accounting::Ingress;
    const auto refused = [&](const auto& change) {
        Scenario changed = scenario;
        change(changed);
        UnsupportedKey why;
        return Guarantee::of(changed, &why) ? "" : why.key;
    };
    const std::string key = "switch.buffer.accounting";
    CHECK(refused([](Scenario&) {}).empty());
    CHECK(refused([](Scenario& s) { s.network_switch.uplink_choice.rule = UplinkChoice::Rule::RoundRobin; }) ==
          "switch.uplink_selection");
    CHECK(refused([](Scenario& s) { s.traffic = {stream("other", 10'000)}; }) == key);
    CHECK(refused([](Scenario& s) { s.frame.fragments = FragmentList({Bytes{59}, Bytes{99}}); }) == key);
    CHECK(refused([](Scenario& s) { s.network_switch.buffer.accounting = Buffer::Accounting::Mixed; }) == key);
    CHECK(refused([](Scenario& s) {
              s.network_switch.count = 2;
              s.aggregation = s.network_switch;
              s.aggregation->count = s.aggregation->uplinks = 1;
          }) == "aggregation.buffer.accounting");
}
