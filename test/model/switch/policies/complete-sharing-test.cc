// SPDX-License-Identifier: GPL-2.0-only
#include "test/catch.h"
#include "test/model/switch/policies/made.h"

using namespace watershed;
using Verdict = QueueAccounts::Verdict;

TEST_CASE("With one pool a queue may take all of it, with one for each no more than its own") {
    const auto one = made("shared", {3, 1, 30, 0});
    QueueAccounts& shared = *one;
    CHECK(shared.verdict(2, 30) == Verdict::Granted);
    CHECK(shared.verdict(2, 31) == Verdict::PoolFull);
    shared.take(2, 25);
    CHECK(shared.verdict(0, 6) == Verdict::PoolFull);

    const auto several = made("per-input", {3, 3, 10, 0});
    QueueAccounts& apart = *several;
    apart.take(2, 10);
    CHECK(apart.verdict(2, 1) == Verdict::PoolFull);
    CHECK(apart.verdict(0, 10) == Verdict::Granted);
}
