// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/base/quantities.h"
#include "scenarios/design/explore-result.h"
#include "scenarios/design/prices.h"
#include "scenarios/run/simulators.h"

/// Comparison of designs: for each scenario the results of `run`, `risk` and `boundary`, from the functions of these
/// commands.
namespace watershed {

struct CompareOptions {
    std::vector<std::string> scenarios;  ///< scenario files
    std::vector<std::string> labels;     ///< names of the first scenarios, in place of their file names
    std::vector<std::string> overrides;  ///< KEY=VALUE for all scenarios; "2:KEY=VALUE" for the second one only
    std::string engine = "exact";
    Time separation{20'000'000};          ///< separation of the events for the longest lossless burst
    std::optional<std::int64_t> limit{};  ///< longest burst to try, as in `boundary`
    int jobs = 1;                         ///< number of processes
};

/// Returns the designs as `compare --json` writes them, in the order of the scenarios.
/// @throws InputError if a scenario is wrong, or if two have one name
nlohmann::ordered_json compared_designs(const CompareOptions& options, const Prices& prices,
                                        const EngineFactory& make_engine);

/// Returns why a design has no risk or no watershed, one line each.
std::vector<std::string> untold(const nlohmann::ordered_json& result);

/// Returns a table with one column per design, and sentences that name the best designs.
std::string designs_as_table(const nlohmann::ordered_json& result);

/// Row of the table of designs, for a terminal and for a page.
struct DesignRow {
    std::string quantity;
    std::vector<std::string> values;  ///< one value per design, UTF-8
};
std::vector<DesignRow> design_rows(const nlohmann::ordered_json& result);

/// Returns the longest lossless burst in words, from "events_lossless" and "events_unknown_beyond": "9058", ">
/// 1000000", "no limit", "–".
std::string burst_text(const nlohmann::ordered_json& design);

/// Returns the best design of each quantity: "The smallest risk: A (10⁻¹²)."; no sentence for a quantity that is known
/// for one design only or equal for all.
std::vector<std::string> best_designs(const nlohmann::ordered_json& result);

}  // namespace watershed
