// SPDX-License-Identifier: GPL-2.0-only
#include "model/ipbus/ipbus-result.h"

#include <stdexcept>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("Books that do not balance are noticed") {
    IpbusResult result;
    CHECK_NOTHROW(result.check_books());
    result.waveforms = {10, 7, 2, 1};
    CHECK_NOTHROW(result.check_books());
    result.waveforms.left = 0;
    CHECK_THROWS_AS(result.check_books(), std::logic_error);
    result.waveforms.left = 1;
    result.frames_sent = 3;
    result.frames_received = 2;
    CHECK_THROWS_AS(result.check_books(), std::logic_error);
    result.losses = {{"path", "damaged", 1}};
    CHECK_NOTHROW(result.check_books());
    result.requests.requests = 1;
    CHECK_THROWS_AS(result.check_books(), std::logic_error);
}
