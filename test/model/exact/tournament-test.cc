// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/tournament.h"

#include <rapidcheck.h>

#include <algorithm>
#include <limits>

#include "test/catch.h"

using namespace watershed;

namespace {

constexpr int kNone = std::numeric_limits<int>::max();

}  // namespace

TEST_CASE("The winner of a tournament is the first of the least keys, however they have changed") {
    CHECK(rc::check([](const std::vector<std::pair<std::uint8_t, int>>& changes) {
        const auto count = *rc::gen::inRange<std::size_t>(1, 70);
        Tournament<int> tournament(count, kNone);
        std::vector<int> keys(count, kNone);
        for (const auto& [number, key] : changes) {
            keys[number % count] = key;
            tournament.set(number % count, key);
            const auto least = std::min_element(keys.begin(), keys.end());
            RC_ASSERT(tournament.least() == *least);
            RC_ASSERT(keys[tournament.winner()] == *least);
            RC_ASSERT(tournament.winner() == static_cast<std::size_t>(least - keys.begin()));
        }
    }));
}

TEST_CASE("A tournament merges sorted sequences: what wins is replaced by what follows it") {
    const std::vector<std::vector<int>> sequences{{1, 4, 9}, {}, {2, 3, 11, 12}, {4, 5}, {0}};
    std::vector<std::size_t> taken(sequences.size());
    Tournament<int> heads(sequences.size(), kNone);
    const auto head = [&](std::size_t i) { return taken[i] < sequences[i].size() ? sequences[i][taken[i]] : kNone; };
    for (std::size_t i = 0; i < sequences.size(); ++i) heads.set(i, head(i));
    std::vector<int> merged;
    for (; heads.least() != kNone; ++taken[heads.winner()], heads.set(heads.winner(), head(heads.winner())))
        merged.push_back(heads.least());
    CHECK(merged == std::vector<int>{0, 1, 2, 3, 4, 4, 5, 9, 11, 12});
}

TEST_CASE("A tournament without players has no winner but the key that stands for none") {
    CHECK(Tournament<int>(0, kNone).least() == kNone);
}
