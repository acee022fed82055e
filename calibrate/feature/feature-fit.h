// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <vector>

#include "calibrate/feature/feature-question.h"

/// What a plain memory leaves unexplained: descriptors, a resume level, a dynamic threshold, uplinks that carry unequal
/// loads.
namespace watershed {

/// The features that these bursts could show in a memory of this kind, were they there. Descriptors need two payloads,
/// a resume level needs numbers of lost frames, a dynamic threshold bursts towards different numbers of uplinks, uneven
/// uplinks more than one of them.
std::vector<Feature> visible_features(const QueueModel& plain, const std::vector<Burst>& bursts);

/// Depth, service rate and the feature's value, where some value makes more of the bursts than the plain memory does;
/// nothing where none does.
std::optional<ModelFit> fit_feature(const FeatureQuestion& question);

}  // namespace watershed
