// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/closed-form/queue-model.h"
#include "model/scenario.h"
#include "scenarios/text/loss-map.h"

/// Loss maps as the contract's switch would give them, for tests.
namespace watershed {

/// Nothing is known beside the bursts.
inline const FitOptions kUnknown;

/// A switch whose parameters a fit is to find.
struct HiddenSwitch {
    Buffer::Sharing sharing = Buffer::Sharing::Shared;
    MemorySize::Unit unit = MemorySize::Unit::Frame;
    std::int64_t depth = 1;
    std::int64_t rate = 10'000'000'000;  ///< bit/s of one uplink
    int uplinks = 1;
};

/// One burst into it, with the contract's framing and 1 Gb/s inputs.
LossMapRow measured(const HiddenSwitch& hidden, int ports, std::int64_t payload, Time separation, std::int64_t events);

/// Bursts into it of each of these lengths at each of these separations.
std::vector<LossMapRow> measured_grid(const HiddenSwitch& hidden,
                                      const std::vector<std::int64_t>& microseconds = {9, 20, 33},
                                      const std::vector<std::int64_t>& events = {60, 90, 130, 200, 400, 700},
                                      const std::vector<int>& ports = {44},
                                      const std::vector<std::int64_t>& payloads = {1024});

/// Bursts of 44 modules around the watershed of a shared memory of `depth` frames behind 10 Gb/s. Of each one the
/// longest lossless length is multiplied by exp(x), x normal with a standard deviation of `spread`; lossy ones lost one
/// frame.
std::vector<LossMapRow> noisy_map(std::int64_t depth, double spread, int bursts, std::uint64_t seed);

/// A burst of 44 modules, 1024 B each, 20 us apart: one uplink of 10 Gb/s drains 22.9 frames between two events.
/// Nothing is lost.
Burst burst_of_44(std::int64_t events);

/// The burst with what it loses by the closed form, counted.
Burst ended(const QueueModel& model, Burst burst, std::int64_t depth, double rate);

/// 3 MB behind 10 Gb/s that hold 3500 frames at most: bursts of 1024 B, of which the bytes hold 2803, and of 512 B, of
/// which they would hold 5376.
std::vector<Burst> bursts_with_descriptors();

/// The row with nothing but "some were lost".
LossMapRow as_flag(LossMapRow row);
std::vector<LossMapRow> as_flags(std::vector<LossMapRow> rows);

/// 24 bursts of 44 modules into 3080 frames, counted.
std::vector<Burst> bursts_of_3080();

}  // namespace watershed
