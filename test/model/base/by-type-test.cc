// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/by-type.h"

#include <string>

#include "test/catch.h"

using namespace watershed;

namespace {

struct Three {
    int value = 3;
};

}  // namespace

TEST_CASE("A value has its default until it is written to, and looking at it does not write") {
    ByType values;
    const ByType& looked_at = values;
    CHECK(looked_at.of<Three>().value == 3);
    values.of<Three>().value = 4;
    CHECK(looked_at.of<Three>().value == 4);
    CHECK(ByType{}.of<Three>().value == 3);
}

TEST_CASE("Values of two types do not disturb each other") {
    ByType values;
    values.of<Three>().value = 5;
    values.of<std::string>() = "five";
    CHECK(values.of<Three>().value == 5);
    CHECK(values.of<std::string>() == "five");
}

TEST_CASE("A copy has its own values") {
    ByType first;
    first.of<Three>().value = 1;
    ByType second = first;
    second.of<Three>().value = 2;
    CHECK(first.of<Three>().value == 1);
    CHECK(second.of<Three>().value == 2);
}
