// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// Requests of the page, as commands of this program.
namespace watershed {

/// Commands that a request may name.
const std::vector<std::string>& studio_commands();

/// Files that a request brings, and the words of its command, which names them.
struct StudioRequest {
    std::map<std::string, std::string> files;  ///< text by name
    std::vector<std::string> words;
};

/// Checks a request: {"scenario": TOML, "map": CSV, "prices": CSV, further options by their long names}.
/// @throws InputError naming the field: unknown, of another kind, or a value that names a file
StudioRequest studio_request(const std::string& command, const std::string& body);

/// @throws InputError if a scenario file names another file
void refuse_files_of(const std::string& scenario);

/// Returns the answer as JSON: the command's own, or its table as {"columns": […], "rows": [[…]], "notes": […]}.
/// @param most  rows that a table of an occupancy may have; a longer one keeps the least and the most of each span of
/// its time
std::string studio_answer(const std::string& output, std::size_t most = 4000);

}  // namespace watershed
