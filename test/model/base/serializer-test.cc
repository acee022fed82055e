// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/serializer.h"

#include <rapidcheck.h>

#include <algorithm>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("A slot of 1090 B lasts 8.72 us at 1 Gb/s and 0.872 us at 10 Gb/s") {
    CHECK(Serializer(BitRate{1'000'000'000}).send(Time{0}, Bytes{1090}) == Time{8'720'000});
    CHECK(Serializer(BitRate{10'000'000'000}).send(Time{0}, Bytes{1090}) == Time{872'000});
}

TEST_CASE("n frames back to back end at n * 8 L / R, rounded up once") {
    // With R in bits per second and tolerance p in 10^-9: end = ceil(n * 8 L * 10^12 / (R (1 + p 10^-9))).
    REQUIRE(rc::check("end of the n-th frame", [] {
        const auto rate = *rc::gen::inRange<std::int64_t>(1'000'000, 400'000'000'000);
        const auto tolerance = *rc::gen::inRange<std::int64_t>(-200'000, 200'001);
        const auto bytes = *rc::gen::inRange<std::int64_t>(84, 9100);
        const auto n = *rc::gen::inRange<std::int64_t>(1, 300);
        Serializer link(BitRate{rate}, ClockTolerance{tolerance});
        Time end{0};
        for (std::int64_t i = 0; i < n; ++i) end = link.send(Time{0}, Bytes{bytes}).time;
        const Wide denominator = Wide{rate} * (1'000'000'000 + tolerance);
        const Wide numerator = Wide{n} * bytes * 8 * 1'000'000'000'000 * 1'000'000'000;
        RC_ASSERT(Wide{end.count()} == (numerator + denominator - 1) / denominator);
    }));
}

TEST_CASE("A frame that finds the link idle begins when it is ready") {
    Serializer link(BitRate{3'000'000'000});  // a byte lasts 2666 2/3 ps
    CHECK(link.send(Time{0}, Bytes{100}) == Time{266'667});
    CHECK(link.send(Time{300'000}, Bytes{100}) == Time{566'667});
    CHECK(link.begin() == Time{300'000});
    CHECK(link.send(Time{300'000}, Bytes{100}) == Time{833'334});  // 300000 + 533333 1/3
    CHECK(link.free() == Time{833'334});
}

TEST_CASE("Frames of different sizes in a row add their exact times") {
    Serializer link(BitRate{7});  // one bit lasts 10^12 / 7 ps
    link.send(Time{0}, Bytes{1});
    link.send(Time{0}, Bytes{2});
    CHECK(link.send(Time{0}, Bytes{4}) == Time{8'000'000'000'000});  // 7 bytes, 56 bits, 8 s
}

TEST_CASE("On a grid that holds a link's frames, frames end at their exact times wherever they begin") {
    // At 7 Gb/s a byte lasts 1142 6/7 ps; the times are compared in sevenths.
    REQUIRE(rc::check("sevenths of a picosecond", [] {
        const TimeGrid grid{static_cast<std::uint64_t>(7 * *rc::gen::inRange(1, 100))};
        Serializer link(BitRate{7'000'000'000}, {}, grid);
        const auto sevenths = [&](const Timestamp& moment) {
            return moment.time.count() * 7 - static_cast<std::int64_t>(moment.early * 7 / grid.ticks);
        };
        std::int64_t end = 0;
        Timestamp ready;
        for (int i = 0; i < 30; ++i) {
            const auto bytes = *rc::gen::inRange<std::int64_t>(84, 9100);
            const Time pause{*rc::gen::inRange<std::int64_t>(0, 3'000'000)};
            if (i > 0 && *rc::gen::arbitrary<bool>()) ready = link.free() + pause;
            const std::int64_t begin = std::max(end, sevenths(ready));
            end = begin + 8000 * bytes;
            RC_ASSERT(sevenths(link.send(ready, Bytes{bytes})) == end);
            RC_ASSERT(sevenths(link.begin()) == begin);
            RC_ASSERT(link.free().time.count() == (end + 6) / 7);
        }
    }));
}

TEST_CASE("A new rate is that of the next frame, which begins on a tick behind the frame before it") {
    // 1 B at 3 b/s lasts 8/3 s, rounded up; then 1 B at 8 b/s lasts one second.
    Serializer link(BitRate{3});
    CHECK(link.send(Time{0}, Bytes{1}) == Timestamp{Time{2'666'666'666'667}});
    link.set_rate(BitRate{8}, {});
    CHECK(link.send(Time{0}, Bytes{1}) == Timestamp{Time{3'666'666'666'667}});
    CHECK(link.begin() == Timestamp{Time{2'666'666'666'667}});
}
