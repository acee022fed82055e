// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibrate/closed-form/fit-options.h"
#include "calibrate/fit/goodness.h"
#include "calibrate/fit/set-aside.h"
#include "calibrate/posterior/model-fit.h"

/// Depth, service rate and kind of a switch memory from a loss map.
namespace watershed {

struct Fit {
    FitStatus status = FitStatus::Separated;
    Conditions conditions;
    FitOptions options;
    std::string source;
    std::vector<Burst> bursts;  ///< those used
    std::vector<RowSetAside> set_aside;
    bool counts_used = false;
    std::vector<ModelFit> models;    ///< the chosen one first, then by falling probability
    Goodness check;                  ///< of the chosen model
    std::optional<double> goodness;  ///< its p-value; nothing where too few bursts tell
    std::string unusual;             ///< in what the map is most unusual
    std::string misfit;              ///< why no kind of memory explains the map; empty where one does
    const ModelFit& best() const { return models.front(); }
};

/// @throws InputError if nothing is left to fit
Fit fit_loss_map(const LossMap& map, const Conditions& conditions, const FitOptions& options);

}  // namespace watershed
