// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>

#include "calibrate/fit/fit-steps.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

constexpr std::int64_t kDepth = 3071;  // no multiple of 44

std::vector<Burst> bursts() {
    std::vector<Burst> all;
    for (const std::int64_t microseconds : {9, 20, 30})
        for (const std::int64_t events : {60, 100, 140, 220}) {
            Burst burst = burst_of_44(events);
            burst.row = static_cast<int>(all.size()) + 1;
            burst.spacing = Time{microseconds * 1'000'000};
            all.push_back(ended({}, burst, kDepth, 10e9));
        }
    return all;
}

/// Memories that all share, in frames and in bytes, and one for each input.
std::vector<ModelFit> three_kinds() {
    std::vector<ModelFit> kinds(3);
    kinds[1].model.sharing = Buffer::Sharing::PerInput;
    kinds[2].model.unit = MemorySize::Unit::Byte;
    return kinds;
}

/// A shared memory of 3000 frames with noise of 0.01 to 10 frames in a thousand samples.
ModelFit sampled() {
    ModelFit one;
    one.depth.value = 3000;
    one.rate.value = 10e9;
    for (int i = 1; i <= 1000; ++i) {
        BurstParameters hidden{3000, 10e9};
        hidden.noise_frames = 0.01 * i;
        one.parameters.push_back(hidden);
    }
    return one;
}

const std::vector<Burst> kLossy{ended({}, burst_of_44(300), 3000, 10e9), ended({}, burst_of_44(400), 3000, 10e9)};

}  // namespace

TEST_CASE("Of kinds that are alike one is sampled, and the other says the same in its own unit") {
    const std::vector<Burst> all = bursts();
    FitInput map(all, kUnknown);
    std::vector<ModelFit> kinds = three_kinds();
    map.to_the_frame = explain_counts(kinds, map);
    REQUIRE(map.to_the_frame);
    infer(kinds, map);
    const ModelFit &frames = kinds[0], &bytes = kinds[2];
    CHECK(*frames.depth.interval95.low <= kDepth);
    CHECK(*frames.depth.interval95.high >= kDepth);
    CHECK(frames.log_evidence == Approx(bytes.log_evidence).margin(1));
    CHECK(std::floor(*bytes.depth.interval95.low / 1070) == Approx(*frames.depth.interval95.low).margin(1));
    CHECK(std::floor(*bytes.depth.interval95.high / 1070) == Approx(*frames.depth.interval95.high).margin(1));
    CHECK(*bytes.rate.value == Approx(*frames.rate.value));
    // A memory of each of 44 inputs holds 3036 frames in all, or 3080.
    CHECK(kinds[1].log_evidence < frames.log_evidence - 3);
}

TEST_CASE("A stray burst is named by every kind that is sampled, and does not move the depth") {
    std::vector<Burst> all = bursts();
    REQUIRE(all[3].lost > 700);
    all[3].lost -= 700;
    const FitInput map(all, kUnknown);
    std::vector<ModelFit> kinds(1);
    REQUIRE_FALSE(explain_counts(kinds, map));
    explain(kinds, map, map.flags);
    infer(kinds, map);
    CHECK(kinds.front().strays == std::vector<int>{4});
    CHECK(kinds.front().violating == std::vector<int>{4});
    CHECK(*kinds.front().depth.interval95.low <= kDepth);
    CHECK(*kinds.front().depth.interval95.high >= kDepth);
}

TEST_CASE("Of a large map that is exact but for three rows hardly another one is called a stray one") {
    std::vector<Burst> all;
    for (std::int64_t nanoseconds = 9000; nanoseconds < 30'000; nanoseconds += 530)
        for (std::int64_t events = 60; events < 560; events += 31) {
            Burst burst = burst_of_44(events);
            burst.row = static_cast<int>(all.size()) + 1;
            burst.spacing = Time{nanoseconds * 1000};
            all.push_back(ended({}, burst, kDepth, 10e9));
        }
    for (const std::size_t wrong : {100, 300, 500}) {
        REQUIRE(all[wrong].lost > 10);
        all[wrong].lost -= 5;
    }
    const FitInput map(all, kUnknown);
    REQUIRE(map.sample.size() < all.size());
    std::vector<ModelFit> kinds(1);
    REQUIRE_FALSE(explain_counts(kinds, map));
    explain(kinds, map, map.flags);
    infer(kinds, map);
    CHECK(kinds.front().strays.size() <= 6);
    CHECK(*kinds.front().depth.interval95.low <= kDepth);
    CHECK(*kinds.front().depth.interval95.high >= kDepth);
}

TEST_CASE("Counts scatter by the noise of frames, and by less than rounding not at all") {
    const auto scatter = scatter_of(sampled(), kLossy);
    REQUIRE(scatter);
    CHECK(*scatter == Approx(5).epsilon(0.01));
    ModelFit still = sampled();
    for (BurstParameters& hidden : still.parameters) hidden.noise_frames = 0.1;
    CHECK_FALSE(scatter_of(still, kLossy));
}
