// SPDX-License-Identifier: GPL-2.0-only
#include "model/network/failures.h"

#include <map>
#include <string>

#include "model/base/unsupported-key.h"
#include "model/exact/exact-engine.h"
#include "test/catch.h"

namespace watershed {
namespace {

constexpr Time kMicrosecond{1'000'000};

/// 8 modules of 1 Gb/s that send at once, every 20 us, a frame of 8.72 us to a switch with two uplinks of as much.
NetworkScenario eight_modules(std::int64_t events) {
    NetworkScenario s;
    s.front_end.modules = 8;
    s.trigger.pattern = Trigger::Pattern::Burst;
    s.trigger.separation = 200 * kMicrosecond;
    s.trigger.events = events;
    s.network_switch.uplinks = 2;
    s.network_switch.uplink_rate = BitRate{1'000'000'000};
    s.network_switch.buffer.size = {100};
    return s;
}

std::map<std::string, std::int64_t> lost(const NetworkScenario& s) {
    std::map<std::string, std::int64_t> lost;
    for (const Outcome::Loss& loss : ExactEngine().run(s).losses) lost[loss.where + ": " + loss.reason] += loss.frames;
    return lost;
}

using Lost = std::map<std::string, std::int64_t>;

}  // namespace

TEST_CASE("A cable that fails loses the frame that is on it and those that wait for it") {
    // All 8 frames are there at 8.72 us, 4 for each uplink, which sends one in 8.72 us: at 20 us uplink 1 sends its
    // second, until 26.16 us, and two wait.
    NetworkScenario s = eight_modules(1);
    s.network_switch.failures = {{"cut", "switch, uplink 1", "", 20 * kMicrosecond, {}}};
    CHECK(lost(s) == Lost{{"switch: link-down", 3}});
    // It is of no use that the cable is back before the frame on it has left, but for those that come later.
    s.network_switch.failures[0].until = 21 * kMicrosecond;
    CHECK(lost(s) == Lost{{"switch: link-down", 3}});
    // A frame that has just left is not lost, nor is one that begins when the cable is back.
    s.network_switch.failures[0].at = Time{17'440'000};
    s.network_switch.failures[0].until.reset();
    CHECK(lost(s) == Lost{{"switch: link-down", 3}});
    s.network_switch.failures[0].at = Time{17'440'001};
    CHECK(lost(s) == Lost{{"switch: link-down", 3}});
    s.network_switch.failures[0].at = Time{17'439'999};
    CHECK(lost(s) == Lost{{"switch: link-down", 4}});
}

TEST_CASE("Frames that come later take the uplinks that are left") {
    // Two events, the first at 0 and the second at 200 us: the second's frames all go by uplink 2, and the last of
    // them leaves 8 slots after they came; with both uplinks it is 4.
    NetworkScenario s = eight_modules(2);
    const Time both = ExactEngine().run(s).simulated;
    s.network_switch.failures = {{"cut", "switch to server", "", 100 * kMicrosecond, 150 * kMicrosecond}};
    CHECK(lost(s).empty());
    CHECK(ExactEngine().run(s).simulated == both);
    s.network_switch.failures = {{"cut", "switch, uplink 1", "", 100 * kMicrosecond, {}}};
    CHECK(lost(s).empty());
    CHECK(ExactEngine().run(s).simulated == both + Time{4 * 8'720'000});
    s.network_switch.failures = {{"cut", "switch to server", "", 100 * kMicrosecond, {}}};
    CHECK(lost(s) == Lost{{"switch: link-down", 8}});
    // A list of uplinks is no choice.
    s.network_switch.uplink_choice.rule = UplinkChoice::Rule::Static;
    s.network_switch.uplink_choice.list = {1, 2, 2, 2};
    s.network_switch.failures = {{"cut", "switch, uplink 1", "", 100 * kMicrosecond, {}}};
    CHECK(lost(s) == Lost{{"switch: link-down", 2}});
}

TEST_CASE("A module whose link is down sends as before, and what it sends is lost") {
    NetworkScenario s = eight_modules(3);
    s.network_switch.failures = {{"cut", "module 3 to switch", "", 205 * kMicrosecond, 206 * kMicrosecond}};
    CHECK(lost(s) == Lost{{"module link: link-down", 1}});
    s.network_switch.failures[0].until.reset();
    CHECK(lost(s) == Lost{{"module link: link-down", 2}});
}

TEST_CASE("A switch that fails loses what it holds and what is on its links") {
    // At 13 us one frame is on each uplink, 6 wait, and nothing comes; at 5 us all 8 are on their modules' links.
    NetworkScenario s = eight_modules(1);
    s.network_switch.failures = {{"off", "", "switch", 13 * kMicrosecond, {}}};
    CHECK(lost(s) == Lost{{"switch: link-down", 8}});
    s.network_switch.failures[0].at = 5 * kMicrosecond;
    CHECK(lost(s) == Lost{{"module link: link-down", 8}});
}

TEST_CASE("A switch avoids a way whose next switch has none") {
    // A switch of 8 modules with an uplink to each of two others.
    NetworkScenario s = eight_modules(2);
    const Switch others = s.network_switch;
    s.nodes = {{"first", 8, {"upper", "lower"}, {}, others},
               {"upper", 0, {"server"}, {}, others},
               {"lower", 0, {"server"}, {}, others}};
    for (Node& node : s.nodes) node.network_switch.uplinks = static_cast<int>(node.to.size());
    const auto fail = [&](const Failure& failure) {
        for (Node& node : s.nodes) node.network_switch.failures = {failure};
    };
    for (const Time at : {Time{0}, 150 * kMicrosecond}) {
        fail({"cut", "upper to server", "", at, {}});
        CHECK(lost(s).empty());
        fail({"off", "", "upper", at, {}});
        CHECK(lost(s).empty());
        fail({"cut", "first to lower", "", at, 300 * kMicrosecond});
        CHECK(lost(s).empty());
    }
    // At 250 us the 4 frames of the second event for the upper switch are there; it sends the second, and the first of
    // them is at the server.
    fail({"cut", "upper to server", "", Time{226'160'000}, {}});
    CHECK(lost(s) == Lost{{"upper: link-down", 3}});
}

TEST_CASE("A failure names a link or a switch that there is, where frames wait at uplinks alone") {
    NetworkScenario s = eight_modules(1);
    const auto refusal = [&](const Failure& failure) {
        s.network_switch.failures = {failure};
        try {
            NetworkFailures(Network(s), s);
        } catch (const KeyError& error) {
            return error.key + ": " + error.why;
        }
        return std::string();
    };
    CHECK(refusal({"x", "switch 1 to server", "", Time{0}, {}}) ==
          "failure.x.link: found \"switch 1 to server\", expected a link such as \"switch, uplink 2\", \"switch to "
          "server\" or \"module 1 to switch\"");
    CHECK(refusal({"x", "module 9 to switch", "", Time{0}, {}}) != "");
    CHECK(refusal({"x", "", "server", Time{0}, {}}) ==
          "failure.x.switch: found \"server\", expected the name of a switch, such as \"switch\"");
    s.network_switch.cut_through = true;
    CHECK(refusal({"x", "", "switch", Time{0}, {}}) == "failure.x: conflicts with cut_through of switch");
}

}  // namespace watershed
