// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/fit/fit.h"

/// Whether a kind of memory, with all that may disturb it, explains a map.
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

/// By how many frames single counts scatter, in this share of what may be at most. The kind must have been sampled.
double scatter_at(const ModelFit& one, const std::vector<Burst>& bursts, double share);

/// The middle of that, if counts scatter by more than what rounding to whole frames leaves.
std::optional<double> scatter_of(const ModelFit& one, const std::vector<Burst>& bursts);

}  // namespace watershed
