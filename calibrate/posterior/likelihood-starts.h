// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/posterior/burst-likelihood.h"

/// Starts of the search for modes of the likelihood, by the closed form.
namespace watershed {

/// Returns depths and rates with which two bursts lose exactly what they lost, for some pairs and some fractions of
/// random loss.
std::vector<BurstParameters> starts_from_pairs(const BurstLikelihood& likelihood, const QueueModel& model);

/// Returns depths, rates and token buckets with which three bursts lose exactly what they lost, for some triples;
/// none if the bursts cannot tell a bucket from depth.
std::vector<BurstParameters> starts_from_triples(const BurstLikelihood& likelihood, const QueueModel& model);

/// Returns depths and rates from peaks alone: rates of lossless bursts with depths of lossy ones, or with depths beyond
/// the largest peak.
std::vector<BurstParameters> starts_from_peaks(const QueueModel& model, const std::vector<Burst>& bursts);

}  // namespace watershed
