// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <string>
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
    UnsupportedKey no_chain{};  ///< reason why only an upper bound is known, so that far less memory may suffice
    /// Natural logarithm of the probability with `frames`, a 95 % interval, if it was simulated: then nothing is
    /// proven, and `at_least` is 1.
    std::optional<Enclosure> sampled{};
    std::string lossless{};  ///< beside `sampled`: the memory that certainly loses no frame, by Guarantee; may be empty
};

/// Returns the memory that a tier needs: of random triggers alone by the bounds of CertainLoss, else exactly where all
/// repeats, or the smallest whose simulated estimate, with the same seeds for all sizes, keeps to `loss`. If only an
/// upper bound is known, `at_least` is 1. Each of two tiers may lose half of `loss`. The result is the memory that the
/// camera's frames may fill, apart from descriptors and from a split among traffic classes. It is counted in frames of
/// the largest size of an event; bytes are exact where all repeats.
/// @throws InputError if switches have names, or the risk of the scenario is not defined
NeededMemory needed_memory(NetworkScenario scenario, Frequency rate, double loss, int uplinks,
                           CertainLoss::Tiers tier = CertainLoss::Tiers::First);

/// Enclosure of the smallest number of uplinks with which a scenario's own memory keeps to a wanted probability.
struct FewestUplinks {
    std::optional<int> enough;    ///< smallest number that is proven sufficient; std::nullopt if none is
    std::optional<int> at_least;  ///< smallest number not proven insufficient; std::nullopt if all are
    bool sampled = false;         ///< `enough` and `at_least` come from a simulation's estimate: nothing is proven
};
/// Returns the smallest of the given numbers of uplinks. @param loss  wanted probability of an incomplete event
FewestUplinks fewest_uplinks(NetworkScenario scenario, double loss, const std::vector<std::int64_t>& uplinks);

}  // namespace watershed
