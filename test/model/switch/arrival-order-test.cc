// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/arrival-order.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "test/catch.h"

using namespace watershed;

namespace {

std::vector<int> order_of(const ArrivalRank& rank, std::int64_t event, int modules) {
    std::vector<int> order(static_cast<std::size_t>(modules));
    std::iota(order.begin(), order.end(), 1);
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return std::make_pair(rank(event, a), a) < std::make_pair(rank(event, b), b); });
    return order;
}

}  // namespace

TEST_CASE("In module order the lowest number always comes first") {
    const ArrivalRank rank(ArrivalOrder::Module, 4, 1);
    CHECK(order_of(rank, 1, 4) == std::vector<int>{1, 2, 3, 4});
    CHECK(order_of(rank, 2, 4) == std::vector<int>{1, 2, 3, 4});
}

TEST_CASE("In rotating order event e begins with module e") {
    const ArrivalRank rank(ArrivalOrder::Rotating, 4, 1);
    CHECK(order_of(rank, 1, 4) == std::vector<int>{1, 2, 3, 4});
    CHECK(order_of(rank, 2, 4) == std::vector<int>{2, 3, 4, 1});
    CHECK(order_of(rank, 4, 4) == std::vector<int>{4, 1, 2, 3});
    CHECK(order_of(rank, 5, 4) == std::vector<int>{1, 2, 3, 4});
}

TEST_CASE("In random order every module is last equally often") {
    // Last of 8 in 8000 events: mean 1000, standard deviation sqrt(8000 * 1/8 * 7/8) = 29.6; five of them are 148.
    const ArrivalRank rank(ArrivalOrder::Random, 8, 42);
    std::vector<int> last(9);
    for (std::int64_t event = 1; event <= 8000; ++event)
        ++last[static_cast<std::size_t>(order_of(rank, event, 8).back())];
    for (int module = 1; module <= 8; ++module) CHECK(std::abs(last[static_cast<std::size_t>(module)] - 1000) < 148);
}
