// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>

#include "calibrate/feature/feature-search.h"

namespace watershed {

/// What the bursts tell of depth, rate and value, once a search has found where they do: the posteriors of depth and
/// rate with each of many values between the ends of what matters, each in full (FlagLikelihood or CountLikelihood) and
/// weighed by its evidence. Noise and widths are settled at the likeliest value, as they differ little from one value
/// that matters to the next.
/// @return the plain memory's fit with the feature added and its value estimated; nothing where no place explains
/// anything
std::optional<ModelFit> feature_posterior(const FeatureModels& models, const FoundFeature& found);

/// Of several posteriors, each by its evidence (prior included); the evidence of the whole is their sum.
GridPosterior mixture(const std::vector<GridPosterior>& parts);

}  // namespace watershed
