// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/design/overload-text.h"

#include "test/catch.h"

using namespace watershed;

TEST_CASE("A link that is given less than it carries is not overloaded") {
    CHECK(overload_text({"switch 1, uplink 1", 0.999, false}).empty());
    CHECK(overload_text({"module links", 0.5, true}).empty());
}

TEST_CASE("An uplink that is given a quarter more than it carries loses a fifth of its frames, whatever the memory") {
    CHECK_THAT(overload_text({"switch 2, uplink 1", 1.25, false}),
               Contains("switch 2, uplink 1 is given 1.25 times what") && Contains("at least 20 % of its frames"));
}

TEST_CASE("On links of modules that are given too much, events wait or are lost before any switch") {
    CHECK_THAT(overload_text({"module links", 1.373, true}),
               Contains("the modules' links are given 1.373 times what they can carry"));
}
