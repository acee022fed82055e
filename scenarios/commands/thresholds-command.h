// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenarios/run/simulators.h"

namespace CLI {
class App;
}

namespace watershed {

/// watershed thresholds: those of the switch of a scenario, or of each that a table configures, found by filling it.
void add_thresholds_command(CLI::App& app, const Simulators& simulators);

}  // namespace watershed
