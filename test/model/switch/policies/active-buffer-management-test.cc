// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/policies/active-buffer-management.h"

#include "test/catch.h"

using namespace watershed;
using Verdict = QueueAccounts::Verdict;

TEST_CASE("One congested queue has the whole of alpha, n share it") {
    // Alone: q = alpha (B - q). n together: q = alpha / n (B - n q), so that q = alpha B / (n (1 + alpha)) and together
    // as much as one.
    for (const int n : {1, 2, 4, 10}) {
        ActiveBufferManagement accounts({n, 1, 12000, 0}, {1, 2});
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

TEST_CASE("A queue that holds little does not count as congested") {
    ActiveBufferManagement accounts({2, 1, 1000, 0}, {1, 1});
    accounts.take(1, 10);
    while (accounts.verdict(0, 1) == Verdict::Granted) accounts.take(0, 1);
    CHECK(accounts.held(0) == 495);  // alpha (B - 10 - q) = q
}
