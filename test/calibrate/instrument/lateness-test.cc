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
    CHECK(lateness.times(kApart) ==
          std::vector<Time>{Time{20'000}, kApart + Time{300'010'000}, kApart * 2 + Time{30'000}});
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

TEST_CASE("From the first frame of a burst to the last of a trigger is its time and the last trigger's handover") {
    Lateness lateness;
    lateness.add(Nanoseconds{10}, Nanoseconds{90'000});
    lateness.add(Nanoseconds{0}, Nanoseconds{60'000});
    lateness.add(Nanoseconds{40}, Nanoseconds{50'000});
    constexpr Time kApart{1'000'000'000};
    const std::vector<Time> times = lateness.times(kApart);
    CHECK(lateness.last_handover() == Nanoseconds{50'000});
    CHECK(times == std::vector<Time>{Time{10'000}, kApart + Time{10'000'000}, kApart * 2 + Time{40'000}});
    CHECK(times[1] + lateness.last_handover() == kApart + Nanoseconds{60'000});
}

TEST_CASE("A stall counts that holds up frames that were sent, until the last of the burst is") {
    Lateness lateness;
    for (int i = 0; i < 5; ++i) lateness.add(Nanoseconds{0}, Nanoseconds{40'000});
    constexpr Time kApart{1'000'000'000}, kHalf = kApart / 2;
    const BurstSetting setting{2, Bytes{1024}, kApart, 5};
    // The first frame of the third trigger was handed over at twice the separation.
    CHECK(lateness.stalled({4, kApart * 2, kHalf}, setting) == kHalf);
    CHECK(lateness.stalled({4, kApart * 2 - Time{1}, kHalf}, setting) == Time{0});
    // The last of all is handed over 20 us after the fifth trigger.
    CHECK(lateness.stalled({4, kApart * 4, kHalf}, setting) == Time{20'000'000});
    CHECK(lateness.stalled({4, kApart * 5, kHalf}, setting) == Time{0});
}
