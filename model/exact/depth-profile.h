// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/exact/engine.h"

namespace watershed {

/// What one run tells of every depth of a shared memory: the most that was in use up to each event. Until its first
/// loss a memory holds what an endless one would, so that a smaller one loses its first frame where the occupancy first
/// passes it. For synchronous cameras BurstArithmetic knows the same without a run; so does the rule m N - floor((m -
/// 1) r) <= B, which the fit evaluates at every depth and rate and which needs no simulation.
class DepthProfile {
  public:
    /// Whether the switch refuses a frame for want of room in its one memory, and for nothing else.
    static bool permits(const Incast& scenario);

    /// Runs the scenario, a burst that permits() it, with the memory it has.
    /// @return nothing if frames of different events overtook each other, so that each length needs a run of its own
    static std::optional<DepthProfile> of(Engine& engine, const Incast& scenario);

    /// The longest burst that loses nothing with this depth, in the unit of the scenario's and no larger than that;
    /// nothing if that is the whole one that was run.
    std::optional<std::int64_t> lossless(std::int64_t depth) const;

  private:
    /// From this event on so much has been in use.
    struct Need {
        std::int64_t event;
        std::int64_t amount;
    };
    std::vector<Need> needs_;  ///< ascending in both
};

}  // namespace watershed
