// SPDX-License-Identifier: GPL-2.0-only
#include <rapidcheck.h>

#include "model/exact/exact-engine.h"
#include "model/frontend/event-train.h"
#include "model/scenario.h"
#include "scenarios/sweep/sweep.h"
#include "test/catch.h"

using namespace watershed;

namespace {

/// Two groups that differ in frames, links and delays, before one or two builders that take turns or get copies.
Scenario two_groups() {
    Scenario s;
    s.network_switch.uplinks = s.builders.count = *rc::gen::inRange(1, 3);
    if (*rc::gen::arbitrary<bool>()) s.builders.copies = Builders::Copies::All;
    s.network_switch.uplink_rate = BitRate{*rc::gen::inRange<std::int64_t>(1, 8) * 1'000'000'000};
    s.network_switch.buffer.size = {*rc::gen::inRange(4, 40), MemorySize::Unit::Frame};
    if (*rc::gen::arbitrary<bool>()) s.network_switch.buffer.sharing = Sharing::DynamicThreshold;
    if (*rc::gen::arbitrary<bool>()) s.network_switch.count = 2, s.network_switch.uplinks = 2;
    int before = 0;
    for (const char* name : {"a", "b"}) {
        Group group;
        group.name = name;
        group.frame.payload = Bytes{*rc::gen::inRange(100, 1400)};
        group.frame.fragments = *rc::gen::inRange(1, 3);
        group.front_end.modules = *rc::gen::inRange(1, 8);
        group.front_end.link_rate = BitRate{*rc::gen::inRange<std::int64_t>(1, 4) * 1'000'000'000};
        group.delay = Time{*rc::gen::element(0, 8'720'000, 30'000'000)};
        s.groups.push_back(placed_after(before, group));
        before += group.front_end.modules;
    }
    s.front_end.modules = before;
    return s;
}

}  // namespace

TEST_CASE("The boundary of groups is the longest burst that a run does not lose a frame of") {
    CHECK(rc::check([] {
        const Scenario s = two_groups();
        RC_PRE(s.front_end.modules > 1 || s.network_switch.count == 1);
        const Time separation{*rc::gen::inRange(1, 40) * std::int64_t{1'000'000}};
        constexpr std::int64_t kMost = 40;
        ExactEngine engine;
        const Boundary boundary = find_boundary(engine, s, separation, kMost, kMost);
        std::int64_t lossless = 0;
        for (Scenario burst = s; lossless < kMost; ++lossless) {
            burst.trigger.separation = separation;
            burst.trigger.events = lossless + 1;
            if (engine.run(burst).frames_lost() > 0) break;
        }
        if (lossless < kMost)
            RC_ASSERT(boundary.events_lossless == lossless);
        else
            RC_ASSERT(!boundary.events_lossless);
    }));
}

TEST_CASE("A loss map counts the frames of every group, and tells the mean payload of a module") {
    // 2 modules with 3 frames of 100 B and 1 with one of 700 B: 7 frames and 1300 B an event; 3 modules have 433 B
    // each.
    Scenario s;
    Group a, b;
    a.name = "a", b.name = "b";
    a.front_end.modules = 2, b.front_end.modules = 1;
    a.frame.payload = Bytes{100};
    a.frame.fragments = 3;
    b.frame.payload = Bytes{700};
    s.groups = {a, placed_after(2, b)};
    s.front_end.modules = 3;
    s.network_switch.buffer.size = {100, MemorySize::Unit::Frame};
    ExactEngine engine;
    const auto rows = map_column(engine, s, Time{100'000'000}, {5});
    CHECK(rows.front().frames_sent == 35);
    CHECK(rows.front().frames_received == 35);
    CHECK(rows.front().ports == 3);
    CHECK(rows.front().payload == Bytes{300});
}
