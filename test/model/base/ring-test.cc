// SPDX-License-Identifier: GPL-2.0-only
#include "model/base/ring.h"

#include <rapidcheck.h>

#include <deque>

#include "test/catch.h"

using namespace watershed;

TEST_CASE("A ring gives back what it was given, in that order, however it grew and turned") {
    CHECK(rc::check([](const std::vector<std::uint8_t>& steps) {
        Ring<int> ring;
        std::deque<int> expected;
        int number = 0;
        for (const std::uint8_t step : steps) {
            for (int i = 0; i < step % 20; ++i) {
                ring.push(++number);
                expected.push_back(number);
            }
            for (int i = 0; i < step / 16 && !expected.empty(); ++i) {
                RC_ASSERT(ring.front() == expected.front());
                RC_ASSERT(ring.pop() == expected.front());
                expected.pop_front();
            }
            if (step % 3 == 0 && !expected.empty()) {
                RC_ASSERT(ring.pop_back() == expected.back());
                expected.pop_back();
            }
            RC_ASSERT(ring.size() == static_cast<std::int64_t>(expected.size()));
            RC_ASSERT(ring.empty() == expected.empty());
        }
    }));
}
