// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "calibrate/feature/feature-models.h"

/// Where one feature of one kind of memory explains a map best.
namespace watershed {

/// The values of a feature that matter. Values are those of FeatureModels::scale(), places those of the plain memory
/// that FeatureModels::place() takes.
struct FoundFeature {
    double best = 0;                  ///< the likeliest value
    Place place;                      ///< the likeliest with it
    std::map<double, Place> places;   ///< the likeliest with each value that was looked at
    double low = 0, high = 0;         ///< between these, values matter
    std::vector<AskingOrder> orders;  ///< in which modules may have asked, the likeliest first
    double log_order_prior = 0;       ///< of each of them

    /// What matters is not this far below the best log likelihood.
    static constexpr double kBelow = 7;
    /// Values that are looked at in the range that matters, in so many rounds of closing in on it at most.
    static constexpr int kValues = 15, kRounds = 8;
    /// Relative widths within which a value's own depth and rate are sought about the best ones.
    static constexpr double kNear = 0.02;
};

/// Differential evolution over value, depth and rate, with a likelihood that is quick and smooth (RoughLikelihood);
/// then a profile of values about the best one, until enough of them matter.
/// @return nothing where no value explains enough more than the plain memory does, at its own best place, to be worth a
/// posterior
std::optional<FoundFeature> search_feature(const FeatureModels& models);

}  // namespace watershed
