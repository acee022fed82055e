// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <random>

#include "test/calibrate/fit-checks.h"
#include "test/calibrate/maps.h"
#include "test/catch.h"

using namespace watershed;

namespace {

constexpr std::int64_t kRoom = 3080, kModules = 44;
constexpr double kSlot = 8 * 1090 / 9'990e6, kLost = 0.002;  // seconds of a frame on the uplink; of the frames

/// Frames that arrive of a burst through a queue of kRoom frames, frame by frame; each may be lost at random.
std::int64_t received_of(std::int64_t events, double separation, bool ahead, std::mt19937_64& random) {
    std::bernoulli_distribution lost(kLost);
    std::int64_t received = 0;
    double free = 0;  // time at which the uplink has sent all that waits
    for (std::int64_t event = 0; event < events; ++event) {
        const double now = double(event) * separation;
        for (std::int64_t module = 0; module < kModules; ++module) {
            const bool gone = lost(random), full = free - now > (double(kRoom) - 1 + 1e-6) * kSlot;
            if ((ahead && gone) || full) continue;
            free = std::max(free, now) + kSlot;
            received += !gone;
        }
    }
    return received;
}

LossMap map_with_loss(bool ahead, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    LossMap map{"map", {}};
    for (const std::int64_t microseconds : {12, 27})
        for (const std::int64_t events : {60, 95, 110, 150, 220, 300, 400, 550}) {
            const std::int64_t received = received_of(events, double(microseconds) * 1e-6, ahead, random);
            map.rows.push_back(
                {kModules, 1024, Time{microseconds * 1'000'000}, events, kModules * events, received, std::nullopt});
        }
    return map;
}

}  // namespace

TEST_CASE("Depth and rate are those of the memory whether frames are lost at random ahead of it or behind it") {
    FitOptions shared;
    shared.kind = "shared-frames";
    int rates = 0;
    for (const bool ahead : {true, false}) {
        double likely = 0;
        for (const std::uint64_t seed : {1, 2, 3, 4}) {
            const Fit fit = fit_loss_map(map_with_loss(ahead, seed), default_conditions(), shared);
            const ModelFit& best = fit.best();
            CAPTURE(ahead, seed, *best.depth.interval95.low, *best.depth.interval95.high, *best.rate.interval95.low,
                    *best.rate.interval95.high);
            CHECK(holds(best.depth.interval95, double(kRoom)));
            rates += holds(best.rate.interval95, 8 * 1090 / kSlot);
            // Ahead of the memory it changes nothing of what a full one loses in all; behind it the loss scatters.
            CHECK(*best.depth.interval95.high - *best.depth.interval95.low < (ahead ? 0.5 : 3) * kLost * double(kRoom));
            for (const Disturbance& one : best.disturbances)
                if (one.name == "loss-ahead") likely += one.probability / 4;
        }
        CAPTURE(likely);
        CHECK((ahead ? likely > 0.9 : likely < 0.6));
    }
    CHECK(rates >= 7);  // one of 8 intervals of 95 % may miss
}
