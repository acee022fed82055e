// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "calibrate/advice/advise.h"
#include "calibrate/advice/simulate.h"

/// Ways of choosing the bursts of a measuring campaign.
namespace watershed {

/// What the experimenter knows and can set.
struct CampaignPlan {
    Prior prior;
    Conditions conditions;
    FitOptions fit;
    AdviceOptions advice;
    std::vector<Time> grid_separations;
    std::vector<std::int64_t> grid_lengths;
    std::uint64_t seed = 1;  ///< of the order in which a grid is measured
};

class Strategy {
  public:
    virtual ~Strategy() = default;
    /// The next burst, or nothing when the campaign is over.
    /// @param fit of these rows; nothing without a row
    virtual std::optional<BurstSetting> next(const std::vector<LossMapRow>& rows, const std::optional<Fit>& fit) = 0;
    /// Whether the campaign ended because enough is known; false for strategies that do not ask.
    virtual bool stopped() const { return false; }
    /// Whether next() looks at the fit.
    virtual bool needs_fit() const { return false; }
};

/// "grid": every point of the grid, in random order, as one does against drift.
/// "bisection": at one separation after the other the length is doubled until frames are lost, and then the bracket
/// halved. "advised": what `watershed next` names first, its checks among it, until it says stop.
std::unique_ptr<Strategy> make_strategy(const std::string& name, const CampaignPlan& plan);

}  // namespace watershed
