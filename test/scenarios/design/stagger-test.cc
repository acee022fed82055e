// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/stagger.h"

#include <rapidcheck.h>

#include <map>
#include <set>

#include "model/exact/exact-engine.h"
#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

namespace {

ExactEngine& engine() {
    static ExactEngine engine;
    return engine;
}
bool lossless(const NetworkScenario& scenario) { return engine().run(scenario).frames_lost() == 0; }

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

/// Returns the staggering in groups of a camera that loses nothing with so many groups whose last delay is at least so
/// long.
auto grouped(const Scenario& s, const std::map<std::size_t, Time>& lossless_from) {
    return find_staggering(s, "groups", [=](const NetworkScenario& tried) {
        const std::vector<Time>& skew = tried.front_end.skew;
        const auto from = lossless_from.find(std::set<Time>(skew.begin(), skew.end()).size());
        return from != lossless_from.end() && skew.back() >= from->second;
    });
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
        const auto with = [&](std::int64_t nanoseconds) {
            Scenario tried = scenario;
            for (int k = 0; k < scenario.front_end.modules; ++k)
                tried.front_end.skew.push_back(Time{nanoseconds * 1000} * (k * number / scenario.front_end.modules));
            return lossless(tried);
        };
        if (!found) return;
        if (found->smallest)
            for (std::int64_t step = 0; step < found->step.count() / 1000; ++step) RC_ASSERT(!with(step));
        RC_ASSERT(found->smallest || groups || scenario.front_end.link_rate < scenario.network_switch.uplink_rate);
        if (found->step > Time{0}) RC_ASSERT(!with(found->step.count() / 1000 - 1));
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
            RC_ASSERT((lossless(s) || lossless(longest_useful_delays(s, "linear").scenario)) == (more == 0));
        }
    }));
    // One frame after the other, as long as one trigger comes.
    CHECK(most_modules(cameras(1, Bytes{1000}, 1), true, lossless) == kMostModules);
    Scenario s = cameras(2, Bytes{1000}, 5);
    s.network_switch.count = 2;
    CHECK(most_modules(s, false, lossless) == 10);
    s.front_end.skew = {Time{1}};
    CHECK_FALSE(most_modules(s, false, lossless));
    s = cameras(2, Bytes{1000}, 5);
    s.front_end.clock = {ClockTolerance{1}};
    CHECK_FALSE(most_modules(s, false, lossless));
}

TEST_CASE("Delays that a scenario has are refused, and a gap without several frames") {
    Scenario scenario = cameras(3, Bytes{1000}, 1);
    scenario.front_end.skew = {Time{1}};
    CHECK_THROWS_WITH(find_staggering(scenario, "linear", lossless), StartsWith("front_end.skew: "));
    CHECK_THROWS_WITH(find_staggering(cameras(3, Bytes{1000}, 1), "gap", lossless),
                      StartsWith("front_end.fragments: "));
    // Two are several: the second one of each of two modules comes when the first ones have left.
    CHECK(find_staggering(cameras(2, Bytes{1000}, 2, 2), "gap", lossless)->step == Time{8'000'000});
    scenario = cameras(3, Bytes{1000}, 1);
    scenario.trigger.pattern = Trigger::Pattern::LineRatePlusBurst;
    CHECK_THROWS_WITH(find_staggering(scenario, "linear", lossless), StartsWith("trigger.pattern: "));
    scenario = cameras(3, Bytes{1000}, 1);
    scenario.frame.payloads = {{Bytes{100}, 1}, {Bytes{200}, 1}};
    CHECK_THROWS_WITH(find_staggering(scenario, "linear", lossless), StartsWith("frame.payloads: "));
    scenario = cameras(3, Bytes{1000}, 1);
    scenario.trigger.rules = {{TriggerRule::Kind::AlmostFull, 1, Time{1}, {1}}};
    CHECK_THROWS_WITH(find_staggering(scenario, "linear", lossless), StartsWith("trigger.rules: "));
}

