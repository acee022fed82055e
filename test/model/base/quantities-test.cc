// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/quantities.h"

#include "test/catch.h"

using namespace watershed;

TEST_CASE("Quantities become numbers in named units, and numbers times again") {
    constexpr Time slot{8'720'000};  // 1090 B at 1 Gb/s last 8720 ns
    CHECK(in_seconds(slot) == Approx(8.72e-6));
    CHECK(in_microseconds(slot) == 8.72);
    CHECK(in_microseconds(std::chrono::nanoseconds(8720)) == 8.72);
    CHECK(in_microseconds(slot) == Approx(8.72));
    CHECK(in_nanoseconds(slot) == Approx(8720));
    CHECK(time_of_microseconds(8.72) == slot);
    CHECK(time_of_seconds(8.72e-6) == slot);
    CHECK(Time{std::llround(bit_picoseconds(1090) / 1e9)} == slot);
    CHECK(seconds_of_picoseconds(8.72e6) == Approx(8.72e-6));

    constexpr Frequency eight_kilohertz{8'000'000'000};
    CHECK(in_hertz(eight_kilohertz) == Approx(8000));
    CHECK(in_kilohertz(eight_kilohertz) == Approx(8));
    CHECK(Time{std::llround(period_in_picoseconds(eight_kilohertz))} == Time{125'000'000});
    CHECK(times_in(Time{125'000'000}, 8000) == Approx(1));
    CHECK(in_megabits(BitRate{9'990'000}) == Approx(9.99));
}
