// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/switch-guarantee.h"

#include <algorithm>
#include <random>

#include "model/exact/exact-engine.h"
#include "model/guarantee/witness.h"
#include "test/catch.h"
#include "test/model/guarantee/small-camera.h"

using namespace watershed;

namespace {

/// Calls `look` with every train of so many triggers on a grid that keeps the distances, the first at 0.
template <class Look>
void each_train(std::size_t number, Time grid, int widest, const std::vector<TriggerSpacing>& spacings,
                std::vector<Time>& train, const Look& look) {
    look(train);
    if (train.size() == number) return;
    for (int gap = 0; gap <= widest; ++gap) {
        const Time time = train.back() + grid * gap;
        if (time < earliest_after(train, spacings)) continue;
        train.push_back(time);
        each_train(number, grid, widest, spacings, train, look);
        train.pop_back();
    }
}

std::string refused_key(const Scenario& scenario) {
    UnsupportedKey why;
    return Guarantee::of(scenario, &why) ? "" : why.key;
}

}  // namespace

TEST_CASE("Bursts on top of triggers without end keep the dead time alone, not the period of the triggers") {
    Scenario scenario = small(10, 1, 200, ns(1000));
    scenario.trigger.pattern = Trigger::Pattern::Periodic;
    scenario.trigger.rate = Frequency{100'000'000'000};  // 10 us apart
    scenario.trigger.events.reset();
    CHECK(Guarantee::of(scenario)->switches[0].queues[0].frames == 10);
    scenario.trigger.burst = {4, ns(1000), Frequency{0}, ns(1'000'000)};  // events of 2 us of work, 1 us apart
    CHECK_FALSE(Guarantee::of(scenario)->bounded);
}

TEST_CASE("A queue holds what one trigger brings, where the next comes when all of it has left") {
    // 10 frames of 200 ns last 2 us on the uplink.
    const auto guarantee = Guarantee::of(small(10, 1, 200, ns(2000)));
    REQUIRE(guarantee);
    CHECK(guarantee->bounded);
    const QueueGuarantee& queue = guarantee->switches[0].queues[0];
    CHECK(queue.frames == 10);
    CHECK(queue.by_input == 1);
    CHECK(queue.load == 1);
    CHECK(queue.delay_s == Approx(2e-6));
    CHECK(guarantee->switches[0].needed() == MemorySize{10, MemorySize::Unit::Frame});
    CHECK(guarantee->witness.size() == 1);
    SECTION("with a latency of 1 us a trigger finds the last 5 frames of the one before") {
        const auto late = Guarantee::of(small(10, 1, 200, ns(2000), ns(1000)));
        CHECK(late->switches[0].queues[0].frames == 15);
        CHECK(late->switches[0].queues[0].delay_s == Approx(3e-6));
        CHECK(late->witness == std::vector<Time>{Time{0}, ns(2000)});
    }
    SECTION("a picosecond less, and there is no bound") {
        const auto none = Guarantee::of(small(10, 1, 200, ns(2000) - Time{1}));
        CHECK_FALSE(none->bounded);
        CHECK_FALSE(none->fits());
        CHECK(none->least_distance == ns(2000));
    }
    SECTION("module links of 1 us set the pace where triggers may come faster") {
        CHECK(Guarantee::of(small(5, 1, 200, ns(1)))->switches[0].queues[0].frames == 5);
        CHECK_FALSE(Guarantee::of(small(6, 1, 200, ns(1)))->bounded);
    }
}

TEST_CASE("Three triggers at once in any 10 us: the last finds what is left of two") {
    // Links bring them 1 us apart: 4 frames of 500 ns each; at the third 12 came and 4 left.
    const Scenario scenario = small(4, 1, 500, Time{0});
    const auto guarantee = Guarantee::of(scenario, {{}, {{3, ns(10'000)}}});
    REQUIRE(guarantee->bounded);
    CHECK(guarantee->switches[0].frames == 8);
    CHECK(guarantee->switches[0].queues[0].by_input == 2);  // the first trigger's last frame leaves as the third comes
    CHECK(guarantee->switches[0].queues[0].delay_s == Approx(4e-6));
    CHECK(guarantee->switches[0].queues[0].load == Approx(0.6));
    CHECK(guarantee->witness == std::vector<Time>{Time{0}, ns(1000), ns(2000)});
}

TEST_CASE("A rule of counts is such a distance, and a token bucket many of them") {
    Scenario scenario = small(4, 1, 1000, Time{0});
    scenario.trigger.rules = {{TriggerRule::Kind::Count, 3, ns(12'000)}};
    const auto by_rule = Guarantee::of(scenario), by_distance = Guarantee::of(scenario, {{}, {{3, ns(12'000)}}});
    REQUIRE(by_rule);
    CHECK(by_rule->frames() == by_distance->frames());
    CHECK(by_rule->witness == by_distance->witness);
    // Four frames of 1 us last as long as a token takes. Of 3 triggers at once, which the links bring 1 us apart, 12 -
    // 2 frames wait; 4 us after the first the token brings the fourth, and 16 - 4 wait from then on.
    scenario.trigger.rules = {{TriggerRule::Kind::Bucket, 3, ns(4000)}};
    const auto by_bucket = Guarantee::of(scenario);
    REQUIRE(by_bucket);
    CHECK(by_bucket->bounded);
    CHECK(by_bucket->exact);
    CHECK(by_bucket->frames() == 12);
    CHECK(by_bucket->switches[0].queues[0].load == 1);
    CHECK(ample_run(scenario, by_bucket->witness).peak_frames == 12);
    // Two triggers at once, a third after 4 us and a fourth after 8 us: with a latency of 5 us the third finds 8
    // frames, and the fourth, the first that comes later, 12 - 3.
    scenario.network_switch.latency = ns(5000);
    scenario.trigger.rules = {{TriggerRule::Kind::Bucket, 2, ns(4000)}};
    const auto late = Guarantee::of(scenario);
    CHECK(late->frames() == 13);
    CHECK(ample_run(scenario, late->witness).peak_frames == 13);
    scenario.trigger.rules = {{TriggerRule::Kind::Bucket, 3, ns(4000) - Time{1}}};
    CHECK_FALSE(Guarantee::of(scenario)->bounded);
    scenario.trigger.rules = {{TriggerRule::Kind::AlmostFull, 1, ns(4000), {4, MemorySize::Unit::Frame}}};
    CHECK(refused_key(scenario) == "trigger.rules");
}

TEST_CASE("Queues of unlike length are fullest at once: the witness runs the earliest train backwards") {
    // Two triggers at once in any 4 us, four in any 20 us. Arrivals 0, 1, 4, 5 us; 3 frames of 1 us on uplink 1 hold 6
    // - 1 = 5 after two and 12 - 5 = 7 after four; 2 on uplink 2 hold 4 - 1 = 3 after two, 8 - 5 = 3 after four.
    // Forwards uplink 1 holds 7 at 5 us; backwards 0, 1, 4, 5 us is the same here, and both are full.
    const Scenario scenario = small(5, 2, 1000, Time{0});
    const AdmittedTriggers admitted{{}, {{2, ns(4000)}, {4, ns(20'000)}}};
    const auto guarantee = Guarantee::of(scenario, admitted);
    REQUIRE(guarantee->bounded);
    CHECK(guarantee->switches[0].queues[0].frames == 7);
    CHECK(guarantee->switches[0].queues[1].frames == 3);
    CHECK(guarantee->switches[0].frames == 10);
    CHECK(ample_run(scenario, guarantee->witness).peak_frames == 10);
}

TEST_CASE("No admitted train on a grid exceeds the bound, and the witness reaches it") {
    std::mt19937_64 random(1);
    const auto draw = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
    int unlike = 0, built_up = 0, trains = 0, several = 0;
    for (int i = 0; i < 90; ++i) {
        const int modules = draw(1, 5), uplinks = draw(1, 2);
        Scenario scenario = small(modules, uplinks, 100 * draw(1, 12), Time{0}, ns(250 * draw(0, 6)));
        if (draw(0, 2) == 0) scenario.frame.fragments = draw(2, 3);
        std::vector<TriggerSpacing> spacings;
        if (draw(0, 2) > 0) spacings.push_back({1, ns(500 * draw(1, 6))});
        if (draw(0, 2) > 0) spacings.push_back({2, ns(500 * draw(4, 12))});
        if (draw(0, 2) > 0) spacings.push_back({3, ns(500 * draw(6, 24))});
        if (draw(0, 1) > 0) spacings.push_back({draw(1, 4), ns(500 * draw(1, 8)), true});
        const auto guarantee = Guarantee::of(scenario, {{}, spacings});
        REQUIRE(guarantee);
        if (!guarantee->bounded) continue;
        CAPTURE(i, modules, uplinks);
        const SwitchGuarantee& bound = guarantee->switches[0];
        unlike += uplinks == 2 && modules % 2 == 1;
        several += scenario.frame.fragments.number > 1;
        built_up += bound.frames > modules;
        // The witness is an admitted train itself.
        for (std::size_t k = 0; k < guarantee->witness.size(); ++k) {
            const std::vector<Time> before(guarantee->witness.begin(),
                                           guarantee->witness.begin() + static_cast<std::ptrdiff_t>(k));
            CHECK(guarantee->witness[k] >= earliest_after(before, spacings));
        }
        CHECK(ample_run(scenario, guarantee->witness).peak_frames == bound.frames);
        std::int64_t most = 0;
        std::vector<Time> train{Time{0}};
        each_train(5, ns(500), 6, spacings, train, [&](const std::vector<Time>& each) {
            most = std::max(most, ample_run(scenario, each).peak_frames);
            ++trains;
        });
        CHECK(most <= bound.frames);
        if (guarantee->witness.size() <= 2) CHECK(most == bound.frames);
    }
    CHECK(unlike >= 5);
    CHECK(built_up >= 10);
    CHECK(several >= 10);
    CHECK(trains > 10'000);
}

TEST_CASE("Random admitted trains never exceed the bound") {
    std::mt19937_64 random(2);
    const auto draw = drawing(random);
    int close = 0;
    for (int i = 0; i < 200; ++i) {
        const Scenario scenario = small(static_cast<int>(draw(1, 12)), static_cast<int>(draw(1, 3)), draw(50, 600),
                                        Time{0}, Time{draw(0, i % 2 ? 20'000'000 : 3'000'000)});
        const std::vector<TriggerSpacing> spacings =
            i % 2 ? std::vector<TriggerSpacing>{{draw(1, 4), Time{draw(500'000, 8'000'000)}, true}}
                  : std::vector<TriggerSpacing>{{1, Time{draw(0, 4'000'000)}}, {4, Time{draw(0, 30'000'000)}}};
        const auto guarantee = Guarantee::of(scenario, {{}, spacings});
        if (!guarantee->bounded) continue;
        const std::int64_t bound = guarantee->switches[0].frames;
        std::int64_t most = 0;
        for (int train = 0; train < 50; ++train) {
            std::vector<Time> times;
            for (std::size_t k = 0; k < 20; ++k) {
                const Time idle{draw(0, 3) == 0 ? draw(0, 8'000'000) : 0};
                times.push_back(std::max(earliest_after(times, spacings), (k > 0 ? times.back() : Time{0}) + idle));
            }
            most = std::max(most, ample_run(scenario, times).peak_frames);
        }
        CAPTURE(i);
        REQUIRE(most <= bound);
        close += most == bound;
    }
    CHECK(close > 50);
}

TEST_CASE(
    "A memory that fits loses nothing in any admitted train and order of ties; one that does not is lost by one") {
    std::mt19937_64 random(3);
    const auto draw = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
    const auto frames = [](std::int64_t amount) { return MemorySize{amount, MemorySize::Unit::Frame}; };
    int fits = 0, lossy = 0, hopeless = 0;
    for (int i = 0; i < 400; ++i) {
        const int modules = draw(1, 4), uplinks = draw(1, 2);
        Scenario scenario = small(modules, uplinks, 100 * draw(1, 8), Time{0}, ns(500 * draw(0, 3)));
        const std::vector<TriggerSpacing> spacings{{1, ns(500 * draw(1, 6))}, {3, ns(500 * draw(6, 16))}};
        Buffer& buffer = scenario.network_switch.buffer;
        const int sharing = draw(0, 6);
        switch (sharing) {
            case 0: break;
            case 1: buffer.sharing = Sharing::PerInput; break;
            case 2: buffer.sharing = Sharing::PerOutput; break;
            case 3:
                buffer.sharing = Sharing::named("nested-threshold");
                buffer.port_alpha = Ratio{draw(1, 4), 1};
                break;
            case 4: buffer.sharing = Sharing::named("abm"); break;
            case 5:
                buffer.sharing = Sharing::named("stepped-threshold");
                buffer.step_free = {frames(1), frames(3), frames(6)};
                buffer.step_limits = {frames(draw(0, 2)), frames(draw(3, 8)), frames(draw(9, 20))};
                break;
            default:
                buffer.sharing = Sharing::DynamicThreshold;
                buffer.threshold_whole = draw(0, 1) == 1;
                if (draw(0, 1) == 1) buffer.threshold_mantissa = 2;
        }
        buffer.alpha = Ratio{draw(1, 4), draw(1, 2)};
        if (sharing > 2 || draw(0, 2) > 0) {
            buffer.slices = uplinks == 2 && sharing != 1 ? draw(1, 2) : 1;
            if (buffer.sharing->pools == SharingPolicy::Pools::One && draw(0, 2) == 0)
                buffer.reserved = frames(draw(1, 3));
            if (sharing != 1 && draw(0, 3) == 0) buffer.port_limit = frames(draw(2, 12));
            if (draw(0, 4) == 0) buffer.wred_from = buffer.wred_to = frames(draw(2, 12));
        }
        const auto ample = Guarantee::of(scenario, {{}, spacings});
        REQUIRE(ample);
        if (!ample->bounded) continue;
        const auto needed = ample->switches[0].needed();
        const bool less = !needed || draw(0, 1) == 1;
        hopeless += !needed;
        if (less && needed && needed->amount == 1) continue;
        buffer.size.amount = needed ? needed->amount - (less ? 1 : 0) : 1000;
        const auto guarantee = Guarantee::of(scenario, {{}, spacings});
        CAPTURE(i, modules, uplinks, buffer.sharing->name, buffer.size.amount, buffer.slices, buffer.reserved.amount,
                buffer.wred_to.amount, buffer.port_limit.has_value());
        CHECK(guarantee->fits() == !less);
        std::int64_t lost = 0;
        const auto look = [&](const std::vector<Time>& train) {
            Scenario run = scenario;
            for (const ArrivalOrder order : {ArrivalOrder::Module, ArrivalOrder::Rotating, ArrivalOrder::Random})
                for (run.seed = 1; run.seed <= (order == ArrivalOrder::Random ? 5U : 1U); ++run.seed) {
                    run.network_switch.arrival_order = order;
                    lost += ExactEngine().run(with_triggers(run, train)).frames_lost();
                }
        };
        std::vector<Time> train{Time{0}};
        if (guarantee->fits()) {
            each_train(4, ns(500), 5, spacings, train, look);
            look(guarantee->witness);
            CHECK(lost == 0);
            ++fits;
        } else {
            look(guarantee->witness);
            CHECK(lost > 0);
            ++lossy;
        }
    }
    CHECK(fits > 60);
    CHECK(lossy > 60);
    CHECK(hopeless > 5);
}

TEST_CASE("A jitter of 3 us lets as many frames of a module come at once as its link brings") {
    // Triggers 2 us apart, each late by at most 3 us: 0, 1 and 2 us after the first frame two more may come, from then
    // on one each 2 us. 5 frames of 400 ns last 2 us on the uplink: 10 - 2 at 1 us, 15 - 5 at 2 us, and so on for ever.
    Scenario scenario = small(5, 1, 400, ns(2000));
    scenario.front_end.jitter = ns(3000);
    const auto guarantee = Guarantee::of(scenario);
    REQUIRE(guarantee->bounded);
    CHECK_FALSE(guarantee->exact);
    CHECK(guarantee->switches[0].queues[0].frames == 13);  // 20 - 7 at 3 us
    CHECK(guarantee->switches[0].queues[0].delay_s == Approx(5e-6));
    scenario.front_end.jitter = Time{0};
    scenario.front_end.skew = {ns(0), ns(700)};
    CHECK(Guarantee::of(scenario)->switches[0].queues[0].frames == 5);
}

TEST_CASE("Modules out of step never exceed their bound, and lose nothing where it says so") {
    std::mt19937_64 random(4);
    const auto draw = drawing(random);
    int reached = 0, trains = 0, fitting = 0, tight_inputs = 0, endless = 0;
    for (int i = 0; i < 600; ++i) {
        Scenario scenario = small(static_cast<int>(draw(1, 6)), static_cast<int>(draw(1, 2)), 50 * draw(1, 12), Time{0},
                                  ns(100 * draw(0, 30)));
        FrontEnd& front_end = scenario.front_end;
        if (draw(0, 2) > 0) front_end.jitter = ns(100 * draw(0, 40));
        if (draw(0, 1) == 0) front_end.skew = {ns(100 * draw(0, 40)), ns(0)};
        if (draw(0, 3) == 0) front_end.skew_spread = ns(draw(0, 5000));
        if (draw(0, 3) == 0) front_end.clock = {{draw(-50'000'000, 50'000'000)}, {0}};
        if (draw(0, 3) == 0) front_end.clock_spread = {draw(0, 1'000'000)};
        if (draw(0, 3) == 0) scenario.frame.fragments = static_cast<int>(draw(2, 3));
        const bool one_train = draw(0, 2) == 0;
        std::vector<TriggerSpacing> spacings{{1, ns(100 * draw(0, 30))}};
        if (draw(0, 1) == 0) spacings.push_back({3, ns(100 * draw(0, 100))});
        if (draw(0, 3) == 0) spacings.push_back({draw(1, 4), ns(100 * draw(5, 60)), true});
        const auto random_train = [&] { return admitted_train(spacings, 12, draw); };
        AdmittedTriggers admitted{{}, spacings};
        if (one_train) admitted = {random_train(), {}};
        UnsupportedKey why;
        const auto guarantee = Guarantee::of(scenario, admitted, &why);
        INFO(why.text());
        if (!guarantee) {  // links hardly faster than the triggers that a jitter has held up
            REQUIRE(why.key == "trigger");
            ++endless;
            continue;
        }
        if (!guarantee->bounded) continue;
        trains += one_train;
        const std::int64_t bound = guarantee->switches[0].frames;
        if (draw(0, 1) == 0) scenario.network_switch.buffer.sharing = Sharing::PerInput;
        auto own = Guarantee::of(scenario, admitted, &why);
        if (!own) {  // found kind by kind, without memories by input
            CHECK(why.key == "trigger");
            scenario.network_switch.buffer.sharing = Sharing::Shared;
            own = guarantee;
        }
        scenario.network_switch.buffer.size = *own->switches[0].needed();
        REQUIRE(Guarantee::of(scenario, admitted)->fits());
        fitting += scenario.network_switch.buffer.sharing == Sharing::PerInput;
        std::int64_t most = 0;
        bool loses_with_less = false;
        for (int trial = 0; trial < 30; ++trial) {
            const std::vector<Time> train = one_train    ? admitted.train
                                            : trial == 0 ? guarantee->witness
                                                         : random_train();
            scenario.seed = static_cast<std::uint64_t>(draw(1, 1'000'000));
            scenario.network_switch.arrival_order = static_cast<ArrivalOrder>(draw(0, 2));
            most = std::max(most, ample_run(scenario, train).peak_frames);
            CAPTURE(i, trial);
            REQUIRE(ExactEngine().run(with_triggers(scenario, train)).frames_lost() == 0);
            if (scenario.network_switch.buffer.size.amount == 1) continue;
            Scenario less = scenario;
            --less.network_switch.buffer.size.amount;
            loses_with_less |= ExactEngine().run(with_triggers(less, train)).frames_lost() > 0;
        }
        REQUIRE(most <= bound);
        reached += most == bound;
        tight_inputs += loses_with_less && scenario.network_switch.buffer.sharing == Sharing::PerInput;
    }
    CHECK(reached > 50);
    CHECK(trains > 50);
    CHECK(fitting > 50);
    CHECK(tight_inputs > 10);
    CHECK(endless < 30);
}

TEST_CASE("A late module's last frames meet the beginning of a busy time that an early module made") {
    // Skews of up to 4.1 us: a module of this draw has 9 frames in memory at once, although 12 triggers of one module
    // alone come within 8.3 us and a jitter.
    Scenario scenario = small(4, 1, 550, Time{0}, ns(2000));
    scenario.front_end.jitter = ns(700);
    scenario.front_end.skew_spread = ns(4111);
    scenario.network_switch.arrival_order = ArrivalOrder::Random;
    scenario.network_switch.buffer.sharing = Sharing::PerInput;
    scenario.seed = 293771;
    AdmittedTriggers admitted;
    for (const int time : {0, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5900, 8300})
        admitted.train.push_back(ns(time));
    const auto lost_with = [&](std::int64_t room) {
        scenario.network_switch.buffer.size = {room, MemorySize::Unit::Frame};
        return ExactEngine().run(with_triggers(scenario, admitted.train)).frames_lost();
    };
    CHECK(lost_with(8) == 1);
    CHECK(lost_with(9) == 0);
    CHECK(Guarantee::of(scenario, admitted)->switches[0].queues[0].by_input >= 9);
}

TEST_CASE("A train of its own is bounded as a run of it shows, and by the memory that it needs") {
    // The depth by the watershed of Hoffmann et al.: 9058 triggers at wire speed fit into 7000 frames for each input.
    Scenario scenario = camera(7000, Sharing::PerInput);
    scenario.trigger = Trigger{};
    scenario.trigger.events = 9058;
    scenario.trigger.separation = ns(8720);
    scenario.network_switch.uplink_rate = BitRate{10'000'000'000};
    const auto guarantee = Guarantee::of(scenario);
    REQUIRE(guarantee);
    CHECK(guarantee->one_train);
    CHECK(guarantee->fits());
    CHECK(guarantee->switches[0].needed() == MemorySize{7000, MemorySize::Unit::Frame});
    CHECK(guarantee->switches[0].frames == ample_run(scenario, guarantee->witness).peak_frames);
    scenario.trigger.events = 9059;
    CHECK_FALSE(Guarantee::of(scenario)->fits());
}

TEST_CASE("Memories in bytes and cells need what their frames take there") {
    Scenario scenario = small(10, 1, 200, ns(2000));  // frames of 59 + 46 = 105 B
    Buffer& buffer = scenario.network_switch.buffer;
    buffer.size = {1000, MemorySize::Unit::Byte};
    CHECK(Guarantee::of(scenario)->switches[0].needed() == MemorySize{1050, MemorySize::Unit::Byte});
    CHECK_FALSE(Guarantee::of(scenario)->fits());
    buffer.size = {1000, MemorySize::Unit::Cell};
    buffer.cell = Bytes{64};
    CHECK(Guarantee::of(scenario)->switches[0].needed() == MemorySize{20, MemorySize::Unit::Cell});
    buffer.descriptors = 9;
    CHECK_FALSE(Guarantee::of(scenario)->fits());
    CHECK_FALSE(Guarantee::of(scenario)->switches[0].needed());
}

TEST_CASE("Where there is no bound, the shortest train that loses is the witness") {
    // 2 us of dead time before 10 us of work: three triggers bring 30 frames, of which 2 us take 2 each.
    Scenario scenario = small(10, 1, 1000, ns(2000));
    scenario.network_switch.buffer.size = {25, MemorySize::Unit::Frame};
    const auto guarantee = Guarantee::of(scenario);
    CHECK_FALSE(guarantee->bounded);
    CHECK(guarantee->switches[0].queues[0].load == 5);
    ExactEngine engine;
    const auto train = shortest_losing_train(engine, scenario, scenario.trigger, 1000);
    REQUIRE(train);
    CHECK(*train == std::vector<Time>{Time{0}, ns(2000), ns(4000)});
    CHECK_FALSE(shortest_losing_train(engine, scenario, scenario.trigger, 2));
}

TEST_CASE("A losing train goes on to the trigger whose frames take the room of an earlier one's") {
    // Two modules, the second 5 us late; the uplink sends a frame in 3 us. When the second module's first frame comes,
    // that of the first module's third trigger has just come, too.
    Scenario scenario = small(2, 1, 3000, ns(2500));
    scenario.front_end.skew = {Time{0}, ns(5000)};
    scenario.network_switch.buffer.size.amount = 2;
    ExactEngine engine;
    const auto train = shortest_losing_train(engine, scenario, scenario.trigger, 1000);
    REQUIRE(train);
    const auto lost = [&](const std::vector<Time>& times) {
        return engine.run(with_triggers(scenario, times)).frames_lost();
    };
    CHECK(lost(*train) > 0);
    CHECK(lost(std::vector<Time>(train->begin(), train->end() - 1)) == 0);
}

TEST_CASE("What the bound does not cover is refused by its key") {
    const Scenario plain = small(4, 2, 100, ns(2000));
    CHECK(refused_key(plain).empty());
    const auto refused = [&](const auto& change) {
        Scenario scenario = plain;
        change(scenario);
        return refused_key(scenario);
    };
    CHECK(refused([](Scenario& s) { s.frame.payloads = {{Bytes{59}}, {Bytes{99}}}; }) == "frame.payloads");
    const auto refused_kinds = [&](const auto& change) {
        return refused([&](Scenario& s) {
            s.frame.fragments = FragmentList({Bytes{59}, Bytes{99}});
            change(s);
        });
    };
    CHECK(refused_kinds([](Scenario&) {}).empty());
    CHECK(refused_kinds([](Scenario& s) { s.front_end.fifo = 2; }) == "front_end.fifo");
    CHECK(refused_kinds([](Scenario& s) { s.network_switch.buffer.sharing = Sharing::PerInput; }) ==
          "switch.buffer.sharing");
    CHECK(refused_kinds([](Scenario& s) { s.network_switch.uplink_choice.rule = UplinkChoice::Rule::RoundRobin; }) ==
          "switch.uplink_selection");
    CHECK(refused_kinds([](Scenario& s) {
              s.builders.count = 2;
              s.network_switch.count = 2;
              s.aggregation = s.network_switch;
              s.aggregation->count = 1;
          }) == "server.builders");
    const auto refused_stream = [&](const auto& change) {
        return refused([&](Scenario& s) {
            s.traffic = {stream("other", 1000)};
            change(s, s.traffic[0]);
        });
    };
    CHECK(refused_stream([](Scenario&, TrafficStream&) {}).empty());
    CHECK(refused_stream([](Scenario&, TrafficStream& other) { other.pattern = TrafficStream::Pattern::Poisson; }) ==
          "traffic.other.pattern");
    CHECK(refused_stream([](Scenario&, TrafficStream& other) { other.rate = {}; }) == "traffic.other.rate");
    CHECK(refused_stream([](Scenario&, TrafficStream& other) { other.module = 1; }) == "traffic.other.module");
    CHECK(refused_stream([](Scenario& s, TrafficStream&) { s.network_switch.buffer.sharing = Sharing::PerInput; }) ==
          "switch.buffer.sharing");
    CHECK(refused_stream([](Scenario&, TrafficStream& other) {
              other.rate.frames = Frequency{20'000'000'000'000};  // 20 MHz of 100 ns
          }) == "traffic");
    CHECK(refused([](Scenario& s) {
              s.network_switch.buffer.sharing = Sharing::named("stepped-threshold");
              for (const std::int64_t amount : {1, 2}) {
                  s.network_switch.buffer.step_free.push_back({amount, MemorySize::Unit::Frame});
                  s.network_switch.buffer.step_limits.push_back({3 - amount, MemorySize::Unit::Frame});
              }
          }) == "switch.buffer.step_limits");
    CHECK(refused([](Scenario& s) {  // 20 cells, 78 of 256 B, 10 cells: they fall
              Buffer& buffer = s.network_switch.buffer;
              buffer.sharing = Sharing::named("stepped-threshold");
              buffer.size = {2000, MemorySize::Unit::Cell}, buffer.cell = Bytes{256};
              for (const std::int64_t amount : {1, 16, 32}) buffer.step_free.push_back({amount, buffer.size.unit});
              buffer.step_limits = {
                  {20, MemorySize::Unit::Cell}, {20'000, MemorySize::Unit::Byte}, {10, MemorySize::Unit::Cell}};
          }) == "switch.buffer.step_limits");
    CHECK(refused([](Scenario& s) { s.network_switch.buffer.sharing = Sharing::named("reverie"); }) ==
          "switch.buffer.sharing");
    CHECK(refused([](Scenario& s) { s.network_switch.buffer.release = Buffer::Release::Start; }) ==
          "switch.buffer.release");
    for (const Sharing& apart : {Sharing::PerOutput, Sharing::PerInput})
        CHECK(refused([&](Scenario& s) {
                  s.network_switch.buffer.sharing = apart;
                  s.network_switch.buffer.reserved = {1, MemorySize::Unit::Frame};
              }) == "switch.buffer.reserved");
    CHECK(refused([](Scenario& s) {
              s.network_switch.uplink_choice.rule = UplinkChoice::Rule::RoundRobin;
              s.network_switch.buffer.sharing = Sharing::PerInput;
          }) == "switch.uplink_selection");
    CHECK(refused([](Scenario& s) {
              s.trigger = Trigger{};
              s.trigger.events = 2'000'000;
          }) == "trigger");
}
