// SPDX-License-Identifier: GPL-2.0-only
#include "calibrate/posterior/rough-likelihood.h"

#include <algorithm>

#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

std::vector<Burst> bursts_of_3000_frames(bool counted) {
    std::vector<Burst> bursts;
    for (const std::int64_t events : {100, 130, 150, 180, 220, 300}) {
        Burst burst = burst_of_44(events);
        burst.lost = frames_lost({}, burst, 3000, static_cast<std::int64_t>(burst.drain() * 10e9));
        burst.lossy = burst.lost > 0;
        burst.counted = counted;
        bursts.push_back(burst);
    }
    return bursts;
}

double best(const std::vector<Burst>& bursts, double depth, bool counts) {
    const RoughLikelihood likelihood({}, bursts, counts);
    std::vector<double> sums(likelihood.nuisances().size(), 0);
    likelihood.add(depth, 10e9, sums);
    return *std::max_element(sums.begin(), sums.end());
}

}  // namespace

TEST_CASE("From far away, too, the likelihood rises towards the depth that explains the bursts") {
    for (const bool counts : {true, false}) {
        const std::vector<Burst> bursts = bursts_of_3000_frames(counts);
        for (const double factor : {1.3, 1.1, 1.03}) {
            CHECK(best(bursts, 3000 * factor, counts) < best(bursts, 3000 * (1 + (factor - 1) / 2), counts));
            CHECK(best(bursts, 3000 / factor, counts) < best(bursts, 3000 / (1 + (factor - 1) / 2), counts));
        }
    }
}

TEST_CASE("Numbers that scatter by a share of their bursts are as good as those that scatter by some frames") {
    // Bursts of very different lengths, all 1 % off: no constant number of frames is as likely as that share.
    std::vector<Burst> bursts = bursts_of_3000_frames(true);
    for (std::size_t i = 0; i < bursts.size(); ++i) {
        bursts[i].events *= i % 2 == 0 ? 100 : 1;
        bursts[i].lost = frames_lost({}, bursts[i], 3000, static_cast<std::int64_t>(bursts[i].drain() * 10e9));
        bursts[i].lossy = bursts[i].lost > 0;
        if (bursts[i].lossy) bursts[i].lost += (i % 3 == 0 ? 1 : -1) * bursts[i].fragments() / 100;
    }
    const RoughLikelihood likelihood({}, bursts, true);
    std::vector<double> sums(likelihood.nuisances().size(), 0);
    likelihood.add(3000, 10e9, sums);
    const auto best = static_cast<std::size_t>(std::max_element(sums.begin(), sums.end()) - sums.begin());
    CHECK(likelihood.nuisances()[best].relative);
    CHECK(likelihood.nuisances()[best].noise == Approx(0.008));
}
