// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/report-text.h"

#include <rapidcheck.h>

#include "test/catch.h"

using namespace watershed;

TEST_CASE(
    "Numbers of reports have seven digits, or whole ones where these are more, and no exponent that pushes columns "
    "aside") {
    CHECK(number_text(0.39233914) == "0.3923391");
    CHECK(number_text(50.004284) == "50.00428");
    CHECK(number_text(1877) == "1877");
    CHECK(number_text(39'998'853.3) == "39998853");
    CHECK(number_text(123'456'789'012.4) == "123456789012");
    CHECK(limits_text({39'998'853.3, 39'999'781.6}) == "39998853 to 39999782");
    CHECK(limits_text({std::nullopt, 7.0}) == "at most 7");
    CHECK(limits_text({0.0009380863, std::nullopt}) == "at least 0.00093");
    CHECK(limits_text({0.0, std::nullopt}) == "no limit");
}

TEST_CASE(
    "Intervals of which the sampler knows the ends to a part of their width are rounded to whole digits, that of 95 % "
    "outwards, and never beyond hard limits") {
    // 29 % of a width of 891 B are 258 B: whole hundreds are known; of 340 B 99 B: whole tens.
    const Estimate shallow = in_known_digits({103177.0, {}, {103012.0, 103352.0}, {102503.0, 103394.0}}, 0.29);
    CHECK(shallow.value == 103180);
    CHECK(limits_text(shallow.interval68) == "103010 to 103350");
    CHECK(limits_text(shallow.interval95) == "102500 to 103400");
    // Whole thousandths are: 5 % of 0.0236 Mb/s.
    CHECK(limits_text(in_known_digits({50.00284, {}, {}, {49.9911, 50.0147}}, 0.05).interval95) == "49.991 to 50.015");
    CHECK(in_known_digits({103177.0, {102600.0, 103380.0}, {}, {102603.0, 103370.0}}, 0.29).interval95.high == 103380);
    // Open above: the width from the estimate counts.
    CHECK(limits_text(in_known_digits({85987.0, {}, {}, {64321.0, std::nullopt}}, 0.062).interval95) ==
          "at least 64000");
    // A fifth of a width of 700000 gives steps of 100000; 600000 is below the limits, the next digit is within.
    CHECK(in_known_digits({636800.0, {626000.0, 646000.0}, {}, {500000.0, 1200000.0}}, 0.2).value == 640000);
    // A number that no sampler found stays as it is.
    CHECK(in_known_digits({103177.0, {}, {}, {102503.0, 103394.0}}, 0).interval95.low == 102503);
    CHECK(rc::check("ends never move inwards, and by less than the error", [] {
        const double low = *rc::gen::inRange(1, 1'000'000), width = *rc::gen::inRange(1, 100'000),
                     error = *rc::gen::inRange(1, 100) / 100.0;
        const Interval told = in_known_digits({low + width / 2, {}, {}, {low, low + width}}, error).interval95;
        RC_ASSERT(*told.low <= low && *told.low > low - error * width);
        RC_ASSERT(*told.high >= low + width && *told.high < low + width + error * width);
        const Interval inner = in_known_digits({low + width / 2, {}, {low, low + width}, {}}, error).interval68;
        RC_ASSERT(std::abs(*inner.low - low) <= error * width / 2);
        RC_ASSERT(std::abs(*inner.high - low - width) <= error * width / 2);
    }));
}
