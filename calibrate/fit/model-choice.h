// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "calibrate/fit/fit.h"

/// Which of the kinds of memory that were fitted a fit reports.
namespace watershed {

/// Gives each model its probability from its evidence and prior odds, and puts the chosen one first, the others by
/// falling probability. Among models that the data do not tell apart (odds below 3) the simplest one is chosen, and of
/// those that are alike the kind that the scenario names. A model with a feature must be the likeliest, with odds
/// of 10.
void choose_model(std::vector<ModelFit>& models, const Conditions& conditions);

}  // namespace watershed
