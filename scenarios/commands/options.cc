// SPDX-License-Identifier: GPL-2.0-only
#include "scenarios/commands/options.h"

#include <nlohmann/json.hpp>
#include <sstream>

namespace watershed {

void add_overrides(CLI::App* command, std::vector<std::string>& overrides, const std::string& help) {
    command->add_option("--set", overrides, help)->allow_extra_args(false);
}

void add_scenario(CLI::App* command, std::string& scenario, std::vector<std::string>& overrides,
                  const std::string& more) {
    command->add_option("SCENARIO", scenario, "Scenario file (TOML)" + more)->required();
    add_overrides(command, overrides);
}

void add_engine(CLI::App* command, std::string& engine) {
    command->add_option("--engine", engine, "exact or ns3")
        ->check(CLI::IsMember({"ns3", "exact"}))
        ->capture_default_str();
}

void add_jobs(CLI::App* command, int& jobs, const std::string& help) {
    command->add_option("--jobs", jobs, help)->check(CLI::Range(1, 1024))->default_str("all processors");
}

void add_json(CLI::App* command, std::string& json, const std::string& what) {
    command->add_option("--json", json, "Write " + what + "; - is standard output, which then gets nothing else");
}

nlohmann::ordered_json answer_of(const std::string& text) {
    auto sentences = nlohmann::ordered_json::array();
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (!line.empty() && line.front() != '#' && line != "In the scenario:" && line.find("  ") == std::string::npos)
            sentences.push_back(line);
    return sentences;
}

}  // namespace watershed
