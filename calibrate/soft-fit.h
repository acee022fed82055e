// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/fit.h"

/// Posterior of depth, rate and noise where no threshold explains every burst.
namespace watershed {

/// Adds an independent standard deviation to the distribution of one member; one that is known exactly stays so.
void widen(std::vector<SupportPoint>& points, double SupportPoint::*member, double sigma);

/// Fills estimates, noise and support from a posterior. Hard limits stay as they are.
void take(ModelFit& fit, GridPosterior posterior, const std::vector<Nuisance>& nuisances);

/// From lossy or lossless alone; beginning at the estimate that `fit` has. Hard limits stay as they are.
void estimate_from_noisy_flags(ModelFit& fit, const std::vector<Burst>& bursts, const SearchBox& box, const std::optional<KnownNoise>& known);

/// Where one threshold explains every burst it may do so by luck: the hard region, which `fit` has with its estimates and evidence, and
/// noise of any size share the posterior by what each makes of the map. Hard limits stay as they are.
void allow_for_noise(ModelFit& fit, const std::vector<Burst>& bursts, const SearchBox& box, const std::optional<KnownNoise>& known);

/// From numbers of lost frames, beginning at the count fit that `fit` has.
void estimate_from_noisy_counts(ModelFit& fit, const std::vector<Burst>& bursts, const SearchBox& box, const std::optional<KnownNoise>& known);

/// Where one threshold explains every burst: how large the noise may be all the same (95 %).
NoiseEstimate noise_limit(const ModelFit& fit, const std::vector<Burst>& bursts, const std::optional<KnownNoise>& known);

}  // namespace watershed
