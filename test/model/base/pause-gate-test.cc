// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/pause-gate.h"

#include "model/switch/pause-control.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("The longest pause at 100 Gb/s is 65535 quanta of 512 bit times, 335.5 us, and four times that at 25 Gb/s") {
    CHECK(pause_length(BitRate{100'000'000'000}, 65535) == Time{335'539'200});
    CHECK(pause_length(BitRate{25'000'000'000}, 65535) == Time{4 * 335'539'200});
}

TEST_CASE("A gate opens by itself, or when it is told so, and counts how long it was closed") {
    PauseGate gate;
    CHECK(gate.is_open(Time{0}));
    gate.order(Time{100}, Time{50});
    CHECK_FALSE(gate.is_open(Time{149}));
    CHECK(gate.is_open(Time{150}));
    CHECK(gate.closed(Time{120}) == Time{20});
    CHECK(gate.closed(Time{900}) == Time{50});
    gate.order(Time{1000}, Time{50});
    gate.order(Time{1010}, Time{0});
    CHECK(gate.is_open(Time{1010}));
    CHECK(gate.closed(Time{2000}) == Time{60});
    gate.order(Time{3000}, Time{50});
    gate.order(Time{3025}, Time{50});  // renewed
    CHECK_FALSE(gate.is_open(Time{3074}));
    CHECK(gate.closed(Time{4000}) == Time{60 + 75});
}
