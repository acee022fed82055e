// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/network/network.h"
#include "model/risk/batch-queue.h"
#include "model/risk/rates.h"

/// Memory and uplinks that a wanted risk needs.
namespace watershed {

/// Enclosure of the smallest memory that keeps the probability of an incomplete event at or below a wanted one.
struct NeededMemory {
    Frequency rate;                                       ///< rate of the triggers, before dead time
    double loss = 0;                                      ///< wanted probability of an incomplete event
    int uplinks = 1;                                      ///< uplinks of each switch of the first tier
    CertainLoss::Tiers tier = CertainLoss::Tiers::First;  ///< tier of the memory
    double load = 0;                                      ///< load of the busiest uplink without loss
    /// Frames that are proven sufficient, for the whole memory of each switch or for the memory of each port;
    /// std::nullopt if no memory is.
    std::optional<std::int64_t> frames;
    std::int64_t at_least = 0;  ///< frames below which a memory is proven insufficient; at most `frames`
    Bytes bytes{0};             ///< memory of `frames`, rounded up to cells
    UnsupportedKey bounded{};   ///< reason why only an upper bound is known, so that far less memory may suffice
};

/// Returns the memory that a tier needs, by the bounds of CertainLoss. If these give only an upper bound, `at_least`
/// is 1. Each of two tiers may lose half of `loss`. The result is the memory that the camera's frames may fill, apart
/// from descriptors and from a split among traffic classes. It is counted in frames of the largest size of an event.
/// @throws InputError if CertainLoss does not cover the scenario
NeededMemory needed_memory(NetworkScenario scenario, Frequency rate, double loss, int uplinks,
                           CertainLoss::Tiers tier = CertainLoss::Tiers::First);

/// Enclosure of the smallest number of uplinks with which a scenario's own memory keeps to a wanted probability.
struct FewestUplinks {
    std::optional<int> enough;    ///< smallest number that is proven sufficient; std::nullopt if none is
    std::optional<int> at_least;  ///< smallest number not proven insufficient; std::nullopt if all are
};
/// Returns the smallest of the given numbers of uplinks. @param loss  wanted probability of an incomplete event
FewestUplinks fewest_uplinks(NetworkScenario scenario, double loss, const std::vector<std::int64_t>& uplinks);

}  // namespace watershed
