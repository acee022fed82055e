// SPDX-License-Identifier: GPL-2.0-only
#include <initializer_list>

#include "model/base/unsupported-key.h"
#include "test/catch.h"
#include "test/model/switch/policies/made.h"

using namespace watershed;
using Verdict = QueueAccounts::Verdict;

namespace {

constexpr std::int64_t kPool = 300'000;

std::unique_ptr<QueueAccounts> nested(Ratio alpha, Ratio port_alpha, const QueueAccounts::Layout& layout) {
    Buffer buffer;
    buffer.size = {layout.pool_size, MemorySize::Unit::Frame};
    buffer.alpha = alpha;
    buffer.port_alpha = port_alpha;
    return Sharing::named("nested-threshold")->make(buffer, MemoryUnits(buffer), layout);
}

/// Offers single cells to these queues in turn until every one is refused.
void offer(QueueAccounts& accounts, std::initializer_list<int> queues) {
    for (std::size_t refused = 0; refused < queues.size();) {
        refused = 0;
        for (const int queue : queues) {
            if (accounts.verdict(queue, 1) == Verdict::Granted)
                accounts.take(queue, 1);
            else
                ++refused;
        }
    }
}

/// A queue that is below x takes a cell more, so that it rests at the next whole number.
bool is_at(std::int64_t held, double x) {
    return static_cast<double>(held) >= x - 1e-6 && static_cast<double>(held) < x + 1;
}

/// Share of a pool for a priority group whose neighbours hold o: pg = a (a' (P - o - pg) - o - pg).
double published(double a, double port, double pool, double o) {
    return (a * port * (pool - o) - a * o) / (1 + a * port + a);
}

}  // namespace

TEST_CASE("Priority groups that fill one after another come to rest where Spectrum's published formula says") {
    for (const Ratio alpha : {Ratio{1, 1}, Ratio{1, 4}, Ratio{8, 1}, Ratio{3, 7}})
        for (const Ratio port_alpha : {Ratio{64, 1}, Ratio{1, 1}, Ratio{1, 2}}) {
            INFO("alpha " << as_number(alpha) << ", of a port " << as_number(port_alpha));
            const auto policy = nested(alpha, port_alpha, {6, 1, kPool, 0, 2});
            QueueAccounts& accounts = *policy;
            const double a = as_number(alpha), port = as_number(port_alpha);
            double pool = kPool;
            for (const int first : {0, 2, 4}) {
                offer(accounts, {first});
                const std::int64_t o = accounts.held(first);
                CHECK(is_at(o, published(a, port, pool, 0)));
                offer(accounts, {first + 1});
                CHECK(is_at(accounts.held(first + 1), published(a, port, pool, static_cast<double>(o))));
                CHECK(accounts.verdict(first, 1) == Verdict::AboveThreshold);
                // To the next port this is a smaller pool.
                pool -= static_cast<double>(o + accounts.held(first + 1));
            }
        }
}

TEST_CASE("n groups of each of m ports that fill together share the quotas evenly") {
    // q = a (a' (P - m n q) - n q)  =>  q = a a' P / (1 + n a + m n a a'); single cells overshoot by one at most each.
    const auto policy = nested({2, 1}, {1, 2}, {6, 1, kPool, 0, 3});
    offer(*policy, {0, 1, 2, 3, 4, 5});
    for (int queue = 0; queue < 6; ++queue)
        CHECK(std::abs(static_cast<double>(policy->held(queue)) - 1.0 * kPool / (1 + 6 + 6)) <= 1);
}

TEST_CASE("Reserves count in neither quota, and a port that is over its own refuses an empty group") {
    const auto policy = nested({1, 1}, {1, 1}, {4, 1, 90, 10, 2});
    QueueAccounts& accounts = *policy;
    offer(accounts, {0});
    CHECK(accounts.held(0) == 30 + 10);  // q = 90 - q - q
    offer(accounts, {1});
    CHECK(accounts.held(1) == 10 + 10);  // q = (90 - 30 - q) - (30 + q)
    offer(accounts, {2});
    CHECK(accounts.held(2) == 17 + 10);  // q = 50 - q - q
    offer(accounts, {3});
    CHECK(accounts.held(3) == 6 + 10);  // q = (33 - q) - (17 + q)
    CHECK(accounts.free(0) == 90 - 30 - 10 - 17 - 6);

    const auto other = nested({1, 1}, {1, 1}, {4, 1, 90, 10, 2});
    other->take(0, 10 + 60);
    other->take(1, 10);
    CHECK(other->drawn(1) == 0);
    CHECK(other->verdict(1, 1) == Verdict::AboveThreshold);  // the quota of its port is 30
    CHECK(other->verdict(2, 11) == Verdict::Granted);
}

TEST_CASE("Factors of so many digits that a product of both overflows are refused") {
    constexpr std::int64_t kMany = 999'999'999'999;
    CHECK_NOTHROW(nested({kMany, 7}, {kMany, 7}, {1, 1, 1'000'000'000'000, 0}));
    CHECK_THROWS_AS(nested({kMany, 7}, {kMany, 7}, {1, 1, 1'000'000'000'000'000, 0}), KeyError);
}
