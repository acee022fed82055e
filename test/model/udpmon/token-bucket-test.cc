// SPDX-License-Identifier: GPL-2.0-only
#include "model/udpmon/token-bucket.h"

#include <rapidcheck.h>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("Packets at the bucket's own rate all conform, and a picosecond sooner per packet one is lost in the end") {
    // 9000 B at 4 Gb/s is a packet every 18 us. At 17.999999 us each costs 4000 bit-nanoseconds too much, until the
    // bucket is short.
    TokenBucket exact(BitRate{4'000'000'000}, Bytes{9000});
    TokenBucket late(BitRate{4'000'000'000}, Bytes{9000});
    std::int64_t lost = 0;
    for (std::int64_t i = 0; i < 1000; ++i) {
        CHECK(exact.conforms(Time{i * 18'000'000}, Bytes{9000}));
        lost += !late.conforms(Time{i * 17'999'999}, Bytes{9000});
    }
    CHECK(lost == 500);  // with no reserve at all, every second packet finds 17.999999 us worth of tokens
}

TEST_CASE("A burst passes as far as the bucket holds") {
    TokenBucket bucket(BitRate{1'000'000'000}, Bytes{10'000});
    std::int64_t passed = 0;
    for (int i = 0; i < 20; ++i) passed += bucket.conforms(Time{0}, Bytes{1000});
    CHECK(passed == 10);
}

TEST_CASE("What conforms in any time T is at most rate T plus the burst") {
    const bool holds = rc::check([] {
        const auto rate = *rc::gen::inRange<std::int64_t>(1'000'000, 100'000'000'000);
        const auto burst = *rc::gen::inRange<std::int64_t>(100, 100'000);
        TokenBucket bucket(BitRate{rate}, Bytes{burst});
        Time now{0};
        Wide passed = 0;
        for (int i = 0; i < 200; ++i) {
            now += Time{*rc::gen::inRange<std::int64_t>(0, 10'000'000)};
            const Bytes size{*rc::gen::inRange<std::int64_t>(64, 9000)};
            if (bucket.conforms(now, size)) passed += size.count;
            RC_ASSERT(8 * passed * 1'000'000'000'000 <= Wide{rate} * now.count() + Wide{8} * burst * 1'000'000'000'000);
        }
    });
    REQUIRE(holds);
}
