// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibrate/absorption/absorption-posterior.h"
#include "calibrate/posterior/model-fit.h"

namespace watershed {

/// What the other frame sizes say about one.
struct AbsorptionPrediction {
    std::int64_t frame = 0;
    std::optional<std::int64_t> lossless;  ///< there if it is 80 % sure to be right to 5 %, and 95 % to a factor 1.5
    Interval interval95;  ///< frames, of the length that would be measured; nothing where no other size is
    std::optional<std::int64_t> drops;
    std::string undetermined;        ///< why `lossless` is missing, or empty
    std::string drops_undetermined;  ///< why `drops` is missing, or empty
};

/// The longest lossless burst of one frame size by all kinds of memory that explain the other sizes, each with its
/// weight, and by limits that none of those sizes reaches.
/// @param rows  the other frame sizes
/// @param sizes all, this one too
/// @param kinds of these
AbsorptionPrediction predict_absorption(const std::vector<BurstTableRow>& rows, const std::vector<std::int64_t>& sizes,
                                        std::int64_t frame, const std::vector<AbsorptionPosterior::Kind>& kinds,
                                        const StreamAndBurst& test);

}  // namespace watershed
