// SPDX-License-Identifier: GPL-2.0-only
#include <cmath>

#include "calibrate/fit/fit-steps.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

constexpr std::int64_t kDepth = 3080;

/// Bursts into that many frames, on either side of where losses begin.
std::vector<Burst> bursts() {
    std::vector<Burst> all;
    for (const std::int64_t microseconds : {9, 20, 30})
        for (const std::int64_t events : {60, 100, 140, 180, 300}) {
            Burst burst = burst_of_44(events);
            burst.spacing = Time{microseconds * 1'000'000};
            all.push_back(ended({}, burst, kDepth, 10e9));
        }
    return all;
}

std::vector<ModelFit> shared_and_per_input() {
    std::vector<ModelFit> kinds(2);
    kinds[1].model.sharing = Buffer::Sharing::PerInput;
    return kinds;
}

}  // namespace

TEST_CASE("The kind that made the bursts explains them all, with the truth in its region") {
    const std::vector<Burst> all = bursts();
    const FitOptions unknown;
    const FitInput map(all, unknown);
    std::vector<ModelFit> kinds = shared_and_per_input();
    REQUIRE(explain(kinds, map, map.flags));
    REQUIRE(kinds.front().feasible);
    CHECK(kinds.front().region.depth_low <= kDepth);
    CHECK(kinds.front().region.depth_high >= kDepth);
    CHECK(kinds.front().depth.value);
    const double width_of_flags = static_cast<double>(kinds.front().region.depth_high - kinds.front().region.depth_low),
                 evidence_of_flags = kinds.front().log_evidence;
    REQUIRE(explain_counts(kinds, map));
    // Numbers of lost frames say more: less of what was possible explains them.
    CHECK(static_cast<double>(kinds.front().region.depth_high - kinds.front().region.depth_low) < width_of_flags);
    CHECK(kinds.front().log_evidence < evidence_of_flags);
    CHECK(kinds.front().undisturbed == kinds.front().log_evidence);
}

TEST_CASE("Counts that no kind explains are not explained, and a single impossible one is enough") {
    std::vector<Burst> all = bursts();
    const FitOptions unknown;
    REQUIRE(all[9].lost > 500);
    all[9].lost -= 500;
    const FitInput map(all, unknown);
    std::vector<ModelFit> kinds = shared_and_per_input();
    CHECK_FALSE(explain_counts(kinds, map));
    CHECK(explain(kinds, map, map.flags));  // lossy it is all the same
}
