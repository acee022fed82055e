// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/readable.h"

#include <cmath>
#include <limits>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("A number in a sentence has as many digits as are wanted, and never an e") {
    CHECK(readable(1.0709627964835138e-12) == "1.071 × 10⁻¹²");
    CHECK(readable(0.041599) == "0.0416");
    CHECK(readable(4334.409) == "4334");
    CHECK(readable(1276.8, 3) == "1277");
    CHECK(readable(6252345.6) == "6\u202f252\u202f346");
    CHECK(readable(308000) == "308\u202f000");
    CHECK(readable(9.99996, 4) == "10");
    CHECK(readable(9.99996e-7, 4) == "10⁻⁶");
    CHECK(readable(-0.5) == "−0.5");
    CHECK(readable(-2e-9, 2) == "−2 × 10⁻⁹");
    CHECK(readable(0) == "0");
    CHECK(readable(2.83465e7, 3) == "2.83 × 10⁷");
}

TEST_CASE("A whole number stands there whole") {
    CHECK(readable_count(9058) == "9058");
    CHECK(readable_count(1016884) == "1\u202f016\u202f884");
    CHECK(readable_count(-12345) == "-12\u202f345");
    CHECK(readable_count(1, "frame", "frames") == "1 frame");
    CHECK(readable_count(0, "frame", "frames") == "0 frames");
}

TEST_CASE("A value keeps one digit more than its uncertainty leaves certain") {
    // Half of 1206 is 603: hundreds are uncertain, tens are kept.
    CHECK(readable_within(103217, 102534, 103740.4) == "103\u202f220");
    // Half of 0.0368 is 0.018.
    CHECK(readable_within(50.00174, 49.98138, 50.01818) == "50.002");
    CHECK(readable_within(7000, 7000, 7000) == "7000");
    CHECK(readable_within(3, 1, 100) == "3");
}

TEST_CASE("Sizes and times are told in a unit of their size") {
    CHECK(readable_bytes(465450) == "465.4 kB");
    CHECK(readable_bytes(46) == "46 B");
    CHECK(readable_seconds(1.744e-5) == "17.44 µs");
    CHECK(readable_seconds(3600) == "1 h");
    CHECK(readable_seconds(59.9999) == "1 min");
    CHECK(readable_seconds(3.758 * 365.25 * 86400) == "3.758 years");
    CHECK(readable_seconds(0) == "0 s");
    // 10^30 s are 3.2e22 years.
    CHECK(readable_seconds_of_log10(30) == "10²² years");
    CHECK(readable_seconds_of_log10(0) == "1 s");
}

TEST_CASE("A chance is a percentage until that is no more than a tenth of one, and may lie below all doubles") {
    CHECK(readable_chance(0.2452) == "24.52 %");
    CHECK(readable_chance(2.5e-9) == "2.5 × 10⁻⁹");
    // 10^0.7 is 5.012; ends that differ by less than a power of ten are not alike.
    CHECK(readable_chance_of_log10(-15145.3) == "5.012 × 10⁻¹⁵¹⁴⁶");
    CHECK(readable_chance_of_log10(-357.00001, 4) == "10⁻³⁵⁷");
    CHECK(readable_chance_of_log10(-9) == "10⁻⁹");
    CHECK(readable_chance_of_log10(-std::numeric_limits<double>::infinity()) == "0");
}

TEST_CASE("A terminal without UTF-8 gets the same words") {
    CHECK(in_ascii("1.071 × 10⁻¹² in 17.44 µs of 308\u202f000") == "1.071 x 10^-12 in 17.44 us of 308000");
    CHECK(in_ascii("10²² and 10") == "10^22 and 10");
    CHECK(in_ascii("≤ 1, ≥ 2") == "<= 1, >= 2");
}

TEST_CASE("A bound is printed so that it still holds: one from above is rounded up, one from below down") {
    // 1.4349e-14 is more than 1.4e-14, and 2.06 years are not 2.1.
    CHECK(readable_chance_of_log10(std::log10(1.4349e-14), 2, Rounded::Up) == "1.5 × 10⁻¹⁴");
    CHECK(readable_chance_of_log10(std::log10(1.4349e-14), 2, Rounded::Down) == "1.4 × 10⁻¹⁴");
    CHECK(readable_chance_of_log10(std::log10(0.99941), 3, Rounded::Up) == "100 %");
    CHECK(readable_chance_of_log10(-1438.9, 2, Rounded::Up) == "1.3 × 10⁻¹⁴³⁹");
    CHECK(readable_chance_of_log10(-1438.9, 2, Rounded::Down) == "1.2 × 10⁻¹⁴³⁹");
    CHECK(readable_seconds_of_log10(30, 3, Rounded::Up) == "10²³ years");
    // A time that is needed, or that nothing exceeds, up to a nanosecond.
    CHECK(at_least_so_long(19.184e-6) == "19.184 µs");
    CHECK(at_least_so_long(19.1840001e-6) == "19.184 µs");
    CHECK(at_least_so_long(19.18401e-6) == "19.185 µs");
    CHECK(readable_seconds_of_log10(std::log10(2.06 * 365.25 * 86400), 2, Rounded::Down) == "2 years");
    CHECK(readable_seconds_of_log10(std::log10(59.96), 3, Rounded::Down) == "59.9 s");
    // A number with no more digits stays as it is.
    for (const Rounded rounded : {Rounded::Up, Rounded::Down}) {
        CHECK(readable_chance_of_log10(-5, 3, rounded) == "10⁻⁵");
        CHECK(readable_chance_of_log10(std::log10(0.25), 2, rounded) == "25 %");
        CHECK(readable_seconds_of_log10(std::log10(90), 3, rounded) == "1.5 min");
    }
}
