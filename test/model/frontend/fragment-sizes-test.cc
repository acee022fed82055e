// SPDX-License-Identifier: GPL-2.0-only
#include "model/frontend/fragment-sizes.h"

#include <cmath>

#include "test/catch.h"

using namespace watershed;

namespace {

FrameFormat two_sizes() {
    FrameFormat format;
    format.split = true;
    format.payloads = {{Bytes{1024}, 3}, {Bytes{1680}, 1}};
    return format;
}

}  // namespace

TEST_CASE("Fragments of one payload are all alike") {
    const FragmentSizes sizes(FrameFormat{}, 1);
    CHECK_FALSE(sizes.vary());
    CHECK(sizes.of(1, 1).size() == 1);
    CHECK(sizes.of(7, 44).front().payload == Bytes{1024});
}

TEST_CASE("Payloads come as often as their weights say, and 1680 B at an MTU of 1500 B are two frames") {
    const FragmentSizes sizes(two_sizes(), 1);
    int large = 0;
    constexpr int kEvents = 1000, kModules = 20;
    for (int event = 1; event <= kEvents; ++event)
        for (int module = 1; module <= kModules; ++module) {
            const auto& frames = sizes.of(event, module);
            if (frames.size() == 1) continue;
            ++large;
            REQUIRE(frames[0].payload + frames[1].payload == Bytes{1680});
            REQUIRE(frames[0].payload == Bytes{1472});
        }
    // 20000 draws of probability 1/4; four standard deviations.
    CHECK(std::abs(large - 5000) < 4 * std::sqrt(20000 * 0.25 * 0.75));
}

TEST_CASE("A module draws the same by its number in the whole camera as by that in its part") {
    const FragmentSizes whole(two_sizes(), 5), part(two_sizes(), 5, 100);
    for (int event = 1; event <= 50; ++event) CHECK(part.choice(event, 3) == whole.choice(event, 103));
}
