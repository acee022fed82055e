// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "calibrate/closed-form/burst.h"

/// What is known before a loss map is fitted.
namespace watershed {

/// What is known of how bursts scatter about the closed form.
struct KnownNoise {
    double low = 0;
    double high = 0;       ///< the same as `low` where the noise itself is known
    bool relative = true;  ///< deviation of ln(burst length) at which losses begin, else of the number of frames lost

    /// Lossy and lossless bursts, and numbers of lost frames, are what the switch alone makes of them: a simulation,
    /// say.
    bool none() const { return high <= 0; }
};

/// Both ends included; equal where the value itself is known.
struct Limits {
    double low = 0, high = 0;
};

struct FitOptions {
    std::optional<BitRate> service_rate;  ///< known rate of one uplink
    std::optional<MemorySize> depth;      ///< known depth; only models that count in its unit are fitted
    std::optional<std::pair<MemorySize, MemorySize>> depth_bounds;  ///< the same, as limits
    std::optional<std::pair<BitRate, BitRate>> service_rate_bounds;
    bool rate_about_nominal = true;       ///< the scenario's uplink rate is about right; else nothing is known of it
    std::optional<BitRate> nominal_rate;  ///< that rate, where there is a scenario
    /// The unit that a given depth, or its limits, are in.
    std::optional<MemorySize::Unit> depth_unit() const {
        return depth          ? std::make_optional(depth->unit)
               : depth_bounds ? std::make_optional(depth_bounds->first.unit)
                              : std::nullopt;
    }
    std::optional<KnownNoise> noise;         ///< known, or limits of it
    std::optional<Buffer::Sharing> sharing;  ///< known; only kinds of memory that are shared like this are fitted
    std::optional<std::string> kind;         ///< known; only that of this QueueModel::name() is fitted
    std::optional<Limits> loss;              ///< share of frames that are lost at random, wherever they are
    std::optional<Limits> bucket;   ///< bytes that an idle uplink may send at once, ahead of its rate: its token bucket
    std::optional<Limits> traffic;  ///< share of each uplink that others take
    CountUse counts = CountUse::Auto;
    int jobs = 0;  ///< threads that compute at a time, for all fits from now on; 0: as before, or as many as processors
};

}  // namespace watershed
