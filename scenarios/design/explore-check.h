// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "scenarios/design/explore.h"
#include "scenarios/run/simulators.h"

/// Ways put to the test: simulated whole, and asked what if.
namespace watershed {

/// Verdict of simulations of a whole way.
struct Verification {
    bool holds = true;  ///< none contradicts what was calculated, or shows more loss than is wanted
    std::string text;   ///< the simulations and their outcome
};

/// Simulates the whole camera: 2000 random triggers and the longest lossless burst in both engines; then random
/// triggers until their loss can be told from the wanted one, and importance sampling of the switches where it is too
/// rare for that.
/// @param camera  as read_camera() gives it
/// @throws std::runtime_error if the engines differ
Verification verify(const Wanted& wanted, const RatedDesign& way, const Scenario& camera,
                    const EngineFactory& make_engine, int jobs);

/// Where only a bound is known of the risk, which may be far above it, a simulation tells it instead.
/// @return what came of it, as the end of a sentence
std::string sample_risk(RatedDesign& way, double loss, const Scenario& camera, const EngineFactory& make_engine,
                        int jobs);

/// Asks ways what if, as `watershed sensitivity` asks a design, by what is certain of their risk: nothing is simulated,
/// and no second stream comes.
/// @param ways   by their ranks
/// @param ranks  of those that are asked, each once
/// @return for each the members of sensitivity_of() and "rank"
/// @throws InputError as read_camera does
nlohmann::ordered_json what_if_of(const Wanted& wanted, const std::vector<RatedDesign>& ways,
                                  const std::set<int>& ranks, const std::vector<CatalogueSwitch>& catalogue,
                                  Engine& engine);

/// "first fails with: trigger rate + 30 %; bears 128 % of the trigger rate asked for, or 81 % of the memory"
std::string what_if_in_words(const nlohmann::ordered_json& asked);

}  // namespace watershed
