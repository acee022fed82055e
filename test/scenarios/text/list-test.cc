// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/text/list.h"

#include "scenarios/text/input-error.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("A list is values with commas") {
    CHECK(parse_time_list("--separation", "8.72us,20 us") == std::vector<Time>{Time{8'720'000}, Time{20'000'000}});
    CHECK(parse_count_list("--events", "3,1,2") == std::vector<std::int64_t>{3, 1, 2});
}

TEST_CASE("A linear list has its ends exactly and equal steps, up to rounding") {
    CHECK(parse_count_list("--events", "1:5:5") == std::vector<std::int64_t>{1, 2, 3, 4, 5});
    CHECK(parse_count_list("--events", "10:1:4") == std::vector<std::int64_t>{10, 7, 4, 1});
    CHECK(parse_count_list("--events", "1:20000:40").size() == 40);
    CHECK(parse_time_list("--separation", "0us:1us:4") ==
          std::vector<Time>{Time{0}, Time{333'333}, Time{666'667}, Time{1'000'000}});
    CHECK(parse_time_list("--separation", "3us:9us:1") == std::vector<Time>{Time{3'000'000}});
}

TEST_CASE("A logarithmic list has equal ratios, and whole numbers that rounding makes equal stand once") {
    CHECK(parse_count_list("--events", "1:1000:4:log") == std::vector<std::int64_t>{1, 10, 100, 1000});
    CHECK(parse_count_list("--events", "1:4:9:log") == std::vector<std::int64_t>{1, 2, 3, 4});
}

TEST_CASE("A long list of whole numbers takes time in proportion to its length") {
    CHECK(parse_count_list("--events", "1:300000:300000").size() == 300'000);
    CHECK(parse_count_list("--events", "3,1,3,2,1") == std::vector<std::int64_t>{3, 1, 2});
}

TEST_CASE("A malformed list is refused by the name of its option") {
    CHECK_THROWS_WITH(parse_time_list("--separation", "1us:2us"),
                      Contains("--separation") && Contains("FIRST:LAST:COUNT"));
    CHECK_THROWS_AS(parse_time_list("--separation", "1:2:3"), InputError);
    CHECK_THROWS_AS(parse_time_list("--separation", ""), InputError);
    CHECK_THROWS_AS(parse_time_list("--separation", "0us:1us:3:log"), InputError);
    CHECK_THROWS_AS(parse_count_list("--events", "1:10:0"), InputError);
    CHECK_THROWS_AS(parse_count_list("--events", "1:10:3:lin"), InputError);
    CHECK_THROWS_AS(parse_count_list("--events", "0"), InputError);
    CHECK_THROWS_AS(parse_count_list("--events", "-5"), InputError);
    CHECK_THROWS_AS(parse_count_list("--events", "1.5"), InputError);
}

TEST_CASE("Rates and probabilities come as lists, too") {
    CHECK(parse_frequency_list("--rate", "1kHz:3kHz:3") ==
          std::vector<Frequency>{{1'000'000'000}, {2'000'000'000}, {3'000'000'000}});
    CHECK(parse_probability_list("--loss", "1e-6,0.5") == std::vector<double>{1e-6, 0.5});
    CHECK_THROWS_AS(parse_frequency_list("--rate", "8"), InputError);
    for (const char* wrong : {"", "1", "0", "nan", "1e-6,", "1e-6x", "-0.1"})
        CHECK_THROWS_AS(parse_probability_list("--loss", wrong), InputError);
}
