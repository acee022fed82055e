// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/closed-form/fit-options.h"
#include "calibrate/posterior/model-fit.h"

/// From a posterior on a grid to the estimates of a memory with a feature.
namespace watershed {

/// Adds an independent standard deviation to the distribution of one member; one that is known exactly stays so.
void widen(std::vector<SupportPoint>& points, double SupportPoint::*member, double sigma);

/// Fills estimates, noise and support from a posterior. Hard limits stay as they are.
void take(ModelFit& fit, GridPosterior posterior, const std::vector<Nuisance>& nuisances);

}  // namespace watershed
