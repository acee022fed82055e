// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/design/explore-result.h"

/// Order of rated designs, and the reasons for it.
namespace watershed {

/// Fraction of the wanted probability below which risks count as equal: other failures are far more frequent.
inline constexpr double kFarBelow = 1e-3;
/// Returns the decimal logarithm of a design's risk, at least that of kFarBelow x `loss`.
double risk_that_counts(const RatedDesign& way, double loss);
/// Returns true if the risk is so small that it counts as equal to all smaller ones.
bool is_far_below(const RatedDesign& way, double loss);

/// Ranking criteria. The first one in which two designs differ decides.
enum class RankingCriterion { Price, Switches, Power, Interfaces, Risk, Standing, Capacity, Burst };
inline constexpr std::array kMerits{
    RankingCriterion::Price, RankingCriterion::Switches, RankingCriterion::Power,    RankingCriterion::Interfaces,
    RankingCriterion::Risk,  RankingCriterion::Standing, RankingCriterion::Capacity, RankingCriterion::Burst};

/// Values of one design, in the order of kMerits; a smaller value is better.
using Merits = std::array<double, kMerits.size()>;

/// Costs that are ranking criteria: those that are known for all feasible designs.
struct UsableCosts {
    bool price = false, power = false;
};
UsableCosts known_of_all(const std::vector<RatedDesign>& ways, double loss);
Merits merits_of(const RatedDesign& way, double loss, UsableCosts known);

/// Returns a design's value of a criterion in words: "6", "1200 EUR".
std::string merit_text(RankingCriterion merit, const RatedDesign& way, const std::string& currency);

/// Returns the longest lossless burst in words: "144", "> 5000", "no limit"; empty if unknown.
std::string boundary_text(const std::optional<Boundary>& watershed);

/// Returns true if a design has the ports, carries the rate, and is known to keep to the wanted probability.
bool feasible(const RatedDesign& way, double loss);

/// Ranks the designs: feasible ones first, by the ranking criteria. Marks the Pareto front of price (or number of
/// switches), server interfaces, links and risk. Marks designs that hardly differ from an earlier one: equal switches
/// and server interfaces, capacity and latency within a hundredth. Sets the reasons of those that are not feasible.
void rank(std::vector<RatedDesign>& ways, double loss);

/// Returns the reason why a design is not feasible, as the end of a sentence about several designs: "do not have the
/// ports". Proven reasons go before unknown values.
std::string reason_of(const RatedDesign& way, double loss);

/// Returns a summary for each switch model. @param left_out_of  dropped designs by model and reason
std::vector<SwitchSummary> switches_of(const ExploreResult& result, const std::map<std::string, Reasons>& left_out_of);

}  // namespace watershed
