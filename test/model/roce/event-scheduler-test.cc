// SPDX-License-Identifier: GPL-2.0-only
#include "model/roce/event-scheduler.h"

#include <rapidcheck.h>

#include <stdexcept>
#include <vector>

#include "test/catch.h"

using namespace watershed;

namespace {

Distribution farm(int producers, int consumers, int credits = 0) {
    Distribution distribution;
    distribution.producers.count = producers;
    distribution.consumers.count = consumers;
    distribution.consumers.credits = credits;
    distribution.scheduler = credits > 0 ? Distribution::Scheduler::Credit : Distribution::Scheduler::RoundRobin;
    return distribution;
}

}  // namespace

TEST_CASE("Blind producers take the consumers in turn, beginning evenly spread") {
    EventScheduler scheduler(farm(2, 6));
    std::vector<int> first, second;
    for (int i = 0; i < 7; ++i) {
        first.push_back(*scheduler.next(0));
        second.push_back(*scheduler.next(1));
    }
    CHECK(first == std::vector<int>{0, 1, 2, 3, 4, 5, 0});
    CHECK(second == std::vector<int>{3, 4, 5, 0, 1, 2, 3});
}

TEST_CASE("Who finds no credit waits, and gets the first one that comes") {
    EventScheduler scheduler(farm(3, 2, 1));
    CHECK(scheduler.next(0) == 0);
    CHECK(scheduler.next(1) == 1);
    CHECK_FALSE(scheduler.next(2));
    CHECK_FALSE(scheduler.next(0));
    CHECK(scheduler.credited(1) == 2);
    CHECK(scheduler.next(2) == 1);
    CHECK(scheduler.credited(0) == 0);
}

TEST_CASE("Credits are conserved, and no consumer ever has more events under way than it promised") {
    REQUIRE(rc::check([] {
        const int producers = *rc::gen::inRange(1, 6), consumers = *rc::gen::inRange(1, 6),
                  credits = *rc::gen::inRange(1, 4);
        EventScheduler scheduler(farm(producers, consumers, credits));
        std::vector<int> under_way;
        for (int i = 0; i < 60; ++i) {
            if (under_way.empty() || *rc::gen::arbitrary<bool>()) {
                if (const auto consumer = scheduler.next(*rc::gen::inRange(0, producers)))
                    under_way.push_back(*consumer);
            } else {
                const auto at = *rc::gen::inRange<std::size_t>(0, under_way.size());
                const int consumer = under_way[at];
                under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(at));
                if (const auto producer = scheduler.credited(consumer)) under_way.push_back(*scheduler.next(*producer));
            }
            RC_ASSERT(scheduler.credits() + static_cast<std::int64_t>(under_way.size()) == consumers * credits);
            for (int c = 0; c < consumers; ++c) RC_ASSERT(std::count(under_way.begin(), under_way.end(), c) <= credits);
        }
    }));
}

TEST_CASE("Nobody to send to, or no credits where they decide, is an error") {
    CHECK_THROWS_AS(EventScheduler(farm(1, 0)), std::invalid_argument);
    Distribution none = farm(1, 1, 1);
    none.consumers.credits = 0;
    CHECK_THROWS_AS(EventScheduler(none), std::invalid_argument);
}
