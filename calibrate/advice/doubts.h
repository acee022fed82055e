// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibrate/advice/outlook.h"
#include "calibrate/fit/goodness.h"

/// Why a fit is not to be believed, however narrow its interval; and which bursts would tell.
namespace watershed {

struct Doubts {
    bool misfit = false;  ///< no kind of memory explains the bursts
    std::optional<double>
        goodness;  ///< share of maps of the fitted switch that look as unusual; nothing where too few bursts tell
    std::string unusual;            ///< in what the map is most unusual
    std::optional<RunsTest> trend;  ///< what is left over keeps its sign too long in this order
    std::vector<Residual> residuals;

    bool any() const;
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

}  // namespace watershed
