// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/udp-head.h"

#include <rapidcheck.h>

#include "test/catch.h"

using namespace watershed;

TEST_CASE(
    "Both checksums of a UDP frame make their one's complement sums 0xffff, and its lengths are those of RFC 791 and "
    "RFC 768") {
    const bool holds = rc::check([] {
        const Endpoint from = local_endpoint(2, *rc::gen::inRange(1, 60000), *rc::gen::inRange(1, 65536));
        const Endpoint to = local_endpoint(3, *rc::gen::inRange(1, 60000), *rc::gen::inRange(1, 65536));
        const auto begin = *rc::gen::container<std::vector<std::uint8_t>>(rc::gen::arbitrary<std::uint8_t>());
        const std::int64_t payload = static_cast<std::int64_t>(begin.size()) + *rc::gen::inRange(0, 9000);
        const auto frame = udp_head(from, to, begin, Bytes{payload});
        RC_ASSERT(frame.size() == kUdpHead + begin.size());
        RC_ASSERT(internet_sum(&frame[14], 20) == 0xffff);
        const auto udp_length = static_cast<std::uint32_t>(payload + 8);
        RC_ASSERT(frame[38] * 256U + frame[39] == udp_length);
        RC_ASSERT(frame[16] * 256U + frame[17] == udp_length + 20);
        const std::uint16_t pseudo = internet_sum(&frame[26], 8, 17 + udp_length);
        RC_ASSERT(internet_sum(&frame[34], frame.size() - 34, pseudo) == 0xffff);
        RC_ASSERT((frame[40] != 0 || frame[41] != 0));
    });
    REQUIRE(holds);
}
