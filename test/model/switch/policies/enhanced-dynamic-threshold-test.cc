// SPDX-License-Identifier: GPL-2.0-only
#include "test/catch.h"
#include "test/model/switch/policies/made.h"

using namespace watershed;
using Verdict = QueueAccounts::Verdict;

TEST_CASE("A queue exceeds its threshold by the excess once, and again only after it has been empty") {
    const auto policy = made("enhanced-dynamic-threshold", {1, 1, 100, 0}, {1, 1}, 10);
    QueueAccounts& accounts = *policy;
    const auto fill = [&] {
        while (accounts.verdict(0, 1) == Verdict::Granted) accounts.take(0, 1);
        return accounts.held(0);
    };
    CHECK(fill() == 60);  // 50 = alpha / (1 + alpha) of 100, and 10 beyond
    accounts.give(0, 20);
    CHECK(fill() == 50);
    accounts.give(0, 50);
    CHECK(fill() == 60);
}
