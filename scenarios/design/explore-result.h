// SPDX-License-Identifier: GPL-2.0-only
#pragma once

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

/// Number of rejected designs by reason; a reason is the end of a sentence about several designs.
using Reasons = std::map<std::string, std::int64_t>;

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
    std::string rate;                 ///< "8 kHz"
    std::string triggers = "random";  ///< "random", "fixed" (all at fixed rates), or "bursts" on top of others
    double margin = 1, accepted_rate_hz = 0;
    std::vector<std::string> groups;  ///< names; empty where modules are of one kind
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

}  // namespace watershed
