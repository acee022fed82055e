// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

#include "calibrate/thresholds/threshold-campaign.h"

namespace watershed {

/// What `watershed fit` says of a table of thresholds.
nlohmann::ordered_json to_json(const Ladder& ladder, const LadderFit& fit);
void print(std::ostream& out, const Ladder& ladder, const LadderFit& fit);

/// What `watershed next` says of one: the next trial, and what a campaign takes, beside bisection.
struct ThresholdAdvice {
    std::optional<ThresholdTrial> next;
    TrialCosts costs;
    int groups = 0;                                     ///< of the campaigns below
    std::optional<ThresholdCampaign> remaining, whole;  ///< as advised, on the switch that the fit finds most probable
    std::optional<ThresholdCampaign> bisection;
};
ThresholdAdvice advise(const Ladder& ladder, const TrialCosts& costs, std::int64_t headroom_pool);
nlohmann::ordered_json to_json(const ThresholdAdvice& advice);
void print(std::ostream& out, const ThresholdAdvice& advice);

}  // namespace watershed
