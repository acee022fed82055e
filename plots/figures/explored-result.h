// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace watershed {

/// Whether a document names this program as the one that wrote it.
bool is_from_program(const nlohmann::ordered_json& document);

/// A document of `watershed explore --json` with at least one way, whose members all are of their kinds.
/// @throws InputError that names the first member that is not, and the file
void check_explored(const nlohmann::ordered_json& document, const std::string& file);

}  // namespace watershed
