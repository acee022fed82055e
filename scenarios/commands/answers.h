// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenarios/design/compare.h"
#include "scenarios/design/design-search.h"
#include "scenarios/design/explore.h"
#include "scenarios/design/risk.h"
#include "scenarios/design/throttle.h"
#include "scenarios/reader/assumed-value.h"
#include "scenarios/run/simulators.h"
#include "scenarios/sweep/workers.h"

/// The questions of commands and the functions that answer them; a command reads its options and writes the answer.
namespace watershed {

struct Answer {
    nlohmann::ordered_json json;  ///< as --json writes it
    std::string text;             ///< for people
    std::string csv{};
    int indent = 2;  ///< indentation of the JSON, blanks
};

struct ScenarioAsked {
    std::string scenario;
    std::vector<std::string> overrides;
};

/// The members that every result begins with: "program", "command" and "scenario".
nlohmann::ordered_json result_of(const ScenarioAsked& asked);
/// Tells which values of switches are assumed or overridden: in JSON, and below the first line of the text.
void tell_assumed(Answer& answer, const std::vector<AssumedValue>& assumed);
/// The folder of a scenario, where its switches are searched.
std::string folder_of(const std::string& scenario);

struct RiskAsked : ScenarioAsked {
    std::string method = "auto", check, night = "8 h";
    RiskEffort effort;
};
Answer risk_answer(const RiskAsked& asked, const EngineFactory& make_engine);

struct SizeAsked : ScenarioAsked {
    std::string losses = "1e-9", rates;
    std::string uplinks;  ///< empty: the usual ones, as far as the switch has ports for them
    int jobs = default_jobs();
};
Answer size_answer(const SizeAsked& asked);

struct SensitivityAsked : ScenarioAsked {
    std::string engine = "exact";
    double loss = 1e-9;
    RiskEffort effort;
};
Answer sensitivity_answer(const SensitivityAsked& asked, const EngineFactory& make_engine);

/// @param prices  file; empty for none
Answer compare_answer(const CompareOptions& asked, const std::string& prices, const EngineFactory& make_engine);

struct StaggerAsked : ScenarioAsked {
    std::string kind = "all";
    double risk = 0;
    bool watersheds = false;
    RiskEffort effort;
};
Answer stagger_answer(const StaggerAsked& asked, const EngineFactory& make_engine);

struct ThrottleAsked : ScenarioAsked {
    std::string witness;  ///< prefix of files
    std::string rates, latency;
    bool curve = false;  ///< at the usual rates, where none are named
    RiskEffort effort;
};
struct ThrottleAnswer : Answer {
    Throttle found;
};
ThrottleAnswer throttle_answer(const ThrottleAsked& asked, const EngineFactory& make_engine);

struct BoundAsked : ScenarioAsked {
    std::string witness;  ///< file; empty: --json lists it
    std::string network, analysis, multiplexing;
};
/// The witness is in `csv`.
Answer bound_answer(const BoundAsked& asked, const EngineFactory& make_engine);
/// Bound of a network of servers.
Answer network_bound_answer(const BoundAsked& asked);

struct ExploreAsked {
    DesignRequirements wanted;
    DesignSpace asked;
    std::string separation = "20 us", losses = "1e-9", prices, budget, power;
    int top = 20;
    int verify = 0;
    double margin = 1;
    bool guarantee = false;
    std::string folder;  ///< for the scenarios of the ranked ways
};
Answer explore_answer(ExploreAsked asked, const EngineFactory& make_engine);

struct NPlus1Asked : ScenarioAsked {
    std::string frames = "64,256,1024,1518", engine = "exact";
    std::int64_t limit = 100'000'000;
};
Answer n_plus_1_answer(const NPlus1Asked& asked, const EngineFactory& make_engine);

/// UDP source ports, as keys of a scenario in `csv`.
Answer balance_answer(const ScenarioAsked& asked);

}  // namespace watershed
