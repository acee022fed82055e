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

/// Draws what a command writes with --json; main() knows how, because commands about scenarios do not see figures.
using DrawResult = std::function<void(const nlohmann::ordered_json& result, const std::string& output)>;

/// The program: runs the command that words name. @return exit status
using Program = int (*)(int argc, char** argv);

/// A command that ran another one has ended with its status.
struct ProgramEnded {
    int status;
};

/// Runs a command that has --part, and writes the part. @throws ProgramEnded, InputError
void do_part(int argc, const char* const* argv, Program program);

// Each adds the command of its name.

void add_merge_command(CLI::App& app, Program program);

void add_run_command(CLI::App& app, const Simulators& simulators);
void add_map_command(CLI::App& app, const EngineFactory& make_engine);
void add_boundary_command(CLI::App& app, const EngineFactory& make_engine);
void add_saturation_command(CLI::App& app, const EngineFactory& make_engine);
void add_export_command(CLI::App& app);
void add_risk_command(CLI::App& app, const EngineFactory& make_engine);
void add_size_command(CLI::App& app);
void add_explore_command(CLI::App& app, const EngineFactory& make_engine);
void add_compare_command(CLI::App& app, const EngineFactory& make_engine, const DrawResult& draw);
void add_sensitivity_command(CLI::App& app, const EngineFactory& make_engine, const DrawResult& draw);
void add_stagger_command(CLI::App& app, const EngineFactory& make_engine, const DrawResult& draw);
void add_throttle_command(CLI::App& app, const EngineFactory& make_engine, const DrawResult& draw);
void add_n_plus_1_command(CLI::App& app, const EngineFactory& make_engine);
void add_bound_command(CLI::App& app, const EngineFactory& make_engine);
void add_thresholds_command(CLI::App& app, const Simulators& simulators);
void add_balance_command(CLI::App& app);
void add_switches_command(CLI::App& app);
/// The option --switches of the program.
void add_switches_option(CLI::App& app);
void add_switch_from_sonic_command(CLI::App& app);
void add_example_command(CLI::App& app);
/// `validate` fails (status 1) if a number differs from the published one without explanation.
/// @param further  systems whose comparison needs rooms behind this one
void add_validate_command(CLI::App& app, const Simulators& simulators, const std::vector<PublishedSystem>& further);
void add_keys_command(CLI::App& app);
/// To be added after all other commands: it tells of them.
void add_manual_command(CLI::App& app);

/// Words a mistake in the command line: the option, what was found, what is expected, and which help tells more. A
/// complaint of the library that is not known is passed on as it is.
std::string command_line_error(const CLI::App& app, const CLI::ParseError& error, int argc, const char* const* argv);

}  // namespace watershed
