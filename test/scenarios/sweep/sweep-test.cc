// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/sweep/sweep.h"

#include <rapidcheck.h>

#include "model/exact/exact-engine.h"
#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

namespace {

Scenario camera(int modules, Buffer::Sharing sharing, std::int64_t frames) {
    Scenario s;
    s.front_end.modules = modules;
    s.network_switch.buffer = {sharing, {frames}};
    return s;
}

constexpr std::int64_t kLimit = 1000;

std::optional<std::int64_t> boundary(const Scenario& s, Time separation) {
    ExactEngine engine;
    return find_boundary(engine, s, separation, kLimit).events_lossless;
}

}  // namespace

TEST_CASE("The watershed of the S60 with 7000 frames per input passes 9058 events at wire speed") {
    // M - floor((M - 1) d / (44 * 0.872 us)) <= 7000: 9058 at 8.72 us, 14620 at 20 us.
    const Scenario s60 = camera(44, Buffer::Sharing::PerInput, 7000);
    CHECK(boundary(s60, Time{8'720'000}) == 9058);
    CHECK(boundary(s60, Time{8'000'000}) == 9058);  // the link sets the pace, not the trigger
    CHECK(boundary(s60, Time{20'000'000}) == 14620);
}

TEST_CASE("From the asymptote d = N t_out on no length loses, and just below it some length does") {
    const Scenario s = camera(28, Buffer::Sharing::Shared, 46);  // 28 * 0.872 us = 24.416 us
    CHECK_FALSE(boundary(s, Time{24'416'000}));
    // 28 m - floor((m - 1) 27.98165) <= 46 until (m - 1) * 0.01835 passes 18: m = 982.
    CHECK(boundary(s, Time{24'400'000}) == 982);
}

TEST_CASE("A memory smaller than one event loses in every burst") {
    CHECK(boundary(camera(28, Buffer::Sharing::Shared, 27), Time{50'000'000}) == 0);
    CHECK_FALSE(boundary(camera(28, Buffer::Sharing::Shared, 28), Time{50'000'000}));
}

