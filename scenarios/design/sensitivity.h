// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/scenario.h"
#include "scenarios/catalogue/catalogue.h"
#include "scenarios/design/risk.h"
#include "scenarios/reader/assumed-value.h"

/// Sensitivity: reaction of a design to changes of its assumptions.
namespace watershed {

inline constexpr int kMostRate = 102'400;  ///< largest trigger rate of a margin, percent of the design's

/// One question to a design: a change of the scenario.
struct WhatIf {
    std::string question;           ///< "trigger rate + 10 %"
    std::vector<std::string> keys;  ///< KEY=VALUE, as --set takes them; empty for the design as it is
    std::string cut_off{};          ///< reason why some modules are not read out at all; empty if all are
};

/// Returns the questions to a design: triggers come faster, each memory is half, each assumed value is the worst one of
/// the catalogue, an uplink or a switch fails, each switch gets one more module, a second stream comes.
/// @param assumed  assumed values of the design's switches
std::vector<WhatIf> what_if_questions(const Scenario& design, const std::vector<AssumedValue>& assumed,
                                      const std::vector<CatalogueSwitch>& catalogue);

/// Design with the functions that evaluate it.
struct Design {
    /// Returns the scenario with further keys. @throws InputError
    std::function<Scenario(const std::vector<std::string>& keys)> read;
    /// Returns the probability of an incomplete event, for random triggers without streams beside the camera. Margins
    /// call it many times. @throws InputError
    std::function<Risk(const Scenario&)> risk;
    Engine& engine;  ///< runs scenarios of all other kinds
    /// Accepted probability of an incomplete event; triggers that are not random must lose no frame.
    double loss = 1e-9;
};

/// Answers each question, and finds how far the trigger rate may rise and each memory shrink.
/// @return JSON: "holds" (true, false, or null if a sample leaves it open), "loss", "breaks" (questions with which the
///         design no longer holds), "margins" (for each quantity, the last percentage of the design's value with which
///         it holds), "rows" (for each question "what_if", "set", "verdict" and the results)
nlohmann::ordered_json sensitivity_of(const Design& design, const std::vector<WhatIf>& questions);

/// Returns a table for people, without a title line.
std::string sensitivity_as_table(const nlohmann::ordered_json& result);

}  // namespace watershed
