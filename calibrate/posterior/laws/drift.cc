// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <cmath>

#include "calibrate/posterior/disturbance-law.h"

namespace watershed::laws {

DisturbanceLaw drift();

namespace {

constexpr double kLeast = 0.005, kMost = 0.4;  // either way
constexpr std::size_t kFewest = 6;             // bursts that could tell it

/// Shrinking by any factor between two limits, the strongest first, or growing.
double value_of(double share) {
    const double part = 2 * share - 1;
    return std::copysign(kLeast * std::pow(kMost / kLeast, std::abs(part)), part);
}

double share_of(double value) {
    const double part = std::clamp(std::log(std::abs(value) / kLeast) / std::log(kMost / kLeast), 0.0, 1.0);
    return (value > 0 ? 1 + part : 1 - part) / 2;
}

}  // namespace

/// The depth grows by so much of itself from the first row to the last.
DisturbanceLaw drift() {
    DisturbanceLaw law;
    law.name = "drift";
    law.unit = "of the depth";
    law.what = "drift: by what part of itself the depth grows from the first row to the last";
    law.meaning =
        "the depth grows by so much of itself from the first row to the last (shrinks, if negative); the depth is that "
        "of the middle";
    law.most = kMost;
    law.either_way = true;
    law.value = value_of;
    law.share = share_of;
    law.told = [](const std::vector<Burst>& bursts, bool counted) { return counted && bursts.size() >= kFewest; };
    law.disturb = [](DisturbedBurst& burst, double value) { burst.depth_factor *= 1 + value * burst.place; };
    law.headline = [](const std::string& amount, double value) {
        return std::string("the depth ") + (value > 0 ? "grows" : "shrinks") + " by " + amount +
               " from the first row to the last";
    };
    return law;
}

}  // namespace watershed::laws
