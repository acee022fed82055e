// SPDX-License-Identifier: GPL-2.0-only
// Links and switches that fail and come back.
#include <sstream>
#include <string>
#include <vector>

#include "model/exact/exact-engine.h"
#include "model/network/failures.h"
#include "model/ns3/engine/ns3-engine.h"
#include "scenarios/text/units.h"
#include "test/agreement/choices.h"
#include "test/agreement/random-network.h"
#include "test/agreement/random-scenario.h"
#include "test/agreement/random-traffic.h"
#include "test/agreement/seeds.h"
#include "test/catch.h"

namespace watershed {
namespace {

/// Leaves out all that a failure does not go with.
void simplify(Switch& s) {
    s.input_fifo.reset();
    s.fabric_rate.reset();
    s.cut_through = false;
    s.buffer.dram.reset();
    s.buffer.release = Buffer::Release::End;
    if (s.queueing == Queueing::InputFifo) s.queueing = Queueing::VirtualOutput;
}

void set_failures(Scenario& s, const std::vector<Failure>& failures) {
    s.network_switch.failures = failures;
    if (s.aggregation) s.aggregation->failures = failures;
    for (Node& node : s.nodes) node.network_switch.failures = failures;
}

Failure random_failure(const Network& network, Choices& choose, Time length) {
    const auto any = [&](std::size_t count) {
        return static_cast<std::size_t>(choose(0, static_cast<std::int64_t>(count) - 1));
    };
    Failure failure;
    failure.name = "f" + std::to_string(choose(1, 1000));
    failure.at = Time{choose(0, length.count())};
    if (choose.chance(80)) failure.until = failure.at + Time{choose(1, 1 + length.count() / 2)};
    const Network::Switch& some = network.switches()[any(network.switches().size())];
    const Network::Link& link = network.links()[any(network.links().size())];
    const std::string from = network.switches()[static_cast<std::size_t>(link.from)].name;
    if (choose.chance(30))
        failure.at_switch = some.name;
    else if (choose.chance(25) && some.modules > 0)
        failure.link = "module " + std::to_string(some.modules_before + choose(1, some.modules)) + " to " + some.name;
    else if (choose.chance(50))
        failure.link = network.name(link);
    else
        failure.link =
            from + " to " + (link.to == Network::kServer ? "server" : network.switches()[std::size_t(link.to)].name);
    return failure;
}

/// A random network of which links and switches fail while it runs.
Scenario random_failures(std::uint64_t seed) {
    Choices choose(seed ^ 0xfa11);
    Scenario s = seed % 3 == 0   ? random_traffic(seed)
                 : seed % 3 == 1 ? random_eventDriven_network(seed)
                                 : random_network(seed);
    if (s.trigger.pattern == Trigger::Pattern::LineRatePlusBurst) s.trigger.pattern = Trigger::Pattern::Burst;
    simplify(s.network_switch);
    if (s.aggregation) simplify(*s.aggregation);
    for (Node& node : s.nodes) simplify(node.network_switch);
    const Time length = ExactEngine().run(s).simulated;
    std::vector<Failure> failures;
    const Network network(s);
    for (std::int64_t i = choose(1, 4); i > 0; --i) failures.push_back(random_failure(network, choose, length));
    set_failures(s, failures);
    return s;
}

std::int64_t lost_to_links(const Outcome& outcome) {
    std::int64_t frames = 0;
    for (const Outcome::Loss& loss : outcome.losses)
        if (loss.reason == "link-down") frames += loss.frames;
    return frames;
}

}  // namespace

TEST_CASE("ns-3 and the exact engine lose the same frames to links that fail, and account for each") {
    const auto [first, count] = seeds(600);
    int lossy = 0, alike = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const Scenario scenario = random_failures(seed);
        std::string failing;
        for (const Failure& each : scenario.network_switch.failures)
            failing += each.link + each.at_switch + " at " + to_text(each.at) + " until " +
                       (each.until ? to_text(*each.until) : "never") + "\n";
        INFO("WATERSHED_SEEDS=" << seed << ":1\n" << scenario << failing);
        const Outcome exact = ExactEngine().run(scenario), ns3 = Ns3Engine().run(scenario);
        REQUIRE(ns3.losses == exact.losses);
        REQUIRE(ns3.first_loss == exact.first_loss);
        REQUIRE(ns3 == exact);
        REQUIRE(exact.frames_sent == exact.frames_received + exact.frames_lost());
        lossy += lost_to_links(exact) > 0;
        // A failure after the last frame changes nothing.
        Scenario later = scenario;
        Failure after = scenario.network_switch.failures.front();
        after.at = exact.simulated + Time{1};
        after.until.reset();
        set_failures(later, {after});
        Scenario without = scenario;
        set_failures(without, {});
        const Outcome whole = ExactEngine().run(without);
        if (whole.simulated <= exact.simulated) {
            REQUIRE(ExactEngine().run(later).losses == whole.losses);
            ++alike;
        }
    }
    if (count < 600) return;
    CHECK(lossy > 300);
    CHECK(alike > 100);
}

}  // namespace watershed
