// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>

#include "scenarios/reader/switch-check.h"

namespace watershed {

struct Scenario;

/// Checks what the keys of [trigger] mean together, once all are read, and reads the files that they name.
/// @throws InputError with place, key, what was found and what was expected
void check_trigger(Scenario& scenario, const std::string& file, const Places& given);

/// For pattern "line-rate-plus-burst": two ports and one output, all of one speed unless the scenario says otherwise.
/// @throws as check_trigger()
void check_line_rate_plus_burst(Scenario& scenario, const std::string& file, const Places& given);

/// For those who simulate the scenario's own triggers; a risk needs no end. @throws InputError if they have none
void expect_end_of_triggers(const Scenario& scenario, const std::string& file);

/// For those who simulate it among other things: where triggers have no end, they are 100,000.
Scenario with_an_end(Scenario scenario);

}  // namespace watershed
