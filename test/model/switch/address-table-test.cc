// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/address-table.h"

#include "model/base/quantities.h"
#include "test/catch.h"

namespace watershed {
namespace {

TEST_CASE("An address is behind the port where it was seen last, until that expires") {
    AddressTable<Time> table;
    CHECK(table.learned(7, Time{0}) == table.kNowhere);
    table.learn(7, 1, Time{10});
    CHECK(table.learned(7, Time{9}) == 1);
    CHECK(table.learned(7, Time{10}) == table.kNowhere);
    CHECK(table.learned(8, Time{9}) == table.kNowhere);
    table.learn(7, 2, Time{20});
    CHECK(table.learned(7, Time{10}) == 2);
}

TEST_CASE("What was stated of an address is neither learned nor forgotten") {
    AddressTable<Time> table;
    table.state(7, 3);
    CHECK(table.learned(7, Time{0}) == table.kNowhere);
    table.learn(7, 1, Time{10});
    CHECK(table.stated(7) == 3);
    CHECK(table.stated(8) == table.kNowhere);
}

}  // namespace
}  // namespace watershed
