// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/switch-memory.h"
#include "test/catch.h"
#include "test/model/switch/policies/made.h"

using namespace watershed;
using Verdict = QueueAccounts::Verdict;

namespace {

const QueueAccounts::MayLose kAny = [](int) { return true; };

Buffer memory_of(std::int64_t frames) {
    Buffer buffer;
    buffer.sharing = Sharing::named("longest-queue-drop");
    buffer.size = {frames, MemorySize::Unit::Frame};
    return buffer;
}

MemoryClaim to(int output, std::int64_t bytes = 100) { return {0, output, Bytes{bytes}}; }

}  // namespace

TEST_CASE(
    "The longest queue of the pool gives way; the arriving frame's own comes first among equals, then the lowest "
    "number") {
    const auto policy = made("longest-queue-drop", {4, 2, 10, 0});  // queues 0 and 1 share a pool, 2 and 3 another
    QueueAccounts& accounts = *policy;
    accounts.take(0, 4);
    accounts.take(1, 6);
    accounts.take(2, 5);
    accounts.take(3, 5);
    CHECK(accounts.verdict(0, 1) == Verdict::PoolFull);
    CHECK(accounts.victim(0, kAny) == 1);
    CHECK(accounts.victim(1, kAny) == std::nullopt);
    CHECK(accounts.victim(2, kAny) == std::nullopt);  // 5 = 5
    accounts.give(3, 1);
    CHECK(accounts.victim(2, kAny) == std::nullopt);
    CHECK(accounts.victim(3, kAny) == 2);

    const auto another = made("longest-queue-drop", {3, 1, 10, 0});
    QueueAccounts& equals = *another;
    equals.take(1, 5);
    equals.take(2, 5);
    CHECK(equals.victim(0, kAny) == 1);
    CHECK(equals.victim(0, [](int queue) { return queue == 2; }) ==
          2);  // queue 1 has nothing to lose but what is leaving
    CHECK(equals.victim(0, [](int) { return false; }) == std::nullopt);
}

TEST_CASE("A queue is as long as what it draws from the pool: its reserve is not counted") {
    const auto policy = made("longest-queue-drop", {2, 1, 10, 4});
    QueueAccounts& accounts = *policy;
    accounts.take(0, 9);  // 5 of the pool
    accounts.take(1, 9);
    CHECK(accounts.free(0) == 0);
    CHECK(accounts.victim(0, kAny) == std::nullopt);
    accounts.give(0, 5);
    accounts.take(1, 5);
    CHECK(accounts.held(0) == 4);
    CHECK(accounts.victim(0, kAny) == 1);
}

TEST_CASE("The memory asks for frames until the one that arrives fits, and not at all if it never would") {
    Buffer buffer = memory_of(0);
    buffer.size = {1000, MemorySize::Unit::Byte};
    SwitchMemory memory(buffer, 1, 2);
    for (int i = 0; i < 10; ++i) REQUIRE_FALSE(memory.admit(to(0)));
    int gone = 0;
    for (; memory.victim(to(1, 250), kAny) == 0; ++gone) memory.push_out(to(0));
    CHECK(gone == 3);  // 3 of 100 B for one of 250 B
    CHECK_FALSE(memory.admit(to(1, 250)));
    CHECK(memory.bytes() == Bytes{950});
    CHECK(memory.victim(to(1, 1001), kAny) == std::nullopt);
    CHECK(memory.victim(to(1, 751), kAny) == std::nullopt);  // with the 250 B of its own queue
    CHECK(memory.victim(to(1, 50), kAny) == std::nullopt);   // there is room
}

TEST_CASE("A frame that is refused for another reason than the want of room pushes nothing out") {
    Buffer buffer = memory_of(4);
    buffer.wred_from = {1, MemorySize::Unit::Frame};
    buffer.wred_to = {2, MemorySize::Unit::Frame};
    SwitchMemory early(buffer, 1, 3);
    MemoryClaim claim = to(0);
    claim.lot = ~std::uint64_t{0};  // never the unlucky one below wred_to
    for (const int output : {0, 0, 1, 1}) {
        claim.output = output;
        REQUIRE_FALSE(early.admit(claim));
    }
    early.release(to(0));
    early.release(to(1));
    CHECK(early.victim(to(2), kAny) == std::nullopt);

    buffer = memory_of(3);
    buffer.resume = Ratio{0, 1};
    SwitchMemory hysteresis(buffer, 1, 2);
    for (int i = 0; i < 3; ++i) REQUIRE_FALSE(hysteresis.admit(to(0)));
    REQUIRE(hysteresis.victim(to(1), kAny) == 0);
    hysteresis.push_out(to(0));
    REQUIRE_FALSE(hysteresis.admit(to(1)));
    // The frame that went was a drop of its queue, which must now be empty before it grows again.
    CHECK(*hysteresis.refusal(to(0)) == SwitchMemory::kResume);
    CHECK(hysteresis.victim(to(0), kAny) == std::nullopt);
}
