// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "calibrate/fit/candidates.h"

/// Depths and rates that explain every burst, for each kind of memory, and from these regions numbers with intervals.
namespace watershed {

/// Fills estimates and support of `fit` from its region: within it a depth is as likely per factor, and a rate by
/// Jeffreys's prior, as in the posterior with noise; where all bursts are lossy, every depth is as likely, and every
/// rate. Where inputs with memories of their own lose, numbers of lost frames that the closed form meets exactly weigh
/// more.
/// @param bursts those that made the region
void estimate_from_region(ModelFit& fit, const std::vector<Burst>& bursts);

/// Logarithm of the probability of the losses beyond the closed form, on average over the region of `one`: nine in ten
/// random bursts of queues per input had none. Other memories have no such losses: 0.
/// @param bursts  as the model sees them; each is explained somewhere in the region
double log_evidence_of_excess(const ModelFit& one, const std::vector<Burst>& bursts);

/// Gives each kind its region of these bursts, and where there is one evidence and estimates, as if nothing disturbed
/// any burst. @return whether a kind explains them all
bool explain(std::vector<ModelFit>& kinds, const MapReading& map, const std::vector<Burst>& bursts);

/// The same of every number of lost frames; the evidence is also that of what memories of inputs lose beyond the closed
/// form.
bool explain_counts(std::vector<ModelFit>& kinds, const MapReading& map);

}  // namespace watershed
