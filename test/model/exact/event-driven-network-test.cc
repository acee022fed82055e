// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <string>
#include <vector>

#include "model/exact/exact-engine.h"
#include "model/exact/exact-run.h"
#include "model/scenario.h"
#include "test/catch.h"

namespace watershed {
namespace {

constexpr BitRate kLine{1'000'000'000};
constexpr Time kMicro{1'000'000};
constexpr MemorySize in_frames(std::int64_t n) { return {n, MemorySize::Unit::Frame}; }
/// Frames of 1090 B, 84 B and 64 B on the line: a fragment, a stream's or PAUSE frame, and what cuts through.
constexpr Time kFragment{8'720'000}, kShort{672'000}, kHeader{512'000};

/// Switches in a row, of 1 Gb/s and ample memory: modules at the first, the server behind the last.
Scenario row(int switches, int modules, std::int64_t events) {
    Scenario s;
    s.trigger.events = events;
    s.trigger.separation = kFragment;
    s.front_end.modules = modules;
    for (int i = 1; i <= switches; ++i) {
        Node node;
        node.name = "n" + std::to_string(i);
        node.modules = i == 1 ? modules : 0;
        if (i < switches) node.to = {"n" + std::to_string(i + 1)};
        node.network_switch.uplink_rate = kLine;
        node.network_switch.buffer.size = in_frames(100'000);
        s.nodes.push_back(node);
    }
    return s;
}

Switch& at(Scenario& s, std::size_t number) { return s.nodes[number].network_switch; }

/// A short frame of class 7 every period, over a link of its own.
TrafficStream urgent(Time start, Time period) {
    TrafficStream stream;
    stream.phase = Time{0};
    stream.name = "urgent";
    stream.pattern = TrafficStream::Pattern::Bursts;
    stream.payload = Bytes{18};
    stream.traffic_class = 7;
    stream.start = start;
    stream.period = period;
    return stream;
}

Outcome outcome_of(const Scenario& s) { return ExactEngine().run(s); }

}  // namespace

TEST_CASE("Each switch that cuts through saves the time of a frame without its header") {
    for (int switches = 1; switches <= 4; ++switches) {
        Scenario s = row(switches, 1, 1);
        CHECK(outcome_of(s).simulated == kFragment * (switches + 1));
        for (Node& node : s.nodes) node.network_switch.cut_through = true;
        const Outcome cut = outcome_of(s);
        CHECK(cut.simulated == kFragment + kHeader * switches);
        CHECK(cut.frames_cut_through == switches);
        CHECK(cut.latency_saved == (kFragment - kHeader) * switches);
    }
}

// A frame of the highest class waits at each switch for one frame of another class at most, then for its own. Both
// switches get twice what they send.
TEST_CASE("Strict priority bounds the delay at each of two switches by one frame of a lower class") {
    Scenario s = row(2, 2, 20);
    s.nodes[1].modules = 1;
    s.front_end.modules = 3;
    for (Node& node : s.nodes) node.network_switch.scheduling.kind = Scheduling::Kind::StrictPriority;
    const Time bound = kShort + (kFragment + kShort) * 2;
    Time worst{0};
    for (Time start{0}; start < kFragment * 3; start += kMicro / 4) {
        s.traffic = {urgent(start, kMicro * 50)};
        worst = std::max(worst, outcome_of(s).streams[1].latency_most);
    }
    CHECK(worst <= bound);
    CHECK(worst > bound - kMicro);
    for (Node& node : s.nodes) node.network_switch.scheduling.kind = Scheduling::Kind::Fifo;
    CHECK(outcome_of(s).streams[1].latency_most > bound * 3);
}

// The second switch sends a tenth of what comes. Its third frame makes it tell the first one to pause. That one has
// begun its next frame at that very moment, and begins others until the PAUSE frame and the reaction have passed.
TEST_CASE(
    "A switch that is told to pause loses nothing if the next has room for what is on its way, and a frame less "
    "loses") {
    for (const Time reaction : {kMicro * 0, kMicro * 5, kMicro * 10, kMicro * 20, kMicro * 30}) {
        const std::int64_t on_its_way = 1 + (kShort + reaction) / kFragment;
        Scenario s = row(2, 1, 40);
        at(s, 0).pause_reaction = reaction;
        at(s, 1).uplink_rate = BitRate{100'000'000};
        for (const auto kind : {FlowControl::Kind::Pause, FlowControl::Kind::Pfc}) {
            at(s, 1).flow_control = {kind, in_frames(2), in_frames(1)};
            at(s, 1).buffer.size = in_frames(3 + on_its_way);
            const Outcome enough = outcome_of(s);
            CHECK(enough.frames_lost() == 0);
            CHECK(enough.pauses > 1);
            CHECK(enough.switches[1].peak_frames == 3 + on_its_way);
            at(s, 1).buffer.size = in_frames(2 + on_its_way);
            const Outcome less = outcome_of(s);
            REQUIRE(less.losses.size() == 1);
            CHECK(less.losses[0].where == "n2");
        }
    }
}

TEST_CASE("Headroom takes what is on its way where the pool is full") {
    Scenario s = row(2, 1, 40);
    at(s, 1).uplink_rate = BitRate{100'000'000};
    at(s, 1).flow_control = {FlowControl::Kind::Pfc, in_frames(2), in_frames(1)};
    at(s, 1).buffer.size = in_frames(3);
    CHECK(outcome_of(s).frames_lost() > 0);
    at(s, 1).buffer.headroom = in_frames(1);
    CHECK(outcome_of(s).frames_lost() == 0);
}

TEST_CASE("A switch that does not obey sends what it would send to one without flow control") {
    Scenario s = row(2, 1, 40);
    at(s, 1).uplink_rate = BitRate{100'000'000};
    at(s, 1).buffer.size = in_frames(4);
    const Outcome without = outcome_of(s);
    at(s, 1).flow_control = {FlowControl::Kind::Pause, in_frames(2), in_frames(1)};
    at(s, 0).obeys_pause = false;
    const Outcome disobeyed = outcome_of(s);
    CHECK(without.frames_lost() > 0);
    CHECK(disobeyed.losses == without.losses);
    CHECK(disobeyed.uplinks == without.uplinks);
}

// Each input of a switch holds two frames when it asks for a pause and one more that is on its way.
TEST_CASE("Pauses go back from switch to switch to the modules, and small memories lose nothing") {
    Scenario s = row(3, 2, 30);
    at(s, 2).uplink_rate = BitRate{100'000'000};
    for (Node& node : s.nodes) {
        node.network_switch.flow_control = {FlowControl::Kind::Pause, in_frames(1), in_frames(0)};
        node.network_switch.buffer.size = in_frames(node.modules > 0 ? 6 : 3);
    }
    const Outcome outcome = outcome_of(s);
    CHECK(outcome.frames_lost() == 0);
    for (const std::size_t behind : {1, 2}) CHECK(outcome.switches[behind].peak_frames == 3);
    at(s, 0).flow_control.kind = FlowControl::Kind::None;
    CHECK(outcome_of(s).losses.front().where == "n1");
}

TEST_CASE("Priority flow control between switches holds back one class, PAUSE all") {
    const auto latency = [](FlowControl::Kind kind) {
        Scenario s = row(2, 1, 40);
        s.traffic = {urgent(kMicro * 100, kMicro * 400)};
        for (Node& node : s.nodes) node.network_switch.scheduling.kind = Scheduling::Kind::StrictPriority;
        at(s, 1).uplink_rate = BitRate{100'000'000};
        at(s, 1).flow_control = {kind, in_frames(2), in_frames(0)};
        const Outcome outcome = outcome_of(s);
        REQUIRE(outcome.frames_lost() == 0);
        REQUIRE(outcome.pauses > 1);
        return outcome.streams[1].latency_most;
    };
    // At most a fragment and itself at each switch, the second of which takes ten times as long.
    const Time bound = kShort + (kFragment + kShort) + (kFragment + kShort) * 10;
    CHECK(latency(FlowControl::Kind::Pfc) <= bound);
    CHECK(latency(FlowControl::Kind::Pause) > bound);
}

// In its one queue the urgent frame stands behind the camera's, whose class may not leave.
TEST_CASE("Where an uplink has one queue, a frame of a paused class holds up those behind it") {
    Scenario s = row(2, 1, 40);
    s.traffic = {urgent(kMicro * 100, kMicro * 400)};
    at(s, 1).uplink_rate = BitRate{100'000'000};
    at(s, 1).scheduling.kind = Scheduling::Kind::StrictPriority;
    at(s, 1).flow_control = {FlowControl::Kind::Pfc, in_frames(2), in_frames(0)};
    const Time held_up = outcome_of(s).streams[1].latency_most;
    at(s, 0).scheduling.kind = Scheduling::Kind::StrictPriority;
    CHECK(held_up > outcome_of(s).streams[1].latency_most * 2);
}

TEST_CASE("A second tier shares its uplink by the weights of classes that come from different switches") {
    Scenario s;
    s.front_end.modules = 2;
    s.trigger.events = 1;
    s.network_switch.count = 2;
    s.network_switch.uplink_rate = kLine;
    s.network_switch.buffer.size = in_frames(1000);
    s.aggregation = s.network_switch;
    s.aggregation->count = 1;
    for (const int traffic_class : {1, 2}) {
        TrafficStream stream;
        stream.phase = Time{0};
        stream.name = "class-" + std::to_string(traffic_class);
        stream.rate.bits = kLine;
        stream.traffic_class = traffic_class;
        stream.at_switch = "switch " + std::to_string(traffic_class);
        stream.stop = Time{20'000'000'000};
        s.traffic.push_back(stream);
    }
    s.aggregation->buffer.class_limits = {in_frames(20), in_frames(20), in_frames(20)};
    for (const auto kind : {Scheduling::Kind::WeightedRoundRobin, Scheduling::Kind::DeficitRoundRobin}) {
        s.aggregation->scheduling.kind = kind;
        s.aggregation->scheduling.weights = {1, 1, 3};
        const Outcome outcome = outcome_of(s);
        const auto received = [&](std::size_t stream) {
            return static_cast<double>(outcome.streams[stream].frames_received);
        };
        CHECK(received(2) / received(1) == Approx(3).epsilon(0.05));
        CHECK(outcome.streams[1].losses.front().where == "aggregation");
    }
}

TEST_CASE("A stream passes the switches behind the one that its link leads to, and no other") {
    Scenario s = row(3, 1, 1);
    s.traffic = {urgent(kMicro * 200, kMicro * 400)};
    s.traffic[0].stop = kMicro * 201;
    for (int first = 1; first <= 3; ++first) {
        s.traffic[0].at_switch = "n" + std::to_string(first);
        const Outcome outcome = outcome_of(s);
        CHECK(outcome.streams[1].latency_most == kShort * (5 - first));
        for (int i = 1; i <= 3; ++i)
            CHECK(outcome.streams[1].peaks[static_cast<std::size_t>(i - 1)].frames == (i >= first ? 1 : 0));
    }
    s.traffic[0].at_switch.clear();  // that of the module
    CHECK(outcome_of(s).streams[1].latency_most == kShort * 4);
}

TEST_CASE("Behind other switches, too, push-out loses its first frame when complete sharing does") {
    Scenario s;
    s.front_end.modules = 6;
    s.trigger.events = 40;
    s.network_switch.count = 2;
    s.network_switch.uplinks = 2;
    s.network_switch.uplink_rate = kLine;
    s.network_switch.buffer.size = in_frames(1000);
    s.aggregation = s.network_switch;
    s.aggregation->count = 1;
    s.aggregation->uplinks = 2;
    s.aggregation->buffer.size = in_frames(30);
    s.aggregation->uplink_choice.rule = UplinkChoice::Rule::Static;
    s.aggregation->uplink_choice.list = {1, 1, 1, 2};
    const Outcome shared = outcome_of(s);
    s.aggregation->buffer.sharing = Sharing::named("longest-queue-drop");
    const Outcome pushed = outcome_of(s);
    REQUIRE(shared.first_loss);
    REQUIRE(pushed.first_loss);
    CHECK(pushed.first_loss->time == shared.first_loss->time);
    CHECK(std::any_of(pushed.losses.begin(), pushed.losses.end(), [](const Outcome::Loss& loss) {
        return loss.where == "aggregation" && loss.reason == "pushed-out";
    }));
}

}  // namespace watershed
