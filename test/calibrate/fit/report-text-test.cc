// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/fit/report-text.h"

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
}
