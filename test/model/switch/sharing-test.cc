// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/sharing.h"

#include <random>
#include <set>
#include <stdexcept>
#include <string>

#include "model/switch/buffer.h"
#include "model/switch/memory-units.h"
#include "model/switch/queue-accounts.h"
#include "test/catch.h"

using namespace watershed;

TEST_CASE("Every registered policy has a name of its own, by which it is found, and says what it does") {
    std::set<std::string> names;
    for (const Sharing each : Sharing::all()) {
        INFO(each->name);
        CHECK(names.insert(each->name).second);
        CHECK(Sharing::named(each->name) == each);
        CHECK(std::string(each->help) != "");
        CHECK(std::string(each->drawn) != "");
        CHECK((!each->has_excess || each->has_alpha));
        CHECK((!each->has_port_alpha || each->has_alpha));
    }
    CHECK(names.count("shared") == 1);
    CHECK(Buffer().sharing == Sharing::Shared);
    CHECK_THROWS_WITH(Sharing::named("fair"),
                      Contains("found sharing \"fair\", expected one of \"shared\", \"per-input\""));
}

TEST_CASE("What a registered policy grants, its pool has room for; and an empty memory takes the first frame") {
    for (const Sharing each : Sharing::all()) {
        INFO(each->name);
        Buffer buffer;
        buffer.sharing = each;
        buffer.size = {30, MemorySize::Unit::Frame};
        buffer.alpha = {2, 1};
        buffer.excess = {4, MemorySize::Unit::Frame};
        buffer.step_free = buffer.step_limits = {{1, MemorySize::Unit::Frame}};
        const auto accounts = each->make(buffer, MemoryUnits(buffer), {3, 1, 30, 0});
        CHECK(accounts->verdict(0, 1) == QueueAccounts::Verdict::Granted);
        for (int i = 0; i < 100; ++i)
            if (accounts->verdict(i % 3, 1) == QueueAccounts::Verdict::Granted)
                accounts->take(i % 3, 1);  // throws beyond the pool
        CHECK(accounts->free() >= 0);
        CHECK(accounts->free() < 30);
        // Only a policy that says so asks for frames back.
        CHECK((each->evicts || !accounts->victim(0, [](int) { return true; })));
    }
}

TEST_CASE("A policy that says it is monotone grants with less in any queue what it grants with more") {
    std::mt19937_64 random(5);
    const auto draw = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
    const auto frames = [](std::int64_t amount) { return MemorySize{amount, MemorySize::Unit::Frame}; };
    int granted = 0, refused = 0;
    for (const Sharing each : Sharing::all()) {
        INFO(each->name);
        CHECK_FALSE((each->is_monotone && (each->remembers || each->evicts)));
        if (!each->is_monotone) continue;
        for (int i = 0; i < 2000; ++i) {
            Buffer buffer;
            buffer.sharing = each;
            buffer.size = frames(60);
            buffer.alpha = {draw(1, 8), draw(1, 4)};
            buffer.port_alpha = {draw(1, 8), draw(1, 2)};
            buffer.threshold_whole = draw(0, 1) == 1;
            if (draw(0, 1) == 1) buffer.threshold_mantissa = draw(1, 3);
            buffer.threshold_extra_step = buffer.threshold_mantissa && draw(0, 1) == 1;
            buffer.step_free = {frames(draw(1, 5)), frames(draw(6, 20)), frames(draw(21, 50))};
            buffer.step_limits = {frames(draw(0, 5)), frames(draw(5, 12)), frames(draw(12, 30))};
            const int pools = draw(1, 2);
            const QueueLayout layout{4, pools, 60 / pools, draw(0, 4), draw(1, 2)};
            const auto more = each->make(buffer, MemoryUnits(buffer), layout),
                       less = each->make(buffer, MemoryUnits(buffer), layout);
            for (int queue = 0; queue < layout.queues; ++queue) {
                const int amount = draw(0, 14);
                more->take(queue, amount);
                less->take(queue, draw(0, amount));
            }
            const int queue = draw(0, 3), amount = draw(1, 3);
            const bool grants = more->verdict(queue, amount) == QueueAccounts::Verdict::Granted;
            ++(grants ? granted : refused);
            if (grants) REQUIRE(less->verdict(queue, amount) == QueueAccounts::Verdict::Granted);
        }
    }
    CHECK(granted > 1000);
    CHECK(refused > 1000);
}
