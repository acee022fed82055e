// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/switch-control.h"

#include "test/catch.h"

using namespace watershed;

TEST_CASE("A frame decided on after one of a later event breaks the order for good") {
    EventSequence sequence;
    for (const std::int64_t event : {1, 1, 2, 2, 4}) sequence.deciding(event, false);
    CHECK(sequence.in_order());
    sequence.deciding(3, false);
    sequence.deciding(5, false);
    CHECK_FALSE(sequence.in_order());
}

TEST_CASE("The first idle event is the first after event 1 whose first frame finds the switch idle") {
    EventSequence sequence;
    sequence.deciding(1, true);
    CHECK(sequence.first_idle() == 0);
    sequence.deciding(2, false);
    sequence.deciding(2, true);
    CHECK(sequence.first_idle() == 0);
    sequence.deciding(3, true);
    sequence.deciding(4, true);
    CHECK(sequence.first_idle() == 3);
}
