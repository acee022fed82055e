// SPDX-License-Identifier: GPL-2.0-only
#include "model/exact/departures.h"

#include <rapidcheck.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "test/catch.h"

using namespace watershed;

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
