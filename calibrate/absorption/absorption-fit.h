// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibrate/absorption/absorption-posterior.h"
#include "calibrate/posterior/model-fit.h"

/// The limits of one switch from its burst-absorption table.
namespace watershed {

struct AbsorptionCandidate {
    std::string name;
    bool feasible = false;  ///< explains every length to the frame
    double probability = 0;
    AbsorptionModel model;  ///< its best point
};

/// What the other frame sizes say about one.
struct AbsorptionPrediction {
    std::int64_t frame = 0;
    std::optional<std::int64_t> lossless;  ///< there if it is 80 % sure to be right to 5 %, and 95 % to a factor 1.5
    Interval interval95;  ///< frames, of the length that would be measured; nothing where no other size is
    std::optional<std::int64_t> drops;
    std::string undetermined;        ///< why `lossless` is missing, or empty
    std::string drops_undetermined;  ///< why `drops` is missing, or empty
};

struct AbsorptionFit {
    std::optional<std::string> name;  ///< of the switch
    std::vector<BurstTableRow> rows;
    FitStatus status = FitStatus::Separated;
    AbsorptionModel model;
    double noise = 0;  ///< relative scatter of the lengths about the model
    Estimate depth;    ///< bytes, cells, or frames where only descriptors are a limit
    Estimate descriptors;
    Interval cell;    ///< bytes, those that the frame sizes do not tell apart
    Interval header;  ///< the same
    std::optional<FittedResume> memory_resume, descriptor_resume;
    std::vector<AbsorptionCandidate> candidates;    ///< by falling probability
    std::vector<int> binding;                       ///< rows that bound the exact interval of depth, or of descriptors
    std::vector<int> violating;                     ///< rows that the model misses by more than 5 % and two frames
    std::vector<AbsorptionPrediction> predictions;  ///< by rising frame size

    MemorySize::Unit depth_unit() const { return model.depth ? model.unit : MemorySize::Unit::Frame; }
};

AbsorptionFit fit_absorption(const BurstTable::Part& part, const StreamAndBurst& test);

}  // namespace watershed
