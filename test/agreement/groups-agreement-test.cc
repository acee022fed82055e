// SPDX-License-Identifier: GPL-2.0-only
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "model/exact/exact-engine.h"
#include "model/frontend/event-train.h"
#include "model/frontend/stream-train.h"
#include "model/ns3/engine/ns3-engine.h"
#include "test/agreement/choices.h"
#include "test/agreement/random-network.h"
#include "test/agreement/random-scenario.h"
#include "test/agreement/random-traffic.h"
#include "test/agreement/seeds.h"
#include "test/catch.h"

namespace watershed {
namespace {

/// Without what only groups tell.
Outcome without_groups(Outcome outcome) {
    outcome.groups.clear();
    return outcome;
}

/// Splits the modules into groups that differ in nothing.
Scenario split(Scenario s, Choices& choose) {
    int before = 0;
    while (before < s.front_end.modules) {
        Group group;
        group.name = "g" + std::to_string(before);
        group.frame = s.frame;
        group.front_end = s.front_end;
        group.front_end.modules = static_cast<int>(choose(1, s.front_end.modules - before));
        group.front_end.modules_before = before;  // lists go on with the module's number: placed_after() is not called
        before += group.front_end.modules;
        s.groups.push_back(group);
    }
    return s;
}

/// Groups that differ in frames, links, delays and triggers, and several builders.
Scenario random_groups(std::uint64_t seed) {
    Choices choose(seed ^ 0x6709);
    Scenario s = seed % 2 == 0 ? random_traffic(seed) : random_eventDriven_network(seed);
    if (s.trigger.pattern == Trigger::Pattern::LineRatePlusBurst) s.trigger.pattern = Trigger::Pattern::Burst;
    s = split(s, choose);
    s.trigger.rules.clear();
    for (Group& group : s.groups) {
        if (choose.chance(50)) group.frame.payload = Bytes{choose(18, 1400)}, group.frame.payloads.clear();
        if (choose.chance(50)) group.front_end.link_rate = BitRate{choose(1, 20) * 500'000'000};
        if (choose.chance(30)) group.frame.fragments = static_cast<int>(choose(1, 3));
        if (choose.chance(30)) group.front_end.gap = Time{choose(0, 9'000'000)};
        if (choose.chance(30)) group.front_end.traffic_class = static_cast<int>(choose(0, 7));
        if (choose.chance(40)) group.delay = Time{choose(0, 3) * 8'720'000};
        if (choose.chance(30)) {
            group.trigger.emplace();
            group.trigger->events = choose(1, 20);
            group.trigger->separation = Time{choose(0, 4) * 4'360'000};
        }
        if (group.delay != Time{0}) group = placed_after(group.front_end.modules_before, group);
    }
    if (choose.chance(60) && s.network_switch.uplink_choice.rule != UplinkChoice::Rule::Static) {
        s.builders.count = static_cast<int>(choose(2, 3));
        s.builders.assignment = static_cast<Builders::Assignment>(choose(0, 2));
        s.builders.order = static_cast<Builders::Order>(choose(0, 2));
        if (choose.chance(40)) s.builders = {s.builders.count, {}, {}, Builders::Copies::All};
        try {
            const Network network(s);
        } catch (const std::invalid_argument&) {
            s.builders = {};
        }
    }
    return s;
}

}  // namespace

TEST_CASE("Groups that differ in nothing give what modules of one kind give, member by member") {
    int lossy = 0;
    for (std::uint64_t seed = 1; seed <= 600; ++seed) {
        const Scenario one = seed % 3 == 0   ? random_traffic(seed)
                             : seed % 3 == 1 ? random_network(seed)
                                             : random_scenario(seed);
        if (one.trigger.pattern == Trigger::Pattern::LineRatePlusBurst) continue;
        Choices choose(seed);
        const Outcome whole = ExactEngine().run(one), parts = ExactEngine().run(split(one, choose));
        INFO(one);
        REQUIRE(without_groups(parts) == whole);
        std::int64_t sent = 0, received = 0;
        for (const Outcome::Group& each : parts.groups) sent += each.frames_sent, received += each.frames_received;
        REQUIRE(sent == parts.frames_sent);
        REQUIRE(received == parts.frames_received);
        lossy += !whole.losses.empty();
    }
    CHECK(lossy > 100);
}

namespace {

using Pattern = TrafficStream::Pattern;

/// Every loss of a run: by module, or by the module number that a stream would have, when and why.
std::multiset<std::tuple<int, Time, std::string, std::string>> losses_of(const NetworkScenario& scenario, int last,
                                                                         Outcome& outcome) {
    std::multiset<std::tuple<int, Time, std::string, std::string>> losses;
    Observer observer;
    observer.lost = [&](const FrameId& frame, Time time, const LossCause& cause) {
        losses.emplace(frame.stream != 0 ? last : frame.module, time, cause.where, cause.reason);
    };
    outcome = ExactEngine().run(scenario, &observer);
    return losses;
}

/// A random stream without end, with a link of its own.
TrafficStream random_stream(Choices& choose, Pattern pattern, const FrameFormat& format) {
    TrafficStream stream;
    stream.name = "x";
    stream.pattern = pattern;
    stream.payload = Bytes{choose(18, format.mtu.count - 28)};
    if (pattern == Pattern::Bursts) {
        stream.burst = choose(1, 4);
        stream.period = Time{choose(1, 40) * 2'000'000 + 1};
        stream.phase = Time{choose(0, 50'000'000)};
        return stream;
    }
    stream.rate.frames = Frequency{choose(12'500'000'000, 500'000'000'000)};  // every 2 to 80 us
    if (pattern == Pattern::OnOff)
        stream.on = Time{choose(1, 200) * 1'000'000}, stream.off = Time{choose(1, 200) * 1'000'000};
    return stream;
}

/// Draws of a group go by the number of its event, of a stream by its name. So what is drawn (phase, waits) is read
/// from the stream's train, and the group is given it: as `delay`, or as the times of a trigger of pattern "file". Both
/// round k times the interval once, and alike where the rate is one of frames.
Trigger trigger_like(const TrafficStream& stream, const std::vector<Time>& times) {
    Trigger trigger;
    trigger.events = static_cast<std::int64_t>(times.size());
    if (stream.pattern == Pattern::Bursts) {
        trigger.separation = stream.period;
    } else if (stream.pattern == Pattern::Constant) {
        trigger.pattern = Trigger::Pattern::Periodic;
        trigger.rate = stream.rate.frames;
    } else {
        trigger.pattern = Trigger::Pattern::File;
        trigger.times = times;
    }
    return trigger;
}

}  // namespace

/// Draws by the numbers of events and frames differ: jitter, random early detection, orders that change.
TEST_CASE("A stream is a group of one module with triggers of its own, loss by loss") {
    std::map<Pattern, int> lossy;
    for (std::uint64_t seed = 1; seed <= 800; ++seed) {
        Choices choose(seed);
        Scenario beside = random_network(seed);
        if (beside.trigger.pattern == Trigger::Pattern::LineRatePlusBurst || beside.network_switch.buffer.queue_split)
            continue;
        beside.nodes.clear();
        beside.aggregation.reset();
        beside.network_switch.count = 1;
        beside.server = {};
        beside.network_switch.arrival_order = {};
        beside.network_switch.buffer.wred_to.amount = 0;
        beside.network_switch.buffer.first_bytes = Bytes{0};  // a stream is one flow, a group one for each event
        beside.front_end.jitter = Time{0};
        beside.front_end.source_ports.clear();  // a group's begin anew
        const std::int64_t events = choose(1, 40);
        TrafficStream stream = random_stream(choose, static_cast<Pattern>(seed % 4), beside.frame);
        const auto at_once = stream.pattern == Pattern::Bursts ? stream.burst : 1;
        std::vector<Time> times;
        StreamTrain train(stream, beside.frame, Time::max() / 2, beside.seed);
        for (std::int64_t frame = 0; frame < events * at_once; ++frame) {
            const Time time = train.next().value();
            if (frame % at_once == 0) times.push_back(time);
        }
        stream.stop = times.back() + Time{1};
        Scenario of_groups = beside;
        beside.traffic = {stream};
        Group& camera = of_groups.groups.emplace_back();
        camera.name = "camera", camera.frame = beside.frame, camera.front_end = beside.front_end;
        Group& own = of_groups.groups.emplace_back();
        own.name = "x";
        own.frame = beside.frame;
        own.frame.payloads.clear();
        own.frame.payload = stream.payload;
        own.frame.split = false;
        own.frame.fragments = static_cast<int>(at_once);
        own.front_end.modules = 1;
        own.front_end.link_rate = beside.front_end.link_rate;
        own.trigger = trigger_like(stream, times);
        if (own.trigger->pattern != Trigger::Pattern::File) own.delay = times.front();
        own = placed_after(beside.front_end.modules, own);
        of_groups.front_end.modules += 1;
        INFO(beside);
        Outcome a, b;
        REQUIRE(losses_of(beside, of_groups.front_end.modules, a) == losses_of(of_groups, 0, b));
        REQUIRE(a.streams[0].frames_received == b.groups[0].frames_received);
        REQUIRE(a.streams[1].frames_sent == b.groups[1].frames_sent);
        REQUIRE(a.streams[1].frames_received == b.groups[1].frames_received);
        REQUIRE(a.peak_bytes == b.peak_bytes);
        REQUIRE(a.simulated == b.simulated);
        lossy[stream.pattern] += a.streams[1].frames_received < a.streams[1].frames_sent;
    }
    for (const Pattern pattern : {Pattern::Constant, Pattern::Bursts, Pattern::Poisson, Pattern::OnOff})
        CHECK(lossy[pattern] > 20);
}

TEST_CASE("ns-3 and the exact engine agree in everything about groups and builders") {
    const auto [first, count] = seeds(1500);
    int lossy = 0, own = 0, several = 0, spread = 0, copied = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const Scenario scenario = random_groups(seed);
        const Outcome exact = ExactEngine().run(scenario), ns3 = Ns3Engine().run(scenario);
        INFO("WATERSHED_SEEDS=" << seed << ":1\n" << scenario);
        REQUIRE(ns3.losses == exact.losses);
        REQUIRE(ns3.groups == exact.groups);
        REQUIRE(ns3.builders == exact.builders);
        REQUIRE(ns3 == exact);
        lossy += !exact.losses.empty();
        several += !exact.builders.empty();
        spread += scenario.builders.order != Builders::Order::InTurn;
        copied += scenario.builders.receiving() > 1 && !exact.losses.empty();
        for (const Group& group : scenario.groups) own += group.trigger.has_value();
        std::int64_t received = 0;
        for (const Outcome::Builder& each : exact.builders) received += each.frames_received;
        if (!exact.builders.empty()) REQUIRE(received == exact.frames_received);
    }
    if (count < 1500) return;
    CHECK(lossy > 500);
    CHECK(own > 100);
    CHECK(several > 100);
    CHECK(spread > 120);
    CHECK(copied > 100);
}

}  // namespace watershed
