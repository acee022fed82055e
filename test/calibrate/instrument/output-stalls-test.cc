// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <functional>

#include "calibrate/instrument/receiving-end.h"
#include "test/catch.h"

using namespace watershed;

namespace {

constexpr Time kMicrosecond{1'000'000};

/// Frame i arrives at time_of(i).
std::vector<ArrivedFrame> arriving(std::size_t frames, const std::function<Time(std::int64_t)>& time_of) {
    std::vector<ArrivedFrame> arrivals;
    for (std::size_t i = 0; i < frames; ++i) arrivals.push_back({2 * i, time_of(static_cast<std::int64_t>(i))});
    return arrivals;
}

}  // namespace

TEST_CASE("What an output does not make up is lost") {
    // A frame each 10 us, but 3 ms of silence before the 500th and 40 us before the 700th.
    const auto stalls = output_stalls(arriving(
        1000, [](std::int64_t i) { return kMicrosecond * (10 * i + (i >= 500 ? 2990 : 0) + (i >= 700 ? 30 : 0)); }));
    REQUIRE(stalls.size() == 2);
    CHECK(stalls[0].next == 1000);
    CHECK(stalls[0].begin == kMicrosecond * 4990);
    CHECK(stalls[0].lost == kMicrosecond * 2990);
    CHECK(stalls[1].next == 1400);
    CHECK(stalls[1].lost == kMicrosecond * 30);
}

TEST_CASE("A token bucket makes up for a pause, as far as it reaches") {
    // After the pause frames come 1 us apart until 100 of them have made up 900 us, or 55 all of 495 us.
    for (const std::int64_t pause : {2000, 495}) {
        const std::int64_t quick = std::min<std::int64_t>(100, pause / 9);
        const auto stalls = output_stalls(arriving(2000, [&](std::int64_t i) {
            const std::int64_t after = std::clamp<std::int64_t>(i - 1000, 0, quick);
            return kMicrosecond * (10 * i + (i >= 1000 ? pause : 0) - 9 * after);
        }));
        if (pause == 495) {
            CHECK(stalls.empty());
        } else {
            REQUIRE(stalls.size() == 1);
            CHECK(stalls[0].next == 2000);
            CHECK(stalls[0].lost == kMicrosecond * (pause - 900));
        }
    }
}

TEST_CASE("Neither triggers, nor frames that wait in a card, nor a quick beginning are stalls") {
    CHECK(output_stalls(arriving(4400, [](std::int64_t i) { return kMicrosecond * (i / 44 * 500 + i % 44); })).empty());
    CHECK(output_stalls(arriving(4400, [](std::int64_t i) { return kMicrosecond * (i / 30 * 300); })).empty());
    CHECK(output_stalls(arriving(4400, [](std::int64_t i) {
              return kMicrosecond * 10 * std::max<std::int64_t>(0, i - 300);
          })).empty());
    CHECK(output_stalls(arriving(4400, [](std::int64_t i) {
              return kMicrosecond * (10 * i + (i > 2000 ? 2 : 0));
          })).empty());
}

TEST_CASE("A few frames tell of no usual pace") {
    for (const std::size_t frames : {0, 1, 100})
        CHECK(
            output_stalls(arriving(frames, [](std::int64_t i) { return kMicrosecond * (i > 50 ? 9000 : i); })).empty());
    // Nor do frames that were all noted at once.
    CHECK(output_stalls(arriving(1000, [](std::int64_t) { return kMicrosecond; })).empty());
}
