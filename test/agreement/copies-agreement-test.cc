// SPDX-License-Identifier: GPL-2.0-only
// Frames that switches copy, so that each event builder gets all of them.
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>

#include "model/exact/exact-engine.h"
#include "model/ns3/engine/ns3-engine.h"
#include "test/agreement/choices.h"
#include "test/agreement/random-network.h"
#include "test/agreement/random-scenario.h"
#include "test/agreement/random-server.h"
#include "test/agreement/random-traffic.h"
#include "test/agreement/seeds.h"
#include "test/catch.h"

namespace watershed {
namespace {

using Losses = std::multiset<std::tuple<std::int64_t, int, int, Time, std::string, std::string>>;

/// Losses of the camera's frames by builder: event, module, frame, time, place and reason.
std::map<int, Losses> losses_of(Engine& engine, const Scenario& scenario, Outcome& outcome) {
    std::map<int, Losses> losses;
    Observer observer;
    observer.lost = [&](const FrameId& frame, Time time, const LossCause& cause) {
        if (frame.stream == 0)
            losses[frame.copy].emplace(frame.event, frame.module, frame.frame, time, cause.where, cause.reason);
    };
    outcome = engine.run(scenario, &observer);
    return losses;
}

Scenario with_copies(Scenario s, int builders) {
    if (s.trigger.pattern == Trigger::Pattern::LineRatePlusBurst) s.trigger.pattern = Trigger::Pattern::Burst;
    s.builders.count = builders;
    s.builders.copies = Builders::Copies::All;
    return s;
}

bool describes_a_network(const Scenario& scenario) {
    try {
        const Network network(scenario);
        return scenario.network_switch.uplink_choice.rule != UplinkChoice::Rule::Static;
    } catch (const std::invalid_argument&) {
        return false;
    }
}

Scenario random_copies(std::uint64_t seed) {
    Choices choose(seed ^ 0xc0b1e5);
    for (std::uint64_t more = 0;; ++more) {
        const std::uint64_t number = seed + more * 1'000'003;
        const Scenario s = with_copies(seed % 3 == 0   ? random_traffic(number)
                                       : seed % 3 == 1 ? random_eventDriven_network(number)
                                                       : random_server(number),
                                       static_cast<int>(choose(2, 4)));
        if (describes_a_network(s)) return s;
    }
}

}  // namespace

TEST_CASE("Builders with an uplink and a memory each lose what one server loses, frame by frame") {
    int lossy = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Choices choose(seed ^ 0x0a11);
        Scenario one = random_scenario(seed);
        if (one.trigger.pattern == Trigger::Pattern::LineRatePlusBurst) one.trigger.pattern = Trigger::Pattern::Burst;
        Switch& network_switch = one.network_switch;
        network_switch.uplinks = 1;
        network_switch.uplink_choice = {};
        network_switch.buffer.sharing = Sharing::PerOutput;
        network_switch.buffer.accounting = Buffer::Accounting::Egress;  // inputs hold all copies
        network_switch.buffer.egress_size.reset();
        network_switch.buffer.wred_to.amount *= choose(0, 1);
        network_switch.buffer.descriptors.reset();
        one.server = {};
        one.trigger.rules.clear();  // an almost-full rule asks what all outputs hold
        const int builders = static_cast<int>(choose(2, 4));
        Scenario all = with_copies(one, builders);
        all.network_switch.uplinks = builders;
        Outcome of_one, of_all;
        ExactEngine exact;
        Ns3Engine ns3;
        Engine& engine = seed % 3 == 0 ? static_cast<Engine&>(ns3) : exact;
        const Losses expected = losses_of(engine, one, of_one)[0];
        std::map<int, Losses> losses = losses_of(engine, all, of_all);
        INFO(all);
        REQUIRE(of_all.builders.size() == static_cast<std::size_t>(builders));
        for (int builder = 0; builder < builders; ++builder) {
            REQUIRE(losses[builder] == expected);
            const Outcome::Builder& seen = of_all.builders[static_cast<std::size_t>(builder)];
            REQUIRE(seen.frames_sent == of_one.frames_sent);
            REQUIRE(seen.frames_received == of_one.frames_received);
            REQUIRE(seen.events_complete == of_one.events_complete);
            REQUIRE(of_all.uplinks[static_cast<std::size_t>(builder)] == of_one.uplinks[0]);
        }
        REQUIRE(of_all.module_links == of_one.module_links);
        REQUIRE(of_all.events_complete == of_one.events_complete);
        // A copy that begins to leave at once may give its memory back before the next one comes.
        if (network_switch.buffer.release == Buffer::Release::End)
            REQUIRE(of_all.peak_frames == builders * of_one.peak_frames);
        REQUIRE(of_all.simulated == of_one.simulated);
        lossy += !expected.empty();
    }
    CHECK(lossy > 100);
}

TEST_CASE("ns-3 and the exact engine agree in everything about copies, and each builder's books balance") {
    const auto [first, count] = seeds(400);
    int lossy = 0, tiers = 0, limited = 0, streams = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const Scenario scenario = random_copies(seed);
        ExactEngine by_exact;
        Ns3Engine by_ns3;
        Outcome exact, ns3;
        INFO("WATERSHED_SEEDS=" << seed << ":1\n" << scenario);
        std::map<int, Losses> losses = losses_of(by_exact, scenario, exact);
        REQUIRE(losses == losses_of(by_ns3, scenario, ns3));
        REQUIRE(ns3.losses == exact.losses);
        REQUIRE(ns3.builders == exact.builders);
        REQUIRE(ns3 == exact);
        std::int64_t received = 0;
        for (int builder = 0; builder < scenario.builders.count; ++builder) {
            const Outcome::Builder& seen = exact.builders[static_cast<std::size_t>(builder)];
            REQUIRE(seen.frames_sent * scenario.builders.count == exact.frames_sent);
            REQUIRE(seen.frames_sent == seen.frames_received + static_cast<std::int64_t>(losses[builder].size()));
            received += seen.frames_received;
        }
        REQUIRE(received == exact.frames_received);
        lossy += !exact.losses.empty();
        tiers += scenario.aggregation || !scenario.nodes.empty();
        limited += scenario.server.receiver.has_value();
        streams += !scenario.traffic.empty();
    }
    if (count < 400) return;
    CHECK(lossy > 150);
    CHECK(tiers > 50);
    CHECK(limited > 50);
    CHECK(streams > 50);
}

}  // namespace watershed
