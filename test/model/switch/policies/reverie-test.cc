// SPDX-License-Identifier: GPL-2.0-only
#include "test/catch.h"
#include "test/model/switch/policies/made.h"

using namespace watershed;
using Verdict = QueueAccounts::Verdict;

namespace {

std::unique_ptr<QueueAccounts> reverie(const QueueAccounts::Layout& layout, Ratio filter, std::int64_t congested_from) {
    Buffer buffer;
    buffer.size = {layout.pool_size, MemorySize::Unit::Frame};
    buffer.filter = filter;
    buffer.congested_from = {congested_from, MemorySize::Unit::Frame};
    return Sharing::named("reverie")->make(buffer, MemoryUnits(buffer), layout);
}

}  // namespace

TEST_CASE("A burst into an empty queue passes as long as the frame itself is within what is free") {
    // Nothing has left, so the filter stands at 0: alpha 1, frames of 10, admitted while 10 <= 100 - q.
    const auto accounts = reverie({1, 1, 100, 0}, {99, 100}, 20);
    int taken = 0;
    for (; accounts->verdict(0, 10) == Verdict::Granted; ++taken) accounts->take(0, 10);
    CHECK(taken == 10);
}

TEST_CASE("The filter goes its part of the way at each departure, and is never above the queue") {
    // Filter 1/2, 60 held. One leaves: (0 + 59) / 2 = 29.5; the next: (29.5 + 58) / 2 = 43.75. 42 are free of 100: with
    // one frame more 44.75 are above that. Without the second departure 30.5 are not above 41.
    const auto accounts = reverie({1, 1, 100, 0}, {1, 2}, 1000);
    accounts->take(0, 60);
    accounts->give(0, 1);
    CHECK(accounts->verdict(0, 11) == Verdict::Granted);         // 40.5 <= 41
    CHECK(accounts->verdict(0, 12) == Verdict::AboveThreshold);  // 41.5
    accounts->give(0, 1);
    CHECK(accounts->verdict(0, 1) == Verdict::AboveThreshold);
    // All but 10 leave at once: 26.875 would be above what is held, so the filter stands at 10, and 80 fit to 90.
    accounts->give(0, 48);
    CHECK(accounts->verdict(0, 80) == Verdict::Granted);
    CHECK(accounts->verdict(0, 81) == Verdict::AboveThreshold);
}

TEST_CASE("The threshold is divided by the congested queues of a class, each counted by its filtered length") {
    // Filter 0: a queue's filtered length is what it held after its last departure. Queues of two ports and two
    // classes, 200 in all, congested from 40 on: class 0 has 40 and 20, one and a half; class 1 has 40, and so one.
    // 100 are free: a threshold of 66.67 for class 0 and of 100 for class 1.
    const auto accounts = reverie({4, 1, 200, 0, 2}, {0, 1}, 40);
    for (const auto& [queue, amount] : {std::pair{0, 40}, {1, 40}, {2, 20}}) {
        accounts->take(queue, amount + 1);
        accounts->give(queue, 1);
    }
    CHECK(accounts->verdict(2, 46) == Verdict::Granted);
    CHECK(accounts->verdict(2, 47) == Verdict::AboveThreshold);
    CHECK(accounts->verdict(1, 60) == Verdict::Granted);
    CHECK(accounts->verdict(1, 61) == Verdict::AboveThreshold);
}
