// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

#include "model/outcome.h"
#include "model/scenario.h"
#include "scenarios/assumed-value.h"

namespace watershed {

/// A run and what it gave.
struct RunReport {
    std::string engine;
    const Scenario& scenario;
    const Outcome& outcome;
    double wall_seconds = 0;
    std::vector<AssumedValue> assumed{};   ///< about the switch
    bool module_links = false;   ///< tell of the modules' links one by one
};

nlohmann::ordered_json to_json(const RunReport& report);
/// A table for people.
void print(std::ostream& out, const RunReport& report);

}  // namespace watershed
