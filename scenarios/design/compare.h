// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/base/quantities.h"
#include "scenarios/design/explore-result.h"
#include "scenarios/run/simulators.h"

/// Designs side by side: of each scenario what `run`, `risk` and `boundary` say of it, by the same functions.
namespace watershed {

struct CompareOptions {
    std::vector<std::string> scenarios;  ///< files
    std::vector<std::string> labels;     ///< for the first ones of them, instead of the files' names
    std::vector<std::string> overrides;  ///< KEY=VALUE for all; "2:KEY=VALUE" for the second one alone
    std::string engine = "exact";
    Time separation{20'000'000};
    std::int64_t limit = 1'000'000;  ///< as that of `boundary`
    int jobs = 1;
};

/// The designs as `compare --json` writes them, in their order.
/// @throws InputError for what a scenario has wrong, or two of one name
nlohmann::ordered_json compared_designs(const CompareOptions& options, const Prices& prices,
                                        const EngineFactory& make_engine);

/// A column for each design, and in words which is best in what.
std::string designs_as_table(const nlohmann::ordered_json& result);

/// One line of that table; the page shows the same.
struct DesignRow {
    std::string quantity;
    std::vector<std::string> values;  ///< UTF-8, of each design
};
std::vector<DesignRow> design_rows(const nlohmann::ordered_json& result);

/// The longest lossless burst, of "events_lossless" and "events_unknown_beyond": "9058", "> 1000000", "no limit".
std::string burst_text(const nlohmann::ordered_json& design);

/// "The smallest risk: A (10⁻¹²). …"; nothing for what only one design tells, or all alike.
std::vector<std::string> best_designs(const nlohmann::ordered_json& result);

}  // namespace watershed
