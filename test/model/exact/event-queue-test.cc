// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/event-queue.h"

#include <rapidcheck.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("What is yet to happen comes by time, then by place, then as it was added, in lines and one by one") {
    CHECK(rc::check([] {
        using Key = std::tuple<int, int, std::int64_t>;  // time, place, the order of adding
        EventQueue queue;
        std::vector<Key> waiting;
        std::int64_t added = 0;
        int now = 0;
        const auto event = [&] {
            const int time = now + *rc::gen::inRange(0, 6), place = *rc::gen::inRange(0, 3);
            waiting.emplace_back(time, place, ++added);
            ScheduledEvent made{Timestamp{Time{time}}, {Step::Arrival, place, 0, 0}};
            made.id.event = added;
            return made;
        };
        for (int action = 0; action < 200; ++action) {
            const int kind = *rc::gen::inRange(0, 4);
            if (kind == 0) {
                queue.add(event());
            } else if (kind == 1) {
                std::vector<EventQueue::Timed> together;
                for (int i = *rc::gen::inRange(0, 5); i > 0; --i) together.push_back(queue.keep(event()));
                queue.add(together);
                RC_ASSERT(together.empty());
            } else if (waiting.empty()) {
                RC_ASSERT(queue.first() == nullptr);
            } else {
                const auto least = std::min_element(waiting.begin(), waiting.end());
                RC_ASSERT(queue.first()->id.event == std::get<2>(*least));
                ScheduledEvent& taken = queue.take();
                RC_ASSERT(taken.id.event == std::get<2>(*least));
                RC_ASSERT(taken.time == Timestamp{Time{std::get<0>(*least)}});
                queue.gone(taken);
                now = std::get<0>(*least);
                waiting.erase(least);
            }
        }
    }));
}

TEST_CASE("Links are done by time, and by their numbers at one instant") {
    CHECK(rc::check([] {
        Departures departures;
        std::set<std::tuple<std::int64_t, int>> waiting;  // time, link: a link sends one frame at a time
        for (int action = 0; action < 100; ++action) {
            const int link = *rc::gen::inRange(0, 5);
            const bool sends = std::any_of(waiting.begin(), waiting.end(),
                                           [&](const auto& each) { return std::get<int>(each) == link; });
            if (!sends) {
                const std::int64_t time = *rc::gen::inRange(0, 8);
                waiting.emplace(time, link);
                departures.add({Time{time}, link});
            } else {
                const auto [time, first] = *waiting.begin();
                RC_ASSERT(departures.first().done == Timestamp{Time{time}});
                RC_ASSERT(departures.are_at(Time{time}));
                RC_ASSERT(departures.take() == first);
                waiting.erase(waiting.begin());
            }
            RC_ASSERT(departures.empty() == waiting.empty());
        }
    }));
}
