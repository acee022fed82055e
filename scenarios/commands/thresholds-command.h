// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenarios/run/simulators.h"

namespace CLI {
class App;
}

namespace watershed {

/// watershed thresholds: the thresholds of switches that a table configures, found by filling them frame by frame.
void add_thresholds_command(CLI::App& app, const Simulators& simulators);

}  // namespace watershed
