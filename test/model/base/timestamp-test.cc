// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/timestamp.h"

#include "model/exact/exact-engine.h"
#include "model/exact/exact-run.h"
#include "model/scenario.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("A switch drains up to 90 days exactly, and for longer no path of the exact engine gives an answer") {
    // 1090 B last 872 s at 10 b/s. 90 days are 7776000 s: 8917 frames, the first of which is there after 8.72 us.
    for (const auto release : {Buffer::Release::End, Buffer::Release::Start}) {
        Scenario s;
        s.front_end.modules = 1;
        s.network_switch.uplink_rate = BitRate{10};
        s.network_switch.buffer.size = {1'000'000};
        s.network_switch.buffer.release = release;
        for (const auto path : {ExactEngine::Path::Fastest, ExactEngine::Path::General}) {
            s.trigger.events = 8917;
            CHECK(ExactEngine(path).run(s).simulated == Time{8'720'000} + Time{872'000'000'000'000} * 8917);
            s.trigger.events = 8918;
            CHECK_THROWS_WITH(ExactEngine(path).run(s), Contains("switch.uplink_rate: ") && Contains("10 b/s"));
            s.trigger.events = 99'999;
            CHECK_THROWS_AS(ExactEngine(path).run(s), TimeExceeded);
        }
        s.network_switch.queueing = Queueing::VirtualOutput;
        CHECK_THROWS_WITH(ExactEngine().run(s), Contains("switch.uplink_rate: "));
    }
}

TEST_CASE("The key of the link that takes too long is named, whichever it is") {
    Scenario s;
    s.front_end.modules = 1;
    s.trigger.events = 10'000;
    s.front_end.link_rate = BitRate{10};
    CHECK_THROWS_WITH(ExactEngine().run(s), Contains("front_end.link_rate: "));
    s.front_end.link_rate = BitRate{1'000'000'000};
    s.aggregation = s.network_switch;
    s.aggregation->uplink_rate = BitRate{10};
    s.network_switch.buffer.size = s.aggregation->buffer.size = {1'000'000};
    CHECK_THROWS_WITH(ExactEngine().run(s), Contains("aggregation.uplink_rate: "));
}
