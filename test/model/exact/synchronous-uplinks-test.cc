// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/synchronous-uplinks.h"

#include <rapidcheck.h>

#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("An uplink that counts its frames and one that knows when each leaves hold as many at any time") {
    REQUIRE(rc::check([] {
        Scenario scenario;
        scenario.network_switch.uplink_rate = BitRate{*rc::gen::inRange<std::int64_t>(1, 40) * 250'000'000};
        scenario.network_switch.latency = Time{*rc::gen::inRange(0, 8'000'000)};
        const auto camera = SynchronousCamera::of(scenario);
        RC_ASSERT(camera && camera->counts_suffice());
        CountingUplink counting(*camera);
        FramesOnUplink frames(*camera);
        Timestamp now;
        std::int64_t held = 0, sent = 0, left = 0;
        for (int event = 0; event < 60; ++event) {
            // No closer than a frame of a module's link, as triggers are; now and then long after all have left.
            const Time step{*rc::gen::inRange<std::int64_t>(9'000'000, event % 10 == 9 ? 400'000'000 : 30'000'000)};
            now = now + step;
            counting.advance(camera->times.grid.ticks_of({step, 0}), now);
            const std::int64_t released = frames.release_until(now);
            left += released, held -= released;
            RC_ASSERT(counting.queued() == held);
            const std::int64_t more = *rc::gen::inRange(0, 30);
            counting.add(more);
            frames.push(now + camera->latency, more);
            sent += more, held += more;
        }
        left += frames.release_until(Time::max());
        RC_ASSERT(left == sent);
    }));
}
