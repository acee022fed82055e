// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/posterior/parameter-posterior.h"

namespace watershed {

/// Fills estimates, evidence, noise, disturbances and support of a kind of memory from its posterior. A depth is what a
/// burst fills: the memory and, in frames of the largest payload, the token bucket ahead of it. Hard limits stay as
/// they are.
void take(ModelFit& one, const ParameterPosterior& posterior, const BurstLaw& law, const SearchBox& box,
          const FitOptions& options);

/// Of a kind that is too far from the best one to matter: where it fits best, and roughly what evidence it has.
/// @param units  of the kind's depth that are one of the question's
void take_likeliest(ModelFit& one, const HiddenQuestion& question, double units = 1);

/// Gives the first model the intervals of depth and rate of all kinds that may be, each with its probability: which
/// kind it is, few bursts do not tell. A rate means the same in every kind; depths are compared by the frames of the
/// largest burst that the whole switch holds. The depth's middle stays that of the first model. Hard limits stay as
/// they are.
void mix(std::vector<ModelFit>& models, const Burst& largest);

/// Frames that are lost at random, if the 95 % interval excludes that none are; else nothing.
const Disturbance* likely_loss(const ModelFit& one);

/// Rows that are stray ones more probably than not, ascending.
/// @param of_others  most of these bursts had no part in finding the samples
std::vector<int> stray_rows(const BurstLaw& law, const std::vector<BurstParameters>& parameters,
                            bool of_others = false);

}  // namespace watershed
