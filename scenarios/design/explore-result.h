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

/// Result of `watershed explore`: designs with their costs and ranks, as JSON and as a table.
namespace watershed {

/// Returns the members of a rated design: for its JSON, for table columns, and for the exchange between processes.
const Members<RatedDesign>& explored_members();

/// Returns the design of a JSON object. @param modules  modules of the camera
CandidateDesign stacking_of(const nlohmann::ordered_json& way, int modules);

/// Summary of all designs with one switch model in the first tier.
struct SwitchSummary {
    std::string model, name;
    std::int64_t ways = 0, feasible = 0;  ///< numbers of designs
    std::optional<int> rank;              ///< rank of its best design; std::nullopt if none is feasible
    Reasons out;                          ///< numbers of designs that are not feasible, by reason
    /// Reason why its best design ranks behind the first one or, if none is feasible, what excludes the closest one.
    std::string why;
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
    std::vector<RatedDesign> ways;  ///< designs by their ranks
    std::map<std::string, std::string> names;
    std::vector<std::string> switch_files;
    std::vector<SwitchSummary> switches;

    std::int64_t feasible() const;
    /// Returns the numbers of designs that are not feasible, by reason.
    Reasons reasons() const;
};

/// Returns the document of `explore --json`, without "program" and "command".
nlohmann::ordered_json to_json(const ExploreResult& result);
/// Reads a document of `explore --json` that has at least one design.
/// @throws InputError that names the file and the first member that is missing or of another kind
ExploreResult explore_result_of(const nlohmann::ordered_json& document, const std::string& file);

/// Returns the ranks of the designs to look at first: "first", "sure" (the first whose risk uses no assumed or recalled
/// value), "cheapest", "safest" and "fastest". Of equally good designs the first counts. A member is null if no design
/// qualifies, "safest" also if overlapping limits do not tell the smallest risk, or several risks count as equal. The
/// result is null if no design is feasible.
nlohmann::ordered_json recommended(const ExploreResult& result);

/// Returns the CSV cell of a member.
std::string csv_cell(const RatedDesign& way, const std::string& name);
/// Returns the designs as CSV, one line each, without comments; the risk is its upper bound.
std::string ways_as_csv(const std::vector<RatedDesign>& ways);

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

/// Names of two further rows of a price table: a link from a switch, optics included, and an interface of the server.
inline constexpr const char* kUplinkPriced = "uplink";
inline constexpr const char* kInterfacePriced = "interface";

/// Price table.
struct Prices {
    struct Price {
        std::optional<double> price, power;  ///< in the currency, and in watts; std::nullopt if unknown
    };
    std::map<std::string, Price> of;  ///< by name: of a switch in the catalogue, kUplinkPriced or kInterfacePriced
    std::string currency;             ///< currency of the prices; empty if the table has none
};

/// Row of a bill.
struct BillRow {
    std::string what;    ///< name in Prices::of
    int number = 0;      ///< number of pieces
    Prices::Price each;  ///< price and power of one piece
};

/// Returns the bill of switches, links from switches, and interfaces of the server; the latter two only if the table
/// has them.
std::vector<BillRow> bill_of(const std::map<std::string, int>& switches, int links, int interfaces,
                             const Prices& prices);
std::vector<BillRow> bill_of(const CandidateDesign& stacking, const Prices& prices);

/// Returns the sum of price or power over all rows; std::nullopt if one is unknown.
std::optional<double> total(const std::vector<BillRow>& bill, std::optional<double> Prices::Price::*of);

/// Reads a price table with the columns switch, price and power; cells may be empty. The name of the column price may
/// end in a currency: price_EUR.
/// @throws InputError that names the error, also if the catalogue lacks a switch
Prices read_prices(const std::string& file, const std::vector<CatalogueSwitch>& catalogue);

/// Spending limit: "20 kEUR" is 20000 in EUR.
struct SpendingLimit {
    std::string said;          ///< text of the user
    double amount = INFINITY;  ///< amount in `unit`
    std::string unit;
};

/// Returns the limit in a text. @throws InputError that names `option` and gives `example`
SpendingLimit limit_of(const std::string& option, const std::string& text, const std::string& example);

/// Sets price and power of each design, and the reason if a limit excludes it.
void add_prices(std::vector<RatedDesign>& ways, const Prices& prices, const SpendingLimit& budget,
                const SpendingLimit& power);

}  // namespace watershed
