// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "scenarios/run/simulators.h"
#include "scenarios/validate/validate.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace watershed {

/// `watershed run`
void add_run_command(CLI::App& app, const Simulators& simulators);

/// `watershed map`, `watershed boundary` and `watershed saturation`: many runs of one scenario.
void add_map_command(CLI::App& app, const EngineFactory& make_engine);
void add_boundary_command(CLI::App& app, const EngineFactory& make_engine);
void add_saturation_command(CLI::App& app, const EngineFactory& make_engine);
/// `watershed export`: what a campaign has stored.
void add_export_command(CLI::App& app);

/// `watershed risk`: the chance that an event is incomplete.
void add_risk_command(CLI::App& app, const EngineFactory& make_engine);

/// `watershed size`: the smallest memory, and the fewest uplinks, for a wanted chance of loss.
void add_size_command(CLI::App& app);

/// `watershed explore`: which switches, how many, and with which uplinks.
void add_explore_command(CLI::App& app, const EngineFactory& make_engine);

/// Draws what a command writes with --json; main() knows how, because commands about scenarios do not see figures.
using DrawResult = std::function<void(const nlohmann::ordered_json& result, const std::string& output)>;

/// `watershed compare`: scenarios side by side.
void add_compare_command(CLI::App& app, const EngineFactory& make_engine, const DrawResult& draw);

/// `watershed sensitivity`: what if something is other than planned.
void add_sensitivity_command(CLI::App& app, const EngineFactory& make_engine, const DrawResult& draw);

/// `watershed stagger`: delays without loss.
void add_stagger_command(CLI::App& app, const EngineFactory& make_engine, const DrawResult& draw);
/// `watershed throttle`: trigger rules without loss.
void add_throttle_command(CLI::App& app, const EngineFactory& make_engine, const DrawResult& draw);
/// `watershed n-plus-1`: what tests of real switches measure.
void add_n_plus_1_command(CLI::App& app, const EngineFactory& make_engine);

/// `watershed bound`: what no sequence of triggers, and no arrival that a network admits, ever exceeds.
void add_bound_command(CLI::App& app, const EngineFactory& make_engine);

/// watershed thresholds: those of the switch of a scenario, or of each that a table configures, found by filling it.
void add_thresholds_command(CLI::App& app, const Simulators& simulators);

/// `watershed balance`: UDP source ports with which a hash loads all uplinks alike.
void add_balance_command(CLI::App& app);

/// `watershed switches`
void add_switches_command(CLI::App& app);
/// The option --switches of the program.
void add_switches_option(CLI::App& app);

/// `watershed switch-from-sonic`: a switch as its SONiC configuration says.
void add_switch_from_sonic_command(CLI::App& app);

/// `watershed example`: copies of the scenarios that come with the program.
void add_example_command(CLI::App& app);

/// Adds `watershed validate`, which fails (status 1) if a number differs from the published one without explanation.
/// @param further systems whose comparison needs rooms behind this one
void add_validate_command(CLI::App& app, const Simulators& simulators, const std::vector<PublishedSystem>& further);

/// `watershed keys`: every key of a scenario file, from the same list that the reader uses.
void add_keys_command(CLI::App& app);

/// `watershed manual`: the manual page, the reference of commands and keys, and shell completions, all from what the
/// program itself knows; to be added after all other commands.
void add_manual_command(CLI::App& app);

/// What is wrong with the command line: the option, what was found, what is expected, and which help tells more. A
/// complaint of the library that is not known is passed on as it is.
std::string command_line_error(const CLI::App& app, const CLI::ParseError& error, int argc, const char* const* argv);

}  // namespace watershed
