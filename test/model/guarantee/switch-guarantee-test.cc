// SPDX-License-Identifier: GPL-2.0-only
#include "model/guarantee/switch-guarantee.h"

#include <algorithm>
#include <random>

#include "model/exact/exact-engine.h"
#include "model/guarantee/loss-witness.h"
#include "model/network/network.h"
#include "test/camera.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// Modules whose frames last 1 us on their links, before uplinks on which they last as many ns.
Scenario small(int modules, int uplinks, std::int64_t ns, Time dead_time, Time latency = Time{0}) {
    Scenario scenario = camera(1000);
    scenario.frame.payload = Bytes{59};  // 125 B on a link
    scenario.front_end.modules = modules;
    scenario.trigger.dead_time = dead_time;
    scenario.network_switch.uplinks = uplinks;
    scenario.network_switch.uplink_rate = BitRate{1'000'000'000'000 / ns};
    scenario.network_switch.latency = latency;
    return scenario;
}

constexpr Time ns(std::int64_t count) { return Time{count * 1000}; }

Outcome ample_run(const Scenario& scenario, const std::vector<Time>& triggers) {
    return ExactEngine().run(with_ample_memory(with_triggers(scenario, triggers), 1'000'000));
}

/// Calls `look` with every train of so many triggers on a grid that keeps the distances, the first at 0.
template <class Look>
void each_train(std::size_t number, Time grid, int widest, const std::vector<TriggerSpacing>& spacings,
                std::vector<Time>& train, const Look& look) {
    look(train);
    if (train.size() == number) return;
    for (int gap = 0; gap <= widest; ++gap) {
        const Time time = train.back() + grid * gap;
        const bool admitted = std::all_of(spacings.begin(), spacings.end(), [&](const TriggerSpacing& each) {
            const auto n = static_cast<std::size_t>(each.triggers);
            return train.size() < n || time >= train[train.size() - n] + each.apart;
        });
        if (!admitted) continue;
        train.push_back(time);
        each_train(number, grid, widest, spacings, train, look);
        train.pop_back();
    }
}

std::string refused_key(const Scenario& scenario) {
    Obstacle why;
    return Guarantee::of(scenario, &why) ? "" : why.key;
}

/// So many triggers, some as early as these distances admit.
template <class Draw>
std::vector<Time> admitted_train(const std::vector<TriggerSpacing>& spacings, std::size_t triggers, const Draw& draw) {
    std::vector<Time> times;
    for (std::size_t k = 0; k < triggers; ++k) {
        Time time = times.empty() ? Time{0} : times.back();
        if (draw(0, 2) == 0) time += ns(100 * draw(0, 60));
        for (const TriggerSpacing& each : spacings) {
            const auto n = static_cast<std::size_t>(each.triggers);
            if (k >= n) time = std::max(time, times[k - n] + each.apart);
        }
        times.push_back(time);
    }
    return times;
}

}  // namespace

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
    CHECK(guarantee->switches[0].needed == MemorySize{10, MemorySize::Unit::Frame});
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

