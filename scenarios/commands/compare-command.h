// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "scenarios/run/engine-choice.h"

namespace CLI {
class App;
}

namespace watershed {

/// Draws what `compare --json` writes; main() knows how, because commands about scenarios do not see figures.
using DrawDesigns = std::function<void(const nlohmann::ordered_json& result, const std::string& output)>;

/// `watershed compare`: scenarios side by side.
void add_compare_command(CLI::App& app, const EngineFactory& make_engine, const DrawDesigns& draw);

}  // namespace watershed
