// SPDX-License-Identifier: GPL-2.0-only
#include "test/catch.h"
#include "test/model/switch/policies/made.h"

using namespace watershed;
using Verdict = QueueAccounts::Verdict;

TEST_CASE("One congested queue has the whole of alpha, n share it") {
    // Alone: q = alpha (B - q). n together: q = alpha / n (B - n q), so that q = alpha B / (n (1 + alpha)) and together
    // as much as one.
    for (const int n : {1, 2, 4, 10}) {
        const auto policy = made("abm", {n, 1, 12000, 0}, {1, 2});
        QueueAccounts& accounts = *policy;
        for (bool any = true; any;) {
            any = false;
            for (int queue = 0; queue < n; ++queue)
                if (accounts.verdict(queue, 1) == Verdict::Granted) {
                    accounts.take(queue, 1);
                    any = true;
                }
        }
        INFO(n << " queues");
        for (int queue = 0; queue < n; ++queue) CHECK(std::abs(accounts.held(queue) - 4000 / n) <= 2);
    }
}

TEST_CASE("Queues of one class share its alpha, and classes of one port its rate") {
    // Two ports of two classes, alpha 1/2. The first port has both classes, the second one class 0 alone: two congested
    // queues of class 0, one of class 1, and rates of 1/2, 1/2 and 1. With F free the queues come to rest at
    // F / 2 / 2 / 2, F / 2 / 1 / 2 and F / 2 / 2 / 1, together 5 F / 8; of 13000 in all 8000 stay free.
    const auto policy = made("abm", {4, 1, 13000, 0, 2}, {1, 2});
    QueueAccounts& accounts = *policy;
    for (int round = 0; round < 1500; ++round) {  // who grew before others were congested has to shrink
        for (const int queue : {0, 1, 2})
            if (accounts.held(queue) > 0) accounts.give(queue, 1);
        for (bool any = true; any;) {
            any = false;
            for (const int queue : {0, 1, 2})
                if (accounts.verdict(queue, 1) == Verdict::Granted) {
                    accounts.take(queue, 1);
                    any = true;
                }
        }
    }
    CHECK(std::abs(accounts.held(0) - 1000) <= 2);
    CHECK(std::abs(accounts.held(1) - 2000) <= 2);
    CHECK(std::abs(accounts.held(2) - 2000) <= 2);
    // Class 1 of the second port begins: its port now serves two, and both classes have two queues.
    CHECK(accounts.verdict(3, 1) == Verdict::Granted);
    accounts.take(3, 1);
    CHECK(accounts.verdict(2, 1) == Verdict::AboveThreshold);
}

TEST_CASE("A queue that holds little does not count as congested") {
    const auto policy = made("abm", {2, 1, 1000, 0}, {1, 1});
    QueueAccounts& accounts = *policy;
    accounts.take(1, 10);
    while (accounts.verdict(0, 1) == Verdict::Granted) accounts.take(0, 1);
    CHECK(accounts.held(0) == 495);  // alpha (B - 10 - q) = q
}

TEST_CASE("A queue counts as congested from nine tenths of its threshold on") {
    // Alpha 1, 1000 in all, another queue holds 300. With a in the first one 700 - a are free; were both congested,
    // their thresholds would be half of that, of which nine tenths are (700 - a) 9 / 20: reached from a = 217.24 on.
    // Below, the other may grow to the whole of what is free, above to half of it.
    for (const std::int64_t first : {217, 218}) {
        const auto policy = made("abm", {2, 1, 1000, 0}, {1, 1});
        QueueAccounts& accounts = *policy;
        accounts.take(0, first);
        accounts.take(1, 300);
        CHECK((accounts.verdict(1, 1) == Verdict::Granted) == (first == 217));
    }
}

TEST_CASE("A queue whose sender is paused has the threshold of its own alpha, divided as that of others") {
    // Both hold 160 of 1000: 680 are free, and nine tenths of 680 / 2 / 2 are 153. With a more 160 + a <= (680 - a) /
    // 4, so that a <= 8; alone it would be 120. By the alpha of the policy itself none would be congested.
    const auto policy = made("abm", {2, 1, 1000, 0}, {8, 1});
    QueueAccounts& accounts = *policy;
    for (const int queue : {0, 1}) accounts.take(queue, 160);
    CHECK(accounts.stays_below_threshold(0, 8, 0, {1, 2}));
    CHECK_FALSE(accounts.stays_below_threshold(0, 9, 0, {1, 2}));
    CHECK(accounts.stays_below_threshold(0, 0, 10, {1, 2}));
    CHECK_FALSE(accounts.stays_below_threshold(0, 0, 11, {1, 2}));
    accounts.give(1, 160);
    CHECK(accounts.stays_below_threshold(0, 173, 0, {1, 2}));  // 160 + a <= (840 - a) / 2
    CHECK_FALSE(accounts.stays_below_threshold(0, 174, 0, {1, 2}));
}
