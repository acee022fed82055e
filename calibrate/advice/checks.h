// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <vector>

#include "calibrate/advice/advise.h"
#include "calibrate/advice/outlook.h"

/// Whether bursts come out as the others foretell. A few that agree may agree by luck.
namespace watershed {

struct Checks {
    CheckCount count;
    std::vector<AdvisedPoint> left;  ///< to be measured
};

/// Repeats of the bursts that limit the answer, which would show noise (none are wanted where noise is known, or where
/// noise or, in many bursts, stray ones were seen), and a pair of bursts, one lossless and one lossy, at a separation
/// of its own, which would show if the model were wrong. A pair counts where all the rows of other separations foretell
/// it.
Checks checks_of(const Fit& fit, const Prior& prior, const AdviceOptions& options, const Outlook& outlook);

/// How a burst is expected to end.
struct Foretold {
    double probability_of_loss = 0;
    double fewest = 0, most = 0;  ///< frames lost
    bool by_number = false;  ///< frames are lost at random and counted: their number tells where a loss alone does not
    /// Whether a burst could end otherwise than foretold.
    bool certain() const;
    /// Of a certain outcome: whether the burst ended so.
    bool agrees(const Burst& burst) const;

  private:
    bool certain_by_flag() const;
};
Foretold foretell(const Belief& belief, const Burst& burst);

}  // namespace watershed
