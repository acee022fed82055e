// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/sort-by-time.h"

#include <rapidcheck.h>

#include <functional>
#include <random>
#include <tuple>

#include "model/base/quantities.h"
#include "test/catch.h"

using namespace watershed;

namespace {

struct Item {
    std::int64_t time = 0;
    int place = 0;
    bool operator<(const Item& other) const { return std::tie(time, place) < std::tie(other.time, other.place); }
    bool operator==(const Item& other) const { return time == other.time && place == other.place; }
};

}  // namespace

TEST_CASE(
    "Few items and many, of times near and far, are sorted by time, and those of one instant by their own order") {
    CHECK(rc::check([] {
        const int count = *rc::gen::element(0, 1, 44, 63, 64, 65, 265, 3000, 20'000);
        const std::int64_t span = *rc::gen::element<std::int64_t>(1, 10, 5'000, 2'000'000, INT64_MAX / 2);
        std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
        std::vector<Item> items;
        for (int place = 0; place < count; ++place)
            items.push_back({std::int64_t(random() % std::uint64_t(span)) - (place % 2 ? 0 : span / 3), place});
        std::shuffle(items.begin(), items.end(), random);
        std::vector<Item> expected = items;
        std::stable_sort(expected.begin(), expected.end());
        sort_by_time(
            items, [](const Item& one) { return one.time; }, std::less<>());
        RC_ASSERT(items == expected);
    }));
}

TEST_CASE("Times of more than 64 bits are sorted as well") {
    std::vector<Wide> times;
    for (int i = 0; i < 2000; ++i) times.push_back(Wide{i * 7919 % 2003} << 70);
    std::vector<Wide> expected = times;
    std::sort(expected.begin(), expected.end());
    sort_by_time(
        times, [](Wide time) { return time; }, std::less<>());
    CHECK(times == expected);
}
