// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/base/outcome.h"
#include "model/scenario.h"
#include "scenarios/reader/assumed-value.h"

namespace watershed {

/// A run and what it gave.
struct RunReport {
    std::string engine;
    const Scenario& scenario;
    const Outcome& outcome;
    double wall_seconds = 0;
    std::vector<AssumedValue> assumed{};   ///< about the switch
    bool module_links = false;             ///< true: report each link of a module
    std::string file{};                    ///< file of the scenario
    std::vector<std::string> overrides{};  ///< KEY=VALUE that override the file
};

/// So many events that lost frames, the first ones, are listed one by one; the number of the others is told.
constexpr std::int64_t kIncompleteListed = 100'000;

/// Returns the identity of a run for the comment `# run: …` of its tables: "pause.toml, seed 1, front_end.modules=29".
std::string run_text(const std::string& scenario_file, std::uint64_t seed, const std::vector<std::string>& overrides);

/// Returns the fraction of the run's time for which the link was sending, at its nominal rate.
double utilisation(const Outcome::Link& link, BitRate rate, Time simulated);

/// The causes of a run's losses: "switch: buffer-full".
std::string losses_of(const Outcome& outcome);

/// Sentences of what surprises users of a scenario: higher classes that lose because lower ones fill the memory.
std::vector<std::string> warnings_of(const NetworkScenario& scenario);

/// @param lists  with the incomplete events one by one, of which there may be many
nlohmann::ordered_json to_json(const RunReport& report, bool lists = true);
/// The text for people, of the same members.
void print(std::ostream& out, const RunReport& report);

}  // namespace watershed
