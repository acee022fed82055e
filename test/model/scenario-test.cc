// SPDX-License-Identifier: GPL-2.0-only
#include "model/scenario.h"

#include <string>

#include "test/catch.h"

using namespace watershed;

namespace {

struct Three {
    int value = 3;
};

}  // namespace

TEST_CASE("A value has its default until it is written to, and looking at it does not write") {
    TypeMap values;
    const TypeMap& looked_at = values;
    CHECK(looked_at.of<Three>().value == 3);
    values.of<Three>().value = 4;
    CHECK(looked_at.of<Three>().value == 4);
    CHECK(TypeMap{}.of<Three>().value == 3);
}

TEST_CASE("Values of two types do not disturb each other") {
    TypeMap values;
    values.of<Three>().value = 5;
    values.of<std::string>() = "five";
    CHECK(values.of<Three>().value == 5);
    CHECK(values.of<std::string>() == "five");
}

TEST_CASE("A copy has its own values") {
    TypeMap first;
    first.of<Three>().value = 1;
    TypeMap second = first;
    second.of<Three>().value = 2;
    CHECK(first.of<Three>().value == 1);
    CHECK(second.of<Three>().value == 2);
}
