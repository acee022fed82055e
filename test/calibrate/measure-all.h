// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "calibrate/advice/campaign.h"

namespace watershed {

/// All bursts of a campaign in turn, the list `repeats` times, numbered from `first`.
inline std::vector<LossMapRow> measure_all(const SimulatedSwitch& simulated, const std::vector<BurstSetting>& wanted,
                                           int repeats = 1, std::int64_t first = 0) {
    std::vector<LossMapRow> rows;
    for (int repeat = 0; repeat < repeats; ++repeat)
        for (const BurstSetting& burst : wanted)
            rows.push_back(simulated.measure(first + static_cast<std::int64_t>(rows.size()), burst));
    return rows;
}

}  // namespace watershed
