// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/did-you-mean.h"

#include "test/catch.h"

using namespace watershed;

namespace {

const std::vector<std::string> kCommands{"run", "map", "risk", "balance", "n-plus-1", "campaign-simulate"};

}  // namespace

TEST_CASE("Letters added, left out, changed or swapped are counted") {
    CHECK(edits("", "run") == 3);
    CHECK(edits("rnu", "run") == 1);
    CHECK(edits("balanc", "balance") == 1);
    CHECK(edits("same", "same") == 0);
    CHECK(edits("kitten", "sitting") == 3);
}

TEST_CASE("A slip of the pen is known, whatever the size of the letters") {
    CHECK(did_you_mean("rnu", kCommands) == "; did you mean run?");
    CHECK(did_you_mean("Ballance", kCommands) == "; did you mean balance?");
    CHECK(did_you_mean("Dell_S60", {"dell-s60", "dell-s6000"}) == "; did you mean dell-s60?");
}

TEST_CASE("Of names as near as each other all are told") {
    CHECK(did_you_mean("mun", {"run", "man", "balance"}) == "; did you mean run or man?");
}

TEST_CASE("A part of a name will do where no name is near") {
    CHECK(did_you_mean("simulate", kCommands) == "; did you mean campaign-simulate?");
    CHECK(did_you_mean("plus", kCommands) == "; did you mean n-plus-1?");
}

TEST_CASE("What resembles no name, or too many, is not guessed at") {
    CHECK(did_you_mean("frobnicate", kCommands).empty());
    CHECK(did_you_mean("x", kCommands).empty());
    CHECK(did_you_mean("", kCommands).empty());
    CHECK(did_you_mean("dell", {"dell-a1", "dell-b2", "dell-c3", "dell-d4", "dell-e5", "dell-f6"}).empty());
}
