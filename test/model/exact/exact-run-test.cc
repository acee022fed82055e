// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/exact-run.h"

#include <rapidcheck.h>

#include <algorithm>

#include "model/exact/exact-engine.h"
#include "model/exact/time-grid.h"
#include "model/network/network-load.h"
#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

namespace {

Scenario burst(int modules, int switches, std::int64_t events, Time separation) {
    Scenario s;
    s.front_end.modules = modules;
    s.network_switch.count = switches;
    s.trigger.events = events;
    s.trigger.separation = separation;
    s.network_switch.buffer.size = {1000, MemorySize::Unit::Frame};
    return s;
}

}  // namespace

TEST_CASE("Switches that lead to the server alone give the same followed together and one by one") {
    CHECK(rc::check([] {
        Scenario s =
            burst(*rc::gen::inRange(2, 20), 2, *rc::gen::inRange(1, 30), Time{*rc::gen::inRange(0, 12'000'000)});
        s.network_switch.count = *rc::gen::inRange(2, std::min(7, s.front_end.modules + 1));
        s.network_switch.uplinks = *rc::gen::inRange(1, 3);
        s.network_switch.buffer.size = {*rc::gen::inRange(0, 20), MemorySize::Unit::Frame};
        s.network_switch.arrival_order =
            *rc::gen::element(ArrivalOrder::Module, ArrivalOrder::Rotating, ArrivalOrder::Random);
        s.network_switch.uplink_choice.rule =
            *rc::gen::element(UplinkChoice::Rule::Modulo, UplinkChoice::Rule::RoundRobin, UplinkChoice::Rule::Hash);
        if (*rc::gen::arbitrary<bool>()) s.front_end.jitter = Time{*rc::gen::inRange(0, 9'000'000)};
        if (*rc::gen::arbitrary<bool>())
            s.front_end.skew = {Time{0}, Time{1'000'000}, Time{*rc::gen::inRange(0, 9'000'000)}};
        if (*rc::gen::arbitrary<bool>()) s.front_end.fifo = *rc::gen::inRange(1, 3);
        RC_ASSERT(ExactEngine().run(s) == run_exactly(s, nullptr));
    }));
}

TEST_CASE("Without loss every link of every tier is as busy as its modules make it") {
    // A link that carries m modules sends m frames of 1090 B for each event.
    Scenario s = burst(265, 6, 50, Time{200'000'000});
    s.network_switch.uplinks = 2;
    s.aggregation = s.network_switch;
    s.aggregation->count = 2;
    s.aggregation->uplink_choice.rule = UplinkChoice::Rule::RoundRobin;
    const Network network(s);
    const std::vector<double> modules = modules_per_link(s, network);
    const Outcome outcome = ExactEngine().run(s);
    REQUIRE(outcome.frames_lost() == 0);
    REQUIRE(outcome.uplinks.size() == modules.size());
    for (std::size_t i = 0; i < modules.size(); ++i) {
        INFO(network.name(network.links()[i]));
        CHECK(std::abs(static_cast<double>(outcome.uplinks[i].frames) - 50 * modules[i]) < 1);
        CHECK(outcome.uplinks[i].wire == Bytes{1090} * outcome.uplinks[i].frames);
    }
    REQUIRE(outcome.module_links.size() == 265);
    for (const auto& link : outcome.module_links) CHECK(link == Outcome::Link{50, Bytes{50 * 1090}});
}

TEST_CASE("A second tier sees a burst as the first one lets it through") {
    // Two switches with 2 modules and one uplink each, at the rate of the modules: after the frame's time t both send
    // at t, 2t. The aggregation switch gets two frames at 2t and two at 3t, and sends one each t: it holds 2, then 1 +
    // 2 = 3 frames.
    Scenario s = burst(4, 2, 1, Time{0});
    s.network_switch.uplink_rate = s.front_end.link_rate;
    s.aggregation = s.network_switch;
    s.aggregation->count = 1;
    Outcome outcome = ExactEngine().run(s);
    CHECK(outcome.switches[0].peak_frames == 2);
    CHECK(outcome.switches[2].peak_frames == 3);
    CHECK(outcome.simulated == Time{6 * 8'720'000});  // t on the module's link, t on the uplink, and four frames

    s.aggregation->buffer.size = {2, MemorySize::Unit::Frame};
    outcome = ExactEngine().run(s);
    CHECK(outcome.losses == std::vector<Outcome::Loss>{{"aggregation", "buffer-full", 1}});
    REQUIRE(outcome.first_loss);
    // At 3t one frame has left: there is room for module 2's, not for module 4's.
    CHECK(*outcome.first_loss == FirstLoss{{1, 4, 0}, Time{3 * 8'720'000}, "aggregation"});
}

TEST_CASE("A switch is empty again before the burst's next event, and the outcome says which found all of them so") {
    Scenario s = burst(4, 2, 5, Time{100'000'000});
    CHECK(ExactEngine().run(s).first_idle_event == 2);
    s.aggregation = s.network_switch;
    s.aggregation->count = 1;
    s.aggregation->uplink_rate = {200'000'000};  // 4 * 43.6 us for an event: never empty again
    const Outcome outcome = ExactEngine().run(s);
    CHECK(outcome.switches[0].first_idle_event == 2);
    CHECK(outcome.switches[2].first_idle_event == 0);
    CHECK(outcome.first_idle_event == 0);
}

