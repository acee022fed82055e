// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/units.h"

#include <rapidcheck.h>

#include <stdexcept>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("Text with units becomes exact quantities") {
    CHECK(parse_time("8.72 us") == Time{8'720'000});
    CHECK(parse_time("8.72us") == Time{8'720'000});
    CHECK(parse_time("8.72 \u00b5s") == Time{8'720'000});  // the micro sign
    CHECK(parse_time("8.72\u03bcs") == Time{8'720'000});   // the Greek letter
    CHECK(parse_time(" 1 s ") == Time{1'000'000'000'000});
    CHECK(parse_time("1e-3 s") == Time{1'000'000'000});
    CHECK(parse_time("1.5 min") == Time{90'000'000'000'000});
    CHECK(parse_bytes("330 MB") == Bytes{330'000'000});
    CHECK(parse_bytes("512 MiB") == Bytes{536'870'912});
    CHECK(parse_bytes("1.25 GB") == Bytes{1'250'000'000});
    CHECK(parse_bit_rate("9.7 Gb/s") == BitRate{9'700'000'000});
    CHECK(parse_frequency("26.06 kHz") == Frequency{26'060'000'000});
    CHECK(parse_clock_tolerance("-1.5 ppm") == ClockTolerance{-1500});
    CHECK(parse_memory_size("308000 frames") == MemorySize{308'000, MemorySize::Unit::Frame});
    CHECK(parse_memory_size("46080 cells") == MemorySize{46'080, MemorySize::Unit::Cell});
    CHECK(parse_memory_size("330 MB") == MemorySize{330'000'000, MemorySize::Unit::Byte});
}

TEST_CASE("Times are rounded to the picosecond, so that printed floats can be read back") {
    CHECK(parse_time("8.719999999999999 us") == Time{8'720'000});
    CHECK(parse_time("0.4 ps") == Time{0});
    CHECK(parse_time("0.5 ps") == Time{1});
    CHECK(parse_microseconds("7000.0") == Time{7'000'000'000});
}

TEST_CASE("What has no unit, a wrong unit, a wrong sign or a broken byte is refused with what was expected") {
    CHECK_THROWS_WITH(parse_time("20"),
                      Contains("found \"20\"") && Contains("the unit is missing") && Contains("8.72 us"));
    CHECK_THROWS_WITH(parse_time("20 MB"), Contains("expected a time"));
    CHECK_THROWS_AS(parse_time("-3 us"), std::invalid_argument);
    CHECK_THROWS_AS(parse_time(""), std::invalid_argument);
    CHECK_THROWS_AS(parse_time("us"), std::invalid_argument);
    CHECK_THROWS_AS(parse_time("nan us"), std::invalid_argument);
    CHECK_THROWS_AS(parse_time("1e400 us"), std::invalid_argument);
    CHECK_THROWS_AS(parse_time("999999999999999999999999999999999999999 s"), std::invalid_argument);
    CHECK_THROWS_AS(parse_bytes("1.5 B"), std::invalid_argument);
    CHECK_THROWS_AS(parse_bytes("3 Mb"), std::invalid_argument);
    CHECK_THROWS_AS(parse_bit_rate("0 Gb/s"), std::invalid_argument);
    CHECK_THROWS_AS(parse_bit_rate("10 GB/s"), std::invalid_argument);
    CHECK_THROWS_AS(parse_memory_size("0 frames"), std::invalid_argument);
    CHECK_THROWS_AS(parse_memory_size("2.5 frames"), std::invalid_argument);
    CHECK_THROWS_AS(parse_memory_size("7000"), std::invalid_argument);
    CHECK_THROWS_AS(parse_microseconds("8.72 us"), std::invalid_argument);
    CHECK_THROWS_AS(parse_microseconds("-1"), std::invalid_argument);
}

TEST_CASE("Text made of a quantity reads back as the same quantity") {
    REQUIRE(rc::check("round trip", [] {
        const auto count = *rc::gen::inRange<std::int64_t>(1, 1'000'000'000'000'000);
        RC_ASSERT(parse_time(to_text(Time{count})) == Time{count});
        RC_ASSERT(parse_microseconds(microseconds(Time{count})) == Time{count});
        RC_ASSERT(parse_bytes(to_text(Bytes{count})) == Bytes{count});
        RC_ASSERT(parse_bit_rate(to_text(BitRate{count})) == BitRate{count});
        RC_ASSERT(parse_frequency(to_text(Frequency{count})) == Frequency{count});
        RC_ASSERT((parse_clock_tolerance(to_text(ClockTolerance{-count})) == ClockTolerance{-count}));
        for (const auto unit : {MemorySize::Unit::Frame, MemorySize::Unit::Byte, MemorySize::Unit::Cell})
            RC_ASSERT((parse_memory_size(to_text(MemorySize{count, unit})) == MemorySize{count, unit}));
    }));
}

TEST_CASE("Quantities are printed in the unit people would choose") {
    CHECK(to_text(Time{8'720'000}) == "8.72 us");
    CHECK(to_text(Time{0}) == "0 ps");
    CHECK(to_text(Time{119'999'803'134'134}) == "119.999803134134 s");
    CHECK(to_text(Time{48'123'456'000}) == "48.123456 ms");
    CHECK(to_text(Time{999}) == "999 ps");
    CHECK(to_text(Time{1'000'001}) == "1.000001 us");
    CHECK(to_text(Time{60'000'000'000'000}) == "1 min");
    CHECK(to_text(Time{90'000'000'000'000}) == "90 s");
    CHECK(to_text(Time{8 * 3'600'000'000'000'000}) == "8 h");
    CHECK(to_text(Bytes{330'000'000}) == "330 MB");
    CHECK(to_text(Bytes{1'048'576}) == "1.048576 MB");
    CHECK(to_text(BitRate{10'000'000'000}) == "10 Gb/s");
    CHECK(to_text(BitRate{9'970'058'123}) == "9.970058123 Gb/s");
    CHECK(microseconds(Time{38'368'000}) == "38.368");
    CHECK(microseconds(Time{1}) == "0.000001");
    for (const char* one : {"1 frame", "1 cell"}) CHECK(to_text(parse_memory_size(one)) == one);
    CHECK(to_text(parse_memory_size("1 frames")) == "1 frame");
}

TEST_CASE("Times for people have four significant digits in the unit of their size") {
    CHECK(rounded(Time{0}) == "0 ps");
    CHECK(rounded(Time{843'200}) == "843.2 ns");
    CHECK(rounded(Time{17'440'000}) == "17.44 us");
    CHECK(rounded(Time{119'999'803'134'134}) == "120 s");
    CHECK(rounded_microseconds(0.00936) == "9.36 ns");
    CHECK(rounded_microseconds(906'123) == "906.1 ms");
}

// The largest number of 64 bits is 9223372036854775807.
TEST_CASE("A quantity that is too large is told the largest") {
    CHECK_THROWS_WITH(parse_memory_size("1e30 frames"),
                      Contains("more than 0, and at most 9223372036854775807 frames"));
    CHECK_THROWS_WITH(parse_bit_rate("10000000000000 Gb/s"), Contains("and at most 9223372036 Gb/s"));
    CHECK_THROWS_WITH(parse_time("1e40 us"), Contains("and at most 9223372036854 us"));
    CHECK_THROWS_WITH(parse_memory_size("0 frames"), !Contains("at most"));
    CHECK_THROWS_WITH(parse_time("-1e40 us"), !Contains("at most"));
}
