// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cmath>
#include <vector>

#include "calibrate/posterior/parameter-prior.h"

/// Where the likelihood of a map is large: what the sampling of a posterior begins with.
namespace watershed {

/// What makes bursts scatter about a likely place.
enum class Scatter { Frames, Length, Traffic, Further };

/// A likely place with scatter of one kind; of noise and loss it knows roughly.
struct LikelyPlace {
    Scatter scatter = Scatter::Length;
    std::size_t law = 0;  ///< which of the further ones, where one of these is sought
    BurstParameters at;
    double log_likelihood = -HUGE_VAL;  ///< with what the rate and a further law cost
    double feature = 0;                 ///< the number between 0 and 1 that stands for it
};

/// One for each kind of scatter that the map may tell. A feature is sought with one kind of scatter, since either leads
/// to it, and without further laws.
/// @param hints  where depth and rate may be likely, among other places
std::vector<LikelyPlace> likely_places(const BurstLaw& law, const ParameterPrior& prior, const QueueModel& model,
                                       const std::vector<BurstParameters>& hints = {});

/// Of these places, the further laws that explain as much as all else. Without a trend in time, say, the
/// order of the rows then changes no number.
std::vector<std::size_t> laws_told_by(const std::vector<LikelyPlace>& places);

/// Depth and rate with which two bursts lose exactly what they lost, for some pairs, and for some shares that may be
/// lost at random.
std::vector<BurstParameters> exact_pairs(const BurstLaw& law, const QueueModel& model);

}  // namespace watershed
