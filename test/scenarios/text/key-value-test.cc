// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/key-value.h"

#include "test/catch.h"

using namespace watershed;

TEST_CASE("A number is said with the fewest digits that give it back, as a person would type it") {
    CHECK(plain_number(1e15) == "1e15");
    CHECK(plain_number(-2.5e-7) == "-2.5e-7");
    CHECK(plain_number(1e-120) == "1e-120");
    CHECK(plain_number(0.1) == "0.1");
    CHECK(plain_number(2.5) == "2.5");
    CHECK(plain_number(123456.789) == "123456.789");
    CHECK(plain_number(0) == "0");
}

TEST_CASE("A value is said without quotes, and no digit is lost") {
    CHECK(value_text(KeyValue(1e15)) == "1e15");
    CHECK(value_text(KeyValue(1.0000001)) == "1.0000001");
    CHECK(value_text(KeyValue(true)) == "true");
    CHECK(value_text(KeyValue(std::vector<std::int64_t>{1, 2})) == "1, 2");
}
