// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibrate/belief.h"
#include "calibrate/generator.h"

/// Which burst to measure next: the one that tells most about what is wanted, for the time it takes.
namespace watershed {

enum class AdviceTarget { Depth, Rate, Watershed };

struct AdviceOptions {
    AdviceTarget target = AdviceTarget::Depth;
    Time watershed_at{0};                  ///< the separation of interest, for AdviceTarget::Watershed
    double precision = 0.01;               ///< wanted half width of the 95 % interval, relative
    Generator generator;
    Time setup{1'000'000'000'000};         ///< per burst, beside its length
    std::size_t points = 5;
};

struct AdvisedPoint {
    Time separation{0};
    std::int64_t events = 0;
    double probability_of_loss = 0;
    double information_bits = 0;       ///< about the target; each bit halves what is still possible
    double seconds = 0;                ///< the measurement takes
    std::optional<double> frames_lost; ///< expected where frames are lost and counted
    std::string reason;

    double bits_per_second() const { return information_bits / seconds; }
};

struct Advice {
    std::vector<AdvisedPoint> points;   ///< best first: most bits per second, or those that must be repeated
    std::vector<AdvisedPoint> checks;   ///< once enough is known: bursts that would show noise, and a pair that would show if the model were wrong
    bool stop = false;                  ///< the wanted precision is reached, or no burst would tell more
    std::string reason;
    std::optional<double> relative_half_width;   ///< of the target's 95 % interval, where there is one
};

struct TargetEstimate {
    double value = 0;                 ///< frames or bytes, bit/s, or events
    double relative_half_width = 0;   ///< of its 95 % interval
};

/// What is known about the target; nothing while it is bounded on one side only.
std::optional<TargetEstimate> target_estimate(const std::optional<Fit>& fit, const Prior& prior, const AdviceOptions& options);

/// @param fit nothing where no burst has been measured yet
Advice advise(const std::optional<Fit>& fit, const Prior& prior, const AdviceOptions& options);

}  // namespace watershed
