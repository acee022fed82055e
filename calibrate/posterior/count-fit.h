// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "calibrate/closed-form/queue-model.h"

/// Numbers of lost frames that scatter about the closed form: a robust straight-line fit in (depth, service rate).
namespace watershed {

/// What the closed form leaves open, in frames: the frame in service, the rest of a token bucket and the time in which
/// the fragments of the last trigger arrive, each anywhere within one frame: a standard deviation of sqrt(3 / 12). It
/// depends on ports and payload, and is the same for all bursts that share these.
constexpr double kSystematic = 0.5;
/// Share of bursts that the apparatus may have disturbed, whose counts then say nothing.
constexpr double kDisturbed = 0.01;

struct CountFit {
    double depth = 0;  ///< in the units of depth
    double rate = 0;   ///< bit/s of one uplink
    double depth_sigma = 0;
    double rate_sigma = 0;
    double correlation = 0;     ///< of depth and rate
    double scatter = 0;         ///< standard deviation of one burst, frames
    double log_likelihood = 0;  ///< of all bursts, lossless ones included
    std::vector<int> outliers;  ///< rows that no scatter of this size explains, ascending
};

/// How many more frames were kept than depth and rate can explain, for a burst with known loss.
double count_residual(const QueueModel& model, const Burst& burst, double depth, double rate);

/// @param fixed_rate, fixed_depth  what is known and not fitted
/// @return nothing if the lossy bursts do not determine what is to be fitted, or are fewer than two more than that
std::optional<CountFit> fit_counts(const QueueModel& model, const std::vector<Burst>& bursts,
                                   std::optional<double> fixed_rate, std::optional<double> fixed_depth = {});

}  // namespace watershed
