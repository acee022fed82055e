// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <random>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "model/base/loss.h"
#include "model/base/outcome.h"
#include "model/exact/exact-engine.h"
#include "model/ns3/engine/ns3-engine.h"
#include "test/agreement/random-scenario.h"
#include "test/agreement/seeds.h"
#include "test/catch.h"

namespace watershed {
namespace {

/// A frame that was lost: when in ps, event, module, frame, and why.
using Lost = std::tuple<std::int64_t, std::int64_t, int, int, std::string>;

struct Seen {
    Outcome outcome;
    std::vector<Lost> lost;  ///< in order
};

Seen run(Engine& engine, const Scenario& scenario) {
    Seen seen;
    Observer observer;
    observer.lost = [&](const FrameId& frame, Time time, const LossCause& cause) {
        seen.lost.emplace_back(time.count(), frame.event, frame.module, frame.frame,
                               std::string(cause.where) + "/" + std::string(cause.reason));
    };
    seen.outcome = engine.run(scenario, &observer);
    std::sort(seen.lost.begin(), seen.lost.end());
    return seen;
}

std::vector<Sharing> that_push_out() {
    std::vector<Sharing> policies;
    for (const Sharing each : Sharing::all())
        if (each->evicts) policies.push_back(each);
    return policies;
}

/// Push-out of the longest queue in whole ticks of 5 us, with nothing but arrays. Every frame takes 2 ticks on its
/// module's link.
struct Small {
    int modules, uplinks, room, events, separation, service;  ///< in frames and ticks
    std::vector<int> uplink_of;                               ///< by module

    std::vector<Lost> lost() const {
        struct Frame {
            int event, module;
        };
        std::vector<Lost> all;
        std::vector<std::vector<Frame>> queues(static_cast<std::size_t>(uplinks));
        std::vector<int> done(static_cast<std::size_t>(uplinks), 0);
        int stored = 0;
        for (int tick = 0; tick <= events * separation + 2; ++tick) {
            for (std::size_t u = 0; u < queues.size(); ++u) {
                if (queues[u].empty() || done[u] != tick) continue;
                queues[u].erase(queues[u].begin());
                --stored;
                done[u] = tick + service;
            }
            if (tick < 2 || (tick - 2) % separation != 0 || (tick - 2) / separation >= events) continue;
            for (int module = 1; module <= modules; ++module) {
                const auto own = static_cast<std::size_t>(uplink_of[static_cast<std::size_t>(module - 1)]);
                const Frame frame{(tick - 2) / separation + 1, module};
                const auto lose = [&](const Frame& gone, const char* why) {
                    all.emplace_back(tick * 5'000'000LL, gone.event, gone.module, 0, why);
                };
                if (stored == room) {
                    std::size_t longest = own;
                    for (std::size_t u = 0; u < queues.size(); ++u)
                        if (queues[u].size() > queues[longest].size() && queues[u].size() > 1)
                            longest = u;  // the first is being sent
                    if (longest == own) {
                        lose(frame, "switch/buffer-full");
                        continue;
                    }
                    lose(queues[longest].back(), "switch/pushed-out");
                    queues[longest].pop_back();
                    --stored;
                }
                if (queues[own].empty()) done[own] = tick + service;
                queues[own].push_back(frame);
                ++stored;
            }
        }
        std::sort(all.begin(), all.end());
        return all;
    }

