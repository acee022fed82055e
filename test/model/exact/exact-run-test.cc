// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/exact-run.h"

#include <rapidcheck.h>

#include <algorithm>

#include "model/exact/exact-engine.h"
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
        RC_ASSERT(ExactEngine().run(s) == run_event_driven(s, nullptr));
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
