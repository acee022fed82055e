// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/closed-form/queue-model.h"
#include "test/catch.h"

using namespace watershed;

namespace {

QueueModel cells_of(std::int64_t cell, std::int64_t header) {
    QueueModel model;
    model.unit = MemorySize::Unit::Cell;
    model.cell = cell;
    model.header = header;
    return model;
}

Burst burst_with(std::int64_t amount, bool cells, std::int64_t resolution = 1) {
    Burst burst;
    burst.ports = 4;
    burst.events = 10;
    burst.buffer = 1066;
    burst.wire = 1066;
    burst.peak = PeakReading{amount, cells, resolution};
    return burst;
}

}  // namespace

TEST_CASE("A counter of bytes takes a frame's own bytes, or the whole cells that it fills") {
    const QueueModel frames, cells = cells_of(208, 8);  // 1074 B fill six cells, 1248 B
    CHECK(counter_cost(frames, burst_with(1, false)) == 1066);
    CHECK(counter_cost(cells, burst_with(1, false)) == 1248);
    CHECK(counter_cost(cells, burst_with(1, true)) == 6);
    CHECK(counter_cost(frames, burst_with(1, true)) == 1);
}

TEST_CASE("A memory has room for what was in use in it, less what the counter cannot resolve") {
    const QueueModel shared;
    CHECK(least_room(shared, burst_with(10 * 1066, false)) == 10);
    CHECK(least_room(shared, burst_with(10 * 1066, false, 1066)) == 9);
    CHECK(least_room(shared, burst_with(1'000'000, false)) == 40);  // no more than were sent
    QueueModel per_input;
    per_input.sharing = Buffer::Sharing::PerInput;  // 10 frames in 4 memories: 3 in one of them at least
    CHECK(least_room(per_input, burst_with(10 * 1066, false)) == 3);
    Burst none = burst_with(1, false);
    none.peak.reset();
    CHECK(least_room(shared, none) == 0);
}
