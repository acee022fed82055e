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

/// Sensitivity: how a design reacts when something is other than planned.
namespace watershed {

inline constexpr int kMostRate = 102'400;  ///< percent of today's at which the search for a margin ends

/// One question, as the keys that are set in the scenario.
struct WhatIf {
    std::string question;           ///< "trigger rate + 10 %"
    std::vector<std::string> keys;  ///< KEY=VALUE, as --set takes them; none for the design as it is
    std::string cut_off{};          ///< why some modules are not read out at all; nothing is left to simulate then
};

/// Questions to a design: triggers come faster, each memory is half, each assumed value is the worst one of the
/// catalogue, an uplink or a switch fails, each switch gets a module more, a second stream comes.
/// @param assumed  values of its switches that nobody knows
std::vector<WhatIf> what_if_questions(const Scenario& design, const std::vector<AssumedValue>& assumed,
                                      const std::vector<CatalogueSwitch>& catalogue);

/// A design and how it is judged.
struct Design {
    /// The scenario with further keys. @throws InputError
    std::function<Scenario(const std::vector<std::string>& keys)> read;
    /// The chance that an event is incomplete, of random triggers without streams beside; margins ask that many times.
    /// @throws InputError
    std::function<Risk(const Scenario&)> risk;
    Engine& engine;  ///< runs all others
    double loss =
        1e-9;  ///< chance of an incomplete event that is wanted; of triggers that are not random none may lose
};

/// Asks each question, and how far the trigger rate may rise and each memory shrink.
/// @return JSON: "holds" (true, false, or null where a sample does not tell), "loss", "breaks" (the questions whose
///         answer is no), "margins" (of each quantity the last percentage of today's value with which it holds), "rows"
///         (for each question "what_if", "set", "verdict", and what was found)
nlohmann::ordered_json sensitivity_of(const Design& design, const std::vector<WhatIf>& questions);

/// Table for people, without a first line.
std::string sensitivity_as_table(const nlohmann::ordered_json& result);

}  // namespace watershed