    Scenario scenario() const {
        Scenario s;
        s.frame.payload = Bytes{1250} - s.frame.wire_overhead;  // 10 us at 1 Gb/s
        s.front_end.modules = modules;
        s.trigger.events = events;
        s.trigger.separation = Time{5'000'000} * separation;
        s.network_switch.uplinks = uplinks;
        s.network_switch.uplink_rate = BitRate{2'000'000'000 / service};
        s.network_switch.uplink_choice.rule = UplinkChoice::Rule::Static;
        for (const int uplink : uplink_of) s.network_switch.uplink_choice.list.push_back(uplink + 1);
        s.network_switch.buffer.sharing = Sharing::named("longest-queue-drop");
        s.network_switch.buffer.size = {room, MemorySize::Unit::Frame};
        return s;
    }
};

}  // namespace

TEST_CASE(
    "Where frames are pushed out, ns-3 and the exact engine lose the same frames at the same times for the same "
    "reasons") {
    const auto [first, count] = seeds(2000);
    std::int64_t pushed_out = 0, for_several = 0;
    for (const Sharing sharing : that_push_out())
        for (std::uint64_t seed = first; seed < first + count; ++seed) {
            Scenario scenario = random_scenario(seed);
            Switch& network_switch = scenario.network_switch;
            network_switch.uplinks = std::max(network_switch.uplinks, 2 + static_cast<int>(seed % 3));
            network_switch.buffer.sharing = sharing;
            network_switch.buffer.accounting = Buffer::Accounting::Egress;
            Ns3Engine ns3({}, seed % 4 == 0);
            ExactEngine exact;
            const Seen in_ns3 = run(ns3, scenario), exactly = run(exact, scenario);
            if (!(in_ns3.outcome == exactly.outcome) || in_ns3.lost != exactly.lost) {
                std::ostringstream text;
                text << "WATERSHED_SEEDS=" << seed << ":1\n" << scenario;
                FAIL(text.str());
            }
            // Every frame is accounted for.
            REQUIRE(exactly.outcome.frames_sent ==
                    exactly.outcome.frames_received + static_cast<std::int64_t>(exactly.lost.size()));
            const auto is_push_out = [](const Lost& lost) { return std::get<4>(lost) == "switch/pushed-out"; };
            const auto found = std::count_if(exactly.lost.begin(), exactly.lost.end(), is_push_out);
            pushed_out += found > 0;
            for_several += found > 1;
        }
    if (count >= 1000) {
        CHECK(pushed_out > 100);
        CHECK(for_several > 50);
    }
}

TEST_CASE("Both engines push out what a loop over arrays pushes out") {
    std::mt19937_64 random(20);
    const auto draw = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    int pushed_out = 0, refused = 0;
    for (int i = 0; i < 1500; ++i) {
        Small small{draw(1, 7), draw(1, 4), draw(1, 12), draw(1, 10), draw(2, 12), 1 << draw(0, 3), {}};
        for (int module = 0; module < small.modules; ++module) small.uplink_of.push_back(draw(0, small.uplinks - 1));
        const auto expected = small.lost();
        ExactEngine exact;
        Ns3Engine ns3({}, false);
        INFO(small.modules << " modules, " << small.uplinks << " uplinks, room " << small.room << ", events "
                           << small.events << ", separation " << small.separation << ", service " << small.service);
        REQUIRE(run(exact, small.scenario()).lost == expected);
        REQUIRE(run(ns3, small.scenario()).lost == expected);
        for (const Lost& lost : expected) (std::get<4>(lost) == "switch/pushed-out" ? pushed_out : refused) += 1;
    }
    CHECK(pushed_out > 500);
    CHECK(refused > 500);
}

TEST_CASE(
    "A memory that pushes out loses its first frame exactly when a shared one would, and saves frames of other "
    "queues") {
    std::mt19937_64 random(21);
    const auto draw = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    std::int64_t saved = 0;
    for (int i = 0; i < 500; ++i) {
        Small small{draw(2, 7), draw(2, 4), draw(1, 12), draw(1, 20), draw(2, 12), 1 << draw(0, 3), {}};
        for (int module = 0; module < small.modules; ++module) small.uplink_of.push_back(draw(0, small.uplinks - 1));
        Scenario scenario = small.scenario();
        ExactEngine exact;
        const Seen pushed = run(exact, scenario);
        scenario.network_switch.buffer.sharing = Sharing::Shared;
        const Seen shared = run(exact, scenario);
        REQUIRE(pushed.lost.empty() == shared.lost.empty());
        if (!shared.lost.empty()) REQUIRE(std::get<0>(pushed.lost.front()) == std::get<0>(shared.lost.front()));
        saved += static_cast<std::int64_t>(shared.lost.size()) - static_cast<std::int64_t>(pushed.lost.size());
    }
    CHECK(saved > 100);
}

}  // namespace watershed
