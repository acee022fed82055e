// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "calibrate/fit/candidates.h"
#include "calibrate/fit/fit.h"

/// Which kind of memory a fit reports, whether it explains the map with all that may disturb it, and how well.
namespace watershed {

/// More bursts than a few have nothing to do with the switch.
bool many_strays(const ModelFit& one, std::size_t bursts);

/// By which part of what a burst fills counts scatter; 0 where they do not, or where it is known by how much.
double scatter_of_memory(const ModelFit& one, const std::vector<Burst>& bursts);

/// Whether the map looks like those that the posterior predicts, stray bursts left out.
Goodness check_of(const ModelFit& one, const std::vector<Burst>& bursts);

/// Fills the check of the chosen model, its p-value, and why the fit is a misfit, if it is one.
/// @param to_the_frame  some kind explains every count
void judge(Fit& fit, bool to_the_frame);

/// What delays tell that differ: the least and the most.
std::string told_delays(const std::pair<Time, Time>& delays);

/// By how many frames single counts scatter, if it is more than what rounding to whole frames leaves. The kind must
/// have been sampled.
std::optional<double> scatter_of(const ModelFit& one, const std::vector<Burst>& bursts);

/// How well thresholds tell lossy from lossless bursts, once the kind is chosen and judged.
FitStatus status_of(const Fit& fit, const MapReading& map);

/// Takes back depths that the map does not tell, but for their hard limits: those of maps that limit one side only, and
/// those of less than a frame.
void withdraw_untold_depths(std::vector<ModelFit>& kinds, const MapReading& map, bool counts_used);

/// Gives each model its probability from its evidence and prior odds, and puts the chosen one first, the others by
/// falling probability. Among models that the data do not tell apart (odds below 3) the simplest one is chosen, and of
/// those that are alike the kind that the scenario names. A model with a feature must be the likeliest, with odds
/// of 10.
void choose_model(std::vector<ModelFit>& models, const Conditions& conditions);

}  // namespace watershed