TEST_CASE("A rule of counts is such a distance, and a token bucket is refused by its key") {
    Scenario scenario = small(4, 1, 1000, Time{0});
    scenario.trigger.rules = {{TriggerRule::Kind::Count, 3, ns(12'000)}};
    const auto by_rule = Guarantee::of(scenario), by_distance = Guarantee::of(scenario, {{}, {{3, ns(12'000)}}});
    REQUIRE(by_rule);
    CHECK(by_rule->frames() == by_distance->frames());
    CHECK(by_rule->witness == by_distance->witness);
    scenario.trigger.rules = {{TriggerRule::Kind::Bucket, 3, ns(4000)}};
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
    int unlike = 0, built_up = 0, trains = 0;
    for (int i = 0; i < 90; ++i) {
        const int modules = draw(1, 5), uplinks = draw(1, 2);
        const Scenario scenario = small(modules, uplinks, 100 * draw(1, 12), Time{0}, ns(250 * draw(0, 6)));
        std::vector<TriggerSpacing> spacings;
        if (draw(0, 2) > 0) spacings.push_back({1, ns(500 * draw(1, 6))});
        if (draw(0, 2) > 0) spacings.push_back({2, ns(500 * draw(4, 12))});
        if (draw(0, 2) > 0) spacings.push_back({3, ns(500 * draw(6, 24))});
        const auto guarantee = Guarantee::of(scenario, {{}, spacings});
        REQUIRE(guarantee);
        if (!guarantee->bounded) continue;
        CAPTURE(i, modules, uplinks);
        const SwitchGuarantee& bound = guarantee->switches[0];
        unlike += uplinks == 2 && modules % 2 == 1;
        built_up += bound.frames > modules;
        // The witness is an admitted train itself.
        for (const TriggerSpacing& each : spacings)
            for (auto k = static_cast<std::size_t>(each.triggers); k < guarantee->witness.size(); ++k)
                CHECK(guarantee->witness[k] >=
                      guarantee->witness[k - static_cast<std::size_t>(each.triggers)] + each.apart);
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
    CHECK(trains > 10'000);
}

TEST_CASE("Random admitted trains never exceed the bound") {
    std::mt19937_64 random(2);
    const auto draw = [&](std::int64_t from, std::int64_t to) {
        return std::uniform_int_distribution<std::int64_t>(from, to)(random);
    };
    int close = 0;
    for (int i = 0; i < 200; ++i) {
        const Scenario scenario = small(static_cast<int>(draw(1, 12)), static_cast<int>(draw(1, 3)), draw(50, 600),
                                        Time{0}, Time{draw(0, 3'000'000)});
        const std::vector<TriggerSpacing> spacings{{1, Time{draw(0, 4'000'000)}}, {4, Time{draw(0, 30'000'000)}}};
        const auto guarantee = Guarantee::of(scenario, {{}, spacings});
        if (!guarantee->bounded) continue;
        const std::int64_t bound = guarantee->switches[0].frames;
        std::int64_t most = 0;
        for (int train = 0; train < 50; ++train) {
            std::vector<Time> times;
            for (std::size_t k = 0; k < 20; ++k) {
                Time time = times.empty() ? Time{0} : times.back();
                if (draw(0, 3) == 0) time += Time{draw(0, 8'000'000)};
                for (const TriggerSpacing& each : spacings) {
                    const auto n = static_cast<std::size_t>(each.triggers);
                    if (k >= n) time = std::max(time, times[k - n] + each.apart);
                }
                times.push_back(time);
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
    int fits = 0, lossy = 0;
    for (int i = 0; i < 150; ++i) {
        const int modules = draw(1, 4), uplinks = draw(1, 2);
        Scenario scenario = small(modules, uplinks, 100 * draw(1, 8), Time{0}, ns(500 * draw(0, 3)));
        const std::vector<TriggerSpacing> spacings{{1, ns(500 * draw(1, 6))}, {3, ns(500 * draw(6, 16))}};
        Buffer& buffer = scenario.network_switch.buffer;
        switch (draw(0, 3)) {
            case 0: break;
            case 1: buffer.sharing = Sharing::PerInput; break;
            case 2: buffer.sharing = Sharing::PerOutput; break;
            default: buffer.sharing = Sharing::DynamicThreshold; buffer.alpha = Ratio{draw(1, 4), draw(1, 2)};
        }
        const auto ample = Guarantee::of(scenario, {{}, spacings});
        if (!ample->bounded) continue;
        const auto& needed = ample->switches[0].needed;
        REQUIRE(needed);
        const bool less = draw(0, 1) == 1;
        if (less && needed->amount == 1) continue;
        buffer.size.amount = needed->amount - (less ? 1 : 0);
        const auto guarantee = Guarantee::of(scenario, {{}, spacings});
        CAPTURE(i, modules, uplinks, buffer.sharing->name, buffer.size.amount);
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
    CHECK(fits > 20);
    CHECK(lossy > 20);
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
    const auto draw = [&](std::int64_t from, std::int64_t to) {
        return std::uniform_int_distribution<std::int64_t>(from, to)(random);
    };
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
        const bool one_train = draw(0, 2) == 0;
        std::vector<TriggerSpacing> spacings{{1, ns(100 * draw(0, 30))}};
        if (draw(0, 1) == 0) spacings.push_back({3, ns(100 * draw(0, 100))});
        const auto random_train = [&] { return admitted_train(spacings, 12, draw); };
        AdmittedTriggers admitted{{}, spacings};
        if (one_train) admitted = {random_train(), {}};
        Obstacle why;
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
        scenario.network_switch.buffer.size = *Guarantee::of(scenario, admitted)->switches[0].needed;
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
    CHECK(guarantee->switches[0].needed == MemorySize{7000, MemorySize::Unit::Frame});
    CHECK(guarantee->switches[0].frames == ample_run(scenario, guarantee->witness).peak_frames);
    scenario.trigger.events = 9059;
    CHECK_FALSE(Guarantee::of(scenario)->fits());
}

TEST_CASE("Memories in bytes and cells need what their frames take there") {
    Scenario scenario = small(10, 1, 200, ns(2000));  // frames of 59 + 46 = 105 B
    Buffer& buffer = scenario.network_switch.buffer;
    buffer.size = {1000, MemorySize::Unit::Byte};
    CHECK(Guarantee::of(scenario)->switches[0].needed == MemorySize{1050, MemorySize::Unit::Byte});
    CHECK_FALSE(Guarantee::of(scenario)->fits());
    buffer.size = {1000, MemorySize::Unit::Cell};
    buffer.cell = Bytes{64};
    CHECK(Guarantee::of(scenario)->switches[0].needed == MemorySize{20, MemorySize::Unit::Cell});
    buffer.descriptors = 9;
    CHECK_FALSE(Guarantee::of(scenario)->fits());
    CHECK_FALSE(Guarantee::of(scenario)->switches[0].needed);
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

TEST_CASE("What the bound does not cover is refused by its key") {
    const Scenario plain = small(4, 2, 100, ns(2000));
    CHECK(refused_key(plain).empty());
    const auto refused = [&](const auto& change) {
        Scenario scenario = plain;
        change(scenario);
        return refused_key(scenario);
    };
    CHECK(refused([](Scenario& s) { s.front_end.fifo = 3; }) == "front_end.fifo");
    CHECK(refused([](Scenario& s) { s.frame.fragments = FragmentList(2); }) == "front_end.fragments");
    CHECK(refused([](Scenario& s) { s.traffic.emplace_back(); }) == "traffic");
    CHECK(refused([](Scenario& s) { s.aggregation.emplace(); }) == "aggregation");
    CHECK(refused([](Scenario& s) { s.network_switch.cut_through = true; }) == "switch.cut_through");
    CHECK(refused([](Scenario& s) { s.network_switch.buffer.slices = 2; }) == "switch.buffer.slices");
    CHECK(refused([](Scenario& s) { s.network_switch.buffer.release = Buffer::Release::Start; }) ==
          "switch.buffer.release");
    CHECK(refused([](Scenario& s) {
              s.network_switch.buffer.sharing = Sharing::DynamicThreshold;
              s.network_switch.buffer.accounting = Buffer::Accounting::Ingress;
          }) == "switch.buffer.accounting");
    CHECK(refused([](Scenario& s) {
              s.network_switch.uplink_choice.rule = UplinkChoice::Rule::RoundRobin;
              s.front_end.modules = 5;
          }) == "switch.uplink_selection");
    CHECK(refused([](Scenario& s) {
              s.trigger = Trigger{};
              s.trigger.events = 2'000'000;
          }) == "trigger");
}

namespace {

std::optional<Guarantee> of_tiers(const Scenario& scenario, const AdmittedTriggers& admitted, Obstacle* why = nullptr) {
    return Guarantee::of(scenario, admitted, why, Guarantee::Tiers::Any);
}

/// 400 ns for a frame on uplinks of the first tier, 250 ns on those of the second.
Scenario two_tiers(int modules, int switches) {
    Scenario scenario = small(modules, 1, 400, Time{0});
    scenario.network_switch.count = switches;
    scenario.aggregation = small(1, 1, 250, Time{0}).network_switch;
    return scenario;
}

/// What a queue holds at most, and how long a frame stays.
struct Followed {
    std::int64_t frames = 0;
    Time delay{0};
};

/// All queues of a network whose inputs take turns and whose frames last whole picoseconds, frame by frame.
/// @param end  when the last frame has left
std::vector<Followed> follow(const Scenario& scenario, const std::vector<Time>& triggers, Time& end) {
    const Network network(scenario);
    std::vector<std::vector<Time>> on_link(network.links().size());
    std::vector<Followed> most(network.links().size());
    for (const Network::Switch& self : network.switches()) {
        std::vector<std::vector<Time>> arrivals(static_cast<std::size_t>(self.settings.uplinks));
        const auto arrive = [&](int input, Time time) {
            arrivals[static_cast<std::size_t>(input % self.settings.uplinks)].push_back(time);
        };
        for (int module = 0; module < self.modules; ++module) {
            Time free{0};
            for (const Time& trigger : triggers) arrive(module, free = std::max(free, trigger) + ns(1000));
        }
        for (std::size_t i = 0; i < self.feeds.size(); ++i)
            for (const Time& time : on_link[static_cast<std::size_t>(self.feeds[i])])
                arrive(self.modules + static_cast<int>(i), time);
        const Time slot{1'000'000'000'000'000 / self.settings.uplink_rate.count};
        for (std::size_t uplink = 0; uplink < arrivals.size(); ++uplink) {
            const std::size_t link = static_cast<std::size_t>(self.first_link) + uplink;
            std::vector<Time>& left = on_link[link];
            std::sort(arrivals[uplink].begin(), arrivals[uplink].end());
            for (const Time& time : arrivals[uplink]) {
                const Time start = std::max(time + self.settings.latency, left.empty() ? Time{0} : left.back());
                left.push_back(start + slot);
                const auto gone = std::upper_bound(left.begin(), left.end(), time) - left.begin();
                most[link].frames = std::max(most[link].frames, static_cast<std::int64_t>(left.size()) - gone);
                most[link].delay = std::max(most[link].delay, left.back() - time);
                end = std::max(end, left.back());
            }
        }
    }
    return most;
}

/// Switches behind modules, before one or two others, before a last one; each of these may have modules, too.
Scenario random_tiers(std::mt19937_64& random) {
    const auto draw = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
    const auto fill = [&](Switch& each) {
        constexpr std::int64_t kSlots[] = {50, 80, 100, 125, 200, 250, 400, 500};
        each.uplinks = draw(1, 2);
        each.uplink_rate = BitRate{1'000'000'000'000 / kSlots[draw(0, 7)]};
        each.latency = ns(draw(0, 1) * draw(0, 1500));
        each.arrival_order = static_cast<ArrivalOrder>(draw(0, 2));
        const Sharing policies[] = {Sharing::Shared, Sharing::PerOutput, Sharing::DynamicThreshold};
        each.buffer.sharing = policies[draw(0, 2)];
        each.buffer.alpha = Ratio{draw(1, 4), draw(1, 2)};
    };
    Scenario scenario = two_tiers(0, 1);
    const int first = draw(2, 4), second = draw(1, 2);
    if (draw(0, 1) == 0) {
        scenario.front_end.modules = draw(first, first * 6);
        fill(scenario.network_switch);
        fill(*scenario.aggregation);
        scenario.network_switch.count = first;
        scenario.aggregation->count = second;
        return scenario;
    }
    scenario.aggregation.reset();
    for (int i = 0; i <= first + second; ++i) {
        Node node{"n" + std::to_string(i), i < first ? draw(1, 6) : draw(0, 1) * draw(0, 2), {"server"}, {}, {}};
        fill(node.network_switch);
        if (i < first) node.to = {"n" + std::to_string(first + i % second), "n" + std::to_string(first + second)};
        if (i >= first && i < first + second) node.to = {"n" + std::to_string(first + second)};
        scenario.front_end.modules += node.modules;
        scenario.nodes.push_back(node);
    }
    return scenario;
}

}  // namespace

TEST_CASE("What two switches send to a third comes no faster than their uplinks send it") {
    // 3 and 2 frames, one in 400 ns each: at 0, 0, 400, 400, 800 ns. Of 2, 4 and 5 of them 0, 1 and 3 have left.
    Scenario scenario = two_tiers(5, 2);
    auto guarantee = of_tiers(scenario, {{}, {{1, ns(4000)}}});
    REQUIRE(guarantee);
    REQUIRE(guarantee->switches.size() == 3);
    CHECK_FALSE(guarantee->exact);
    CHECK(guarantee->switches[0].queues[0].frames == 3);
    CHECK(guarantee->switches[2].queues[0].modules == 5);
    CHECK(guarantee->switches[2].queues[0].frames == 3);
    CHECK(guarantee->switches[2].queues[0].load == Approx(5 * 0.25 / 4));
    CHECK(guarantee->switches[2].queues[0].delay_s == Approx(600e-9));  // 4 x 250 - 400
    CHECK(guarantee->switches[2].needed == MemorySize{3, MemorySize::Unit::Frame});
    CHECK(ample_run(scenario, guarantee->witness).switches[2].peak_frames == 3);
    SECTION("a latency of 500 ns lets one of five leave in 800 ns") {
        scenario.aggregation->latency = ns(500);
        guarantee = of_tiers(scenario, {{}, {{1, ns(4000)}}});
        CHECK(guarantee->switches[2].queues[0].frames == 4);
        CHECK(guarantee->switches[2].queues[0].delay_s == Approx(1100e-9));
        CHECK(ample_run(scenario, guarantee->witness).switches[2].peak_frames == 4);
    }
    SECTION("two triggers 1 us apart are one burst behind uplinks that need 1.2 us for one of them") {
        // 6 frames of each, one in 400 ns: of 2, 4, 6, 8, 10, 12 in 400 ns steps 0, 1, 3, 4, 6, 8 have left.
        guarantee = of_tiers(two_tiers(6, 2), {{}, {{2, ns(5000)}}});
        CHECK(guarantee->switches[0].frames == 4);  // 6 - floor(1000 / 400)
        CHECK(guarantee->switches[2].frames == 4);
        CHECK(guarantee->witness == std::vector<Time>{Time{0}, ns(1000)});
        CHECK(ample_run(two_tiers(6, 2), guarantee->witness).switches[2].peak_frames == 4);
    }
    SECTION("5 frames of 250 ns need 1250 ns; a picosecond less, and there is no bound") {
        CHECK(of_tiers(scenario, {{}, {{1, ns(1250)}}})->bounded);
        guarantee = of_tiers(scenario, {{}, {{1, ns(1250) - Time{1}}}});
        CHECK_FALSE(guarantee->bounded);
        CHECK(guarantee->switches[0].bounded);
        CHECK_FALSE(guarantee->switches[2].bounded);
        CHECK(guarantee->least_distance == ns(1250));
        CHECK_FALSE(guarantee->fits());
    }
    SECTION("an uplink is bounded by what the links that lead to it can bring") {
        // Each of two takes 1600 ns for 4 frames, which may come each 1000 ns, and sends 3 at most in that time.
        scenario = two_tiers(8, 2);
        const auto bounded_with = [&](std::int64_t slot) {
            scenario.aggregation->uplink_rate = BitRate{1'000'000'000'000 / slot};
            guarantee = of_tiers(scenario, {{}, {{1, ns(1000)}}});
            CHECK_FALSE(guarantee->switches[0].bounded);
            return guarantee->switches[2].bounded;
        };
        CHECK(bounded_with(160));
        CHECK_FALSE(bounded_with(200));  // as fast as both, but 3 each in 1000 ns are not ruled out
    }
    SECTION("queues of equally many modules differ by the links that bring them") {
        // 3 frames each, one in 400 ns to uplink 1, one in 50 ns to uplink 2: there 1 and 3 wait. With alpha 1 the
        // third finds 2 of its own, less than what 3 of all leave free.
        Node top{"top", 0, {"server"}, {}, scenario.aggregation.value()};
        top.network_switch.uplinks = 2;
        top.network_switch.buffer.sharing = Sharing::DynamicThreshold;
        scenario.aggregation.reset();
        scenario.front_end.modules = 6;
        scenario.nodes = {{"slow", 3, {"top"}, {}, scenario.network_switch},
                          {"fast", 3, {"top"}, {}, small(1, 1, 50, Time{0}).network_switch},
                          top};
        for (Node& node : scenario.nodes) node.network_switch.count = 1;
        guarantee = of_tiers(scenario, {{}, {{1, ns(4000)}}});
        CHECK(guarantee->switches[2].queues[0].frames == 1);
        CHECK(guarantee->switches[2].queues[1].frames == 3);
        CHECK(guarantee->switches[2].needed == MemorySize{6, MemorySize::Unit::Frame});
    }
    SECTION("it fits if each switch does") {
        scenario.network_switch.buffer.size = scenario.aggregation->buffer.size = {3, MemorySize::Unit::Frame};
        CHECK(of_tiers(scenario, {{}, {{1, ns(4000)}}})->fits());
        scenario.aggregation->buffer.size.amount = 2;
        CHECK_FALSE(of_tiers(scenario, {{}, {{1, ns(4000)}}})->fits());
    }
}

TEST_CASE("No admitted train exceeds what is bound of tiers: no queue, no memory, no delay, and no frame is lost") {
    std::mt19937_64 random(5);
    const auto draw = [&](std::int64_t from, std::int64_t to) {
        return std::uniform_int_distribution<std::int64_t>(from, to)(random);
    };
    int bounded = 0, one_train = 0, fed = 0, reached = 0;
    for (int i = 0; i < 1400; ++i) {
        Scenario scenario = random_tiers(random);
        const std::vector<TriggerSpacing> spacings{{1, ns(100 * draw(0, 60))}, {3, ns(100 * draw(0, 150))}};
        const auto random_train = [&] { return admitted_train(spacings, 10, draw); };
        AdmittedTriggers admitted{{}, spacings};
        if (draw(0, 4) == 0) admitted = {random_train(), {}};
        Obstacle why;
        const auto guarantee = of_tiers(scenario, admitted, &why);
        INFO(why.text());
        REQUIRE(guarantee);
        if (!guarantee->bounded) continue;
        ++bounded;
        one_train += guarantee->one_train;
        const Network network(scenario);
        std::vector<std::int64_t> most_frames(network.links().size());
        for (int trial = 0; trial < (guarantee->one_train ? 1 : 4); ++trial) {
            const std::vector<Time> train = trial == 0 ? guarantee->witness : random_train();
            Time end{0};
            const std::vector<Followed> most = follow(scenario, train, end);
            const Outcome outcome = ample_run(scenario, train);
            CAPTURE(i, trial);
            REQUIRE(outcome.simulated == end);
            for (std::size_t s = 0; s < guarantee->switches.size(); ++s) {
                REQUIRE(outcome.switches[s].peak_frames <= guarantee->switches[s].frames);
                for (std::size_t q = 0; q < guarantee->switches[s].queues.size(); ++q) {
                    const auto link = static_cast<std::size_t>(network.switches()[s].first_link) + q;
                    const QueueGuarantee& queue = guarantee->switches[s].queues[q];
                    REQUIRE(most[link].frames <= queue.frames);
                    REQUIRE(static_cast<double>(most[link].delay.count()) <= queue.delay_s * 1e12 + 0.5);
                    most_frames[link] = std::max(most_frames[link], most[link].frames);
                }
            }
            // Each memory is just what its bound asks for, of which a switch before may hold back frames.
            Scenario own = scenario;
            std::size_t number = 0;
            for (Node& node : own.nodes) {
                const auto self = std::find_if(guarantee->switches.begin(), guarantee->switches.end(),
                                               [&](const SwitchGuarantee& each) { return each.name == node.name; });
                node.network_switch.buffer.size = *self->needed;
            }
            if (own.aggregation) {
                own.network_switch.buffer.size = own.aggregation->buffer.size = {0, MemorySize::Unit::Frame};
                for (const SwitchGuarantee& each : guarantee->switches) {
                    auto& of = number++ < static_cast<std::size_t>(own.network_switch.count) ? own.network_switch
                                                                                             : *own.aggregation;
                    of.buffer.size.amount = std::max(of.buffer.size.amount, each.needed->amount);
                }
            }
            REQUIRE(of_tiers(own, admitted)->fits());
            REQUIRE(ExactEngine().run(with_triggers(own, train)).frames_lost() == 0);
        }
        for (std::size_t s = 0; s < guarantee->switches.size(); ++s)
            for (std::size_t q = 0; q < guarantee->switches[s].queues.size(); ++q) {
                if (network.switches()[s].feeds.empty() || guarantee->switches[s].queues[q].modules == 0) continue;
                ++fed;
                reached += guarantee->switches[s].queues[q].frames ==
                           most_frames[static_cast<std::size_t>(network.switches()[s].first_link) + q];
            }
    }
    CAPTURE(bounded, one_train, fed, reached);
    CHECK(bounded > 1000);
    CHECK(one_train > 150);
    CHECK(fed > 1000);
    CHECK(reached * 10 > fed * 7);
}

TEST_CASE("One tier is the same where tiers may be asked for, and what is not covered of tiers is refused by its key") {
    const AdmittedTriggers admitted{{}, {{1, ns(4000)}}};
    const auto alone = Guarantee::of(small(5, 2, 400, Time{0}), admitted),
               any = of_tiers(small(5, 2, 400, Time{0}), admitted);
    CHECK(any->exact);
    CHECK(any->witness == alone->witness);
    CHECK(any->frames() == alone->frames());
    const auto refused = [&](const auto& change) {
        Scenario scenario = two_tiers(6, 2);
        change(scenario);
        Obstacle why;
        return of_tiers(scenario, admitted, &why) ? "" : why.key;
    };
    Obstacle why;
    CHECK_FALSE(Guarantee::of(two_tiers(6, 2), admitted, &why));
    CHECK(why.key == "aggregation");
    CHECK(refused([](Scenario&) {}).empty());
    CHECK(refused([](Scenario& s) { s.front_end.jitter = ns(10); }) == "front_end.jitter");
    CHECK(refused([](Scenario& s) { s.aggregation->cut_through = true; }) == "aggregation.cut_through");
    CHECK(refused([](Scenario& s) { s.network_switch.cut_through = true; }) == "switch.cut_through");
    CHECK(refused([](Scenario& s) { s.aggregation->flow_control.kind = FlowControl::Kind::Pause; }) ==
          "aggregation.flow_control.kind");
    CHECK(refused([](Scenario& s) { s.aggregation->buffer.sharing = Sharing::PerInput; }) ==
          "aggregation.buffer.sharing");
    for (const UplinkChoice::Rule rule :
         {UplinkChoice::Rule::RoundRobin, UplinkChoice::Rule::Hash, UplinkChoice::Rule::Random})
        CHECK(refused([&](Scenario& s) {
                  s.aggregation->uplinks = 2;
                  s.aggregation->uplink_choice.rule = rule;
              }) == "aggregation.uplink_selection");
}
