// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <set>
#include <string>
#include <vector>

#include "scenarios/design/explore.h"
#include "scenarios/run/simulators.h"

/// Tests of designs: simulation of the whole camera, and sensitivity.
namespace watershed {

/// Verdict of simulations of a whole camera.
struct Verification {
    bool holds = true;  ///< true if no simulation contradicts the calculation or loses more than is wanted
    std::string text;   ///< the simulations and their outcomes
};

/// Simulates a design with the whole camera. Both engines run 2000 random triggers and the longest lossless burst. Then
/// random triggers are simulated until their loss can be distinguished from the wanted one; if loss is too rare for
/// this, importance sampling of the single switches takes their place.
/// @param camera  scenario from read_camera()
/// @throws std::runtime_error if the engines differ
Verification verify(const DesignRequirements& wanted, const RatedDesign& way, const Scenario& camera,
                    const EngineFactory& make_engine, int jobs);

/// Estimates the risk of a design by simulation, if only an upper bound is known, and stores it in `way`.
/// @param loss  wanted probability of an incomplete event
/// @return outcome, as the end of a sentence
std::string sample_risk(RatedDesign& way, double loss, const Scenario& camera, const EngineFactory& make_engine,
                        int jobs);

/// Returns the sensitivity of designs, as `watershed sensitivity` does, without a second stream: of random triggers by
/// proven bounds of their risk, of others by quick_risk().
/// @param ways   designs by their ranks
/// @param ranks  ranks of the designs to examine
/// @param notes  receives the reason for each design that cannot be asked
/// @return for each design the members of sensitivity_of() and "rank"
nlohmann::ordered_json what_if_of(const DesignRequirements& wanted, const std::vector<RatedDesign>& ways,
                                  const std::set<int>& ranks, const std::vector<CatalogueSwitch>& catalogue,
                                  Engine& engine, std::vector<std::string>& notes);

/// Returns a sensitivity in words: "first fails with: trigger rate + 30 %; bears 128 % of the trigger rate asked for,
/// or 81 % of the memory".
std::string what_if_in_words(const nlohmann::ordered_json& asked);

}  // namespace watershed
