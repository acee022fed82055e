// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/queue-model.h"

#include <rapidcheck.h>

#include "test/catch.h"

#include "test/calibrate/reference-queue.h"

using namespace watershed;

namespace {

struct Case {
    QueueModel model;
    Burst burst;
    QueueSetting setting;
    std::int64_t drained = 0;   ///< by an uplink that is never idle
};

Case any_case() {
    Case one;
    QueueSetting& setting = one.setting;
    setting.uplinks = *rc::gen::inRange(1, 4);
    setting.ports = *rc::gen::inRange(1, 25);
    setting.sharing = *rc::gen::element(Buffer::Sharing::Shared, Buffer::Sharing::PerInput);
    setting.room = setting.sharing == Buffer::Sharing::Shared ? setting.ports + *rc::gen::inRange<std::int64_t>(0, 60) : *rc::gen::inRange<std::int64_t>(1, 10);
    setting.events = *rc::gen::inRange(1, 40);
    setting.slot = *rc::gen::inRange<std::int64_t>(500, 1500);
    // From hardly anything drained to more than all that comes.
    setting.spacing = 1 + setting.slot * setting.ports * *rc::gen::inRange<std::int64_t>(1, 1100) / (1000 * setting.uplinks);
    one.model = {setting.sharing, MemorySize::Unit::Frame};
    one.burst.ports = setting.ports;
    one.burst.uplinks = setting.uplinks;
    one.burst.events = setting.events;
    one.burst.spacing = Time{setting.spacing};
    one.burst.wire = one.burst.buffer = 1;
    one.drained = (setting.events - 1) * setting.spacing / setting.slot;
    return one;
}

}  // namespace

TEST_CASE("The closed form tells lossless from lossy bursts like a queue that moves frame by frame, and never counts too many losses") {
    REQUIRE(rc::check([] {
        const Case one = any_case();
        const std::int64_t closed = frames_lost(one.model, one.burst, one.setting.room, one.drained), lost = lost_frame_by_frame(one.setting);
        RC_ASSERT((closed > 0) == (lost > 0));
        RC_ASSERT(closed <= lost);
    }));
}

TEST_CASE("With room for one event and one frame per uplink more, the closed form of shared memory counts losses to the frame") {
    REQUIRE(rc::check([] {
        Case one = any_case();
        RC_PRE(one.model.sharing == Buffer::Sharing::Shared);
        one.setting.room = std::max(one.setting.room, least_busy_room(one.model, one.burst));
        RC_ASSERT(frames_lost(one.model, one.burst, one.setting.room, one.drained) == lost_frame_by_frame(one.setting));
    }));
}

TEST_CASE("The range of drained frames that explains a burst contains what was drained") {
    REQUIRE(rc::check([] {
        Case one = any_case();
        one.burst.lost = lost_frame_by_frame(one.setting);
        one.burst.lossy = one.burst.lost > 0;
        one.burst.counted = *rc::gen::arbitrary<bool>();
        const auto range = drain_range(one.model, one.burst, one.setting.room);
        RC_ASSERT(range.has_value());
        RC_ASSERT(range->least <= one.drained);
        RC_ASSERT(one.drained <= range->most);
    }));
}

TEST_CASE("The half-planes of a burst contain the truth") {
    REQUIRE(rc::check([] {
        Case one = any_case();
        one.burst.lost = lost_frame_by_frame(one.setting);
        one.burst.lossy = one.burst.lost > 0;
        one.burst.counted = *rc::gen::arbitrary<bool>();
        const double rate = 8e12 / static_cast<double>(one.setting.slot), depth = static_cast<double>(one.setting.room);
        // Whatever is known already, as long as the truth is in it.
        const double wide = *rc::gen::inRange(1, 100);
        const auto known = ConvexPolygon::rectangle(std::max(0.0, depth - wide), depth + wide, rate / (1 + wide / 10), rate * (1 + wide / 10));
        for (const HalfPlane& side : burst_bounds(one.model, one.burst, known).sides) RC_ASSERT(side.margin(depth, rate) >= -1e-6);
    }));
}
