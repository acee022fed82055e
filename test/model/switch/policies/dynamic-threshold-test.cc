// SPDX-License-Identifier: GPL-2.0-only
#include "test/catch.h"
#include "test/model/switch/policies/made.h"

using namespace watershed;
using Verdict = QueueAccounts::Verdict;

namespace {

/// Offers single cells to n queues in turn until every one is refused.
void fill(QueueAccounts& accounts, int n) {
    for (int refused = 0; refused < n;) {
        refused = 0;
        for (int queue = 0; queue < n; ++queue) {
            if (accounts.verdict(queue, 1) == Verdict::Granted)
                accounts.take(queue, 1);
            else
                ++refused;
        }
    }
}

}  // namespace

TEST_CASE("n congested queues come to rest at alpha / (1 + n alpha) of the pool each") {
    // q = alpha (B - n q)  =>  q = alpha B / (1 + n alpha); single cells overshoot by less than one each.
    for (const Ratio alpha : {Ratio{8, 1}, Ratio{1, 1}, Ratio{1, 8}, Ratio{3, 7}})
        for (const int n : {1, 2, 5, 44}) {
            constexpr std::int64_t kPool = 46080;
            const auto policy = made("dynamic-threshold", {n, 1, kPool, 0}, alpha);
            QueueAccounts& accounts = *policy;
            fill(accounts, n);
            const double rest = static_cast<double>(alpha.numerator * kPool) /
                                static_cast<double>(alpha.denominator + n * alpha.numerator);
            INFO("alpha " << alpha.numerator << "/" << alpha.denominator << ", " << n << " queues");
            for (int queue = 0; queue < n; ++queue)
                CHECK(std::abs(static_cast<double>(accounts.held(queue)) - rest) <= 1.0);
        }
}

TEST_CASE("What is reserved for a queue comes on top of its threshold and needs no free pool") {
    const auto policy = made("dynamic-threshold", {2, 1, 100, 7}, {1, 1});
    QueueAccounts& accounts = *policy;
    fill(accounts, 1);
    CHECK(accounts.held(0) == 50 + 7);
    accounts.take(1, 7);  // from its own reserve
    CHECK(accounts.free(1) == 50);
    CHECK(accounts.drawn(1) == 0);
}

TEST_CASE("A queue that is below its threshold takes a frame that carries it above") {
    const auto policy = made("dynamic-threshold", {1, 1, 100, 0}, {1, 1});
    QueueAccounts& accounts = *policy;
    accounts.take(0, 49);
    CHECK(accounts.verdict(0, 20) == Verdict::Granted);  // 49 < 51
    accounts.take(0, 20);
    CHECK(accounts.verdict(0, 1) == Verdict::AboveThreshold);
    CHECK(accounts.verdict(0, 32) == Verdict::PoolFull);
}
