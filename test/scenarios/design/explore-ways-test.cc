// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/explore-ways.h"

#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("No switch has more uplinks than the fullest has modules") {
    // 5 modules on 2 switches are 3 and 2: three uplinks are tried, four are not.
    CatalogueSwitch entry;
    entry.id = "a";
    WaysAsked asked;
    asked.counts = "2";
    asked.uplinks = "1,3,4";
    asked.selections = "modulo";
    std::vector<int> uplinks;
    for (const Stacking& each : stackings(asked, {entry}, 5)) uplinks.push_back(each.uplinks);
    CHECK(uplinks == std::vector<int>{1, 3});
    asked.uplinks = "4";
    CHECK_THROWS_WITH(stackings(asked, {entry}, 5), Contains("1 have more uplinks than a switch has modules"));
}

TEST_CASE("One uplink needs no selection, so each is tried once with the first") {
    CatalogueSwitch entry;
    entry.id = "a";
    WaysAsked asked;
    asked.counts = "1";
    asked.uplinks = "1,2";
    asked.selections = "hash,modulo";
    std::vector<std::string> tried;
    for (const Stacking& each : stackings(asked, {entry}, 5))
        tried.push_back(std::to_string(each.uplinks) + " " + each.selection);
    CHECK(tried == std::vector<std::string>{"1 modulo", "2 hash", "2 modulo"});
}
