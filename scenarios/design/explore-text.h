// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "scenarios/design/explore-result.h"

/// Sentences of `watershed explore`: its finding and its advice, for a terminal and for a page.
namespace watershed {

/// A way that is named for something.
struct Named {
    std::string for_what;  ///< "cheapest"
    std::string text;      ///< the way with its rank and its value
};

struct ExploreAdvice {
    std::string buy;      ///< "6 × Arista 7048T-A (arista-7048t) with 1 uplink each, to 6 interfaces of the server"
    std::string why;      ///< a sentence or some
    std::string so_good;  ///< risk, load and burst of it
    std::vector<std::string> rests;  ///< values that it rests on and nobody states, a line each
    std::vector<Named> named;        ///< cheapest, safest, fastest, first that rests on nothing assumed
};

/// @pre some way is feasible
ExploreAdvice advice_on(const ExploreResult& result);
/// Advice as JSON; null where no way is feasible.
nlohmann::ordered_json advice_json(const ExploreResult& result);

/// "8 kHz", "12 kHz, 1.5 times the scenario's rate,"
std::string rate_text(const ExploreResult& result);

/// "12 of 96 ways to read out 265 modules at 8 kHz fit and lose at most 10⁻⁹ of the events, 5 of them only if …"
std::string feasible_in_words(const ExploreResult& result);

/// A value in words: "The cell size of the memory of dell-s60 is unknown; none was taken."
/// @param model  what to say in place of the switch
std::string rests_text(const Unstated& unstated, const std::string& model);

/// Question of a buyer: "What is the cell size of the memory of dell-s60? none was taken (switch.buffer.cell).";
/// empty for what he chose himself.
std::string question_to_maker(const Unstated& unstated);

/// Selections of the uplinks of a way, and of those that hardly differ from it: "modulo, hash; also with 4 uplinks
/// (modulo)".
std::string selections_text(const RatedDesign& way, const std::vector<RatedDesign>& ways);

/// The catalogue's name of a switch with its own in brackets, the latter alone where there is none.
std::string switch_text(const std::string& model, const ExploreResult& result);

/// The recommendation with its reason, the ways by their ranks, and why other switches are not first.
/// @param rows  at most
std::string ways_as_table(const ExploreResult& result, int rows);

}  // namespace watershed
