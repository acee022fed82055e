// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/event-train.h"

#include "test/catch.h"

using namespace watershed;

namespace {

Trigger times(std::vector<Time> at) {
    Trigger trigger;
    trigger.pattern = Trigger::Pattern::File;
    trigger.times = std::move(at);
    return trigger;
}

/// Two modules that answer the common trigger at 0, 5, 10 ps, and three with triggers of their own at 5 and 7 ps.
Senders two_sources() {
    Senders senders;
    senders.trigger = times({Time{0}, Time{5}, Time{10}});
    senders.groups.resize(2);
    senders.groups[0].name = "a";
    senders.groups[0].front_end.modules = 2;
    senders.groups[1].name = "b";
    senders.groups[1].front_end.modules = 3;
    senders.groups[1].trigger = times({Time{5}, Time{7}});
    senders.front_end.modules = 5;
    return senders;
}

}  // namespace

TEST_CASE("Events come in the order of time, at one instant the common trigger's before those of groups") {
    EventTrain train(two_sources());
    std::vector<std::pair<std::int64_t, int>> seen;
    while (const auto event = train.next()) seen.emplace_back(event->time.count(), event->source);
    CHECK(seen == std::vector<std::pair<std::int64_t, int>>{{0, 0}, {5, 0}, {5, 2}, {7, 2}, {10, 0}});
    EventTimes at(two_sources());
    CHECK(at.of(4) == Time{7});
    CHECK(at.of(1) == Time{0});
}

TEST_CASE("Modules answer the events of their own trigger alone") {
    Answers answers(two_sources());
    CHECK_FALSE(answers.are_all());
    CHECK(answers(2, 2));        // of events 1, 2 and 5
    CHECK_FALSE(answers(2, 3));  // whose group answers 3 and 4
    CHECK(answers(3, 5));
    CHECK(answers.count(5, 1) == 3);
    CHECK(answers.count(3, 1) == 2);
    CHECK(answers.count(5, 3) == 2);
    CHECK(answers.modules_of(0).front().last == 2);
    CHECK(answers.modules_of(1).empty());
    CHECK(answers.modules_of(2).front().first == 3);
    CHECK(answers.modules_of(2).front().last == 5);
}

TEST_CASE("No common trigger comes where every group has its own") {
    Senders senders = two_sources();
    senders.groups[0].trigger = times({Time{3}});
    EventTrain train(senders);
    CHECK(train.next()->source == 1);
    CHECK(train.next()->time == Time{5});
    CHECK(train.next()->source == 2);
    CHECK_FALSE(train.next());
}

TEST_CASE("A group's random triggers depend on the seed and its name, not on the other groups") {
    Senders senders = two_sources();
    Trigger random;
    random.pattern = Trigger::Pattern::Poisson;
    random.rate = Frequency{1'000'000'000};
    random.events = 3;
    senders.groups[1].trigger = random;
    const Time first = *train_of(senders.groups[1], senders).next();
    senders.groups.erase(senders.groups.begin());
    CHECK(*train_of(senders.groups[0], senders).next() == first);
    CHECK(*TriggerTrain(random, senders.seed).next() != first);
    senders.groups[0].name = "c";
    CHECK(*train_of(senders.groups[0], senders).next() != first);
}
