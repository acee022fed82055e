// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/instrument/interface.h"

#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("The kernel tells of the loopback interface") {
    const Interface loopback = read_interface("lo");
    CHECK(loopback.index > 0);
    CHECK(loopback.mtu >= 1280);
    CHECK(loopback.mac == std::array<std::uint8_t, 6>{});
    CHECK_FALSE(has_default_route("lo"));
    CHECK(output_queue(loopback).usual());
    CHECK(frame_counters(loopback).damaged == 0);
}

TEST_CASE("An interface that is not there is refused by its name") {
    CHECK_THROWS_AS(read_interface("no-such-port"), InputError);
    CHECK_THROWS_WITH(read_interface("no-such-port"), Contains("no-such-port"));
}

TEST_CASE("A queue that somebody chose is measured, the kernel's own is waited for") {
    OutputQueue queue;
    for (const char* kind : {"noqueue", "mq", "pfifo_fast", "fq_codel"}) {
        queue.kind = kind;
        CHECK(queue.usual());
    }
    for (const char* kind : {"tbf", "netem", "red", "bfifo", "htb"}) {
        queue.kind = kind;
        CHECK_FALSE(queue.usual());
    }
}

TEST_CASE("Frames of others are those that the counter has more than the program, however the counter lags") {
    ForeignFrames steady;
    CHECK(steady.add(440, 440) == 0);
    CHECK(steady.add(447, 440) == 7);
    CHECK(steady.add(440, 440) == 0);
    CHECK(steady.add(441, 440) == 1);
    ForeignFrames lagging;
    CHECK(lagging.add(100, 440) == 0);
    CHECK(lagging.add(780, 440) == 0);
    CHECK(lagging.add(450, 440) == 10);
}
