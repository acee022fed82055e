// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/posterior/annealed-sampler.h"
#include "calibrate/posterior/parameter-prior.h"

namespace watershed {

/// Cause of scatter that the search of a mode assumes: noise of the overflow in frames, noise of ln(burst length),
/// cross-traffic, or a nuisance model.
enum class Scatter { Frames, Length, Traffic, Nuisance };

/// Mode of the likelihood for one cause of scatter. Its noise and loss are approximate.
struct LikelihoodMode {
    Scatter scatter = Scatter::Length;
    std::size_t nuisance = 0;  ///< index of the nuisance model, if one is searched
    BurstParameters at;
    double log_likelihood = -HUGE_VAL;  ///< including the prior of the rate and of a nuisance model
    double feature = 0;                 ///< prior quantile of the feature's value
};

/// Searches one mode per cause of scatter that the map may identify. A feature is searched with one cause and without
/// nuisance models.
/// @param hints  likely depths and rates
std::vector<LikelihoodMode> find_likelihood_modes(const BurstLikelihood& likelihood, const ParameterPrior& prior,
                                                  const QueueModel& model,
                                                  const std::vector<BurstParameters>& hints = {});

/// Returns the nuisance models whose mode is at least as likely as every mode without a nuisance model. Others are not
/// used: if a map has no trend in time, the order of its rows changes no result.
std::vector<std::size_t> identifiable_nuisances(const std::vector<LikelihoodMode>& modes);

}  // namespace watershed
