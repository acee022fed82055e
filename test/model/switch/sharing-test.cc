// SPDX-License-Identifier: GPL-2.0-only
#include "model/switch/sharing.h"

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
