// SPDX-License-Identifier: GPL-2.0-only
#include <cstdint>
#include <random>
#include <set>
#include <sstream>
#include <string>

#include "model/exact/exact-engine.h"
#include "model/guarantee/switch-guarantee.h"
#include "model/guarantee/witness.h"
#include "model/ns3/engine/ns3-engine.h"
#include "test/agreement/random-scenario.h"
#include "test/camera.h"
#include "test/catch.h"

namespace watershed {
namespace {

class Numbers {
  public:
    explicit Numbers(std::uint64_t seed) : random_(seed) {}
    std::int64_t operator()(std::int64_t from, std::int64_t to) {
        return std::uniform_int_distribution<std::int64_t>(from, to)(random_);
    }

  private:
    std::mt19937_64 random_;
};

Trigger random_train(Numbers& draw) {
    Trigger trigger;
    switch (draw(0, 3)) {
        case 0:
            trigger.pattern = Trigger::Pattern::Poisson;
            trigger.rate = Frequency{8'000'000'000};
            trigger.dead_time = Time{draw(0, 1) * draw(0, 12'000'000)};
            break;
        case 1:
            trigger.events = draw(1, 12);
            trigger.separation = Time{draw(0, 12'000'000)};
            break;
        case 2:
            trigger.pattern = Trigger::Pattern::Bursts;
            trigger.events = draw(1, 5);
            trigger.bursts = draw(1, 3);
            trigger.separation = Time{draw(0, 3'000'000)};
            trigger.period = trigger.separation * 5 + Time{draw(0, 30'000'000)};
            break;
        default:
            trigger.pattern = Trigger::Pattern::File;
            for (std::int64_t i = draw(1, 12); i > 0; --i)
                trigger.times.push_back((trigger.times.empty() ? Time{0} : trigger.times.back()) +
                                        Time{draw(0, 12'000'000)});
            trigger.dead_time = Time{draw(0, 1) * draw(0, 9'000'000)};
    }
    return trigger;
}

/// Scenario of the kinds that a bound covers.
Scenario random_covered(std::uint64_t seed) {
    Numbers draw(seed);
    Scenario scenario = camera(draw(1, 40));
    scenario.frame.payload = Bytes{draw(18, 1400)};
    scenario.front_end.modules = static_cast<int>(draw(1, 20));
    scenario.front_end.link_rate = BitRate{draw(0, 1) == 0 ? 1'000'000'000 : 999'999'937};
    if (draw(0, 2) == 0) scenario.front_end.skew = {Time{draw(0, 5'000'000)}};
    scenario.trigger = random_train(draw);
    Switch& network_switch = scenario.network_switch;
    network_switch.uplinks = static_cast<int>(draw(1, 3));
    network_switch.uplink_rate = BitRate{draw(0, 1) == 0 ? 10'000'000'000 : 7'777'777'777};
    network_switch.latency = Time{draw(0, 1) * draw(0, 4'000'000)};
    network_switch.arrival_order = static_cast<ArrivalOrder>(draw(0, 2));
    network_switch.count = draw(0, 3) == 0 && scenario.front_end.modules > 1 ? 2 : 1;
    Buffer& buffer = network_switch.buffer;
    buffer.sharing = Sharing::all()[static_cast<std::size_t>(draw(0, 3))];
    for (const Sharing each : {Sharing::Shared, Sharing::PerInput, Sharing::PerOutput, Sharing::DynamicThreshold})
        if (draw(0, 3) == 0) buffer.sharing = each;
    buffer.alpha = Ratio{draw(1, 4), draw(1, 3)};
    if (draw(0, 2) == 0) {
        buffer.size = {draw(1, 40) * 200, MemorySize::Unit::Byte};
        if (draw(0, 1) == 0) buffer.cell = Bytes{64};
    }
    return scenario;
}

}  // namespace

TEST_CASE("Both engines replay the witness of a bound to its backlog, and lose nothing where it says so") {
    std::int64_t covered = 0, many = 0, fitting = 0, losing = 0, without = 0, several = 0;
    std::set<std::string> policies;
    for (std::uint64_t seed = 1; covered < 300; ++seed) {
        REQUIRE(seed < 3000);
        const Scenario scenario = random_covered(seed);
        const auto guarantee = Guarantee::of(scenario);
        if (!guarantee) continue;
        ++covered;
        INFO("seed " << seed << '\n'
                     << [&] {
                            std::ostringstream text;
                            text << scenario;
                            return text.str();
                        }());
        ExactEngine exact;
        Ns3Engine ns3;
        const auto agree = [&](const NetworkScenario& what) {
            const Outcome outcome = exact.run(what);
            CHECK(ns3.run(what) == outcome);
            return outcome;
        };
        if (!guarantee->bounded) {
            const auto train = shortest_losing_train(exact, scenario, scenario.trigger, 4000);
            if (train) CHECK(agree(with_triggers(scenario, *train)).frames_lost() > 0);
            without += train.has_value();
            continue;
        }
        many += !guarantee->one_train;
        several += guarantee->switches.size() > 1;
        policies.insert(scenario.network_switch.buffer.sharing->name);
        const NetworkScenario ample =
            with_ample_memory(with_triggers(scenario, guarantee->witness), guarantee->frames() + 1);
        const Outcome outcome = agree(ample);
        CHECK(outcome.peak_frames == guarantee->frames());
        CHECK(outcome.peak_bytes == guarantee->frame.buffer * guarantee->frames());
        const Outcome own = agree(with_triggers(scenario, guarantee->witness));
        if (guarantee->fits()) CHECK(own.frames_lost() == 0);
        fitting += guarantee->fits();
        losing += own.frames_lost() > 0;
    }
    CHECK(many > 40);
    CHECK(fitting > 40);
    CHECK(losing > 40);
    CHECK(without > 10);
    CHECK(several > 20);
    CHECK(policies == std::set<std::string>{"dynamic-threshold", "per-input", "per-output", "shared"});
}

}  // namespace watershed
