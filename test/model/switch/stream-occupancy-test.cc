// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/stream-occupancy.h"

#include "test/catch.h"

namespace watershed {

TEST_CASE("Each stream has a peak of its own, in frames and in bytes, which need not be at the same time") {
    StreamOccupancy occupancy(2);
    occupancy.change(0, Bytes{100}, +1);
    occupancy.change(0, Bytes{100}, +1);
    occupancy.change(1, Bytes{64}, +1);
    occupancy.change(0, Bytes{100}, -1);
    occupancy.change(0, Bytes{100}, -1);
    occupancy.change(0, Bytes{900}, +1);
    CHECK(occupancy.peaks()[0].frames == 2);
    CHECK(occupancy.peaks()[0].bytes == Bytes{900});
    CHECK(occupancy.peaks()[1].frames == 1);
    CHECK(occupancy.peaks()[1].bytes == Bytes{64});
}

}  // namespace watershed
