// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibrate/advice/advise.h"
#include "calibrate/advice/outlook.h"
#include "calibrate/fit/fit.h"

/// Why a fit is not to be believed, however narrow its interval, and which bursts would tell; and whether bursts come
/// out as the others foretell. A few that agree may agree by luck.
namespace watershed {

struct Doubts {
    bool misfit = false;             ///< no kind of memory explains the bursts
    std::optional<double> goodness;  ///< share of maps of the fitted switch that look as unusual; else too few tell
    std::string unusual;             ///< in what the map is most unusual
    std::optional<RunsTest> trend;   ///< what is left over keeps its sign too long in this order
    std::vector<Residual> residuals;

    bool any() const { return !text().empty(); }
    /// "no kind of memory explains the bursts", "only 0.7 % of maps ...": one half sentence; empty where there are
    /// none.
    std::string text() const;
};

/// Of the fit's own goodness where it has one, else of that which its diagnosis finds.
Doubts doubts_of(const Fit& fit);

/// Bursts far from the watershed, which a plain memory treats alike whatever its depth, and repeats of those that miss
/// the model most; those seen least often first.
std::vector<AdvisedPoint> telling(const Outlook& outlook, const Fit& fit, const Doubts& doubts,
                                  const AdviceOptions& options);

struct Checks {
    CheckCount count;
    std::vector<AdvisedPoint> left;  ///< to be measured
};

/// Repeats of the bursts that limit the answer, which would show noise (none are wanted where noise is known, or where
/// noise or, in many bursts, stray ones were seen), and a pair of bursts, one lossless and one lossy, at a separation
/// of its own, which would show if the model were wrong. A pair counts where all the rows of other separations foretell
/// it.
Checks checks_of(const Fit& fit, const Prior& prior, const AdviceOptions& options, const Outlook& outlook);

/// What the fit of all bursts would be without those of one separation: a switch that it holds possible counts the less
/// the likelier it makes these (importance sampling). Nothing for small maps, of which a fit takes no time; where
/// outcomes are sharp, so that no switch is left that these bursts rule out; or where few would speak for the others.
/// @param bursts  as they were sent
std::optional<Fit> fit_without(const Fit& fit, const std::vector<Burst>& bursts, Time separation);

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
