// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/stagger.h"

#include <rapidcheck.h>

#include "model/exact/exact-engine.h"
#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

namespace {

ExactEngine& engine() {
    static ExactEngine engine;
    return engine;
}
bool lossless(const Incast& scenario) { return engine().run(scenario).frames_lost() == 0; }

/// Cameras of 1 Gb/s behind an uplink of 1 Gb/s that sends a frame of `wire` bytes; one trigger.
Scenario cameras(int modules, Bytes wire, std::int64_t room, int packets = 1) {
    Scenario s;
    s.frame.payload = wire - Bytes{66};
    s.frame.fragments.number = packets;
    s.front_end.modules = modules;
    s.network_switch.uplink_rate = BitRate{1'000'000'000};
    s.network_switch.buffer.size = {room};
    s.trigger.events = 1;
    return s;
}

}  // namespace

TEST_CASE("What makers of cameras tell users to set") {
    // JAI, support article 360010698019: three cameras with packets of 10 us leave 20 us between them.
    const auto jai = find_staggering(cameras(3, Bytes{1250}, 3, 20), "gap", lossless);
    REQUIRE(jai);
    CHECK(jai->step == Time{20'000'000});
    CHECK(jai->latency_added == Time{19 * 20'000'000});
    // Each then sends a third of the uplink's 1 Gb/s.
    const auto pace = find_staggering(cameras(3, Bytes{1250}, 3, 20), "pace", lossless);
    CHECK(pace_of(pace->scenario) == BitRate{333'333'333});
    // SMARTEK, GigE manual: packets of 1500 B have slots of 12.3 us, with 38 B of Ethernet 1538 B.
    const auto smartek = find_staggering(cameras(3, Bytes{1538}, 1), "linear", lossless);
    REQUIRE(smartek);
    CHECK(smartek->step == Time{12'304'000});
    // Baumer, VEXG user guide: the best gap is (n - 1) packets and 2 minimum gaps of 12 B, from the last bit to the
    // next preamble; our gap comes on top of the one that belongs to each frame. For two cameras:
    const auto baumer = find_staggering(cameras(2, Bytes{1538}, 2, 20), "gap", lossless);
    REQUIRE(baumer);
    CHECK(gap_of_makers(baumer->scenario) == Time{(2 - 1) * 1526 * 8000 + 2 * 12 * 8000});
    // Leutron, PicSight GigE manual: of three packets at once a port with room for two loses one, smaller ones fit.
    CHECK(engine().run(cameras(3, Bytes{1538}, 2)).frames_lost() == 1);
    CHECK(find_staggering(cameras(3, Bytes{1538}, 3), "linear", lossless)->step == Time{0});
}

TEST_CASE("Only those that the memory does not take wait: the last one until all others but a memory full have left") {
    CHECK(rc::check("(modules - memory) frames of the uplink", [] {
        const int modules = *rc::gen::inRange(2, 40);
        const std::int64_t room = *rc::gen::inRange(1, modules);
        const auto found = find_staggering(cameras(modules, Bytes{1000}, room), "free", lossless);
        RC_ASSERT(found.has_value());
        RC_ASSERT(found->latency_added == Time{8'000'000} * (modules - room));
        RC_ASSERT(lossless(found->scenario));
    }));
}

TEST_CASE("The smallest step loses nothing, every smaller one does, and larger ones do not, up to a frame") {
    CHECK(rc::check("step by step", [] {
        Scenario scenario =
            cameras(*rc::gen::inRange(2, 10), Bytes{*rc::gen::inRange(84, 120)}, *rc::gen::inRange(1, 12));
        scenario.network_switch.uplink_rate = BitRate{*rc::gen::inRange<std::int64_t>(1, 30) * 1'000'000'000};
        scenario.trigger.events = *rc::gen::inRange(1, 4);
        scenario.trigger.separation = Time{*rc::gen::inRange(700, 9000) * 1000};
        if (*rc::gen::inRange(0, 2)) scenario.network_switch.buffer.release = Buffer::Release::Start;
        const bool groups = *rc::gen::inRange(0, 2);
        const auto found = find_staggering(scenario, groups ? "groups" : "linear", lossless);
        const int number =
            found && groups && found->step > Time{0} ? static_cast<int>(found->groups) : scenario.front_end.modules;
        const std::int64_t longest = 1 + scenario.frame.payload.count / 10 * (groups ? scenario.front_end.modules : 1);
        const auto with = [&](std::int64_t nanoseconds) {
            Scenario tried = scenario;
            for (int k = 0; k < scenario.front_end.modules; ++k)
                tried.front_end.skew.push_back(Time{nanoseconds * 1000} * (k * number / scenario.front_end.modules));
            return lossless(tried);
        };
        for (std::int64_t step = 0; step < (found ? found->step.count() / 1000 : longest); ++step)
            RC_ASSERT(!with(step));
        if (!found) return;
        RC_ASSERT(found->smallest);
        RC_ASSERT(with(found->step.count() / 1000));
        RC_ASSERT(lossless(found->scenario));
    }));
}

TEST_CASE("As many modules lose nothing as two triggers fill the memory with, and one more does") {
    CHECK(rc::check("half of the memory and of what the uplink sends between them", [] {
        const std::int64_t room = *rc::gen::inRange(1, 60), sent = *rc::gen::inRange(0, 80);
        Scenario s = cameras(1, Bytes{1000}, room);
        s.front_end.link_rate = BitRate{1'000'000'000'000};
        s.trigger.events = 2;
        s.trigger.separation = Time{8'000'000} * sent + Time{*rc::gen::inRange(0, 8'000'000)};
        const std::int64_t most = room <= sent ? room : (room + sent) / 2;
        RC_ASSERT(most_modules(s, false, lossless) == static_cast<int>(most));
        const auto spread = most_modules(s, true, lossless);
        RC_ASSERT(spread >= static_cast<int>(most));
        for (const int more : {0, 1}) {
            if (*spread + more == 0) continue;
            s.front_end.modules = *spread + more;
            RC_ASSERT((lossless(s) || lossless(most_spread(s, "linear").scenario)) == (more == 0));
        }
    }));
    // One frame after the other, as long as one trigger comes.
    CHECK(most_modules(cameras(1, Bytes{1000}, 1), true, lossless) == kMostModules);
    Scenario s = cameras(2, Bytes{1000}, 5);
    s.network_switch.count = 2;
    CHECK(most_modules(s, false, lossless) == 10);
    s.front_end.skew = {Time{1}};
    CHECK_FALSE(most_modules(s, false, lossless));
}

TEST_CASE("Delays that a scenario has are refused, and a gap without several frames") {
    Scenario scenario = cameras(3, Bytes{1000}, 1);
    scenario.front_end.skew = {Time{1}};
    CHECK_THROWS_WITH(find_staggering(scenario, "linear", lossless), StartsWith("front_end.skew: "));
    CHECK_THROWS_WITH(find_staggering(cameras(3, Bytes{1000}, 1), "gap", lossless),
                      StartsWith("front_end.fragments: "));
    scenario = cameras(3, Bytes{1000}, 1);
    scenario.trigger.pattern = Trigger::Pattern::LineRatePlusBurst;
    CHECK_THROWS_WITH(find_staggering(scenario, "linear", lossless), StartsWith("trigger.pattern: "));
    scenario = cameras(3, Bytes{1000}, 1);
    scenario.frame.payloads = {{Bytes{100}, 1}, {Bytes{200}, 1}};
    CHECK_THROWS_WITH(find_staggering(scenario, "linear", lossless), StartsWith("frame.payloads: "));
}

TEST_CASE("With room for a jitter, no jitter up to it loses a frame") {
    CHECK(rc::check("whatever is drawn", [] {
        Scenario scenario = cameras(*rc::gen::inRange(2, 20), Bytes{1000}, *rc::gen::inRange(2, 20));
        scenario.trigger.events = *rc::gen::inRange(1, 5);
        scenario.trigger.separation = Time{*rc::gen::inRange(8, 200) * 1'000'000};
        const Time jitter{*rc::gen::inRange(1, 40'000'000)};
        Scenario smaller = scenario;
        if (!leave_room_for_jitter(smaller, jitter)) return;
        const auto found = find_staggering(smaller, "linear", lossless);
        if (!found) return;
        scenario.front_end.skew = found->scenario.front_end.skew;
        scenario.front_end.jitter = jitter;
        for (scenario.seed = 1; scenario.seed <= 10; ++scenario.seed) RC_ASSERT(lossless(scenario));
    }));
}
