// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "calibrate/closed-form/fit-options.h"
#include "calibrate/posterior/model-fit.h"

namespace watershed {

/// Whether a memory of one kind makes more of a map with a feature than without. What it refers to must outlive it and
/// its copies.
struct FeatureQuestion {
    const ModelFit& plain;  ///< the memory without the feature, with its estimates: where the search begins
    Feature feature;
    const std::vector<Burst>& bursts;
    const std::vector<Burst>& measured;  ///< those of the bursts that the answer is judged by
    const FitOptions& options;
    bool counts;  ///< numbers of lost frames are known; else bursts are lossy or lossless
};

}  // namespace watershed
