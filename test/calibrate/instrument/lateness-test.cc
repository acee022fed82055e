// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/instrument/port-rig.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("A trigger that is held up half way is as late as the hold-up") {
    Lateness lateness;
    const Nanoseconds usual{40'000};
    lateness.add(Nanoseconds{20}, usual);
    lateness.add(Nanoseconds{10}, usual + Nanoseconds{300'000});
    lateness.add(Nanoseconds{30}, usual);
    CHECK(lateness.median() == Nanoseconds{20});
    CHECK(lateness.median_handover() == usual);
    CHECK(lateness.worst() == Nanoseconds{300'010});
    constexpr Time kApart{1'000'000'000};
    CHECK(lateness.times(kApart, Nanoseconds::max()) ==
          std::vector<Time>{Time{20'000}, kApart + Time{300'010'000}, kApart * 2 + Time{30'000}});
    CHECK(lateness.times(kApart, usual / 2)[2] == kApart * 2 + Time{20'030'000});
    CHECK(lateness.mean_handover() == usual + Nanoseconds{100'000});
    // The second frame of two that the trigger held up has.
    CHECK(lateness.handed_over(1, 1, {2, Bytes{1024}, kApart, 3}) == kApart - Time{10'000} + Time{170'000'000});
}

TEST_CASE("A trigger that begins late is late, though it hurries") {
    Lateness lateness;
    for (int i = 0; i < 4; ++i) lateness.add(Nanoseconds{0}, Nanoseconds{40'000});
    lateness.add(Nanoseconds{90'000}, Nanoseconds{10'000});
    CHECK(lateness.worst() == Nanoseconds{90'000});
    CHECK(lateness.median() == Nanoseconds{0});
}
