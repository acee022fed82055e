// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "scenarios/commands/commands.h"

namespace watershed {

// Options that several commands have.

void add_overrides(CLI::App* command, std::vector<std::string>& overrides,
                   const std::string& help = "KEY=VALUE: override a key of the scenario (repeatable)");

/// The scenario, and --set for it. @param more  about the scenario
void add_scenario(CLI::App* command, std::string& scenario, std::vector<std::string>& overrides,
                  const std::string& more = "");

void add_engine(CLI::App* command, std::string& engine);

constexpr auto kJobsOfRanksHelp =
    "Number of processes; the result does not depend on it. Under mpirun each rank is one process";
void add_jobs(CLI::App* command, int& jobs,
              const std::string& help = "Number of processes; the result does not depend on it");

/// @param what  is written
void add_json(CLI::App* command, std::string& json, const std::string& what = "the result as JSON to FILE");

/// The sentences of a command's text, for "answer" of its JSON: lines without tables, comments and code.
nlohmann::ordered_json answer_of(const std::string& text);

}  // namespace watershed
