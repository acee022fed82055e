// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/advice/advise.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("A generator in steps takes the multiple closest to what is wanted") {
    Generator generator;
    generator.step = Time{70'000};
    CHECK(generator.nearest(Time{100'000}) == Time{70'000});
    CHECK(generator.nearest(Time{106'000}) == Time{140'000});
    CHECK(generator.at_least(Time{70'001}) == Time{140'000});
    CHECK(generator.at_least(Time{140'000}) == Time{140'000});
}

TEST_CASE("A generator with a list takes nothing else") {
    Generator generator;
    generator.separations = {Time{9}, Time{20}, Time{30}};
    generator.lengths = {10, 100, 1000};
    CHECK(generator.nearest(Time{15}) == Time{20});
    CHECK(generator.nearest(Time{14}) == Time{9});
    CHECK(generator.at_least(Time{31}) == Time{30});
    CHECK(generator.nearest(std::int64_t{60}) == 100);
    CHECK(generator.nearest(std::int64_t{4}) == 10);
    CHECK(generator.at_least(std::int64_t{11}) == 100);
    CHECK(generator.at_least(std::int64_t{5000}) == 1000);
}

TEST_CASE("Any number of events can be set, from one to the longest") {
    Generator generator;
    generator.longest = 500;
    CHECK(generator.nearest(std::int64_t{0}) == 1);
    CHECK(generator.nearest(std::int64_t{77}) == 77);
    CHECK(generator.at_least(std::int64_t{501}) == 500);
}

TEST_CASE("Shorter separations than the generator can set are asked for as its shortest") {
    Generator generator;
    generator.step = Time{10'000};
    generator.shortest = Time{1'234'567};
    CHECK(generator.at_least(Time{1}) == Time{1'240'000});
    CHECK(generator.nearest(Time{1}) == Time{1'240'000});
    CHECK(generator.nearest(Time{1'236'000}) == Time{1'240'000});  // 1.23 us cannot be set
    CHECK(generator.at_least(Time{2'000'001}) == Time{2'010'000});
    CHECK(generator.nearest(Time{2'000'001}) == Time{2'000'000});
}
