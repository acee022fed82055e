// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

#include "scenarios/design/explore-result.h"

/// Sentences of `watershed explore`: result and advice, for a terminal and for a page.
namespace watershed {

/// Design that is best in one respect.
struct Named {
    std::string for_what;  ///< "cheapest"
    std::string text;      ///< the design with its rank and its value
};

/// Advice of `watershed explore`.
struct ExploreAdvice {
    std::string buy;      ///< "6 × Arista 7048T-A (arista-7048t) with 1 uplink each, to 6 interfaces of the server"
    std::string why;      ///< reason in one or more sentences
    std::string so_good;  ///< its risk, load and longest lossless burst
    std::vector<std::string> rests;  ///< values without a document that it depends on, one line each
    std::vector<Named> named;        ///< cheapest, safest, fastest, and the first without assumed values
};

/// Returns "random triggers with 2 us of dead time", "triggers at a fixed rate".
std::string triggers_text(const ExploreResult& result);
/// Returns the trains of triggers that a guarantee holds for, as the end of a sentence: ", in whatever sequence ...".
std::string guaranteed_trains(const ExploreResult& result);

/// Returns the advice. @pre a design is feasible
ExploreAdvice advice_on(const ExploreResult& result);
/// Returns the advice as JSON; null if no design is feasible.
nlohmann::ordered_json advice_json(const ExploreResult& result);

/// Returns the trigger rate: "8 kHz", "12 kHz, 1.5 times the scenario's rate,".
std::string rate_text(const ExploreResult& result);

/// Returns the number of feasible designs in words: "12 of 96 ways to read out 265 modules at 8 kHz fit and lose at
/// most 10⁻⁹ of the events, 5 of them only if …"
std::string feasible_in_words(const ExploreResult& result);

/// Returns a value in words: "The cell size of the memory of dell-s60 is unknown; none was taken."
/// @param model  text in place of the switch's name
std::string rests_text(const Unstated& unstated, const std::string& model);

/// Returns the question of a buyer to the maker: "What is the cell size of the memory of dell-s60? none was taken
/// (switch.buffer.cell)."; empty for values that the buyer set.
std::string question_to_maker(const Unstated& unstated);

/// Returns the uplink selections of a design and of those that hardly differ from it: "modulo, hash; also with 4
/// uplinks (modulo)".
std::string selections_text(const RatedDesign& way, const std::vector<RatedDesign>& ways);

/// Returns the design with the largest risk and the longest dead time of those that selections_text() names: the limits
/// of a row.
RatedDesign worst_of_row(const RatedDesign& way, const std::vector<RatedDesign>& ways);
/// Returns "19.184 µs", rounded up; a dash where no dead time is known.
std::string dead_time_text(const RatedDesign& way);

/// Returns the full name of a switch with its name in the catalogue in brackets; the latter alone if it has no full
/// name.
std::string switch_text(const std::string& model, const ExploreResult& result);

/// Returns a text: the recommendation with its reason, the designs by their ranks, and why other switches are not
/// first.
/// @param rows  largest number of designs
std::string ways_as_table(const ExploreResult& result, int rows);

}  // namespace watershed
