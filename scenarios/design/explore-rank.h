// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "scenarios/design/explore.h"

/// Which way is better than which.
namespace watershed {

/// Risks below this part of the wanted chance count as equal: whatever else goes wrong is far more frequent.
inline constexpr double kFarBelow = 1e-3;
/// The decimal logarithm of a risk, no lower than where risks begin to count as equal.
double risk_that_counts(double log10_risk, double loss);

/// What ways are ranked by. The first in which two of them differ decides.
enum class Merit { Price, Switches, Power, Interfaces, Risk, Standing, Capacity, Burst };
inline constexpr std::array kMerits{Merit::Price, Merit::Switches, Merit::Power,    Merit::Interfaces,
                                    Merit::Risk,  Merit::Standing, Merit::Capacity, Merit::Burst};

/// Of one way, in the order of kMerits. Less is better.
using Merits = std::array<double, kMerits.size()>;

/// Price and power decide only where they are known of all feasible ways.
struct KnownOfAll {
    bool price = false, power = false;
};
KnownOfAll known_of_all(const std::vector<Explored>& ways, double loss);
/// @param ways  in JSON
KnownOfAll known_of_all(const nlohmann::ordered_json& ways);

/// @param loss  the wanted chance
Merits merits_of(const Explored& way, double loss, KnownOfAll known);
/// @param way  in JSON
Merits merits_of(const nlohmann::ordered_json& way, double loss, KnownOfAll known);

/// What a merit of a way in JSON is, in words: "6", "1200 EUR".
std::string merit_text(Merit merit, const nlohmann::ordered_json& way, const std::string& currency);

/// Fits, carries the rate and keeps to the wanted chance, as far as is known.
bool feasible(const Explored& way, double loss);

/// Feasible ways first, by their merits. Marks the Pareto front of price (or switches), server interfaces, links and
/// risk, and ways that hardly differ from an earlier one: with the same switches and server interfaces, and capacity
/// and latency equal to a hundredth.
void rank(std::vector<Explored>& ways, double loss);

}  // namespace watershed
