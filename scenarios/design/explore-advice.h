// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

/// What `watershed explore` advises, in sentences, from its JSON: the same for a terminal and for a page.
namespace watershed {

/// One way that is named for something.
struct Named {
    std::string for_what;  ///< "cheapest"
    std::string text;      ///< which way that is, with its rank and what is best of it
};

struct ExploreAdvice {
    std::string buy;      ///< "6 × Arista 7048T-A (arista-7048t) with 1 uplink each, to 6 interfaces of the server"
    std::string why;      ///< why this one, a sentence or some
    std::string so_good;  ///< risk, load and burst of it
    std::vector<std::string> rests;  ///< what it rests on that nobody states, a line each
    std::vector<Named> named;        ///< cheapest, safest, fastest, first that rests on nothing assumed
};

/// Which ways to look at first, by their ranks: "first", "sure" (the first whose risk rests on nothing assumed or
/// recalled), "cheapest", "safest" and "fastest", each the first of those that are equally good; null for those that
/// there are not. Null if no way is feasible.
/// @param ways  in JSON, by their ranks
nlohmann::ordered_json recommended(const nlohmann::ordered_json& ways, double loss);

/// How many of the feasible ways rest on values that are assumed or recalled.
std::int64_t resting_ways(const nlohmann::ordered_json& ways);

/// "8 kHz", "12 kHz, 1.5 times the scenario's rate,"
std::string rate_text(const nlohmann::ordered_json& result);

/// "12 of 96 ways to read out 265 modules at 8 kHz fit and lose at most 10⁻⁹ of the events, 5 of them only if …"
std::string feasible_in_words(const nlohmann::ordered_json& result);

/// @pre some way is feasible
ExploreAdvice advice_on(const nlohmann::ordered_json& result);

nlohmann::ordered_json to_json(const ExploreAdvice& advice);

/// "12 000 EUR", "12 000" where no currency is known, "unknown"
std::string price_text(const nlohmann::ordered_json& way, const nlohmann::ordered_json& result);

/// "one in 17.6 h" of so many events a second; empty if none is ever lost.
std::string how_often(const nlohmann::ordered_json& way, const nlohmann::ordered_json& result);

/// A member of "unstated" in words: "The cell size of the memory of dell-s60 is unknown; none was taken."
/// @param model  what to say in place of the switch
std::string rests_text(const nlohmann::ordered_json& unstated, const std::string& model);

/// The same as what a buyer asks: "What is the cell size of the memory of dell-s60? none was taken
/// (switch.buffer.cell)."; empty for what he chose himself.
std::string question_to_maker(const nlohmann::ordered_json& unstated);

/// How the uplinks of a way are chosen, and of those that hardly differ from it: "modulo, hash; also with 4 uplinks
/// (modulo)".
std::string selections_text(const nlohmann::ordered_json& way, const nlohmann::ordered_json& ways);

/// The catalogue's name of a switch with its own in brackets, the latter alone where there is none.
std::string switch_text(const std::string& model, const nlohmann::ordered_json& result);

}  // namespace watershed
