// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/module-groups.h"

#include "model/frontend/event-train.h"
#include "model/frontend/front-end.h"
#include "test/catch.h"

using namespace watershed;

namespace {

Group group_of(int modules) {
    Group group;
    group.front_end.modules = modules;
    return group;
}

}  // namespace

TEST_CASE("Modules count on from group to group") {
    Senders senders;
    senders.groups = {group_of(2), group_of(1), group_of(4)};
    const ModuleGroups groups(senders);
    const std::vector<std::size_t> expected{0, 0, 1, 2, 2, 2, 2};
    for (int module = 1; module <= 7; ++module)
        CHECK(groups.of(module) == expected[static_cast<std::size_t>(module - 1)]);
    senders.groups.clear();
    CHECK(ModuleGroups(senders).all().size() == 1);
    CHECK(ModuleGroups(senders).of(44) == 0);
}

TEST_CASE("Lists of a group begin with its own first module, and its delay adds to all skews") {
    Group group = group_of(4);
    group.front_end.skew = {Time{10}, Time{20}, Time{30}};
    group.delay = Time{1};
    for (const int before : {0, 1, 2, 5}) {
        const Group placed = placed_after(before, group);
        CHECK(placed.front_end.modules_before == before);
        for (int module = 1; module <= 4; ++module)  // 11, 21, 31, 11
            CHECK(module_timing(placed.front_end, 1, module).skew == Time{10 * ((module - 1) % 3 + 1) + 1});
    }
    group.front_end.skew.clear();
    CHECK(module_timing(placed_after(7, group).front_end, 1, 3).skew == Time{1});
}

TEST_CASE("Events go to builders in turn, by lot, or by the group that sends") {
    Senders senders;
    senders.groups = {group_of(2), group_of(1), group_of(4)};
    senders.builders = {2, Builders::Assignment::InTurn};
    CHECK(BuilderChoice(senders).of({1, 1, 0, 0}) == 0);
    CHECK(BuilderChoice(senders).of({2, 7, 0, 0}) == 1);
    CHECK(BuilderChoice(senders).of({5, 7, 0, 0}) == 0);
    CHECK(BuilderChoice(senders).keeps_events_together());
    senders.builders.assignment = Builders::Assignment::ByGroup;
    CHECK(BuilderChoice(senders).of({2, 2, 0, 0}) == 0);
    CHECK(BuilderChoice(senders).of({1, 3, 0, 0}) == 1);
    CHECK(BuilderChoice(senders).of({1, 7, 0, 0}) == 0);  // group 3 of 2 builders
    CHECK_FALSE(BuilderChoice(senders).keeps_events_together());
    senders.builders.assignment = Builders::Assignment::Random;
    int first = 0;
    for (std::int64_t event = 1; event <= 1000; ++event) {
        const int builder = BuilderChoice(senders).of({event, 1, 0, 0});
        CHECK(builder == BuilderChoice(senders).of({event, 7, 0, 0}));  // all fragments go to one
        first += builder == 0;
    }
    CHECK(std::abs(first - 500) < 80);  // five standard deviations of a fair coin: 5 sqrt(1000) / 2 = 79
}

TEST_CASE("Modules send to builders one after the other, or each by lot") {
    Senders senders;
    senders.groups = {group_of(2), group_of(5)};
    senders.builders = {3, Builders::Assignment::InTurn, Builders::Order::Shifted};
    for (std::int64_t event = 1; event <= 7; ++event)
        for (int module = 1; module <= 7; ++module)
            CHECK(BuilderChoice(senders).of({event, module, 0, 0}) == (event - 1 + module - 1) % 3);
    CHECK_FALSE(BuilderChoice(senders).keeps_events_together());
    CHECK_FALSE(BuilderChoice(senders).keeps_modules_together());
    senders.builders.assignment = Builders::Assignment::Random;
    for (std::int64_t event = 1; event <= 50; ++event)
        CHECK(BuilderChoice(senders).of({event, 6, 0, 0}) == (BuilderChoice(senders).of({event, 1, 0, 0}) + 5) % 3);
    senders.builders.assignment = Builders::Assignment::ByGroup;
    CHECK(BuilderChoice(senders).of({9, 2, 0, 0}) == 1);
    CHECK(BuilderChoice(senders).of({9, 3, 0, 0}) == (1 + 2) % 3);
    CHECK(BuilderChoice(senders).keeps_modules_together());
    CHECK_FALSE(BuilderChoice(senders).keeps_events_together());
    senders.builders = {2, Builders::Assignment::InTurn, Builders::Order::Random};
    CHECK_FALSE(BuilderChoice(senders).keeps_events_together());
    CHECK_FALSE(BuilderChoice(senders).keeps_modules_together());
    int first = 0, same = 0;
    for (std::int64_t event = 1; event <= 1000; ++event) {
        const int builder = BuilderChoice(senders).of({event, 1, 0, 0});
        first += builder == 0;
        same += builder == BuilderChoice(senders).of({event, 2, 0, 0});
    }
    CHECK(std::abs(first - 500) < 80);
    CHECK(std::abs(same - 500) < 80);
}
