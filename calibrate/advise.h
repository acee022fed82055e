// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibrate/fit.h"

/// Which burst to measure next: the one that tells most about what is wanted, for the time it takes.
namespace watershed {

enum class AdviceTarget { Depth, Rate, Watershed };

struct AdviceOptions {
    AdviceTarget target = AdviceTarget::Depth;
    Time watershed_at{0};                  ///< the separation of interest, for AdviceTarget::Watershed
    double precision = 0.01;               ///< wanted half width of the 95 % interval, relative
    Time step{10'000};                     ///< what the pulse generator can set: separations are multiples of it
    Time setup{1'000'000'000'000};         ///< per burst, beside its length
    std::size_t points = 5;
};

/// What is assumed before the first burst: ports, frames, and where depth and rate may lie.
struct Prior {
    QueueModel model;
    Burst like;               ///< ports, payload and framing of the bursts to come
    Time slot{0};             ///< shortest separation that the modules' links can follow
    double depth_low = 1;
    double depth_high = 1;    ///< depth is taken as equally likely per factor in between
    double rate = 0;          ///< bit/s of one uplink
    double rate_spread = 0;   ///< relative standard deviation
};

struct AdvisedPoint {
    Time separation{0};
    std::int64_t events = 0;
    double probability_of_loss = 0;
    double information_bits = 0;   ///< about the target
    double seconds = 0;            ///< the measurement takes
};

struct Advice {
    std::vector<AdvisedPoint> points;   ///< best first
    bool stop = false;                  ///< the wanted precision is reached, or no burst would tell more
    std::string reason;
    std::optional<double> relative_half_width;   ///< of the target's 95 % interval, where there is one
};

/// Depth up to a hundred times the scenario's, rate within 2 % of the scenario's (as far as framing conventions differ within one convention).
Prior prior_of(const Scenario& scenario, const Conditions& conditions);
/// From the first burst of a fit alone: any depth and rate that the map could have noticed.
Prior prior_of(const Fit& fit);

/// @param fit nothing where no burst has been measured yet
Advice advise(const std::optional<Fit>& fit, const Prior& prior, const AdviceOptions& options);

}  // namespace watershed
