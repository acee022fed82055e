// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scenarios/sweep/campaign.h"
#include "scenarios/sweep/ranks.h"

namespace watershed {

/// Long work in pieces, and where its results go.
struct CampaignWork {
    std::string what;  ///< for the progress bar, as are the units
    std::string unit;
    Request request;
    std::string output;  ///< a campaign, or a file beside which one is kept while the work lasts
    bool resume = false;
    int jobs = 1;
};

/// What the work gave.
struct CampaignResults {
    std::string header;  ///< of the run that began it
    std::vector<std::string> pieces;
    std::unique_ptr<Campaign> campaign;  ///< if one was begun

    /// The output is written: a campaign kept beside it has done its duty.
    void written(const std::string& output) const;
};

/// Works through the pieces that are not stored yet, with a progress bar, and stores each at once. What takes less than
/// a second is not stored beside its output.
/// @return nothing on ranks other than the first
/// @throws InputError, std::runtime_error as Campaign and Ranks do
CampaignResults do_campaign(const CampaignWork& work, Ranks& ranks, const DoPiece& piece);

}  // namespace watershed
