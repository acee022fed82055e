// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/design/explore.h"
#include "scenarios/text/members.h"

/// The result of `watershed explore`: its ways with their costs and ranks, as JSON and as a table.
namespace watershed {

/// The members of a way: its JSON, its columns, and what processes exchange.
const Members<RatedDesign>& explored_members();

/// The stacking of a way in JSON. @param modules  of the camera
CandidateDesign stacking_of(const nlohmann::ordered_json& way, int modules);

/// Summary of all ways with one switch in the first tier.
struct SwitchSummary {
    std::string model, name;
    std::int64_t ways = 0, feasible = 0;
    std::optional<int> rank;  ///< of its first feasible way
    Reasons out;              ///< why the others are not feasible
    std::string why;          ///< what sets its first way behind the one that is ranked first, or what was wrong with
                              ///< the way that came closest
};

struct ExploreResult {
    std::string scenario;
    std::vector<std::string> set;
    int modules = 0;
    std::string rate;  ///< "8 kHz"
    double margin = 1, accepted_rate_hz = 0;
    std::vector<std::int64_t> fragments_bytes;
    double gap_us = 0;
    std::string dead_time;
    double separation_us = 0, loss = 1e-9;
    std::string currency;
    std::vector<std::string> notes;
    nlohmann::ordered_json front = nlohmann::ordered_json::array(), what_if = front, bill = front;
    std::vector<RatedDesign> ways;  ///< by their ranks
    std::map<std::string, std::string> names;
    std::vector<std::string> switch_files;
    std::vector<SwitchSummary> switches;

    std::int64_t feasible() const;
    /// Counts the ways that fell out, by reason.
    Reasons reasons() const;
};

/// The members of `explore --json`, but "program" and "command".
nlohmann::ordered_json to_json(const ExploreResult& result);
/// Reads such a document with at least one way.
/// @throws InputError that names the file and the first member that is missing or of another kind
ExploreResult explore_result_of(const nlohmann::ordered_json& document, const std::string& file);

/// Ranks of the ways to look at first: "first", "sure" (the first whose risk rests on nothing assumed or recalled),
/// "cheapest", "safest" and "fastest", each the first of those that are equally good; null where there is none. Null if
/// no way is feasible.
nlohmann::ordered_json recommended(const ExploreResult& result);

/// A cell of the CSV.
std::string csv_cell(const RatedDesign& way, const std::string& name);
/// A line for each way, without comments; risk is its upper bound.
std::string ways_as_csv(const std::vector<RatedDesign>& ways);

/// Risks below this fraction of the wanted chance count as equal: whatever else goes wrong is far more frequent.
inline constexpr double kFarBelow = 1e-3;
/// The decimal logarithm of a way's risk, no lower than where risks begin to count as equal.
double risk_that_counts(const RatedDesign& way, double loss);
bool is_far_below(const RatedDesign& way, double loss);

/// Ranking criteria. The first in which two ways differ decides.
enum class RankingCriterion { Price, Switches, Power, Interfaces, Risk, Standing, Capacity, Burst };
inline constexpr std::array kMerits{
    RankingCriterion::Price, RankingCriterion::Switches, RankingCriterion::Power,    RankingCriterion::Interfaces,
    RankingCriterion::Risk,  RankingCriterion::Standing, RankingCriterion::Capacity, RankingCriterion::Burst};

/// Values of one way, in the order of kMerits. Less is better.
using Merits = std::array<double, kMerits.size()>;

/// Price and power decide only where they are known of all feasible ways.
struct UsableCosts {
    bool price = false, power = false;
};
UsableCosts known_of_all(const std::vector<RatedDesign>& ways, double loss);
Merits merits_of(const RatedDesign& way, double loss, UsableCosts known);

/// A merit of a way in words: "6", "1200 EUR".
std::string merit_text(RankingCriterion merit, const RatedDesign& way, const std::string& currency);

/// "144", "> 5000", "no limit"; empty where it is not known.
std::string boundary_text(const std::optional<Boundary>& watershed);

/// Fits, carries the rate and keeps to the wanted chance, as far as is known.
bool feasible(const RatedDesign& way, double loss);

/// Sorts feasible ways first, by their merits. Marks the Pareto front of price (or switches), server interfaces, links
/// and risk, and ways that hardly differ from an earlier one: with the same switches and server interfaces, and
/// capacity and latency equal to a hundredth. Says of all others why they are not feasible.
void rank(std::vector<RatedDesign>& ways, double loss);

/// Reason why a way is not feasible, as the end of a sentence about several: "do not have the ports". What is
/// certain goes before what is unknown.
std::string reason_of(const RatedDesign& way, double loss);

/// Summaries by switch. @param left_out_of  what else fell out, by switch and reason
std::vector<SwitchSummary> switches_of(const ExploreResult& result, const std::map<std::string, Reasons>& left_out_of);

/// Names of a price table beside switches: a link that a switch sends by, with its optics, and an interface of the
/// server.
inline constexpr const char* kUplinkPriced = "uplink";
inline constexpr const char* kInterfacePriced = "interface";

/// Price and power of each switch; absent where it is unknown.
struct Prices {
    struct Price {
        std::optional<double> price, power;
    };
    std::map<std::string, Price> of;  ///< by the name of the catalogue, or one of the names above
    std::string currency;             ///< empty where the table does not tell
};

/// Row of a bill: a number of one thing.
struct BillRow {
    std::string what;  ///< a switch of the catalogue, or one of the names above
    int number = 0;
    Prices::Price each;
};

/// The bill of switches, links behind them and interfaces of the server; the latter two where the table names them.
std::vector<BillRow> bill_of(const std::map<std::string, int>& switches, int links, int interfaces,
                             const Prices& prices);
std::vector<BillRow> bill_of(const CandidateDesign& stacking, const Prices& prices);

/// Sum over all rows; std::nullopt if one is unknown.
std::optional<double> total(const std::vector<BillRow>& bill, std::optional<double> Prices::Price::*of);

/// A table of what switches cost and draw: switch, price, power; cells may be empty. The column price may end in its
/// currency: price_EUR.
/// @throws InputError that names what is wrong, and for a switch that the catalogue does not have
Prices read_prices(const std::string& file, const std::vector<CatalogueSwitch>& catalogue);

/// Spending limit: "20 kEUR" is 20000 in EUR.
struct SpendingLimit {
    std::string said;
    double amount = INFINITY;
    std::string unit;
};

/// @throws InputError that gives the example
SpendingLimit limit_of(const std::string& option, const std::string& text, const std::string& example);

/// Sets what all rows of a way's bill cost and draw, and why it is beyond a limit, where it is.
void add_prices(std::vector<RatedDesign>& ways, const Prices& prices, const SpendingLimit& budget,
                const SpendingLimit& power);

}  // namespace watershed
