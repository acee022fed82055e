// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/token-bucket.h"

#include <rapidcheck.h>

#include <vector>

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

TEST_CASE("A shaper lets a full bucket go at once and then spaces frames by their tokens, to the picosecond") {
    // 3000 B hold two frames of 1500 B. The k-th from the third on is due after (k - 2) * 12000 bit / 7 Gb/s, rounded
    // up once: a fraction of a picosecond is not lost.
    TokenBucket bucket(BitRate{7'000'000'000}, Bytes{3000});
    for (std::int64_t k = 1; k <= 1000; ++k) {
        const Time due = bucket.due(Bytes{1500});
        CHECK(due == Time{k <= 2 ? 0 : ceil_div<std::int64_t>((k - 2) * 12'000'000, 7)});
        bucket.take(due, Bytes{1500});
    }
}

TEST_CASE("A frame larger than the burst goes when the bucket is full, and the next waits for all of it") {
    TokenBucket none(BitRate{1'000'000'000}, Bytes{0});
    for (std::int64_t k = 0; k < 10; ++k) {
        CHECK(none.due(Bytes{1000}) == Time{k * 8'000'000});
        none.take(none.due(Bytes{1000}), Bytes{1000});
    }
    // It holds 500 B of 1500 B: 1000 B are owed, and 500 B more make it full.
    TokenBucket small(BitRate{1'000'000'000}, Bytes{500});
    small.take(Time{0}, Bytes{1500});
    CHECK(small.due(Bytes{1500}) == Time{12'000'000});
    CHECK(small.due(Bytes{100}) == Time{8'800'000});
}

TEST_CASE("What a shaper lets go in any time T is at most rate T plus the burst, or one frame above it") {
    const bool holds = rc::check([] {
        const auto rate = *rc::gen::inRange<std::int64_t>(1'000'000, 100'000'000'000);
        const auto burst = *rc::gen::inRange<std::int64_t>(0, 20'000);
        TokenBucket bucket(BitRate{rate}, Bytes{burst});
        Time now{0};
        std::vector<std::pair<Time, std::int64_t>> sent;
        for (int i = 0; i < 60; ++i) {
            const Bytes size{*rc::gen::inRange<std::int64_t>(64, 9000)};
            now = std::max(now + Time{*rc::gen::inRange<std::int64_t>(0, 1'000'000)}, bucket.due(size));
            bucket.take(now, size);
            sent.emplace_back(now, size.count);
        }
        for (std::size_t first = 0; first < sent.size(); ++first) {
            Wide bytes = 0;
            for (std::size_t last = first; last < sent.size(); ++last) {
                // The last frame of an interval may exceed a burst that is smaller than it.
                const std::int64_t most = std::max(burst, sent[last].second);
                bytes += sent[last].second;
                const Wide time = (sent[last].first - sent[first].first).count();
                RC_ASSERT(8 * (bytes - most) * 1'000'000'000'000 <= Wide{rate} * time);
            }
        }
    });
    REQUIRE(holds);
}

TEST_CASE("A bucket that would be due beyond simulated time says so") {
    TokenBucket slow(BitRate{1}, Bytes{0});
    slow.take(Time{0}, Bytes{9'000'000});
    CHECK_THROWS_AS(slow.due(Bytes{64}), TimeExceeded);
}