// Bursts of a second camera end with the camera's own burst, so each length has its run.
TEST_CASE("Beside another stream, map and boundary are those of runs of their own") {
    ExactEngine engine;
    Scenario s = camera(20, Sharing::Shared, 40);
    s.traffic.emplace_back().name = "other";
    s.traffic[0].pattern = TrafficStream::Pattern::Bursts;
    s.traffic[0].burst = 12;
    s.traffic[0].period = Time{333'000'000};
    s.traffic[0].link_rate = BitRate{10'000'000'000};
    for (const std::int64_t separation : {9'000'000, 17'000'000, 17'500'000, 19'000'000}) {
        const std::vector<std::int64_t> lengths{1, 5, 40, 200};
        const auto column = map_column(engine, s, Time{separation}, lengths);
        const auto run = [&](std::int64_t events) {
            s.trigger.separation = Time{separation};
            s.trigger.events = events;
            return engine.run(s).frames_lost();
        };
        for (std::size_t i = 0; i < lengths.size(); ++i) CHECK(column[i].frames_lost() == run(lengths[i]));
        const auto found = boundary(s, Time{separation});
        if (found) CHECK(run(*found) == 0);
        if (found) CHECK(run(*found + 1) > 0);
        if (!found) CHECK(run(kLimit) == 0);
        Scenario alone = s;
        alone.traffic.clear();
        CHECK(boundary(alone, Time{separation}).value_or(kLimit) >= found.value_or(kLimit));
    }
}

TEST_CASE(
    "Where frames are pushed out, map and boundary are those of runs of their own, for a later event may cost an "
    "earlier one its frame") {
    ExactEngine engine;
    int undone = 0;  // frames of the longest burst's first events that a shorter burst does not lose
    for (int modules = 3; modules <= 9; ++modules)
        for (std::int64_t room = 4; room <= 20; room += 4) {
            Scenario s = camera(modules, Sharing::named("longest-queue-drop"), room);
            s.network_switch.uplinks = 2;
            s.network_switch.uplink_rate = BitRate{1'000'000'000};
            s.network_switch.uplink_choice.rule = UplinkChoice::Rule::Static;
            s.network_switch.uplink_choice.list = {1, 1, 2};
            const Time separation{12'000'000};
            const std::vector<std::int64_t> lengths{1, 2, 3, 4, 6, 9};
            const auto column = map_column(engine, s, separation, lengths);
            const auto found = find_boundary(engine, s, separation, kLimit).events_lossless;
            s.trigger.separation = separation;
            std::int64_t lossless = 0;
            for (std::size_t i = 0; i < lengths.size(); ++i) {
                s.trigger.events = lengths[i];
                const std::int64_t lost = engine.run(s).frames_lost();
                CHECK(column[i].frames_lost() == lost);
                Observer observer;
                observer.incomplete = [&](const Outcome::IncompleteEvent& event) {
                    undone += event.event <= lengths[i] ? static_cast<int>(event.missing) : 0;
                };
                s.trigger.events = lengths.back();
                engine.run(s, &observer);
                undone -= static_cast<int>(lost);
            }
            for (s.trigger.events = 1; engine.run(s).frames_lost() == 0; ++*s.trigger.events)
                lossless = *s.trigger.events;
            CHECK(found == lossless);
        }
    CHECK(undone > 0);  // else one run of the longest burst would do
}

TEST_CASE("The boundary is the longest burst that a run of its own shows lossless") {
    REQUIRE(rc::check("boundary against single runs", [] {
        Scenario s =
            camera(*rc::gen::inRange(1, 20), *rc::gen::element(Buffer::Sharing::Shared, Buffer::Sharing::PerInput),
                   *rc::gen::inRange<std::int64_t>(1, 60));
        s.front_end.skew_spread =
            Time{*rc::gen::inRange<std::int64_t>(0, 2) * 30'000'000};  // enough for events to overtake each other
        s.network_switch.uplinks = *rc::gen::inRange(1, 3);
        const Time separation{*rc::gen::inRange<std::int64_t>(0, 15'000'000)};
        ExactEngine engine;
        const auto found = find_boundary(engine, s, separation, kLimit);
        RC_ASSERT(found.unknown_beyond == 0);
        s.trigger.separation = separation;
        const auto lossless = [&](std::int64_t events) {
            s.trigger.events = events;
            return engine.run(s).frames_lost() == 0;
        };
        if (!found.events_lossless) {
            RC_ASSERT(lossless(500));
            return;
        }
        RC_ASSERT(*found.events_lossless == 0 || lossless(*found.events_lossless));
        RC_ASSERT(!lossless(*found.events_lossless + 1));
    }));
}

namespace {

/// Counts the runs that it hands on.
struct Counting final : Engine {
    ExactEngine engine;
    int runs = 0;
    std::string name() const override { return engine.name(); }
    Outcome run(const NetworkScenario& scenario, const Observer* observer) override {
        ++runs;
        return engine.run(scenario, observer);
    }
};

}  // namespace

TEST_CASE("Where events overlap and the modules' FIFOs alone lose, the first run that loses has the answer") {
    // A FIFO of 2 loses event m if event m - 2, the (m-2)th in a row, has not left when it comes: (m - 1) d < (m - 2)
    // t. With t = 8720 ns and d = t - 1 ns that is m > 8721.
    Scenario s = camera(2, Buffer::Sharing::Shared, 1000);
    s.front_end.fifo = 2;
    s.front_end.skew = {Time{0}, Time{30'000'000}};  // the second module is more than three events late
    Counting counting;
    CHECK(find_boundary(counting, s, Time{8'719'000}, kLimit).events_lossless == 8721);
    CHECK(counting.runs == 5);  // 64, 256, 1024, 4096 and 16384 events
}

TEST_CASE("Where events overlap at a switch that loses, few more runs find the answer") {
    Scenario s = camera(10, Buffer::Sharing::Shared, 3000);
    s.front_end.skew_spread = Time{40'000'000};
    s.network_switch.uplink_rate = BitRate{9'000'000'000};
    Counting counting;
    const auto found = find_boundary(counting, s, Time{8'720'000}, kLimit).events_lossless;
    REQUIRE(found);
    CHECK(counting.runs <= 12);
    const auto lost = [&](std::int64_t events) {
        s.trigger.separation = Time{8'720'000};
        s.trigger.events = events;
        return counting.run(s, nullptr).frames_lost();
    };
    CHECK(lost(*found) == 0);
    CHECK(lost(*found + 1) > 0);
}

TEST_CASE("A burst that a bound shows to be lossless is not run, and one that may lose is") {
    struct Calculating final : Engine {
        ExactEngine engine;
        int runs = 0;
        std::string name() const override { return engine.name(); }
        bool may_calculate() const override { return true; }
        Outcome run(const NetworkScenario& scenario, const Observer* observer) override {
            ++runs;
            return engine.run(scenario, observer);
        }
    } counting;
    // An event of 20 modules lasts 20 * (1090 + 166) B at 10 Gb/s, 20.096 us, 0.096 us longer than the separation, so
    // that it leaves 120 B more in memory than the one before.
    Scenario s = camera(20, Buffer::Sharing::Shared, 2000);
    s.frame.fragments.payloads = {Bytes{1024}, Bytes{100}};
    s.frame.fragments.number = 2;
    const auto found = [&](std::int64_t most) { return find_boundary(counting, s, Time{20'000'000}, most, most); };
    CHECK(found(1000).unknown_beyond == 1000);
    CHECK(counting.runs == 0);
    CHECK(found(1'000'000).events_lossless > 1000);
    CHECK(counting.runs == 1);
}

TEST_CASE(
    "Boundaries of unlike switches, of fragments of unlike sizes and behind a second tier are those of single runs") {
    constexpr std::int64_t kMost = 300;
    int unlike = 0, tiers = 0, lossless = 0;
    REQUIRE(rc::check("boundary against single runs", [&] {
        Scenario s = camera(*rc::gen::inRange(4, 14), Sharing::Shared, *rc::gen::inRange(4, 120));
        s.network_switch.count = *rc::gen::inRange(1, 4);
        for (int i = *rc::gen::inRange(1, 4); i > 0; --i)
            s.frame.fragments.payloads.push_back(Bytes{*rc::gen::inRange(50, 1400)});
        s.frame.fragments.number = static_cast<int>(s.frame.fragments.payloads.size());
        if (*rc::gen::arbitrary<bool>()) {
            s.aggregation = s.network_switch;
            s.aggregation->count = 1;
            ++tiers;
        } else if (s.front_end.modules % s.network_switch.count != 0) {
            ++unlike;
        }
        const Time separation{*rc::gen::inRange(1'000'000, 40'000'000)};
        ExactEngine engine;
        const Boundary found = find_boundary(engine, s, separation, kMost, kMost);
        const Boundary at_once = find_boundary(engine, s, separation, kMost, kMost, kMost);
        RC_ASSERT(at_once.events_lossless == found.events_lossless);
        s.trigger.separation = separation;
        const auto loses = [&](std::int64_t events) {
            s.trigger.events = events;
            return engine.run(s).frames_lost() > 0;
        };
        const std::int64_t longest = found.events_lossless.value_or(kMost);
        RC_ASSERT(longest == 0 || !loses(longest));
        RC_ASSERT(!found.events_lossless || loses(longest + 1));
        lossless += found.events_lossless ? 0 : 1;
    }));
    CHECK((unlike > 5 && tiers > 20 && lossless > 5));
}

TEST_CASE("Where nothing forbids and nothing proves a loss, the boundary says how far it looked, and why") {
    Scenario s = camera(4, Buffer::Sharing::Shared, 100);
    s.front_end.jitter = Time{1000};
    s.front_end.gap = Time{1000};
    ExactEngine engine;
    const Boundary found = find_boundary(engine, s, Time{20'000'000}, kLimit);
    CHECK_FALSE(found.events_lossless);
    CHECK(found.unknown_beyond == kLimit);
    CHECK(found.longest_run == kLimit);
    CHECK(boundary_obstacle(s, Time{20'000'000}).key == "front_end.gap");
}

// 4 frames last 3.488 us, and a frame that is 1 ns late is gone long before the next event.
TEST_CASE("What a bound proves needs no run") {
    Scenario s = camera(4, Buffer::Sharing::Shared, 100);
    s.front_end.jitter = Time{1000};
    ExactEngine engine;
    const auto check = [&](const char* command) {
        const Boundary found = find_boundary(engine, s, Time{20'000'000}, kLimit);
        CHECK_FALSE(found.events_lossless);
        CHECK(found.unknown_beyond == 0);
        CHECK(found.longest_run == 0);
        CHECK(found.proven_by == command);
        CHECK_FALSE(boundary_obstacle(s, Time{20'000'000}));
    };
    check("bound");
    s.network_switch.count = 2;
    s.aggregation = s.network_switch;
    s.aggregation->count = 1;
    check("bound");
    s.front_end.jitter = Time{0};
    s.aggregation.reset();
    s.network_switch.count = 1;
    s.network_switch.buffer.release = Buffer::Release::Start;
    check("risk");
}

TEST_CASE("What a bound proves never to lose, no burst of any length loses") {
    ExactEngine engine;
    int proven = 0;
    CHECK(rc::check([&] {
        Scenario s = camera(*rc::gen::inRange(2, 12), *rc::gen::element(Sharing::Shared, Sharing::DynamicThreshold),
                            *rc::gen::inRange(4, 40));
        s.network_switch.uplinks = *rc::gen::inRange(1, 3);
        s.front_end.link_rate = BitRate{5'000'000'000};
        const bool two_tiers = *rc::gen::arbitrary<bool>();
        if (two_tiers) {
            s.network_switch.count = 2;
            s.aggregation = s.network_switch;
            s.aggregation->count = 1;
            s.aggregation->buffer = {Sharing::Shared, {*rc::gen::inRange(4, 40)}};
        } else {
            s.front_end.jitter = Time{*rc::gen::inRange(0, 3'000'000)};
        }
        const Time separation{*rc::gen::inRange(2'000'000, 12'000'000)};
        const Boundary found = find_boundary(engine, s, separation, kLimit);
        if (found.proven_by.empty()) return;
        ++proven;
        s.trigger.separation = separation;
        s.trigger.events = 300;
        RC_ASSERT(engine.run(s).frames_lost() == 0);
    }));
    CHECK(proven > 10);
}

// With one class there is one queue for each uplink, and its first frame is the only one to choose.
TEST_CASE("A scheduler that has nothing to choose makes no difference but to the time that it takes") {
    ExactEngine engine;
    CHECK(rc::check([&] {
        Scenario s = camera(*rc::gen::inRange(2, 12), *rc::gen::element(Sharing::Shared, Sharing::DynamicThreshold),
                            *rc::gen::inRange(2, 40));
        s.network_switch.uplinks = *rc::gen::inRange(1, 3);
        s.network_switch.scheduling.kind =
            *rc::gen::element(Scheduling::Kind::StrictPriority, Scheduling::Kind::WeightedRoundRobin,
                              Scheduling::Kind::DeficitRoundRobin);
        if (*rc::gen::arbitrary<bool>()) s.network_switch.scheduling.weights = {2, 3};
        s.front_end.traffic_class = *rc::gen::inRange(0, 8);
        s.front_end.link_rate = BitRate{5'000'000'000};
        s.front_end.jitter = Time{*rc::gen::inRange(0, 3'000'000)};
        RC_ASSERT(without_idle_schedulers(s).network_switch.scheduling.kind == Scheduling::Kind::Fifo);
        const Time separation{*rc::gen::inRange(500'000, 6'000'000)};
        const LossMapRow row = map_column(engine, s, separation, {30}).front();
        s.trigger.separation = separation;
        s.trigger.events = 30;
        RC_ASSERT(row.frames_lost() == engine.run(s).frames_lost());
    }));
    Scenario shaped = camera(4, Sharing::Shared, 40);
    shaped.network_switch.scheduling.kind = Scheduling::Kind::StrictPriority;
    shaped.network_switch.scheduling.rates = {BitRate{1'000'000'000}};
    CHECK(without_idle_schedulers(shaped).network_switch.scheduling.kind == Scheduling::Kind::StrictPriority);
}

TEST_CASE("A map's column is what single runs give, whether or not events keep their order") {
    REQUIRE(rc::check("map against single runs", [] {
        Scenario s = camera(*rc::gen::inRange(1, 12), Buffer::Sharing::Shared, *rc::gen::inRange<std::int64_t>(1, 40));
        s.front_end.skew_spread = Time{*rc::gen::inRange<std::int64_t>(0, 2) * 30'000'000};
        const Time separation{*rc::gen::inRange<std::int64_t>(0, 15'000'000)};
        ExactEngine engine;
        const std::vector<std::int64_t> lengths{1, 2, 5, 17, 40};
        const auto rows = map_column(engine, s, separation, lengths);
        RC_ASSERT(rows.size() == lengths.size());
        s.trigger.separation = separation;
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            s.trigger.events = lengths[i];
            RC_ASSERT(rows[i].events == lengths[i]);
            RC_ASSERT(rows[i].frames_lost() == engine.run(s).frames_lost());
        }
    }));
}

TEST_CASE("Saturation is the uplink's rate over the wire size of an event, or the link's where that is slower") {
    // 10 Gb/s / (8 * 1090 B * 44) = 26.063 kHz; 5 modules cannot fill the uplink: 1 Gb/s / (8 * 1090 B) = 114.68 kHz.
    ExactEngine engine;
    const Scenario s = camera(44, Buffer::Sharing::PerInput, 7000);
    CHECK(saturation_frequency(engine, s, 44) == Approx(26063.4).epsilon(0.001));
    CHECK(saturation_frequency(engine, s, 48) == Approx(23891.4).epsilon(0.001));
    CHECK(saturation_frequency(engine, s, 5) == Approx(114678.9).epsilon(0.001));
}

TEST_CASE("The boundaries of several depths are those of each") {
    REQUIRE(rc::check("boundaries of depths against one at a time", [] {
        Scenario s =
            camera(*rc::gen::inRange(1, 20), *rc::gen::element(Buffer::Sharing::Shared, Buffer::Sharing::PerInput), 1);
        s.front_end.skew_spread = Time{*rc::gen::inRange<std::int64_t>(0, 2) * 30'000'000};
        s.front_end.jitter = Time{*rc::gen::inRange<std::int64_t>(0, 2) * 1'000'000};
        const Time separation{*rc::gen::inRange<std::int64_t>(0, 15'000'000)};
        const auto depths = *rc::gen::container<std::vector<std::int64_t>>(3, rc::gen::inRange<std::int64_t>(0, 60));
        ExactEngine engine;
        const auto found = find_boundaries(engine, s, separation, 300, depths);
        for (std::size_t i = 0; i < depths.size(); ++i) {
            s.network_switch.buffer.size.amount = depths[i];
            const Boundary expected = find_boundary(engine, s, separation, 300);
            RC_ASSERT(found[i].events_lossless == expected.events_lossless);
            RC_ASSERT(found[i].unknown_beyond == expected.unknown_beyond);
        }
    }));
}

TEST_CASE("Points nearest the boundary come first, and a seed settles the others") {
    std::vector<Claimed> points;
    for (std::int64_t i = 0; i < 100; ++i) points.push_back({Time{i}, i + 1, 0, i % 10});
    const auto chosen = nearest_boundary(points, 25, 7);
    REQUIRE(chosen.size() == 25);
    for (std::size_t i = 0; i < chosen.size(); ++i) CHECK(chosen[i].from_boundary == static_cast<std::int64_t>(i / 10));
    const auto again = nearest_boundary(points, 25, 7), other = nearest_boundary(points, 25, 8);
    const auto same = [&](const std::vector<Claimed>& list) {
        return std::equal(list.begin(), list.end(), chosen.begin(),
                          [](const Claimed& a, const Claimed& b) { return a.separation == b.separation; });
    };
    CHECK(same(again));
    CHECK_FALSE(same(other));
    CHECK(nearest_boundary(points, 1000, 7).size() == 100);
}

TEST_CASE("A claim that a run contradicts is named with both counts") {
    // 29 modules, two events at wire speed, 46 frames: 2 * 29 - 10 = 48, so two frames are lost.
    Scenario s;
    s.front_end.modules = 29;
    s.network_switch.buffer.size = {46};
    ExactEngine engine;
    CHECK_NOTHROW(verify(engine, s, {{Time{8'720'000}, 2, 2, 0}, {Time{8'720'000}, 1, 0, 0}}));
    CHECK_THROWS_WITH(verify(engine, s, {{Time{8'720'000}, 2, 3, 0}}), Contains("2 events") && Contains("8.72 us") &&
                                                                           Contains("loses 3 frames") &&
                                                                           Contains("exact engine 2"));
}
