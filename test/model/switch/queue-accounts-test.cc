// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/queue-accounts.h"

#include <rapidcheck.h>

#include <numeric>

#include "model/switch/switch-memory.h"
#include "test/catch.h"

using namespace watershed;
using Sharing = Buffer::Sharing;

TEST_CASE("Taking more than there is and giving back more than was taken is an error of the program") {
    struct Generous final : LimitingPolicy {
        explicit Generous(const Layout& layout) : LimitingPolicy(layout) {}
        bool may_grow(int, std::int64_t) const override { return true; }
    };
    Generous accounts({1, 1, 10, 0});
    accounts.take(0, 10);
    CHECK_THROWS_AS(accounts.take(0, 1), std::logic_error);
    Generous empty({1, 1, 10, 0});
    CHECK_THROWS_AS(empty.give(0, 1), std::logic_error);
}

TEST_CASE("Under every policy and any traffic occupancy stays within its bounds and the queues add up to it") {
    const bool holds = rc::check("accounts of a memory", [] {
        const int inputs = *rc::gen::inRange(1, 9), outputs = *rc::gen::inRange(1, 5);
        Buffer buffer;
        buffer.sharing = *rc::gen::elementOf(Sharing::all());
        buffer.size = {*rc::gen::inRange<std::int64_t>(0, 60'000), MemorySize::Unit::Byte};
        buffer.cell = Bytes{*rc::gen::element<std::int64_t>(64, 208, 256)};
        buffer.cell_header = Bytes{*rc::gen::inRange<std::int64_t>(0, 65)};
        const bool own = buffer.sharing->pools != SharingPolicy::Pools::One;
        if (!own) {
            buffer.accounting =
                *rc::gen::element(Buffer::Accounting::Egress, Buffer::Accounting::Ingress, Buffer::Accounting::Both);
            buffer.slices = *rc::gen::inRange(1, 4);
            buffer.reserved = {*rc::gen::inRange<std::int64_t>(0, 3000), MemorySize::Unit::Byte};
        }
        buffer.alpha = {*rc::gen::inRange<std::int64_t>(1, 9), *rc::gen::inRange<std::int64_t>(1, 9)};
        buffer.excess = {*rc::gen::inRange<std::int64_t>(0, 5000), MemorySize::Unit::Byte};
        buffer.port_alpha = {*rc::gen::inRange<std::int64_t>(1, 9), *rc::gen::inRange<std::int64_t>(1, 9)};
        for (std::int64_t free = 0, n = *rc::gen::inRange(1, 5); n > 0; --n) {
            free += *rc::gen::inRange<std::int64_t>(300, 20'000);  // more than a cell apart
            buffer.step_free.push_back({free, MemorySize::Unit::Byte});
            buffer.step_limits.push_back({*rc::gen::inRange<std::int64_t>(1, 20'000), MemorySize::Unit::Byte});
        }
        if (*rc::gen::arbitrary<bool>()) buffer.descriptors = *rc::gen::inRange<std::int64_t>(1, 40);
        if (*rc::gen::arbitrary<bool>()) buffer.resume = Ratio{*rc::gen::inRange<std::int64_t>(0, 5), 4};

        SwitchMemory memory(buffer, inputs, outputs);
        const QueueAccounts& accounts = memory.accounts();
        const std::int64_t most = accounts.layout().pools * accounts.layout().pool_size +
                                  accounts.layout().queues * accounts.layout().reserved;
        std::vector<MemoryClaim> stored;
        const auto steps = *rc::gen::container<std::vector<int>>(200, rc::gen::inRange(0, 1'000'000));
        for (const int step : steps) {
            if (step % 3 == 0 && !stored.empty()) {
                const auto which = static_cast<std::size_t>(step) % stored.size();
                memory.release(stored[which]);
                stored.erase(stored.begin() + static_cast<std::ptrdiff_t>(which));
            } else {
                const MemoryClaim claim{step % inputs, step / 7 % outputs, Bytes{64 + step % 1455}};
                if (!memory.admit(claim)) stored.push_back(claim);
            }
            std::int64_t held = 0, cells = 0, bytes = 0;
            for (int queue = 0; queue < accounts.layout().queues; ++queue) {
                RC_ASSERT(accounts.held(queue) >= 0);
                RC_ASSERT(accounts.free(queue) >= 0);
                held += accounts.held(queue);
            }
            for (const MemoryClaim& claim : stored) {
                cells += memory.units().cost(claim.buffer);
                bytes += claim.buffer.count;
            }
            RC_ASSERT(held == cells);
            RC_ASSERT(held <= most);
            RC_ASSERT(memory.bytes().count == bytes);
            RC_ASSERT(memory.frames() == static_cast<std::int64_t>(stored.size()));
            if (buffer.descriptors && accounts.layout().pools == 1) RC_ASSERT(memory.frames() <= *buffer.descriptors);
        }
        for (const MemoryClaim& claim : stored) memory.release(claim);
        RC_ASSERT(memory.frames() == 0);
        for (int queue = 0; queue < accounts.layout().queues; ++queue) RC_ASSERT(accounts.held(queue) == 0);
    });
    REQUIRE(holds);
}
