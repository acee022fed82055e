// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "calibrate/advice/burst-planner.h"

/// Concerns about a fit, and bursts that would explain them.
namespace watershed {

/// Reasons to distrust a fit.
struct FitConcerns {
    bool misfit = false;             ///< no kind of memory explains the bursts
    std::optional<double> goodness;  ///< p-value of the goodness of fit; std::nullopt for too few bursts
    std::string unusual;             ///< name of the most unusual statistic of the map
    std::optional<RunsTest> trend;   ///< runs test of the order in which residuals keep their sign too long
    std::vector<Residual> residuals;

    bool any() const { return !text().empty(); }
    /// Returns the first concern as half a sentence; empty if none.
    std::string text() const;
};

/// Returns the concerns about a fit. The goodness is the fit's own, if it has one, else that of diagnose().
FitConcerns fit_concerns(const Fit& fit);

/// Bursts that would explain concerns.
struct DiagnosticBursts {
    std::vector<AdvisedPoint> points;
    bool all_tried = false;  ///< true if enough such bursts were measured among the last rows, in vain
};

/// Returns bursts that would explain the concerns, rarely measured ones first: bursts far from the watershed, where all
/// kinds of memory without a feature lose the same, and repeats of the rows with the largest residuals.
DiagnosticBursts diagnostic_bursts(const BurstPlanner& planner, const Fit& fit, const FitConcerns& concerns,
                                   const AdviceOptions& options);

/// Returns bursts of settings that were not measured, which would show whether the rate is that of the output: at other
/// separations, where the port of the scenario, or of the fit without one, would lose frames, and unless
/// `separations_only` one with fewer ports and one with another payload: five at most.
std::vector<AdvisedPoint> bursts_on_rate(const BurstPlanner& planner, const Fit& fit, const AdviceOptions& options,
                                         bool separations_only);

}  // namespace watershed