namespace {

/// Arrivals of a switch of its own, and what its front ends lose.
struct ArrivalsOf {
    explicit ArrivalsOf(const Scenario& s)
        : sizes(s.frame, s.seed),
          rank(s.network_switch.arrival_order, s.front_end.modules, s.seed),
          arrivals(s, sizes, ledger, nullptr, rank, 0, exact_times(s).grid) {}

    FragmentSizes sizes;
    Ledger ledger{nullptr};
    ArrivalRank rank;
    Arrivals arrivals;
};

}  // namespace

TEST_CASE("Frames of any camera arrive as if all modules had sent all, and all had been sorted") {
    CHECK(rc::check([] {
        Scenario s;
        s.seed = *rc::gen::arbitrary<std::uint64_t>();
        FrontEnd& front_end = s.front_end;
        front_end.modules = *rc::gen::inRange(1, 9);
        front_end.jitter = Time{*rc::gen::element(0, 3, 20'000'000)};
        if (*rc::gen::arbitrary<bool>()) front_end.skew = {Time{0}, Time{*rc::gen::inRange(0, 90'000'000)}};
        if (*rc::gen::arbitrary<bool>()) front_end.clock = {ClockTolerance{0}, ClockTolerance{-90'000'000}};
        if (*rc::gen::arbitrary<bool>()) front_end.fifo = *rc::gen::inRange(1, 4);
        s.frame.fragments = *rc::gen::inRange(1, 3);
        if (*rc::gen::arbitrary<bool>()) s.frame.payloads = {{Bytes{100}, 1}, {Bytes{1400}, 2}};
        s.trigger.events = *rc::gen::inRange(1, 40);
        s.trigger.separation = Time{*rc::gen::element(0, 5'000'000, 30'000'000)};
        s.trigger.pattern = *rc::gen::element(Trigger::Pattern::Burst, Trigger::Pattern::LineRatePlusBurst);
        s.network_switch.arrival_order =
            *rc::gen::element(ArrivalOrder::Module, ArrivalOrder::Rotating, ArrivalOrder::Random);

        ArrivalsOf of(s);
        std::vector<Arrival> expected;
        std::int64_t refused = 0;
        for (int module = 1; module <= front_end.modules; ++module) {
            FrontEndPort port(front_end, s.seed, module, exact_times(s).grid);
            TriggerTrain train(s.trigger, s.seed);
            std::int64_t event = 0;
            while (const auto trigger = train.next()) {
                if (!answers(s.trigger, ++event, module)) continue;
                const Time offered = port.offer_time(event, *trigger);
                int frame = 0;
                for (const FrameSizes& sizes : of.sizes.of(event, module)) {
                    const FrameId id{event, module, frame++};
                    if (const auto time = port.offer(offered, sizes.wire))
                        expected.push_back({*time, of.rank(event, module), module - 1, id});
                    else
                        ++refused;
                }
            }
        }
        std::sort(expected.begin(), expected.end());
        for (const Arrival& arrival : expected) {
            RC_ASSERT(of.arrivals.next());
            RC_ASSERT(of.arrivals.next()->frame == arrival.frame);
            RC_ASSERT(of.arrivals.next()->time == arrival.time);
            RC_ASSERT(of.arrivals.next()->input == arrival.input);
            of.arrivals.pop();
        }
        RC_ASSERT(!of.arrivals.next());
        RC_ASSERT(of.ledger.frames_lost() == refused);
    }));
}

TEST_CASE("Events whose frames queue at the front ends are read as their links get to them, not all at once") {
    Scenario s;
    s.front_end.modules = 3;
    s.front_end.jitter = Time{1'000'000};
    s.trigger.separation = Time{0};
    s.trigger.events = 1000;
    ArrivalsOf of(s);
    for (; of.arrivals.next(); of.arrivals.pop()) REQUIRE(of.arrivals.events() <= of.arrivals.next()->frame.event + 2);
    CHECK(of.arrivals.events() == 1000);
}

TEST_CASE("With a gap longer than the uplink takes for a frame of each module, room for one of each loses nothing") {
    // 5 frames of 1090 B last 43.6 us on the uplink. Each of the 3 rounds finds the memory empty.
    Scenario s = burst(5, 1, 1, Time{0});
    s.network_switch.uplink_rate = s.front_end.link_rate;
    s.frame.fragments = 3;
    s.front_end.gap = Time{43'600'000};
    s.network_switch.buffer.size = {5, MemorySize::Unit::Frame};
    CHECK(ExactEngine().run(s).frames_lost() == 0);
    CHECK(ExactEngine().run(s).frames_sent == 15);
    s.network_switch.buffer.size = {4, MemorySize::Unit::Frame};
    CHECK(ExactEngine().run(s).frames_lost() == 3);
}