TEST_CASE("Allowed for as latency, no jitter up to it loses a frame") {
    CHECK(rc::check("whatever is drawn, in any memory that takes a fixed number of frames", [] {
        Scenario scenario = cameras(*rc::gen::inRange(2, 20), Bytes{1000}, *rc::gen::inRange(2, 20));
        scenario.trigger.events = *rc::gen::inRange(1, 5);
        scenario.trigger.separation = Time{*rc::gen::inRange(8, 200) * 1'000'000};
        Buffer& buffer = scenario.network_switch.buffer;
        if (*rc::gen::inRange(0, 2)) buffer.sharing = Sharing::DynamicThreshold, buffer.alpha = Ratio{1, 1};
        if (*rc::gen::inRange(0, 2))
            buffer.cell = Bytes{256}, buffer.size = {1024 * buffer.size.amount, MemorySize::Unit::Byte};
        scenario.front_end.jitter = Time{*rc::gen::inRange(1, 40'000'000)};
        const auto found = find_staggering_for_any_jitter(scenario, "linear", lossless);
        if (!found) return;
        RC_ASSERT(found->any_jitter);
        scenario.front_end.skew = found->scenario.front_end.skew;
        for (scenario.seed = 1; scenario.seed <= 10; ++scenario.seed) RC_ASSERT(lossless(scenario));
    }));
    // Two modules and room for one frame, by a threshold of alpha 1 of two: 100 ns of jitter take 100 ns more.
    Scenario two = cameras(2, Bytes{1000}, 2);
    two.network_switch.buffer.sharing = Sharing::DynamicThreshold;
    two.network_switch.buffer.alpha = Ratio{1, 1};
    two.front_end.jitter = Time{100'000};
    two.network_switch.latency = Time{5'000};
    const auto any = find_staggering_for_any_jitter(two, "linear", lossless);
    CHECK(any->step == Time{8'105'000});  // the frame leaves after the latency, too
    CHECK_FALSE(any->smallest);
    CHECK(any->scenario.front_end.jitter == Time{100'000});
    CHECK(any->scenario.network_switch.latency == Time{5'000});
    // Inputs with memory of their own, and queues that depend on each other: in another order others are lost.
    two.network_switch.buffer.sharing = Sharing::PerInput;
    CHECK_FALSE(find_staggering_for_any_jitter(two, "linear", lossless));
    two.network_switch.buffer.sharing = Sharing::DynamicThreshold;
    two.network_switch.uplinks = 2;
    CHECK_FALSE(find_staggering_for_any_jitter(two, "linear", lossless));
}

TEST_CASE("What is called the smallest is proven") {
    // A frame of 500 B at 3 Gb/s, 4/3 us, leaves after the latency: the tenth of nine comes 7/3 us later, or is lost.
    Scenario s = cameras(10, Bytes{500}, 9);
    s.network_switch.uplink_rate = BitRate{3'000'000'000};
    s.network_switch.latency = Time{1'000'000};
    const auto free = find_staggering(s, "free", lossless);
    CHECK(free->latency_added == Time{2'334'000});
    CHECK(free->smallest);
    // Two events of five, 19.62 us apart, for three: ten less three frames of 4.36 us, less these, are 10.9 us.
    s = cameras(5, Bytes{1090}, 3);
    s.network_switch.uplink_rate = BitRate{2'000'000'000};
    s.trigger.events = 2;
    s.trigger.separation = Time{19'620'000};
    CHECK(find_staggering(s, "linear", lossless)->latency_added == Time{10'900'000});
    CHECK(find_staggering(s, "linear", lossless)->smallest);
    const auto by_search = find_staggering(s, "free", lossless);
    CHECK(by_search->latency_added < Time{13'077'000});
    CHECK_FALSE(by_search->smallest);
    // Gaps from 6.351 to 7.5 us lose nothing, 8 us does, and 8.284 us does not.
    s = cameras(9, Bytes{1090}, 2, 3);
    s.network_switch.uplink_rate = BitRate{5'000'000'000};
    s.network_switch.buffer.sharing = Sharing::PerInput;
    s.trigger.events = 4;
    s.trigger.separation = Time{42'380'000};
    const auto gap = find_staggering(s, "gap", lossless);
    CHECK(gap->step < Time{7'500'000});
    CHECK_FALSE(gap->smallest);
    // Two groups of three modules with three frames of 8.72 us: one may wait for more than the other's three frames.
    s = cameras(6, Bytes{1090}, 13, 3);
    s.front_end.link_rate = BitRate{10'000'000'000};
    s.trigger.events = 2;
    s.trigger.separation = Time{184'895'000};
    const auto groups = find_staggering(s, "groups", lossless);
    CHECK(groups->smallest);
    CHECK(groups->latency_added <= Time{43'600'000});
    // With fewer groups than seven, longer steps may leave less latency: they are tried beyond the order of frames that
    // the proof holds for, so a shorter one stays open.
    s = cameras(7, Bytes{500}, 5, 3);
    s.network_switch.uplink_rate = BitRate{500'000'000};
    s.network_switch.latency = Time{1'000'000};
    const auto seven = find_staggering(s, "groups", lossless);
    CHECK(seven->groups == 7);
    CHECK_FALSE(seven->smallest);
}

TEST_CASE("Steps are tried up to an event's length on a module's link: then one image comes after the other") {
    // 8 frames of 8 us each; of the uplink 16/3 us each, and 16 us for those of all three modules.
    Scenario s = cameras(3, Bytes{1000}, 2, 8);
    s.network_switch.uplink_rate = BitRate{1'500'000'000};
    s.network_switch.buffer.sharing = Sharing::PerInput;
    CHECK(searched_to(s, "linear") == Time{64'000'000});
    CHECK(searched_to(s, "free") == Time{5'334'000});
    CHECK(searched_to(s, "gap") == Time{16'000'000});
    CHECK(find_staggering(s, "linear", lossless));
}

// Whether delays are good enough is here a plain threshold, so that each step follows by arithmetic.
// Three frames of 8 us, one of each module: linear steps of up to 8 us keep an uplink of 1 Gb/s busy; the last module
// waits two steps. Of three frames a module sends, gaps up to 24 us - 8 us are in order, up to 24 us are tried.
TEST_CASE("The smallest step is the threshold, rounded up to a nanosecond, and none lies beyond the longest tried") {
    const struct {
        std::string kind;
        Time gap, threshold;
        std::optional<Time> step;
        Time added;
        bool smallest;
    } cases[] = {
        {"linear", Time{0}, Time{0}, Time{0}, Time{0}, true},
        {"linear", Time{0}, Time{1}, Time{1'000}, Time{2'000}, true},
        {"linear", Time{0}, Time{10'001'000}, Time{5'001'000}, Time{10'002'000}, true},
        {"linear", Time{0}, Time{16'000'000}, Time{8'000'000}, Time{16'000'000}, true},
        {"linear", Time{0}, Time{16'000'001}, std::nullopt, Time{0}, false},
        {"gap", Time{0}, Time{1}, Time{1'000}, Time{2'000}, true},
        {"gap", Time{0}, Time{16'000'000}, Time{16'000'000}, Time{32'000'000}, true},
        {"gap", Time{0}, Time{16'000'001}, Time{16'001'000}, Time{32'002'000}, false},
        {"gap", Time{0}, Time{24'000'001}, std::nullopt, Time{0}, false},
        {"gap", Time{1'500}, Time{1'500}, Time{0}, Time{0}, true},
        {"gap", Time{1'500}, Time{1'501}, Time{2'000}, Time{1'000}, false},
        {"pace", Time{100'000'000}, Time{100'000'001}, Time{100'001'000}, Time{2'000}, false},
        {"groups", Time{0}, Time{0}, Time{0}, Time{0}, true},
        // Two groups wait one step, three wait two: no other number waits less than 5 us.
        {"groups", Time{0}, Time{5'000'000}, Time{5'000'000}, Time{5'000'000}, true},
        {"free", Time{0}, Time{1}, Time{1'000}, Time{1'000}, false},
    };
    for (const auto& [kind, gap, threshold, step, added, smallest] : cases) {
        const bool by_gap = kind == "gap" || kind == "pace";
        Scenario s = cameras(3, Bytes{1000}, 100, by_gap ? 3 : 1);
        s.front_end.gap = gap;
        const auto good = [&, least = threshold](const NetworkScenario& tried) {
            const std::vector<Time>& skew = tried.front_end.skew;
            return (by_gap ? tried.front_end.gap : skew.empty() ? Time{0} : skew.back()) >= least;
        };
        INFO(kind << ", threshold " << threshold.count() << " ps");
        const auto found = find_staggering(s, kind, good);
        REQUIRE(found.has_value() == step.has_value());
        if (!found) continue;
        CHECK(found->kind == kind);
        CHECK(found->step == *step);
        CHECK(found->latency_added == added);
        CHECK(found->smallest == smallest);
        CHECK((found->keys.empty() ? "" : found->keys.front().first) == (*step == Time{0} ? ""
                                                                         : by_gap         ? "front_end.gap"
                                                                                          : "front_end.skew"));
        CHECK(good(found->scenario));
    }
}

TEST_CASE("Steps of a coarser resolution are multiples of it") {
    const auto from = [](std::int64_t picoseconds) {
        return [=](const NetworkScenario& tried) { return tried.front_end.skew.back() >= Time{picoseconds}; };
    };
    const Scenario s = cameras(3, Bytes{1000}, 100);
    CHECK(find_staggering(s, "linear", from(9'000'000), Time{1'000'000})->step == Time{5'000'000});
    CHECK(find_staggering(s, "linear", from(10'000'000), Time{1'000'000})->step == Time{5'000'000});
    CHECK_FALSE(find_staggering(s, "linear", from(10'000'000), Time{1'000'000})->smallest);
    CHECK(find_staggering(s, "linear", from(16'000'000), Time{3'000'000})->step == Time{9'000'000});
    CHECK(searched_to(s, "linear", Time{3'000'000}) == Time{9'000'000});
}

TEST_CASE("As many modules as are good enough do not wait, and each further one a frame's time more") {
    for (std::int64_t waiting = 0; waiting <= 4; ++waiting) {
        const auto found = find_staggering(cameras(4, Bytes{1000}, 100), "free", [&](const NetworkScenario& tried) {
            const std::vector<Time>& skew = tried.front_end.skew;
            return std::count_if(skew.begin(), skew.end(), [](Time each) { return each >= Time{8'000'000}; }) >=
                   waiting;
        });
        INFO(waiting << " of four modules");
        REQUIRE(found.has_value() == (waiting < 4));  // the first never waits
        if (!found) continue;
        CHECK(found->step == (waiting == 0 ? Time{0} : Time{8'000'000}));
        CHECK(found->latency_added == Time{8'000'000} * waiting);
    }
}

// Six modules: two groups are in order up to 24 us, of which 1 us more are tried, and three up to 16 us.
TEST_CASE(
    "A step of fewer groups beyond the order leaves open whether shorter delays of more groups are the smallest") {
    Scenario s = cameras(6, Bytes{1000}, 100);
    s.network_switch.latency = Time{1'000'000};
    const auto found = [&](Time of_three) { return grouped(s, {{2, Time{24'500'000}}, {3, of_three}}); };
    const auto open = found(Time{24'400'000}), proven = found(Time{24'000'000});
    CHECK(open->groups == 3);
    CHECK(open->latency_added == Time{24'400'000});
    CHECK_FALSE(open->smallest);
    CHECK(proven->latency_added == Time{24'000'000});
    CHECK(proven->smallest);
}

// The last of six frames of 8 us comes so late, less a nanosecond, that the uplink has sent five of them before: a
// memory for one holds it. Four groups are in order up to 12 us; beyond, a step of a third of 41.001 us is not proven.
TEST_CASE("Delays are the smallest only if the memory does not hold what is left when all come a nanosecond earlier") {
    Scenario s = cameras(6, Bytes{1000}, 1);
    s.network_switch.latency = Time{1'000'000};
    const auto found = [&](Time latest) { return grouped(s, {{4, latest}}); };
    const auto held = found(Time{41'001'000}), lost = found(Time{40'998'000});
    CHECK(held->latency_added == Time{41'001'000});
    CHECK_FALSE(held->smallest);
    CHECK(lost->latency_added == Time{40'998'000});
    CHECK(lost->smallest);
}

TEST_CASE("Two groups of modules wait up to a group's frames and the latency of the switch, one module up to its own") {
    Scenario s = cameras(3, Bytes{1000}, 100);
    s.network_switch.latency = Time{1'000'000};
    CHECK(searched_to(s, "groups") == Time{17'000'000});
    CHECK(searched_to(s, "linear") == Time{9'000'000});
    s.front_end.modules = 1;
    CHECK(searched_to(s, "groups") == Time{9'000'000});
}

// Three modules send 8 us each: 24 us of an uplink. Random triggers of 100 kHz behind 10 us of dead time, or behind one
// token per 10 us, come at 50 kHz.
TEST_CASE("A link is overloaded where its share of the mean time between events is more than that") {
    using Pattern = Trigger::Pattern;
    const auto loads = [](const Trigger& trigger) {
        Scenario s = cameras(3, Bytes{1000}, 100);
        s.trigger = trigger;
        std::vector<std::pair<bool, double>> all;
        for (const LinkLoad& each : overloads(s)) all.emplace_back(each.of_modules, each.load);
        return all;
    };
    const auto burst = [](std::int64_t events, Time separation) {
        Trigger trigger;
        trigger.events = events;
        trigger.separation = separation;
        return trigger;
    };
    const auto at_rate = [](Pattern pattern, std::int64_t kilohertz, Time dead_time) {
        Trigger trigger;
        trigger.pattern = pattern;
        trigger.rate = Frequency{kilohertz * 1'000'000'000};
        trigger.dead_time = dead_time;
        return trigger;
    };
    Trigger ruled = at_rate(Pattern::Poisson, 100, Time{0});
    ruled.rules = {{TriggerRule::Kind::Bucket, 1, Time{10'000'000}}};
    for (const Trigger& trigger : {burst(2, Time{20'000'000}), at_rate(Pattern::Periodic, 50, Time{0}),
                                   at_rate(Pattern::Poisson, 100, Time{10'000'000}), ruled}) {
        const auto found = loads(trigger);
        REQUIRE(found.size() == 1);
        CHECK_FALSE(found[0].first);
        CHECK(found[0].second == Approx(1.2));
    }
    const auto both = loads(burst(2, Time{7'000'000}));
    REQUIRE(both.size() == 2);
    CHECK(both[1].first);
    CHECK(both[1].second == Approx(8.0 / 7));
    Trigger file;
    file.pattern = Pattern::File;
    file.times = {Time{0}, Time{1}};
    for (const Trigger& trigger : {burst(2, Time{24'000'000}), burst(2, Time{0}), burst(1, Time{7'000'000}), file})
        CHECK(loads(trigger).empty());
}

// Frames of 8 us: those of the second group find room when all three of the first have left, 24 us after they came.
TEST_CASE("Where a scenario has groups, these wait one after another") {
    Scenario s = cameras(6, Bytes{1000}, 3);
    s.groups = {{"a", s.frame, s.front_end, {}, {}, {}}, {"b", s.frame, s.front_end, {}, {}, {}}};
    for (Group& group : s.groups) group.front_end.modules = 3;
    const auto found = find_staggering(s, "groups", lossless);
    REQUIRE(found);
    CHECK(found->step == Time{24'000'000});
    CHECK(found->latency_added == Time{24'000'000});
    CHECK(found->groups == 2);
    CHECK_FALSE(found->smallest);
    CHECK(found->keys == std::vector<std::pair<std::string, std::string>>{{"group.b.delay", "24 us"}});
    CHECK(lossless(found->scenario));
    CHECK(searched_to(s, "groups") == Time{24'000'000});
    CHECK_FALSE(most_modules(s, false, lossless));
    // A third group waits twice as long.
    s.groups.push_back(s.groups.back());
    s.groups.back().name = "c";
    s.front_end.modules = 9;
    CHECK(find_staggering(s, "groups", lossless)->keys.back().second == "48 us");
    CHECK_THROWS_WITH(find_staggering(s, "linear", lossless), StartsWith("group: ") && Contains("--kind linear"));
    s.groups[2].trigger.emplace();
    CHECK_THROWS_WITH(find_staggering(s, "groups", lossless), StartsWith("group.c.trigger: "));
    s.groups[2].trigger.reset();
    s.groups[1].front_end.skew = {Time{1}};
    CHECK_THROWS_WITH(find_staggering(s, "groups", lossless), StartsWith("group.b.delay: "));
}

// 5 modules of 10 Gb/s and 5 of 1 Gb/s: frames of 1000 B take the slower ones 8 us, and all 80 us of an uplink.
TEST_CASE("Overloaded are the slowest modules of the groups, and the uplinks by the frames of all") {
    Scenario s = cameras(10, Bytes{1000}, 3);
    s.groups = {{"a", s.frame, s.front_end, {}, {}, {}}, {"b", s.frame, s.front_end, {}, {}, {}}};
    for (Group& group : s.groups) group.front_end.modules = 5;
    s.groups[0].front_end.link_rate = BitRate{10'000'000'000};
    s.trigger.pattern = Trigger::Pattern::Periodic;
    s.trigger.rate = Frequency{250'000'000'000};
    const std::vector<LinkLoad> found = overloads(s);
    REQUIRE(found.size() == 2);
    CHECK(found[0].load == Approx(20));
    CHECK(found[1].load == Approx(2));
    CHECK(found[1].of_modules);
    s.groups[1].trigger.emplace();
    CHECK(overloads(s).empty());
}
