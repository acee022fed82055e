// SPDX-License-Identifier: GPL-2.0-only
#include "model/ipbus/ipbus-result.h"

#include <cmath>
#include <stdexcept>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("Books that do not balance are noticed") {
    IpbusResult result;
    CHECK_NOTHROW(result.check_conservation());
    result.waveforms = {10, 7, 2, 1};
    CHECK_NOTHROW(result.check_conservation());
    result.waveforms.left = 0;
    CHECK_THROWS_AS(result.check_conservation(), std::logic_error);
    result.waveforms.left = 1;
    result.frames_sent = 3;
    result.frames_received = 2;
    CHECK_THROWS_AS(result.check_conservation(), std::logic_error);
    result.losses = {{"path", "damaged", 1}};
    CHECK_NOTHROW(result.check_conservation());
    result.requests.requests = 1;
    CHECK_THROWS_AS(result.check_conservation(), std::logic_error);
}

TEST_CASE("Without room to wait random waveforms survive as Erlang's loss formula says") {
    // M/D/1/1: a waveform survives if nobody is served, the part 1 / (1 + load) of the time.
    for (const double load : {0.1, 0.5, 1.0, 3.0}) CHECK(random_survival(load, 1) == Approx(1 / (1 + load)));
}

TEST_CASE("With room for two, one of which is served, survival is 1 / (load + exp(-load))") {
    // States left behind: 0 with a_0 = exp(-load), else 1; so pi_0 = exp(-load).
    for (const double load : {0.1, 0.5, 1.0, 3.0})
        CHECK(random_survival(load, 2) == Approx(1 / (load + std::exp(-load))));
}

TEST_CASE("Room for four is worth what a simulation of 100000 waveforms once found, within its error") {
    const double loads[] = {0.5, 0.8, 0.9, 1.0, 1.2, 1.5, 2.0};
    const double found[] = {0.9925, 0.940, 0.907, 0.868, 0.780, 0.656, 0.497};
    for (int i = 0; i < 7; ++i) CHECK(random_survival(loads[i], 4) == Approx(found[i]).margin(0.004));
}

TEST_CASE("Much room makes random waveforms survive as periodic ones do") {
    CHECK(random_survival(0.5, 40) == Approx(1).epsilon(1e-6));
    CHECK(random_survival(2.0, 20) == Approx(0.5).epsilon(1e-3));
    CHECK(periodic_survival(0.5) == 1);
    CHECK(periodic_survival(2) == 0.5);
}
