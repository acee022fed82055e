// SPDX-License-Identifier: GPL-2.0-only
#include "model/ejfat/ejfat-segments.h"

#include <rapidcheck.h>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("1 MB are 112 packets of at most 8936 B with 9000 B IP packets, and 697 with 1500 B") {
    EjfatSource source;
    CHECK(EjfatSegmenter(source, Bytes{1'000'000}).room() == 8936);
    CHECK(EjfatSegmenter(source, Bytes{1'000'000}).packets() == 112);
    CHECK(EjfatSegmenter(source, Bytes{1'000'000}).wire() == Bytes{1'011'424});  // 1000000 + 112 * 102
    CHECK(EjfatSegmenter(source, Bytes{100'000}).packets() == 12);
    source.mtu = Bytes{1500};
    CHECK(EjfatSegmenter(source, Bytes{1'000'000}).room() == 1436);
    CHECK(EjfatSegmenter(source, Bytes{1'000'000}).packets() == 697);
}

TEST_CASE("The packets of all sources hold every byte of an event once") {
    const bool holds = rc::check([] {
        EjfatSource source;
        source.count = *rc::gen::inRange(1, 20);
        source.mtu = Bytes{*rc::gen::inRange(576, 9001)};
        const Bytes size{*rc::gen::inRange<std::int64_t>(source.count, 200'000)};
        const EjfatSegmenter segmenter(source, size);
        std::int64_t bytes = 0;
        for (int i = 0; i < source.count; ++i)
            for (std::int64_t packet = 0; packet < segmenter.packets(i); ++packet) {
                const std::int64_t data = segmenter.data(i, packet);
                RC_ASSERT(data > 0);
                RC_ASSERT(data <= segmenter.room());
                bytes += data;
            }
        RC_ASSERT(bytes == size.count);
    });
    REQUIRE(holds);
}

TEST_CASE("Periodic events are at multiples of size over rate, without rounding adding up") {
    const EjfatSource source;
    EjfatEventClock clock(source, {Bytes{100}, BitRate{300}, {}}, 1);  // 8/3 s
    for (const std::int64_t thirds : {0, 8, 16, 24}) CHECK(clock.next() == Time{thirds * 1'000'000'000'000 / 3});
}

TEST_CASE("The times between Poisson events have the period for mean and for deviation") {
    EjfatSource source;
    source.arrivals = EjfatSource::Arrivals::Poisson;
    const EjfatPoint point{Bytes{1000}, BitRate{8'000'000}, {}};  // 1 ms
    EjfatEventClock clock(source, point, 1);
    double sum = 0, squares = 0, last = 0;
    constexpr int kEvents = 20'000;
    for (int i = 0; i < kEvents; ++i) {
        const double now = static_cast<double>(clock.next().count()) * 1e-9;
        sum += now - last;
        squares += (now - last) * (now - last);
        last = now;
    }
    CHECK(sum / kEvents == Approx(1).epsilon(0.03));  // four deviations of the mean
    CHECK(squares / kEvents == Approx(2).epsilon(0.08));
}
